// What is about to send a template: campaigns, those that recur, sequences, and waiting jobs of rules. A template in use is not deleted by
// accident.

import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import { type CampaignStatus, campaigns } from '../../../../db/tables/campaigns.ts'
import { eventRules, ruleRuns } from '../../../../db/tables/events.ts'
import { outboxJobs, waitingStates } from '../../../../db/tables/outbox.ts'
import { type RecurringFeed, recurringCampaigns } from '../../../../db/tables/recurring.ts'
import { isOpenRun, sequences } from '../../../../db/tables/sequences.ts'
import { type App, type Reader, type Tx, write } from '../../../core/app.ts'
import { cancelJobs, type Kinds } from '../../../core/outbox/waiting.ts'
import { AppError } from '../../../kit/error.ts'
import type { VariableUse } from '../rendering/variables.ts'

/** How much one transaction cancels. */
const batch = 200
const namedAtMost = 10
const unsent: CampaignStatus[] = ['draft', 'approved', 'scheduled', 'sending', 'paused']

/** What `force` needs in order to cancel the template's users, passed in by the caller. */
export interface Cancelling {
  kinds: Kinds
  cancelCampaign(tx: Tx, workspaceId: string, campaignId: string): Promise<unknown>
  pauseRecurring(tx: Tx, workspaceId: string, recurringCampaignId: string): Promise<unknown>
  pauseSequence(tx: Tx, workspaceId: string, sequenceId: string): Promise<unknown>
}

/** Ids of waiting jobs that will send it, at most `limit`. */
async function jobsUsing(reader: Reader, workspaceId: string, slug: string, limit: number): Promise<string[]> {
  const rows = await reader.db
    .select({ id: outboxJobs.id })
    .from(eventRules)
    .innerJoin(ruleRuns, and(eq(ruleRuns.ruleId, eventRules.id), eq(ruleRuns.status, 'scheduled')))
    .innerJoin(outboxJobs, and(eq(outboxJobs.id, ruleRuns.jobId), inArray(outboxJobs.state, waitingStates)))
    .where(and(eq(eventRules.workspaceId, workspaceId), eq(eventRules.templateId, slug)))
    .limit(limit)
  return rows.map(({ id }) => id)
}

/** Ids of campaigns that send it, or try it in a test, and have not ended, at most `limit`. */
export async function campaignsUsing(
  reader: Reader,
  workspaceId: string,
  slug: string,
  { limit = namedAtMost + 1, where }: { limit?: number; where?: SQL | undefined } = {},
): Promise<string[]> {
  const tries = sql`${slug} IN (SELECT value ->> 'templateId' FROM json_each(${campaigns.test}, '$.variants'))`
  const mine = and(eq(campaigns.workspaceId, workspaceId), or(eq(campaigns.templateId, slug), tries))
  const rows = await reader.db
    .select({ id: campaigns.id })
    .from(campaigns)
    .where(and(mine, inArray(campaigns.status, unsent), where))
    .limit(limit)
  return rows.map(({ id }) => id)
}

/** Recurring campaigns that will send it, at most `limit`. */
export async function recurringUsing(
  reader: Reader,
  workspaceId: string,
  slug: string,
  limit = namedAtMost + 1,
): Promise<{ id: string; feed: RecurringFeed | null }[]> {
  const { id, feed, draft, state } = recurringCampaigns
  const mine = and(eq(recurringCampaigns.workspaceId, workspaceId), eq(state, 'active'))
  return await reader.db
    .select({ id, feed })
    .from(recurringCampaigns)
    .where(and(mine, sql`${draft} ->> '$.templateId' = ${slug}`))
    .limit(limit)
}

