// What would leave a database that is held, and what of it may: everything, or only what cannot have left before.

import { and, eq, inArray, lte, or, type SQL, sql } from 'drizzle-orm'
import { campaigns } from '../../db/tables/campaigns.ts'
import { outboxJobs } from '../../db/tables/outbox.ts'
import { type App, type Reader, type Tx, write } from '../app.ts'
import { begunBy, pauseBegun } from '../campaigns/pause.ts'
import { leavingLanes } from '../outbox/lanes.ts'
import { cancelJobs, type Kinds } from '../outbox/waiting.ts'
import { lowerFence } from './fence.ts'

/** Cancelled in one transaction. */
const batch = 200

/** Of one lane. */
export interface Waiting {
  lane: string
  jobs: number
  /** Of these: was due by the cutoff, or was under way when the database was left. */
  mayHaveLeft: number
  oldestDueAt: Date
}

export interface Preview {
  lanes: Waiting[]
  /** That were sending, or were to begin by the cutoff. */
  campaigns: { id: string; name: string; status: string; workspaceId: string }[]
}

/** What a person holds (held jobs, paused campaigns) is not in it: it goes on waiting. */
export async function previewResume({ db }: Reader, cutoff: Date): Promise<Preview> {
  const lanes = await db
    .select({
      lane: outboxJobs.lane,
      jobs: sql<number>`count(*)`,
      mayHaveLeft: sql<number>`count(*) FILTER (WHERE ${mayHaveLeft(cutoff)})`,
      oldestDueAt: sql<Date>`min(${outboxJobs.dueAt})`.mapWith(outboxJobs.dueAt),
    })
    .from(outboxJobs)
    .where(and(inArray(outboxJobs.lane, leavingLanes), sql`state IN ('pending', 'running')`))
    .groupBy(outboxJobs.lane)
  const { id, name, status, workspaceId } = campaigns
  return { lanes, campaigns: await db.select({ id, name, status, workspaceId }).from(campaigns).where(begunBy(cutoff)) }
}

/** Everything that waits leaves. */
export async function resumeAsIs(app: App): Promise<void> {
  await lowerFence(app)
}

/** What may have left before is cancelled, and campaigns that had begun wait for a person. Returns how many of each. */
export async function resumeWithout(
  app: App,
  kinds: Kinds,
  cutoff: Date,
): Promise<{ cancelled: number; paused: number }> {
  let cancelled = 0
  for (let last = -1; last !== 0; cancelled += last) last = await write(app, (tx) => cancelSome(tx, kinds, cutoff))
  let paused = 0
  await lowerFence(app, async (tx) => {
    paused = await pauseBegun(tx, cutoff)
  })
  return { cancelled, paused }
}

async function cancelSome(tx: Tx, kinds: Kinds, cutoff: Date): Promise<number> {
  const rows = await tx.db
    .select({ id: outboxJobs.id })
    .from(outboxJobs)
    .where(and(inArray(outboxJobs.lane, leavingLanes), sql`cancel_requested_at IS NULL`, mayHaveLeft(cutoff)))
    .limit(batch)
  await cancelJobs(tx, kinds, { jobIds: rows.map(({ id }) => id) })
  return rows.length
}

function mayHaveLeft(cutoff: Date): SQL | undefined {
  return or(eq(outboxJobs.state, 'running'), and(eq(outboxJobs.state, 'pending'), lte(outboxJobs.dueAt, cutoff)))
}
