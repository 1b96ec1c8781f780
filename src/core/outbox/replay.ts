// Continues a job that has ended: its replay, or an operator's decision about a lost outcome.

import { and, eq, inArray } from 'drizzle-orm'
import { outboxJobs } from '../../../db/tables/outbox.ts'
import type { Tx } from '../app.ts'
import { notifyKind, writeJournal } from './complete.ts'
import { enqueue } from './enqueue.ts'
import type { Ending, JobKind } from './job.ts'

/**
 * Runs a dead or cancelled job again as a new one that remembers its parent; its kind is notified as after a resend. Null when there is no
 * such job, or when it was replayed before: then its replay is the one to replay.
 */
export async function replayJob<P>(
  tx: Tx,
  kind: JobKind<P>,
  workspaceId: string,
  jobId: string,
): Promise<string | null> {
  const [row] = await tx.db
    .select()
    .from(outboxJobs)
    .where(
      and(
        eq(outboxJobs.id, jobId),
        eq(outboxJobs.workspaceId, workspaceId),
        inArray(outboxJobs.state, ['dead', 'cancelled']),
      ),
    )
  if (!row || row.kind !== kind.kind || (await wasReplayed(tx, jobId))) return null
  const job = { ...row, payload: row.payload as P }
  const { partitionKey, priority } = row
  const again = await enqueue(tx, kind, { workspaceId, payload: job.payload, partitionKey, priority, parentId: jobId })
  const told = { code: 'replayed', detail: null, mayHaveArrived: false, report: null } as const
  await notifyKind(tx, kind, [{ job, ending: { ...told, state: 'pending', jobId: again, nextDueAt: tx.now } }])
  return again
}

async function wasReplayed(tx: Tx, jobId: string): Promise<boolean> {
  const rows = await tx.db.select({ id: outboxJobs.id }).from(outboxJobs).where(eq(outboxJobs.parentId, jobId)).limit(1)
  return rows.length > 0
}

/** An operator's decision about a job whose outcome was lost: it did arrive, or is to be sent again (a new job). */
export async function resolveAmbiguous<P>(
  tx: Tx,
  kind: JobKind<P>,
  { workspaceId, jobId, verdict }: { workspaceId: string; jobId: string; verdict: 'done' | 'resend' },
): Promise<{ outcome: 'done' } | { outcome: 'resent'; jobId: string } | { outcome: 'not_found' }> {
  const [row] = await tx.db
    .update(outboxJobs)
    .set({ state: verdict === 'done' ? 'done' : 'cancelled', lastCode: `resolved_${verdict}`, finishedAt: tx.now })
    .where(and(eq(outboxJobs.id, jobId), eq(outboxJobs.workspaceId, workspaceId), eq(outboxJobs.state, 'ambiguous')))
    .returning()
  if (!row || row.kind !== kind.kind) return { outcome: 'not_found' }
  const job = { ...row, payload: row.payload as P }
  const told = {
    code: `resolved_${verdict}`,
    detail: null,
    jobId,
    mayHaveArrived: false,
    nextDueAt: null,
    report: null,
  }
  const known: Ending =
    verdict === 'done'
      ? ({ ...told, state: 'done' } as const)
      : ({ ...told, state: 'pending', mayHaveArrived: true } as const)
  await writeJournal(tx, kind, [{ job, ending: known }])
  if (verdict === 'done') {
    await notifyKind(tx, kind, [{ job, ending: known }])
    return { outcome: 'done' }
  }
  const { partitionKey, priority } = row
  const again = await enqueue(tx, kind, { workspaceId, payload: job.payload, partitionKey, priority, parentId: jobId })
  await notifyKind(tx, kind, [{ job, ending: { ...known, jobId: again, nextDueAt: tx.now } }])
  return { outcome: 'resent', jobId: again }
}
