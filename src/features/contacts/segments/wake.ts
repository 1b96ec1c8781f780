// The job that keeps the members of a workspace's segments (keep.ts): at most one that is pending or running. Whatever changes a contact
// brings it forward by a trigger on segment_marks (db/migrations/0047), which spells out what stands here.

import type { Tx } from '../../../core/app.ts'
import { ensureJob } from '../../../core/outbox/enqueue.ts'

export const keepPolicy = { kind: 'keep-segments', lane: 'segments', attemptsMax: 5 } as const
export const keepKey = 'segments'

/** It runs at `runAt`, or earlier. One that is running asks again when it ends. */
export async function wakeSegments(tx: Tx, workspaceId: string, runAt: Date = tx.now): Promise<void> {
  await ensureJob(tx, keepPolicy, { workspaceId, payload: {}, dedupeKey: keepKey, runAt })
}
