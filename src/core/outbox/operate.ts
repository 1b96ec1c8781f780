// What an operator may do with a job of any kind: retry it, cancel it, resolve a lost outcome. `kinds` is the list of all kinds
// (src/operator/jobs.ts), passed in because this folder cannot import it.

import { and, eq } from 'drizzle-orm'
import { outboxJobs } from '../../../db/tables/outbox.ts'
import { AppError } from '../../kit/error.ts'
import type { Tx } from '../app.ts'
import type { JobKind, JobRow } from './job.ts'
import { replayJob, resolveAmbiguous } from './replay.ts'
import { cancelJobs, type Kinds } from './waiting.ts'

export interface Operated {
  jobId: string
  outcome: 'retried' | 'cancelled' | 'cancel_requested' | 'done' | 'resent'
  /** The job that continues. */
  newJobId?: string
}

/** Runs a dead or cancelled job again, as a new one. Throws not_found, invalid_state_transition. */
export async function retryAny(tx: Tx, kinds: Kinds, workspaceId: string, jobId: string): Promise<Operated> {
  const { row, kind } = await findJob(tx, kinds, workspaceId, jobId)
  const again = await replayJob(tx, kind, workspaceId, jobId)
  if (again !== null) return { jobId, outcome: 'retried', newJobId: again }
  const ended = row.state === 'dead' || row.state === 'cancelled'
  throw wrongState(
    ended
      ? 'this job was retried before: retry the one that followed it'
      : `a job that is ${row.state} cannot be retried`,
  )
}

/** A waiting job ends at once; a running one before its hand-over, if there is time. Throws not_found, invalid_state_transition. */
export async function cancelAny(tx: Tx, kinds: Kinds, workspaceId: string, jobId: string): Promise<Operated> {
  const { row, kind } = await findJob(tx, kinds, workspaceId, jobId)
  const outcome = (await cancelJobs(tx, [kind], { jobIds: [jobId] })).get(jobId)
  if (outcome === undefined) throw wrongState(`a job that is ${row.state} cannot be cancelled`)
  return { jobId, outcome: outcome === 'cancelled' ? 'cancelled' : 'cancel_requested' }
}

/** Resolves an ambiguous job: it did arrive (`done`), or is to be sent again (`resend`). Throws not_found, invalid_state_transition. */
export async function resolveAny(
  tx: Tx,
  kinds: Kinds,
  { workspaceId, jobId, verdict }: { workspaceId: string; jobId: string; verdict: 'done' | 'resend' },
): Promise<Operated> {
  const { row, kind } = await findJob(tx, kinds, workspaceId, jobId)
  const resolved = await resolveAmbiguous(tx, kind, { workspaceId, jobId, verdict })
  if (resolved.outcome === 'not_found') throw wrongState(`a job that is ${row.state} has nothing to resolve`)
  if (resolved.outcome === 'done') return { jobId, outcome: 'done' }
  return { jobId, outcome: 'resent', newJobId: resolved.jobId }
}

async function findJob(
  tx: Tx,
  kinds: Kinds,
  workspaceId: string,
  jobId: string,
): Promise<{ row: JobRow; kind: JobKind<never> }> {
  const mine = and(eq(outboxJobs.id, jobId), eq(outboxJobs.workspaceId, workspaceId))
  const [row] = await tx.db.select().from(outboxJobs).where(mine)
  const kind = kinds.find((one) => one.kind === row?.kind)
  if (!row || !kind) throw new AppError('not_found', 'there is no such job')
  return { row, kind }
}

function wrongState(message: string): AppError {
  return new AppError('invalid_state_transition', message)
}
