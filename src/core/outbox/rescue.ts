// Rescues jobs left running by a process that is gone: they are given back, declared dead or, if a hand-over was in progress, treated by
// the lane's policy for lost outcomes. Also keeps the leases that show which processes are gone.

import { and, eq, lt, max, ne, sql } from 'drizzle-orm'
import { oneOf } from '../../../db/bulk.ts'
import { endedPid, outboxJobs, processes, sendJournal } from '../../../db/tables/outbox.ts'
import { minute } from '../../kit/duration.ts'
import type { App, Tx } from '../app.ts'
import { aliveSince, listRunning } from '../processes.ts'
import { completeJobs } from './complete.ts'
import type { JobKind, JobResult, JobRow } from './job.ts'

const rescueBatch = 200
/** A process not seen for this long is forgotten. */
const processForgottenMs = 60 * minute

/**
 * Rescues up to 200 abandoned jobs; call until 0. With `alone` (one process on a file, ensured by its lock) every running job of another
 * boot is abandoned; otherwise only those whose lease is over.
 */
export async function rescueAbandoned(
  tx: Tx,
  { bootId, alone, kindOf }: { bootId: string; alone: boolean; kindOf: (row: JobRow) => JobKind<unknown> | undefined },
): Promise<number> {
  const abandoned = alone ? ne(outboxJobs.leaseOwner, bootId) : lt(outboxJobs.leaseUntil, tx.now)
  const rows = await tx.db
    .select({ job: outboxJobs, phase: sendJournal.phase })
    .from(outboxJobs)
    .leftJoin(sendJournal, and(eq(sendJournal.jobId, outboxJobs.id), eq(sendJournal.fence, outboxJobs.fence)))
    .where(and(eq(outboxJobs.state, 'running'), abandoned))
    .limit(rescueBatch)
  let rescued = 0
  for (const [kind, same] of Map.groupBy(rows, ({ job }) => kindOf(job))) {
    // A kind unknown to this version is left alone, because a newer process may know it.
    if (!kind) continue
    const settling = same.map(({ job, phase }) => ({
      job,
      result: verdict(phase === 'handing_over', job.leaseOwner === bootId),
    }))
    rescued += same.length - (await completeJobs(tx, kind, settling)).length
  }
  return rescued
}

/** `isOurs`: this process holds it and does not know of it, because the database did not answer when it was claimed. */
function verdict(handedOver: boolean, isOurs: boolean): JobResult {
  if (isOurs && !handedOver) {
    const unanswered = 'the database did not answer when it was claimed'
    return { outcome: 'defer', code: 'database_unavailable', detail: unanswered, delayMs: 0 }
  }
  const detail = 'the process that ran it ended'
  if (handedOver) return { outcome: 'ambiguous', code: 'crashed_while_handing_over', detail, delayMs: 0 }
  return { outcome: 'retry', code: 'crashed', detail, delayMs: 0 }
}

/**
 * Records that this process is alive, and renews the leases of the jobs that it runs. Jobs of a claim whose answer was lost are not among
 * them, and are rescued when their lease is over.
 */
export async function renewLeases(
  tx: Tx,
  { bootId, leaseMs, jobIds }: { bootId: string; leaseMs: number; jobIds: string[] },
): Promise<void> {
  await tx.db.update(processes).set({ heartbeatAt: tx.now }).where(eq(processes.bootId, bootId))
  await tx.db
    .update(outboxJobs)
    .set({ leaseUntil: new Date(tx.now.getTime() + leaseMs) })
    .where(sql`id IN ${oneOf(jobIds)} AND state = 'running' AND lease_owner = ${bootId}`)
}

export interface ProcessFacts {
  bootId: string
  pid: number
  host: string
  version: string
}

export async function registerProcess(tx: Tx, facts: ProcessFacts): Promise<void> {
  const forgotten = new Date(tx.now.getTime() - processForgottenMs)
  await tx.db.delete(processes).where(lt(processes.heartbeatAt, forgotten))
  await tx.db.insert(processes).values({ ...facts, startedAt: tx.now, heartbeatAt: tx.now })
}

/** Null while a process serves this database; else since when none does, if one ever did. */
export async function serverOff(app: App): Promise<{ since: Date | null } | null> {
  if ((await listRunning(app.db, aliveSince(app))).length > 0) return null
  const last = await app.db
    .select({ at: max(processes.heartbeatAt) })
    .from(processes)
    .get()
  return { since: last?.at ?? null }
}

/** A process that ended cleanly is not waited for; its end time helps to detect a clock that is set back later. */
export async function signOff(tx: Tx, bootId: string): Promise<void> {
  await tx.db.update(processes).set({ pid: endedPid, heartbeatAt: tx.now }).where(eq(processes.bootId, bootId))
}
