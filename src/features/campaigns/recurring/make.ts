// Makes the campaign of one time of a recurring one: first what it says, with the feed as it is now; then, in one transaction, the campaign,
// its start, what was shown and that this time is over. So a time has one campaign or none, whenever the server stops.

import { eq } from 'drizzle-orm'
import { isUnavailable } from '../../../../db/faults.ts'
import { type RunOutcome, recurringFeeds } from '../../../../db/tables/recurring.ts'
import type { App, Reader, Tx } from '../../../core/app.ts'
import { AppError } from '../../../kit/error.ts'
import type { Workspace } from '../../../people/workspaces.ts'
import { approvalMissing, type Starter, toPauseReason } from '../approval.ts'
import { createCampaign } from '../campaigns.ts'
import { setCampaignContent } from '../contents.ts'
import { scheduleCampaign } from '../lifecycle.ts'
import { checkEdition, composeEdition, type Edition } from './edition.ts'
import { fetchFeed, type Validators } from './fetch-feed.ts'
import { type Feed, type FeedItem, maxMarks } from './parse-feed.ts'
import { change, findRecurring, notFailing, type Recurring, type RecurringRun, recordRun } from './recurring.ts'

/** How many marks are remembered: all of the largest feed that is read, and as many of those before. */
const maxSeen = 2 * maxMarks
const maxReasonChars = 500

/** The feed that an edition shows. */
interface TakenFeed {
  url: string
  feed: Feed
  validators: Validators
  /** What the mail shows of it. */
  shown: FeedItem[]
}

export type Prepared = { outcome: 'ready'; edition: Edition; taken: TakenFeed | null } | NoCampaign

/** Why there is none this time. `feed_failed` may be tried again. */
export interface NoCampaign {
  outcome: Exclude<RunOutcome, 'made'>
  code: string
  reason: string
}

/** With what is new in the feed. */
export async function prepareEdition(
  app: App,
  workspace: Workspace,
  recurring: Recurring,
  { at, signal }: { at: Date; signal?: AbortSignal },
): Promise<Prepared> {
  const taken = recurring.feed === null ? null : await takeFeed(app, recurring, recurring.feed, signal)
  if (taken !== null && 'outcome' in taken) return taken
  const feed = taken && { ...taken.feed, items: taken.shown }
  try {
    const edition = await composeEdition(app, workspace, recurring, { feed, at })
    return { outcome: 'ready', edition, taken }
  } catch (error) {
    return toRefusal(error)
  }
}

/** Throws what is no refusal. */
function toRefusal(error: unknown): NoCampaign {
  if (!(error instanceof AppError) || isUnavailable(error)) throw error
  const code = error.details.errors?.[0]?.code ?? error.code
  return { outcome: 'failed', code, reason: error.message.slice(0, maxReasonChars) }
}

async function takeFeed(
  app: App,
  { id }: Recurring,
  { url, maxItems }: NonNullable<Recurring['feed']>,
  signal: AbortSignal | undefined,
): Promise<TakenFeed | NoCampaign> {
  const known = await findFeed(app, id)
  const fetched = await fetchFeed(app, url, known?.url === url ? known : null, signal)
  if (fetched.outcome === 'failed')
    return { outcome: 'failed', code: 'feed_failed', reason: `The feed: ${fetched.reason}` }
  const seen = new Set(known?.seen)
  const fresh =
    fetched.outcome === 'unchanged'
      ? []
      : fetched.feed.items.filter(({ marks }) => !marks.some((mark) => seen.has(mark)))
  if (fetched.outcome === 'unchanged' || fresh.length === 0)
    return { outcome: 'nothing_new', code: 'nothing_new', reason: 'Nothing in the feed is new.' }
  return { url, feed: fetched.feed, validators: fetched.validators, shown: fresh.slice(0, maxItems) }
}

async function findFeed(reader: Reader, id: string) {
  const [found] = await reader.db.select().from(recurringFeeds).where(eq(recurringFeeds.recurringCampaignId, id))
  return found
}

/** Null when it was changed since it was prepared, or run: then it is prepared anew. */
export async function concludeTime(
  tx: Tx,
  recurring: Recurring,
  prepared: Prepared,
  { at, ...start }: { at: Date } & Start,
): Promise<RecurringRun | null> {
  const current = await findRecurring(tx, recurring.id)
  if (current?.revision !== recurring.revision) return null
  const { workspaceId, id } = recurring
  const refusal = prepared.outcome === 'ready' ? await findRefusal(tx, workspaceId, prepared.edition) : prepared
  if (refusal !== null || prepared.outcome !== 'ready') return await endTime(tx, current, at, refusal)
  const campaignId = await makeCampaign(tx, workspaceId, prepared.edition, start)
  if (prepared.taken !== null) await rememberFeed(tx, id, prepared.taken)
  return await endTime(tx, current, at, null, { campaignId, items: prepared.taken?.shown.length ?? 0 })
}

async function findRefusal(tx: Tx, workspaceId: string, edition: Edition): Promise<NoCampaign | null> {
  try {
    await checkEdition(tx, workspaceId, edition)
    return null
  } catch (error) {
    return toRefusal(error)
  }
}

interface Start {
  /** The time at which each recipient gets it in their zone; null: at once. */
  localTime: string | null
  starter: Starter
}

/** It starts as a scheduled one whose time has come; or waits, a draft, for the approval that the workspace asks for. */
async function makeCampaign(
  tx: Tx,
  workspaceId: string,
  { input, others }: Edition,
  { localTime, starter: asker }: Start,
): Promise<string> {
  const { campaign } = await createCampaign(tx, workspaceId, input)
  for (const content of others) await setCampaignContent(tx, campaign, content)
  try {
    await scheduleCampaign(tx, workspaceId, campaign.id, { at: tx.now, localTime, asker })
  } catch (error) {
    if (!(error instanceof AppError) || toPauseReason(error) !== approvalMissing) throw error
  }
  return campaign.id
}

/** All that is in it, also beyond what the mail shows: what was there before is not new the next time. */
async function rememberFeed(tx: Tx, recurringCampaignId: string, { url, feed, validators }: TakenFeed): Promise<void> {
  const before = await findFeed(tx, recurringCampaignId)
  const marks = new Set([...feed.marks, ...(before?.seen ?? [])])
  const row = { url, ...validators, seen: [...marks].slice(0, maxSeen) }
  await tx.db
    .insert(recurringFeeds)
    .values({ recurringCampaignId, ...row })
    .onConflictDoUpdate({ target: recurringFeeds.recurringCampaignId, set: row })
}

/** Writes what became of a time. */
export async function endTime(
  tx: Tx,
  recurring: Recurring,
  at: Date,
  none: NoCampaign | null,
  made: { campaignId: string | null; items: number } = { campaignId: null, items: 0 },
): Promise<RecurringRun> {
  const { code = null, reason = null, outcome = 'made' } = none ?? {}
  const run: RecurringRun = { recurringCampaignId: recurring.id, at, outcome, code, reason, ...made }
  await recordRun(tx, run)
  if (outcome === 'failed') {
    const { failures, failingSince } = recurring
    await change(tx, recurring, { failures: failures + 1, failingSince: failingSince ?? tx.now })
  } else await change(tx, recurring, outcome === 'missed' ? {} : notFailing)
  return run
}
