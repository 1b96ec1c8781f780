// What would be sent from a held database, and what may be: everything, or only what cannot have been sent before.

import { and, eq, inArray, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { campaigns } from '../../../db/tables/campaigns.ts'
import { outboxJobs } from '../../../db/tables/outbox.ts'
import { type App, type Reader, type Tx, write } from '../../core/app.ts'
import type { JobRow } from '../../core/outbox/job.ts'
import { leavingLanes } from '../../core/outbox/lanes.ts'
import { cancelJobs, type Kinds } from '../../core/outbox/waiting.ts'
import { begunBy, pauseBegun } from '../../features/campaigns/pause.ts'
import { endQuarantine, type QuarantineState } from './quarantine.ts'

/** How many jobs are cancelled in one transaction. */
const batch = 200

/** The waiting jobs of one lane. */
interface Waiting {
  lane: string
  jobs: number
  /** How many of these were due by the cutoff, or in progress when the database was left; not those accepted since. */
  mayHaveLeft: number
  oldestDueAt: Date
}

export interface Preview {
  lanes: Waiting[]
  /** Campaigns that were sending, or were due to start by the cutoff. */
  campaigns: { id: string; name: string; status: string; workspaceId: string }[]
}

/** Which jobs may already have been sent elsewhere: those that were due by then, without what was accepted while this is held. */
export interface Cutoff {
  dueBy: Date
  heldSince: Date
}

/** Due by the time when it was last served, or by now if that is unknown. */
export function toCutoff({ servedUntil, since }: QuarantineState, now: Date): Cutoff {
  return { dueBy: servedUntil ?? now, heldSince: since }
}

/** Without what a person holds (held jobs, paused campaigns), which stays held. */
export async function previewResume({ db }: Reader, cutoff: Cutoff): Promise<Preview> {
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
  return {
    lanes,
    campaigns: await db.select({ id, name, status, workspaceId }).from(campaigns).where(begunBy(cutoff.dueBy)),
  }
}

/** Sends everything that waits. */
export async function resumeAsIs(app: App): Promise<void> {
  await endQuarantine(app)
}

/** Cancels what may already have been sent, and pauses campaigns that had started. Returns how many of each. */
export async function resumeWithout(
  app: App,
  kinds: Kinds,
  cutoff: Cutoff,
): Promise<{ cancelled: number; paused: number }> {
  let cancelled = 0
  for (let last = -1; last !== 0; cancelled += last) last = await write(app, (tx) => cancelSome(tx, kinds, cutoff))
  let paused = 0
  await endQuarantine(app, async (tx) => {
    paused = await pauseBegun(tx, cutoff.dueBy)
  })
  return { cancelled, paused }
}

async function cancelSome(tx: Tx, kinds: Kinds, cutoff: Cutoff): Promise<number> {
  const rows = await tx.db
    .select({ id: outboxJobs.id })
    .from(outboxJobs)
    .where(and(inArray(outboxJobs.lane, leavingLanes), sql`cancel_requested_at IS NULL`, mayHaveLeft(cutoff)))
    .limit(batch)
  await cancelJobs(tx, kinds, { jobIds: rows.map(({ id }) => id) })
  return rows.length
}

export function mayHaveLeftBy({ state, dueAt, createdAt }: JobRow, { dueBy, heldSince }: Cutoff): boolean {
  return state === 'running' || (dueAt <= dueBy && createdAt < heldSince)
}

/** The same as a condition of a query. */
function mayHaveLeft({ dueBy, heldSince }: Cutoff): SQL | undefined {
  const wasDue = and(lte(outboxJobs.dueAt, dueBy), lt(outboxJobs.createdAt, heldSince))
  return or(eq(outboxJobs.state, 'running'), and(eq(outboxJobs.state, 'pending'), wasDue))
}
