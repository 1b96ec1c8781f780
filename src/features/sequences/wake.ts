// Wakes the job of a sequence: at most one pending or running for each, due when its next person is.

import type { Tx } from '../../core/app.ts'
import { ensureJob } from '../../core/outbox/enqueue.ts'
import type { Run } from './runs.ts'

export interface PagePayload {
  sequenceId: string
}

export const pagePolicy = { kind: 'sequence.page', lane: 'sequence', attemptsMax: 20 } as const

export async function wakeSequence(
  tx: Tx,
  workspaceId: string,
  sequenceId: string,
  runAt: Date = tx.now,
): Promise<void> {
  const payload: PagePayload = { sequenceId }
  await ensureJob(tx, pagePolicy, { workspaceId, payload, dedupeKey: sequenceId, partitionKey: sequenceId, runAt })
}

/** Each sequence when the first of these people is due. */
export async function wakeDue(tx: Tx, runs: Run[]): Promise<void> {
  const waiting = runs.flatMap((run) =>
    run.state === 'waiting' && run.dueAt !== null ? [{ ...run, at: run.dueAt }] : [],
  )
  for (const [sequenceId, of] of Map.groupBy(waiting, (run) => run.sequenceId)) {
    const [first] = of
    const at = new Date(Math.min(...of.map((run) => run.at.getTime())))
    if (first) await wakeSequence(tx, first.workspaceId, sequenceId, at)
  }
}
