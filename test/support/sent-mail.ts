// What tests of sending share: a person, files to attach, and the mail that left, as a parser reads it that is not ours.

import { expect } from 'bun:test'
import { eq } from 'drizzle-orm'
import { type ParsedMail, simpleParser } from 'mailparser'
import { contacts } from '../../db/tables/contacts.ts'
import { write } from '../../src/core/app.ts'
import { contactOfRecipient } from '../../src/features/contacts/contacts.ts'
import type { TestApp } from './app.ts'
import type { CapturedMail } from './captured-mail.ts'

type ContactRow = typeof contacts.$inferSelect

export async function addContact(t: TestApp, email: string, more: Partial<ContactRow> = {}): Promise<ContactRow> {
  return write(t.app, async (tx) => {
    const { id } = await contactOfRecipient(tx, t.workspace.id, { email, locale: null })
    const [row] = await tx.db.update(contacts).set(more).where(eq(contacts.id, id)).returning()
    if (!row) throw new Error('the contact was not made')
    return row
  })
}

/** The mails that left, in the order in which they were accepted: they leave side by side. */
export async function sentInOrder(t: TestApp): Promise<CapturedMail[]> {
  await t.settle()
  return (await t.sent()).sort((one, other) => (one.messageId < other.messageId ? -1 : 1))
}

export const parsedInOrder = async (t: TestApp) =>
  Promise.all((await sentInOrder(t)).map(({ raw }) => simpleParser(raw)))

/** The one mail that left, read by a parser that is not ours. */
export async function onlyMail(t: TestApp): Promise<ParsedMail> {
  await t.settle()
  const sent = await t.sent()
  expect(sent).toHaveLength(1)
  return simpleParser(sent[0]?.raw ?? '')
}

/** Header names and unfolded values, in order. */
export function headersOf(raw: string): [string, string][] {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ')
  return head.split('\r\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)])
}

export const pdf = Buffer.concat([
  Buffer.from('%PDF-1.7\n'),
  Buffer.from(Array.from({ length: 256 }, (_, i) => i)),
  Buffer.from('\r\n.\r\n%%EOF'),
])
export const base64 = (data: Buffer | string) => Buffer.from(data).toString('base64')
