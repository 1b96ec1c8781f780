// Who serves this database: each server gives a sign of life every few seconds (outbox/rescue.ts).

import { and, gt, ne } from 'drizzle-orm'
import type { ReadDb } from '../../db/handle.ts'
import { endedPid, processes } from '../../db/tables/outbox.ts'
import { second } from '../kit/duration.ts'
import type { App } from './app.ts'

/** A process whose sign of life is older is gone; they come every ten seconds. */
const aliveWithinMs = 45 * second

/** Those that were heard of since then and did not end. */
export async function listRunning(db: ReadDb, since: Date) {
  return await db
    .select()
    .from(processes)
    .where(and(gt(processes.heartbeatAt, since), ne(processes.pid, endedPid)))
}

/** A process without a sign of life since then is gone. */
export function aliveSince({ clock }: App): Date {
  return new Date(clock.now().getTime() - aliveWithinMs)
}
