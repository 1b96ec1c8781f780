// The index of received mail: written in the transaction that stores a mail. Of mail that came before there was an index a job reads the
// sources, the newest first, piece by piece.

import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { receivedMessages, receivedTexts } from '../../../db/tables/mailboxes.ts'
import { type App, type Tx, writeInTurn } from '../../core/app.ts'
import { defineJob } from '../../core/outbox/job.ts'
import { minute, second } from '../../kit/duration.ts'
import { nextTurn } from '../../kit/turn.ts'
import type { Reading } from '../../mail/mail-work.ts'
import { toRawMail } from '../../mail/raw-mail.ts'
import { type SearchText, toSearchText } from './search-text.ts'
import { readSource } from './sources.ts'

/** So many mails of one millisecond keep their order. */
const perMs = 1_024
/** Those of a millisecond that is full are numbered into the next ones, within a second. */
const spillMs = second

/** The least number of what is received at `at`. */
export function firstNumber(at: Date): number {
  return at.getTime() * perMs
}

/** Own words first, then file names, then what is quoted: a forwarded mail is quoted as a whole. */
export function searchTextOf({ mail, own, quoted }: Pick<Reading, 'mail' | 'own' | 'quoted'>): SearchText {
  const { from, subject, attachments } = mail
  const files = attachments.map(({ filename }) => filename).join('\n')
  return toSearchText({ subject, sender: `${from.name} ${from.address}`, body: [own, files, quoted] })
}

export async function insertText(
  tx: Tx,
  { id, mailboxId, createdAt }: Pick<typeof receivedMessages.$inferSelect, 'id' | 'mailboxId' | 'createdAt'>,
  { subject, sender, body }: Omit<SearchText, 'body'> & { body: string | null },
): Promise<void> {
  // Written out: to a libSQL server a parameter travels as a floating point number.
  const first = sql.raw(String(firstNumber(createdAt)))
  const end = sql.raw(String(firstNumber(createdAt) + perMs * spillMs))
  await tx.db.run(
    sql`INSERT INTO ${receivedTexts} (number, received_id, mailbox_id, subject, sender, body)
      SELECT coalesce(max(number) + 1, ${first}), ${id}, ${mailboxId}, ${subject}, ${sender}, ${body}
      FROM ${receivedTexts} WHERE number >= ${first} AND number < ${end}`,
  )
}

/** A statement deletes so many: each may be of thousands of words. */
const textsPerDelete = 10

/** Deletes some of these. Returns how many; call until 0. */
export async function deleteSomeTexts(tx: Tx, receivedIds: string[]): Promise<number> {
  const some = tx.db
    .select({ number: receivedTexts.number })
    .from(receivedTexts)
    .where(inArray(receivedTexts.receivedId, receivedIds))
    .limit(textsPerDelete)
  const gone = await tx.db
    .delete(receivedTexts)
    .where(inArray(receivedTexts.number, some))
    .returning({ number: receivedTexts.number })
  return gone.length
}

/** Adds mail from before there was an index. */
export const indexMail = defineJob<Record<string, never>>({
  kind: 'index-mail',
  lane: 'maintenance',
  timeoutMs: 30 * minute,
  attemptsMax: 3,
  retryDelaysMs: [minute],
  async run(app, _job, { signal }) {
    while (!signal.aborted && (await indexOne(app))) await nextTurn()
    return { outcome: 'done' }
  },
})

/** False when every mail is in the index. */
async function indexOne(app: App): Promise<boolean> {
  const [waiting] = await app.db
    .select({ number: receivedTexts.number, receivedId: receivedTexts.receivedId })
    .from(receivedTexts)
    .where(isNull(receivedTexts.body))
    .orderBy(desc(receivedTexts.number))
    .limit(1)
  if (!waiting) return false
  const text = await readText(app, waiting.receivedId)
  await writeInTurn(app, '', async (tx) => {
    await tx.db
      .update(receivedTexts)
      .set(text)
      .where(and(eq(receivedTexts.number, waiting.number), isNull(receivedTexts.body)))
  })
  return true
}

async function readText(app: App, receivedId: string): Promise<SearchText> {
  const pieces = await readSource(app, receivedId)
  if (pieces) return searchTextOf(await app.mailReader.read(await toRawMail(pieces)))
  const [row] = await app.db.select().from(receivedMessages).where(eq(receivedMessages.id, receivedId))
  const sender = row ? `${row.fromName} ${row.fromAddress}` : ''
  return toSearchText({ subject: row?.subject ?? '', sender, body: [] })
}
