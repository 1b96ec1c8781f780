// What is about to send a template: the pending jobs of rules that name it. A template in use is not deleted by accident.

import { and, eq } from 'drizzle-orm'
import { eventRules, ruleRuns } from '../../db/tables/events.ts'
import { outboxJobs } from '../../db/tables/outbox.ts'
import { type App, type Reader, write } from '../app.ts'
import { AppError } from '../lib/error.ts'
import { cancelAny, type Kinds } from '../outbox/operate.ts'

/** Jobs that one transaction cancels. */
const batch = 200

/** Ids of pending jobs that will send it, at most `limit`. */
async function jobsUsing(reader: Reader, workspaceId: string, slug: string, limit: number): Promise<string[]> {
  const rows = await reader.db
    .select({ id: outboxJobs.id })
    .from(eventRules)
    .innerJoin(ruleRuns, and(eq(ruleRuns.ruleId, eventRules.id), eq(ruleRuns.status, 'scheduled')))
    .innerJoin(outboxJobs, and(eq(outboxJobs.id, ruleRuns.jobId), eq(outboxJobs.state, 'pending')))
    .where(and(eq(eventRules.workspaceId, workspaceId), eq(eventRules.templateId, slug)))
    .limit(limit)
  return rows.map(({ id }) => id)
}

/** Throws `template_in_use`. */
export async function refuseInUse(reader: Reader, workspaceId: string, slug: string): Promise<void> {
  const [jobId] = await jobsUsing(reader, workspaceId, slug, 1)
  if (jobId === undefined) return
  const message = `delayed mails will be sent with this template (${jobId} is one): delete it with force, and they are cancelled`
  throw new AppError('template_in_use', message, { errors: [{ path: 'force', message, code: 'template_in_use' }] })
}

/** Cancels them all, in small transactions. */
export async function cancelUses(app: App, kinds: Kinds, workspaceId: string, slug: string): Promise<void> {
  for (;;) {
    const cancelled = await write(app, async (tx) => {
      const ids = await jobsUsing(tx, workspaceId, slug, batch)
      for (const id of ids) await cancelAny(tx, kinds, workspaceId, id)
      return ids.length
    })
    if (cancelled < batch) return
  }
}
