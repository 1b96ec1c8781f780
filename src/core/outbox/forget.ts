// Deletes jobs: those that ended long ago, and what they contain about a person who is erased.

import { and, eq, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { oneOf } from '../../../db/bulk.ts'
import { endedStates, outboxAttempts, outboxJobs, sendJournal } from '../../../db/tables/outbox.ts'
import { firstId } from '../../kit/id.ts'
import type { Tx } from '../app.ts'
import type { JobKind } from './job.ts'

const ended = inArray(outboxJobs.state, endedStates)

/** For a kind whose payload is about a person: nothing of a finished job is kept. Called by its ended(). */
export async function forgetJob(tx: Tx, jobId: string): Promise<void> {
  await remove(tx, [jobId])
}

/**
 * Deletes the replies of servers about the recipients of these mails; nothing of a finished job is kept. `jobIds` are the latest jobs; the jobs
 * that they repeat are included.
 */
export async function forgetMails(tx: Tx, mails: { messageIds: string[]; jobIds: string[] }): Promise<void> {
  const all = await tx.db.all<{ id: string }>(sql`WITH RECURSIVE chain(id) AS (
    SELECT value FROM json_each(${JSON.stringify(mails.jobIds)})
    UNION SELECT parent_id FROM outbox_jobs j JOIN chain ON j.id = chain.id WHERE parent_id IS NOT NULL) SELECT id FROM chain`)
  const jobIds = all.map(({ id }) => id)
  await remove(tx, await listIds(tx, and(ended, inArray(outboxJobs.id, oneOf(jobIds)))))
  await tx.db
    .update(outboxJobs)
    .set({ lastError: null })
    .where(inArray(outboxJobs.id, oneOf(jobIds)))
  await tx.db
    .update(outboxAttempts)
    .set({ detail: null })
    .where(inArray(outboxAttempts.jobId, oneOf(jobIds)))
  await tx.db
    .update(sendJournal)
    .set({ smtpReply: null })
    .where(inArray(sendJournal.messageId, oneOf(mails.messageIds)))
}

/** Jobs at rest, as the indexes of jobs by kind say it: spelled out, because SQLite compares the condition of an index with that of a query. */
const atRest = ["state = 'pending'", "state IN ('held', 'dead', 'ambiguous')", 'finished_at IS NOT NULL']

/** Jobs of a kind that are not running, whose payload has this text at `path` (a JSON path), ignoring case. */
export async function forgetByPayload(
  tx: Tx,
  { kind }: Pick<JobKind<never>, 'kind'>,
  { workspaceId, path, text }: { workspaceId: string; path: string; text: string },
): Promise<void> {
  const mine = and(eq(outboxJobs.workspaceId, workspaceId), eq(outboxJobs.kind, kind))
  const named = sql`lower(payload ->> ${path}) = lower(${text})`
  const found: string[] = []
  for (const one of atRest) found.push(...(await listIds(tx, and(mine, sql.raw(one), named))))
  await remove(tx, [...new Set(found)])
}

/** The rows of one portion of the retention, of which a transaction takes some (src/operator/jobs.ts). */
const retentionBatch = 200

/** Deletes finished jobs that ended before `horizon`, with their attempts and journal. Returns how many; call until 0. */
export async function deleteFinished(tx: Tx, horizon: Date): Promise<number> {
  const gone = await tx.db
    .select({ id: outboxJobs.id })
    .from(outboxJobs)
    // Ids sort by due time, so the oldest jobs are in the first pages of the table.
    .where(and(lt(outboxJobs.id, firstId('job', horizon)), ended, lt(outboxJobs.finishedAt, horizon)))
    .orderBy(outboxJobs.id)
    .limit(retentionBatch)
  const ids = gone.map(({ id }) => id)
  if (ids.length > 0) await forgetJournal(tx, ids)
  return await remove(tx, ids)
}

/** Found by its key, because it has no index by job. */
async function forgetJournal(tx: Tx, jobIds: string[]): Promise<void> {
  const theirMails = sql`(SELECT payload ->> '$.messageId' FROM ${outboxJobs} WHERE ${inArray(outboxJobs.id, oneOf(jobIds))})`
  await tx.db
    .delete(sendJournal)
    .where(and(sql`${sendJournal.messageId} IN ${theirMails}`, inArray(sendJournal.jobId, oneOf(jobIds))))
}

async function listIds(tx: Tx, where: SQL | undefined): Promise<string[]> {
  const rows = await tx.db.select({ id: outboxJobs.id }).from(outboxJobs).where(where)
  return rows.map(({ id }) => id)
}

async function remove(tx: Tx, ids: string[]): Promise<number> {
  if (ids.length === 0) return 0
  await tx.db.delete(outboxAttempts).where(inArray(outboxAttempts.jobId, oneOf(ids)))
  await tx.db.delete(outboxJobs).where(inArray(outboxJobs.id, oneOf(ids)))
  return ids.length
}
