// The index of a search: which blocks of 128 neighbouring messages hold an address, a domain, a template … An index of the table itself
// would cost a send more than all of its other work, so this one is made later, block by block, by a job, and takes 20 bytes a mail. Its
// order is that of rowids: messages get them as they are committed, so a full block is never added to.

import { sql } from 'drizzle-orm'
import type { Db } from '../../../../db/handle.ts'
import { prepared } from '../../../../db/prepared.ts'
import { toRows } from '../../../../db/rows.ts'
import { activityTerms } from '../../../../db/tables/messages.ts'
import { type App, type Reader, Steps, type Tx, writeInTurn } from '../../../core/app.ts'
import { defineJob } from '../../../core/outbox/job.ts'
import { minute, second } from '../../../kit/duration.ts'
import { addressDomain } from '../../../kit/email-address.ts'

export const blockSize = 128
/** Written out: to a libSQL server a parameter travels as a floating point number, and would divide as one. */
const wholeSize = sql.raw(String(blockSize))
/** Marks a block that is in the index. */
const blockMark = 0

const blocksPerStep = { least: 1, most: 16 }
/** While mail is accepted all the time, the index follows so closely. */
const followEveryMs = 2 * second

/** Of a search: what an index knows of a message. */
export const indexedFields = ['to', 'contact', 'tag', 'campaign', 'domain', 'template', 'workspace'] as const
export type IndexedField = (typeof indexedFields)[number]

/** 48 bits, which a number holds: two terms that share them cost a look at 128 messages. */
export function toTerm(workspaceId: string, field: IndexedField, value: string): number {
  const hash = Bun.hash.xxHash64(`${workspaceId}\n${field}\n${value}`)
  return Number(BigInt.asUintN(48, hash)) || 1
}

/** Carries the index on to the last full block, and again soon if there was one. */
export const indexActivity = defineJob<Record<string, never>>({
  kind: 'index-activity',
  lane: 'maintenance',
  timeoutMs: 10 * minute,
  attemptsMax: 3,
  retryDelaysMs: [minute],
  async run(app, _job, { signal }) {
    const blocks = await buildIndex(app, signal)
    if (blocks === 0) return { outcome: 'done' }
    return { outcome: 'defer', code: 'following', detail: `${blocks} blocks`, delayMs: followEveryMs }
  },
})

/** Returns how many blocks were added. */
export async function buildIndex(app: App, signal?: AbortSignal): Promise<number> {
  const steps = new Steps(app, '', blocksPerStep)
  for (let total = 0; ; ) {
    const some = signal?.aborted ? 0 : await steps.write((tx, size) => addBlocks(tx, size))
    if (some === 0) return total
    total += some
  }
}

interface Indexed {
  block: number
  workspaceId: string
  email: string
  contactId: string | null
  templateId: string | null
  campaignId: string | null
  tags: string | null
}

async function addBlocks(tx: Tx, most: number): Promise<number> {
  const { first, end } = await missingBlocks(tx)
  const until = Math.min(end, first + most)
  if (until <= first) return 0
  const rows = await tx.db.all<Indexed>(
    sql`SELECT rowid / ${wholeSize} AS block, workspace_id AS workspaceId, email, contact_id AS contactId, template_id AS templateId,
      campaign_id AS campaignId, tags FROM messages WHERE rowid >= ${first * blockSize} AND rowid < ${until * blockSize}`,
  )
  const marks = Array.from({ length: until - first }, (_, index) => ({ term: blockMark, block: first + index }))
  const entries = [...Map.groupBy(rows, ({ block }) => block)].flatMap(([block, ofBlock]) =>
    [...new Set(ofBlock.flatMap(toTerms))].map((term) => ({ term, block })),
  )
  entries.sort((one, other) => one.term - other.term)
  await addEntries(tx.db).run(entry.given([...marks, ...entries]))
  return until - first
}

const entry = toRows({ term: activityTerms.term, block: activityTerms.block })
/** A block whose mark was taken away is added anew, over what it had. */
const addEntries = prepared((db: Db) => entry.insertInto(db, activityTerms, entry.each).onConflictDoNothing().prepare())

/** From `first` up to, and without, `end`. */
export async function missingBlocks(reader: Reader): Promise<{ first: number; end: number }> {
  const [row] = await reader.db.all<{ first: number | null; end: number | null }>(
    sql`SELECT coalesce((SELECT max(block) + 1 FROM activity_terms WHERE term = ${blockMark}),
      (SELECT min(rowid) / ${wholeSize} FROM messages)) AS first, (SELECT (max(rowid) + 1) / ${wholeSize} FROM messages) AS end`,
  )
  return { first: row?.first ?? 0, end: row?.end ?? 0 }
}

export interface Person {
  workspaceId: string
  /** Of the contact. */
  id: string
  /** The address in lower case. */
  emailKey: string
}

