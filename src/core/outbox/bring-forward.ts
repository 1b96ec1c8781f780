// Moves the due time of waiting jobs nearer. In a test workspace it looks as if time had passed; of real mail, only jobs that were tried
// before and put off are moved, because somebody relies on the time of the others.

import { sql } from 'drizzle-orm'
import { outboxJobs } from '../../../db/tables/outbox.ts'
import { invalidField } from '../../kit/error.ts'
import { isTestWorkspace } from '../../kit/id.ts'
import type { Reader, Tx } from '../app.ts'
import { touch } from './due-jobs.ts'
import { type Lane, lanes } from './lanes.ts'

/** As many as one transaction may move. */
const maxMoved = 10_000

/** Each state by itself, because each has an index of its own. */
const waitingIn = (
  workspaceId: string,
) => sql`SELECT id FROM outbox_jobs WHERE state = 'pending' AND workspace_id = ${workspaceId}
  UNION ALL SELECT id FROM outbox_jobs WHERE state IN ('held', 'dead', 'ambiguous') AND state = 'held' AND workspace_id = ${workspaceId}`

/** How many jobs wait, held ones too, and when the first pending one is due. */
export async function readWaiting(
  reader: Reader,
  workspaceId: string,
): Promise<{ waiting: number; nextDueAt: Date | null }> {
  const [row] = await reader.db.all<{ waiting: number; next: number | null }>(
    sql`SELECT (SELECT count(*) FROM (${waitingIn(workspaceId)})) AS waiting,
      (SELECT min(due_at) FROM outbox_jobs WHERE state = 'pending' AND workspace_id = ${workspaceId}) AS next`,
  )
  return { waiting: row?.waiting ?? 0, nextDueAt: row?.next == null ? null : new Date(row.next) }
}

/** Returns how many. Throws `validation_failed` when more than 10,000 wait. */
export async function bringForward(tx: Tx, workspaceId: string, byMs: number): Promise<number> {
  if (!isTestWorkspace(workspaceId)) throw new Error('only what waits in a test workspace can be brought forward')
  const { waiting } = await readWaiting(tx, workspaceId)
  if (waiting > maxMoved)
    throw invalidField('advance', `moves at most ${maxMoved} jobs, and ${waiting} wait: cancel some`, 'too_many')
  const moved = await tx.db
    .update(outboxJobs)
    .set({ dueAt: sql`due_at - ${byMs}`, giveUpAt: sql`give_up_at - ${byMs}` })
    .where(sql`id IN (${waitingIn(workspaceId)})`)
    .returning({ lane: outboxJobs.lane, partitionKey: outboxJobs.partitionKey })
  for (const { lane, partitionKey } of moved) touch(tx, { lane, workspaceId, partitionKey })
  return moved.length
}

const mailLanes = (Object.keys(lanes) as Lane[]).filter((lane) => lane.startsWith('mail.'))
const maxTried = 1_000

/** Mail that was tried or held is due at once, at most 1,000 of a lane; what was not tried yet keeps its time. Returns how many. */
export async function tryMailNow(tx: Tx, workspaceId: string): Promise<number> {
  let tried = 0
  for (const lane of mailLanes) {
    const moved = await tx.db
      .update(outboxJobs)
      .set({ dueAt: tx.now })
      .where(
        sql`id IN (SELECT id FROM outbox_jobs WHERE state = 'pending' AND lane = ${lane} AND workspace_id = ${workspaceId}
          AND due_at > ${tx.now.getTime()} AND last_code IS NOT NULL LIMIT ${maxTried})`,
      )
      .returning({ partitionKey: outboxJobs.partitionKey })
    for (const partitionKey of new Set(moved.map((one) => one.partitionKey)))
      touch(tx, { lane, workspaceId, partitionKey })
    tried += moved.length
  }
  return tried
}
