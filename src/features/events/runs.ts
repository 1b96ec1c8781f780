// The run of each rule for each event: written in the transaction of the event, updated by the job that carries it out.

import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Db, ReadDb } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { toRows } from '../../../db/rows.ts'
import { eventRules, type RuleRunStatus, ruleRuns } from '../../../db/tables/events.ts'
import { outboxJobs } from '../../../db/tables/outbox.ts'
import type { Reader, Tx } from '../../core/app.ts'

export interface RunKey {
  contactId: string
  ruleId: string
  eventId: string
}

interface Run extends RunKey {
  workspaceId: string
  status: RuleRunStatus
  jobId?: string | null
  reason?: string | null
}

const { contactId, ruleId, eventId, workspaceId, status, jobId, reason, createdAt } = ruleRuns
const newRuns = toRows({ contactId, ruleId, eventId, workspaceId, status, jobId, reason }, { createdAt })

const insertRuns = newRuns.adding(ruleRuns, {
  ...newRuns.each,
  ...newRuns.shared,
  updatedAt: newRuns.shared.createdAt,
})

export async function addRuns(tx: Tx, runs: Run[]): Promise<void> {
  if (runs.length === 0) return
  const rows = runs.map((run) => ({ jobId: null, reason: null, ...run }))
  await insertRuns(tx.db, rows, { createdAt: tx.now })
}

const changeRun = prepared((db: Db) => {
  const p = sql.placeholder
  return db
    .update(ruleRuns)
    .set({
      status: sql`${p('status')}`,
      jobId: sql`${p('jobId')}`,
      messageId: sql`coalesce(${p('messageId')}, message_id)`,
      reason: sql`${p('reason')}`,
      updatedAt: sql`${p('now')}`,
    })
    .where(sql`contact_id = ${p('contactId')} AND rule_id = ${p('ruleId')} AND event_id = ${p('eventId')}`)
    .prepare()
})

export async function moveRun(
  tx: Tx,
  { contactId, ruleId, eventId }: RunKey,
  to: { status: RuleRunStatus; jobId: string; messageId?: string | null; reason?: string | null },
): Promise<void> {
  const { status, jobId, messageId = null, reason = null } = to
  await changeRun(tx.db).run({ contactId, ruleId, eventId, status, jobId, messageId, reason, now: tx.now.getTime() })
}

const pairs = toRows({ contactId, ruleId })

const findRan = prepared((db: ReadDb) =>
  db
    .select({ contactId, ruleId, eventId })
    .from(ruleRuns)
    .where(
      and(
        sql`(contact_id, rule_id) IN ${pairs.pick('contactId', 'ruleId')}`,
        inArray(ruleRuns.status, ['scheduled', 'done', 'failed']),
      ),
    )
    .prepare(),
)

/**
 * The runKey() of each of these that ran or is scheduled, for events before `until` if that is given. A cancelled or skipped run does not
 * count.
 */
export async function ranFor(
  reader: Reader,
  list: Pick<RunKey, 'contactId' | 'ruleId'>[],
  until?: string,
): Promise<Set<string>> {
  if (list.length === 0) return new Set()
  const rows = await findRan(reader.db).all(pairs.given(list))
  const counted = rows.filter(({ eventId }) => until === undefined || eventId < until)
  return new Set(counted.map((row) => runKey(row.contactId, row.ruleId)))
}

export function runKey(contactId: string, ruleId: string): string {
  return `${contactId} ${ruleId}`
}

const findScheduled = prepared((db: ReadDb) =>
  db
    .select({ jobId: ruleRuns.jobId })
    .from(ruleRuns)
    .where(
      and(
        eq(ruleRuns.contactId, sql.placeholder('contactId')),
        eq(ruleRuns.ruleId, sql.placeholder('ruleId')),
        eq(ruleRuns.status, 'scheduled'),
      ),
    )
    .prepare(),
)

/** The jobs that the rule has scheduled for the contact and that have not run. */
export async function scheduledJobs(reader: Reader, contactId: string, ruleId: string): Promise<string[]> {
  const rows = await findScheduled(reader.db).all({ contactId, ruleId })
  return rows.flatMap(({ jobId }) => jobId ?? [])
}

export interface ScheduledJob {
  jobId: string
  templateId: string
  runAt: Date
}

/** The jobs of an event that was already received, as far as they are kept. */
export async function jobsOfEvent(reader: Reader, contactId: string, eventId: string): Promise<ScheduledJob[]> {
  const rows = await reader.db
    .select({ jobId: outboxJobs.id, templateId: eventRules.templateId, runAt: outboxJobs.dueAt })
    .from(ruleRuns)
    .innerJoin(outboxJobs, eq(outboxJobs.id, ruleRuns.jobId))
    .innerJoin(eventRules, eq(eventRules.id, ruleRuns.ruleId))
    .where(and(eq(ruleRuns.contactId, contactId), eq(ruleRuns.eventId, eventId)))
    .orderBy(asc(ruleRuns.ruleId))
  return rows.map(({ templateId, ...row }) => ({ ...row, templateId: templateId ?? '' }))
}
