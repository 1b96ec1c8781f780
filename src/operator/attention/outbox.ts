// Attention items among a workspace's jobs and mails: late, failed for good, or ended with an unknown outcome. Counting stops where an
// index range would get long.

import { and, desc, eq, max, sql } from 'drizzle-orm'
import { isEventful, messages } from '../../../db/tables/messages.ts'
import { type JobState, outboxAttempts } from '../../../db/tables/outbox.ts'
import type { App, Reader } from '../../core/app.ts'
import { oldestDue } from '../../core/outbox/depth.ts'
import { isUrgent } from '../../core/outbox/lanes.ts'
import type { Kinds } from '../../core/outbox/waiting.ts'
import { day, hour, minute } from '../../kit/duration.ts'
import { countJobs, findOldestJob } from '../outbox/jobs.ts'
import type { Finding } from './rules.ts'

/** Due for longer than this, a job is late: where somebody waits for it, and elsewhere. */
const lateAfterMs = { urgent: 5 * minute, other: hour }
const failedMailMs = day
const mostFailed = 100
const mostStuck = 1_000

export async function aboutOutbox(app: App, workspaceId: string, kinds: Kinds): Promise<Finding[]> {
  return [
    ...(await lateJobs(app, workspaceId)),
    ...(await stuckJobs(app, workspaceId, kinds)),
    ...(await failedMails(app, workspaceId)),
  ]
}

async function lateJobs(app: App, workspaceId: string): Promise<Finding[]> {
  const now = app.clock.now().getTime()
  const oldest = await oldestDue(app, workspaceId)
  return (
    oldest
      // Webhooks are reported with their endpoints.
      .filter(({ lane }) => lane !== 'webhook')
      .filter(({ lane, dueAt }) => now - dueAt.getTime() > lateAfterMs[isUrgent({ lane }) ? 'urgent' : 'other'])
      .map(({ lane, dueAt }) => ({ code: 'jobs_late', since: dueAt, workspaceId, thing: { id: lane, name: lane } }))
  )
}

/** Failed mails and webhooks are reported as such, with their receivers. */
async function stuckJobs(app: App, workspaceId: string, kinds: Kinds): Promise<Finding[]> {
  const ours = kinds.filter(({ lane }) => lane !== 'webhook' && !lane.startsWith('mail.'))
  return [
    ...(await ofJobs(app, 'jobs_dead', { workspaceId, kinds: ours }, 'dead')),
    ...(await ofJobs(app, 'mail_uncertain', { workspaceId, kinds }, 'ambiguous')),
  ]
}

async function ofJobs(
  reader: Reader,
  code: 'jobs_dead' | 'mail_uncertain',
  of: { workspaceId: string; kinds: Kinds },
  state: JobState,
): Promise<Finding[]> {
  const oldest = await findOldestJob(reader, of, { states: [state] })
  if (oldest === null) return []
  const { id, kind, finishedAt } = oldest
  const since = finishedAt ?? (await endOfAttempts(reader, id))
  const count = countText(await countJobs(reader, of, { states: [state] }, mostStuck), mostStuck)
  return [{ code, since, workspaceId: of.workspaceId, detail: `${count}, the first of them ${id} (${kind})` }]
}

/** A job without a known outcome has not finished. */
async function endOfAttempts(reader: Reader, jobId: string): Promise<Date | null> {
  const [last] = await reader.db
    .select({ at: max(outboxAttempts.endedAt) })
    .from(outboxAttempts)
    .where(eq(outboxAttempts.jobId, jobId))
  return last?.at ?? null
}

/** The latest are last, so those of today are among them. */
async function failedMails(app: App, workspaceId: string): Promise<Finding[]> {
  const rows = await app.db
    .select({ updatedAt: messages.updatedAt })
    .from(messages)
    .where(and(eq(messages.workspaceId, workspaceId), eq(messages.status, 'failed'), isEventful))
    .orderBy(desc(sql`rowid`))
    .limit(mostFailed)
  const horizon = app.clock.now().getTime() - failedMailMs
  const times = rows.map(({ updatedAt }) => updatedAt.getTime()).filter((at) => at > horizon)
  if (times.length === 0) return []
  const detail = countText(times.length, mostFailed)
  return [{ code: 'mail_failed', since: new Date(Math.min(...times)), workspaceId, detail }]
}

const countText = (count: number, most: number) => (count === most ? `${most} or more` : String(count))
