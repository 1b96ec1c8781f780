// The snippet of a received mail, for lists: the beginning of its visible text, never of hidden text. An earlier version included hidden
// text, so its snippets were deleted; they are computed again when they are listed.

import { eq } from 'drizzle-orm'
import { receivedMessages } from '../../../db/tables/mailboxes.ts'
import { type App, write } from '../../core/app.ts'
import { passageMark } from '../../kit/visible.ts'
import { toRawMail } from '../../mail/raw-mail.ts'
import { readSource } from './sources.ts'

type MessageRow = typeof receivedMessages.$inferSelect

const snippetChars = 200

/** `own` as the mail reader returns it. */
export function toSnippet(own: string): string {
  return own.replaceAll(passageMark, '').replace(/\s+/g, ' ').slice(0, snippetChars).toWellFormed()
}

/** The same rows, each with its snippet. */
export async function withSnippets(app: App, rows: MessageRow[]): Promise<MessageRow[]> {
  const renewed = new Map<string, string>()
  for (const { id, snippet } of rows) if (snippet === null) renewed.set(id, await makeSnippet(app, id))
  if (renewed.size === 0) return rows
  await write(app, async (tx) => {
    for (const [id, snippet] of renewed)
      await tx.db.update(receivedMessages).set({ snippet }).where(eq(receivedMessages.id, id))
  })
  return rows.map((row) => ({ ...row, snippet: row.snippet ?? renewed.get(row.id) ?? '' }))
}

async function makeSnippet(app: App, id: string): Promise<string> {
  const pieces = await readSource(app, id)
  return pieces ? toSnippet((await app.mailReader.read(await toRawMail(pieces))).own) : ''
}