/** Indexed blocks, from `from` up to and without `until`, that hold a message to a person: the lowest `limit`. */
export async function blocksOfPerson(
  reader: Reader,
  { workspaceId, id, emailKey }: Person,
  { from, until, limit }: { from: number; until: number; limit: number },
): Promise<number[]> {
  const terms = personTerms(workspaceId, id, emailKey)
  const rows = await reader.db.all<{ block: number }>(
    sql`SELECT DISTINCT block FROM activity_terms WHERE term IN (${terms[0]}, ${terms[1]}) AND block >= ${from} AND block < ${until}
      ORDER BY block LIMIT ${limit}`,
  )
  return rows.map(({ block }) => block)
}

function personTerms(workspaceId: string, contactId: string, address: string): [contact: number, to: number] {
  return [toTerm(workspaceId, 'contact', contactId), toTerm(workspaceId, 'to', address.toLowerCase())]
}

/** For a message that gets its contact after it was sent, and may be in the index by then. */
export async function indexContact(tx: Tx, workspaceId: string, messageId: string, contactId: string): Promise<void> {
  await tx.db.run(
    sql`INSERT INTO activity_terms (term, block) SELECT ${toTerm(workspaceId, 'contact', contactId)}, m.rowid / ${wholeSize} FROM messages AS m
      WHERE m.id = ${messageId} AND EXISTS (SELECT 1 FROM activity_terms AS known WHERE known.term = ${blockMark} AND known.block = m.rowid / ${wholeSize})
      ON CONFLICT DO NOTHING`,
  )
}

function toTerms({ workspaceId, email, contactId, templateId, campaignId, tags }: Indexed): number[] {
  const address = email.toLowerCase()
  const given: [IndexedField, string | null][] = [
    ['workspace', ''],
    ['to', address],
    ['domain', addressDomain(address)],
    ['contact', contactId],
    ['template', templateId],
    ['campaign', campaignId],
    ...parseTags(tags).map((tag): [IndexedField, string] => ['tag', tag]),
  ]
  return given.flatMap(([field, value]) => (value === null ? [] : [toTerm(workspaceId, field, value)]))
}

function parseTags(tags: string | null): string[] {
  return tags === null ? [] : JSON.parse(tags)
}

/** Removes what the index knows of these messages, all of one workspace, before they are deleted. */
export async function forgetIndexed(tx: Tx, rowids: number[]): Promise<void> {
  const rows = await tx.db.all<Indexed>(
    sql`SELECT rowid / ${wholeSize} AS block, workspace_id AS workspaceId, email, contact_id AS contactId, template_id AS templateId,
      campaign_id AS campaignId, tags FROM messages WHERE rowid IN (SELECT value FROM json_each(${JSON.stringify(rowids)}))`,
  )
  const terms = rows.flatMap((row) => toTerms(row).map((term) => [term, row.block]))
  await tx.db.run(
    sql`DELETE FROM activity_terms WHERE (term, block) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${JSON.stringify(terms)}))`,
  )
}

/** Removes a person from the index: no block is found by them any more. */
export async function forgetTerms(tx: Tx, workspaceId: string, contactId: string, email: string): Promise<void> {
  const terms = personTerms(workspaceId, contactId, email)
  await tx.db.run(sql`DELETE FROM activity_terms WHERE term IN (${terms[0]}, ${terms[1]})`)
}

/** Terms of one portion of a clean-up. */
const termsPerStep = 1_000

/** Removes blocks of which no message is left, once they are a tenth of all: their entries lie all over the index. */
export async function deleteOldTerms(app: App, signal: AbortSignal): Promise<void> {
  const [row] = await app.db.all<{ oldest: number; gone: number; all: number }>(
    sql`SELECT oldest, (SELECT count(*) FROM activity_terms WHERE term = ${blockMark} AND block < oldest) AS gone,
      (SELECT count(*) FROM activity_terms WHERE term = ${blockMark}) AS "all"
      FROM (SELECT coalesce((SELECT min(rowid) / ${wholeSize} FROM messages), 0) AS oldest)`,
  )
  if (!row || row.gone * 10 < row.all || row.gone === 0) return
  const { oldest } = row
  for (let after: number | null = blockMark; after !== null && !signal.aborted; ) {
    const from: number = after
    after = await writeInTurn(app, '', (tx) => deleteSomeTerms(tx, oldest, from))
  }
  // Last: one that was cut off begins again.
  if (!signal.aborted)
    await writeInTurn(app, '', (tx) =>
      tx.db.run(sql`DELETE FROM activity_terms WHERE term = ${blockMark} AND block < ${oldest}`),
    )
}

/** Returns the last term that was looked at; null at the end. */
async function deleteSomeTerms(tx: Tx, oldest: number, after: number): Promise<number | null> {
  const [row] = await tx.db.all<{ last: number | null }>(
    sql`SELECT max(term) AS last FROM (SELECT term FROM activity_terms WHERE term > ${after} ORDER BY term LIMIT ${termsPerStep})`,
  )
  const last = row?.last ?? null
  if (last !== null)
    await tx.db.run(sql`DELETE FROM activity_terms WHERE term > ${after} AND term <= ${last} AND block < ${oldest}`)
  return last
}
