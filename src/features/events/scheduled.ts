// What a rule has scheduled, in the order in which it is due: the id of a job sorts by that time.

import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { contacts } from '../../../db/tables/contacts.ts'
import { ruleRuns } from '../../../db/tables/events.ts'
import { outboxJobs } from '../../../db/tables/outbox.ts'
import type { Reader } from '../../core/app.ts'
import type { PageBounds } from '../../core/http/pagination.ts'

/** A request never counts further than this. */
const maxCounted = 10_000

const mine = (ruleId: string) => and(eq(ruleRuns.ruleId, ruleId), sql`${ruleRuns.status} = 'scheduled'`)

export interface ScheduledRun {
  jobId: string
  runAt: Date
  eventId: string
  contactId: string
  email: string | null
}

/** One more than `limit`. */
export async function listScheduled(
  reader: Reader,
  ruleId: string,
  { limit, after }: PageBounds,
): Promise<ScheduledRun[]> {
  return await reader.db
    .select({
      jobId: outboxJobs.id,
      runAt: outboxJobs.dueAt,
      eventId: ruleRuns.eventId,
      contactId: ruleRuns.contactId,
      email: contacts.email,
    })
    .from(ruleRuns)
    .innerJoin(outboxJobs, eq(outboxJobs.id, ruleRuns.jobId))
    .leftJoin(contacts, eq(contacts.id, ruleRuns.contactId))
    .where(and(mine(ruleId), after === undefined ? undefined : gt(ruleRuns.jobId, after)))
    .orderBy(asc(ruleRuns.jobId))
    .limit(limit + 1)
}

export interface Calendar {
  /** In UTC, those without any left out. */
  days: { day: string; count: number }[]
  total: number
  /** False: there are more, later. */
  isComplete: boolean
}

/** How much is due on which day, of the next 10,000. */
export async function readCalendar(reader: Reader, ruleId: string): Promise<Calendar> {
  const rows = await reader.db
    .select({ jobId: ruleRuns.jobId })
    .from(ruleRuns)
    .where(mine(ruleId))
    .orderBy(asc(ruleRuns.jobId))
    .limit(maxCounted + 1)
  const counted = rows.slice(0, maxCounted)
  const byDay = Map.groupBy(counted, ({ jobId }) => dayOfRun(jobId ?? ''))
  return {
    days: [...byDay].map(([day, { length: count }]) => ({ day, count })),
    total: counted.length,
    isComplete: rows.length <= maxCounted,
  }
}

/** The first 48 bits of a UUIDv7 are its time in milliseconds (RFC 9562, 5.7). */
function dayOfRun(jobId: string): string {
  const ms = Number.parseInt(jobId.split('_')[1]?.slice(0, 12) ?? '', 16)
  return new Date(ms).toISOString().slice(0, 10)
}
