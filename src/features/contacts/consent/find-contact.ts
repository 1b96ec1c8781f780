// Finds stored contacts by address, by the caller's id or by ours. It is here and not in contacts/ because consent is imported by contacts.

import { and, eq, sql } from 'drizzle-orm'
import type { ReadDb } from '../../../../db/handle.ts'
import { prepared } from '../../../../db/prepared.ts'
import { orNull, toRows } from '../../../../db/rows.ts'
import { contacts } from '../../../../db/tables/contacts.ts'
import type { Reader } from '../../../core/app.ts'
import { parseAddress } from '../../../kit/email-address.ts'
import { AppError, missingField } from '../../../kit/error.ts'

export type Contact = typeof contacts.$inferSelect

/** The contact of a workspace with this value. */
const by = (column: typeof contacts.emailKey | typeof contacts.userId | typeof contacts.id) =>
  prepared((db: ReadDb) =>
    db
      .select()
      .from(contacts)
      .where(and(eq(contacts.workspaceId, sql.placeholder('workspaceId')), eq(column, sql.placeholder('value'))))
      .prepare(),
  )

const byEmail = by(contacts.emailKey)
const byUserId = by(contacts.userId)
const byId = by(contacts.id)

export async function findContactByEmail(reader: Reader, workspaceId: string, email: string): Promise<Contact | null> {
  return (await byEmail(reader.db).get({ workspaceId, value: email.toLowerCase() })) ?? null
}

export async function findContactByUserId(
  reader: Reader,
  workspaceId: string,
  userId: string,
): Promise<Contact | null> {
  return (await byUserId(reader.db).get({ workspaceId, value: userId })) ?? null
}

/** The recipient of a mail or the subject of an event: by address or by the caller's id. */
export interface ContactReference {
  workspaceId: string
  email: string | null
  userId: string | null
}

const references = toRows({
  workspaceId: contacts.workspaceId,
  emailKey: orNull(contacts.emailKey),
  userId: contacts.userId,
})

/** For each row of a list, the contact with its value in this column. */
const askedBy = (value: 'emailKey' | 'userId') =>
  prepared((db: ReadDb) =>
    db
      .select({ number: references.number, contact: contacts })
      .from(references.list)
      .innerJoin(
        contacts,
        sql`${contacts.workspaceId} = ${references.each.workspaceId} AND ${contacts[value]} = ${references.each[value]}`,
      )
      .prepare(),
  )

const askedByEmail = askedBy('emailKey')
const askedByUserId = askedBy('userId')

/** The contact for each name: by address if one is given; null when there is none. */
export async function findContacts(reader: Reader, names: ContactReference[]): Promise<(Contact | null)[]> {
  const rows = names.map(({ workspaceId, email, userId }) => ({
    workspaceId,
    emailKey: email?.toLowerCase() ?? null,
    userId: email === null ? userId : null,
  }))
  const given = references.given(rows)
  const found = await Promise.all([
    askedByEmail(reader.db).all(given),
    rows.some(({ userId }) => userId !== null) ? askedByUserId(reader.db).all(given) : [],
  ])
  const byNumber = new Map(found.flat().map(({ number, contact }) => [number, contact]))
  return names.map((_, number) => byNumber.get(number) ?? null)
}

export async function findContact(reader: Reader, workspaceId: string, id: string): Promise<Contact | null> {
  return (await byId(reader.db).get({ workspaceId, value: id })) ?? null
}

/** The contact that matches; when both are given it must match both. */
export async function findNamed(
  reader: Reader,
  workspaceId: string,
  { email, userId }: { email?: string | undefined; userId?: string | undefined },
): Promise<Contact | null> {
  const byUser = userId === undefined ? null : await findContactByUserId(reader, workspaceId, userId)
  if (email === undefined) return byUser
  const byMail = await findContactByEmail(reader, workspaceId, comparable(email))
  return userId === undefined || byMail?.id === byUser?.id ? byMail : null
}

/** An address in stored form (domain in ASCII); anything else is returned unchanged and matches nobody. */
export function comparable(email: string): string {
  const parsed = parseAddress(email)
  return parsed.ok ? parsed.address : email
}

/** Throws not_found, also for another workspace's. */
export async function getContact(reader: Reader, workspaceId: string, id: string): Promise<Contact> {
  const contact = await findContact(reader, workspaceId, id)
  if (!contact) throw new AppError('not_found', `no contact ${JSON.stringify(id.slice(0, 80))} in this workspace`)
  return contact
}

/** The address or id that names a contact. Throws 422 when neither is given; an empty one counts as missing. */
export function namedBy({ email, userId }: { email?: string; userId?: string }): { email?: string; userId?: string } {
  const named = { ...(email ? { email } : {}), ...(userId ? { userId } : {}) }
  if (Object.keys(named).length === 0) throw missingField('email', 'say which contact: email or userId')
  return named
}