/** Ids of sequences that send it to those who begin, or to those who are in an earlier version, at most `limit`. */
export async function sequencesUsing(
  reader: Reader,
  workspaceId: string,
  slug: string,
  limit = namedAtMost + 1,
): Promise<string[]> {
  const { id, version, state } = sequences
  // Wherever in a version a template is named, in a step or in its test.
  const sends = sql`EXISTS (SELECT 1 FROM sequence_versions AS v, json_tree(v.definition) AS part
    WHERE v.sequence_id = ${id} AND part.key = 'templateId' AND part.value = ${slug} AND (v.version = ${version}
      OR EXISTS (SELECT 1 FROM sequence_runs AS r WHERE r.sequence_id = v.sequence_id AND r.version = v.version AND ${isOpenRun})))`
  const rows = await reader.db
    .select({ id })
    .from(sequences)
    .where(and(eq(sequences.workspaceId, workspaceId), eq(state, 'active'), sends))
    .limit(limit)
  return rows.map((row) => row.id)
}

/** Ids of rules that send it to contacts who agreed to nothing. */
export async function transactionalRules(reader: Reader, workspaceId: string, slug: string): Promise<string[]> {
  const sending = and(eq(eventRules.templateId, slug), eq(eventRules.purpose, 'transactional'))
  const rows = await reader.db
    .select({ id: eventRules.id })
    .from(eventRules)
    .where(and(eq(eventRules.workspaceId, workspaceId), sending, eq(eventRules.enabled, true)))
    .limit(namedAtMost + 1)
  return rows.map(({ id }) => id)
}

/** A mail that one can unsubscribe from is marketing. */
const marketing = ['unsubscribe_url', 'preferences_url']

/** `{{unsubscribe_url}}`: what makes a template marketing. */
export function marketingLinks(uses: VariableUse[]): string[] {
  return uses.filter(({ name }) => marketing.includes(name)).map(({ name }) => `{{${name}}}`)
}

/** `a, b and more`: ids in a sentence. */
export function listed(ids: string[]): string {
  return ids.length > namedAtMost ? `${ids.slice(0, namedAtMost).join(', ')} and more` : ids.join(', ')
}

/** Throws `template_in_use`, naming what uses it. */
export async function refuseInUse(reader: Reader, workspaceId: string, slug: string): Promise<void> {
  const [jobId] = await jobsUsing(reader, workspaceId, slug, 1)
  const sending = await campaignsUsing(reader, workspaceId, slug)
  const recurring = (await recurringUsing(reader, workspaceId, slug)).map(({ id }) => id)
  const inSequences = await sequencesUsing(reader, workspaceId, slug)
  const users = [
    ...(sending.length > 0 ? [`campaigns (${listed(sending)})`] : []),
    ...(recurring.length > 0 ? [`recurring campaigns (${listed(recurring)})`] : []),
    ...(inSequences.length > 0 ? [`sequences (${listed(inSequences)})`] : []),
    ...(jobId === undefined ? [] : [`delayed mails (job ${jobId})`]),
  ]
  if (users.length === 0) return
  const message = `this template is sent by ${users.join(' and ')}: delete it with force, and they are cancelled, or paused where they recur or are sequences`
  throw new AppError('template_in_use', message, { errors: [{ path: 'force', message, code: 'template_in_use' }] })
}

/** Cancels them all, and pauses those that recur and sequences, in small transactions. */
export async function cancelUses(
  app: App,
  { kinds, cancelCampaign, pauseRecurring, pauseSequence }: Cancelling,
  workspaceId: string,
  slug: string,
): Promise<void> {
  for (;;) {
    const cancelled = await write(app, async (tx) => {
      const sending = await campaignsUsing(tx, workspaceId, slug, { limit: batch })
      for (const id of sending) await cancelCampaign(tx, workspaceId, id)
      const recurring = await recurringUsing(tx, workspaceId, slug, batch)
      for (const { id } of recurring) await pauseRecurring(tx, workspaceId, id)
      const inSequences = await sequencesUsing(tx, workspaceId, slug, batch)
      for (const id of inSequences) await pauseSequence(tx, workspaceId, id)
      const jobIds = await jobsUsing(tx, workspaceId, slug, batch)
      await cancelJobs(tx, kinds, { jobIds })
      return Math.max(sending.length, recurring.length, inSequences.length, jobIds.length)
    })
    if (cancelled < batch) return
  }
}
