// Recurring campaigns as they are stored: made, changed, paused, resumed and deleted. What happens at their times is in occur.ts.

import { and, asc, desc, eq, gt, lt, lte, sql } from 'drizzle-orm'
import {
  type RecurringDraft,
  type RecurringFeed,
  type RecurringSchedule,
  type RecurringState,
  recurringCampaigns,
  recurringFeeds,
  recurringRuns,
} from '../../../../db/tables/recurring.ts'
import type { Reader, Tx } from '../../../core/app.ts'
import { enqueue } from '../../../core/outbox/enqueue.ts'
import { AppError } from '../../../kit/error.ts'
import { newId } from '../../../kit/id.ts'
import { nextOccurrence } from './occurrences.ts'

export type Recurring = typeof recurringCampaigns.$inferSelect
export type RecurringRun = typeof recurringRuns.$inferSelect

export interface RecurringFields {
  name: string
  draft: RecurringDraft
  schedule: RecurringSchedule
  timeZone: string
  feed: RecurringFeed | null
}

/** One of its times: the job of occur.ts. */
export interface Occurrence {
  recurringCampaignId: string
  at: number
}

export const occurrencePolicy = { kind: 'recurring-campaign', lane: 'recurring', attemptsMax: 5 } as const

export async function createRecurring(
  tx: Tx,
  workspaceId: string,
  fields: RecurringFields,
  state: RecurringState,
): Promise<Recurring> {
  const nextAt = state === 'paused' ? null : nextOccurrence(fields, tx.now)
  const recurring: Recurring = {
    ...fields,
    id: newId(tx, 'rec', tx.now),
    workspaceId,
    state,
    nextAt,
    failures: 0,
    failingSince: null,
    revision: 0,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  await tx.db.insert(recurringCampaigns).values(recurring)
  if (nextAt !== null) await awaitTime(tx, recurring, nextAt)
  return recurring
}

/** Whoever changes it has looked at it: its failures are counted anew. */
export async function updateRecurring(tx: Tx, before: Recurring, fields: RecurringFields): Promise<Recurring> {
  const { schedule, timeZone } = fields
  const isMoved = timeZone !== before.timeZone || JSON.stringify(schedule) !== JSON.stringify(before.schedule)
  const nextAt = before.nextAt !== null && isMoved ? nextOccurrence(fields, tx.now) : before.nextAt
  const after = await change(tx, before, { ...fields, nextAt, ...notFailing })
  if (nextAt !== null && nextAt.getTime() !== before.nextAt?.getTime()) await awaitTime(tx, after, nextAt)
  return after
}

export const notFailing = { failures: 0, failingSince: null } as const

export async function pauseRecurring(tx: Tx, workspaceId: string, id: string): Promise<Recurring> {
  const recurring = await inState(tx, workspaceId, id, 'active')
  return await change(tx, recurring, { state: 'paused', nextAt: null })
}

/** From its next time on: of what passed meanwhile nothing is made up for, so that nobody's press sends at once. */
export async function resumeRecurring(tx: Tx, workspaceId: string, id: string): Promise<Recurring> {
  const recurring = await inState(tx, workspaceId, id, 'paused')
  const nextAt = nextOccurrence(recurring, tx.now)
  await awaitTime(tx, recurring, nextAt)
  return await change(tx, recurring, { state: 'active', nextAt, ...notFailing })
}

/** The campaigns that it made stay. */
export async function deleteRecurring(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await getRecurring(tx, workspaceId, id)
  await tx.db.delete(recurringRuns).where(eq(recurringRuns.recurringCampaignId, id))
  await tx.db.delete(recurringFeeds).where(eq(recurringFeeds.recurringCampaignId, id))
  await tx.db.delete(recurringCampaigns).where(eq(recurringCampaigns.id, id))
}

/** Throws not_found, also for another workspace's. */
export async function getRecurring(reader: Reader, workspaceId: string, id: string): Promise<Recurring> {
  const recurring = await findRecurring(reader, id)
  if (recurring?.workspaceId === workspaceId) return recurring
  throw new AppError('not_found', 'there is no such recurring campaign')
}

export async function findRecurring(reader: Reader, id: string): Promise<Recurring | null> {
  const [found] = await reader.db.select().from(recurringCampaigns).where(eq(recurringCampaigns.id, id))
  return found ?? null
}

/** Newest first; one more than `limit`. */
export async function listRecurring(
  reader: Reader,
  workspaceId: string,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<{ rows: Recurring[]; total: number }> {
  const mine = eq(recurringCampaigns.workspaceId, workspaceId)
  const rows = await reader.db
    .select()
    .from(recurringCampaigns)
    .where(and(mine, after === undefined ? undefined : lt(recurringCampaigns.id, after)))
    .orderBy(desc(recurringCampaigns.id))
    .limit(limit + 1)
  const [counted] = await reader.db.select({ total: sql<number>`count(*)` }).from(recurringCampaigns).where(mine)
  return { rows, total: counted?.total ?? 0 }
}

/** Of each the last are kept; the campaigns of those before stay. */
const keptRuns = 100

/** The last first. */
export async function listRuns(reader: Reader, recurringCampaignId: string, limit = keptRuns): Promise<RecurringRun[]> {
  return await reader.db
    .select()
    .from(recurringRuns)
    .where(eq(recurringRuns.recurringCampaignId, recurringCampaignId))
    .orderBy(desc(recurringRuns.at))
    .limit(limit)
}

/** What became of a time, which no second one can have. */
export async function recordRun(tx: Tx, run: RecurringRun): Promise<void> {
  const { recurringCampaignId } = run
  await tx.db.insert(recurringRuns).values(run)
  const mine = eq(recurringRuns.recurringCampaignId, recurringCampaignId)
  const [first] = await tx.db
    .select({ at: recurringRuns.at })
    .from(recurringRuns)
    .where(mine)
    .orderBy(desc(recurringRuns.at))
    .limit(1)
    .offset(keptRuns)
  if (first) await tx.db.delete(recurringRuns).where(and(mine, lte(recurringRuns.at, first.at)))
}

/** Active ones whose last time failed, with the reason. */
export async function listFailing(reader: Reader, workspaceId: string, limit: number) {
  const { id, name, failures, failingSince, state } = recurringCampaigns
  const failing = await reader.db
    .select({ id, name, failures, failingSince })
    .from(recurringCampaigns)
    .where(and(eq(recurringCampaigns.workspaceId, workspaceId), eq(state, 'active'), gt(failures, 0)))
    .orderBy(asc(id))
    .limit(limit)
  return await Promise.all(
    failing.map(async (one) => {
      const runs = await listRuns(reader, one.id, 10)
      const { code = null, reason = null } = runs.find(({ outcome }) => outcome === 'failed') ?? {}
      return { ...one, code, reason }
    }),
  )
}

/** Asks for the job of a time. One that is no longer `nextAt` when it comes does nothing. */
export async function awaitTime(tx: Tx, { id, workspaceId }: Recurring, at: Date): Promise<void> {
  const payload: Occurrence = { recurringCampaignId: id, at: at.getTime() }
  await enqueue(tx, occurrencePolicy, { workspaceId, payload, partitionKey: id, runAt: at })
}

async function inState(tx: Tx, workspaceId: string, id: string, state: Recurring['state']): Promise<Recurring> {
  const recurring = await getRecurring(tx, workspaceId, id)
  if (recurring.state === state) return recurring
  throw new AppError('invalid_state_transition', `the recurring campaign is ${recurring.state}`)
}

export async function change(tx: Tx, recurring: Recurring, to: Partial<Recurring>): Promise<Recurring> {
  const changed = { ...to, revision: recurring.revision + 1, updatedAt: tx.now }
  await tx.db.update(recurringCampaigns).set(changed).where(eq(recurringCampaigns.id, recurring.id))
  return { ...recurring, ...changed }
}
