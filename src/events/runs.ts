// What each rule made of each event: written in the transaction of the event, moved on by the job that carries it out.

import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Db, ReadDb } from '../../db/handle.ts'
import { prepared, stored } from '../../db/prepared.ts'
import { eventRules, type RuleRunStatus, ruleRuns } from '../../db/tables/events.ts'
import { outboxJobs } from '../../db/tables/outbox.ts'
import type { Reader, Tx } from '../app.ts'

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

const insertRun = prepared((db: Db) =>
  db
    .insert(ruleRuns)
    .values({
      contactId: stored('contactId'),
      ruleId: stored('ruleId'),
      eventId: stored('eventId'),
      workspaceId: stored('workspaceId'),
      status: stored('status'),
      jobId: stored('jobId'),
      reason: stored('reason'),
      createdAt: stored('now'),
      updatedAt: stored('now'),
    })
    .prepare(),
)

export async function addRun(tx: Tx, { jobId = null, reason = null, ...run }: Run): Promise<void> {
  await insertRun(tx.db).run({ ...run, jobId, reason, now: tx.now.getTime() })
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

const findRan = prepared((db: ReadDb) =>
  db
    .select({ eventId: ruleRuns.eventId })
    .from(ruleRuns)
    .where(
      and(
        eq(ruleRuns.contactId, sql.placeholder('contactId')),
        eq(ruleRuns.ruleId, sql.placeholder('ruleId')),
        inArray(ruleRuns.status, ['scheduled', 'done', 'failed']),
      ),
    )
    .limit(1)
    .prepare(),
)

/** Whether the rule ran, or is about to run, for this contact. One that was cancelled or skipped did not. */
export async function ranFor(reader: Reader, contactId: string, ruleId: string): Promise<boolean> {
  return (await findRan(reader.db).get({ contactId, ruleId })) !== undefined
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

/** The jobs of an event that was told before, as far as they are kept. */
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
