// The sender's reputation: what a day's bounces and complaints do to the campaigns and the trust level of a workspace, and what clean weeks
// earn it.

import { sql } from 'drizzle-orm'
import type { TrustLevel } from '../../../../db/tables/workspaces.ts'
import type { Reader, Tx } from '../../../core/app.ts'
import { day } from '../../../kit/duration.ts'
import { getWorkspace, type Workspace } from '../../../people/workspaces.ts'
import { countSending, type Sending } from './caps.ts'
import { noticeOfCampaigns } from './notice.ts'
import { dropAtBounces, dropAtComplaints, enoughSent, pauseAtBounces } from './thresholds.ts'
import { setTrustLevel } from './trust-level.ts'

export interface Reputation {
  /** Mails that were accepted, or refused because the address does not exist. */
  sent: number
  bounced: number
  complained: number
}

async function loadReputation(reader: Reader, workspaceId: string, since: Date): Promise<Reputation> {
  const [row] = await reader.db.all<Reputation>(
    sql`SELECT coalesce(sum(sent), 0) AS sent, coalesce(sum(bounced), 0) AS bounced, coalesce(sum(complained), 0) AS complained
      FROM sending_counts WHERE workspace_id = ${workspaceId} AND since > ${since.getTime()}`,
  )
  return row ?? { sent: 0, bounced: 0, complained: 0 }
}

/** Pauses the campaigns that a workspace is sending; returns how many. */
export type PauseAll = (tx: Tx, workspaceId: string, reason: string) => Promise<number>

/** Counts it, and acts when the day's rates exceed a threshold. */
export async function noteBounce(
  tx: Tx,
  sending: Sending,
  what: 'bounced' | 'complained',
  pauseAll: PauseAll,
): Promise<void> {
  await countSending(tx, sending, { [what]: 1 })
  const { workspaceId } = sending
  const reputation = await loadReputation(tx, workspaceId, new Date(tx.now.getTime() - day))
  const consequence = findConsequence(reputation)
  if (consequence === null) return
  const workspace = await getWorkspace(tx, workspaceId)
  const dropped = consequence.drop && workspace.trustLevel !== 'M0'
  if (dropped) await setTrustLevel(tx, workspace, 'M0', { reason: consequence.reason, detail: toWords(reputation) })
  const paused = await pauseAll(tx, workspaceId, consequence.reason)
  if (paused > 0 || dropped)
    await noticeOfCampaigns(tx, workspace, toNotice(workspace, consequence, { reputation, paused }))
}

interface Consequence {
  reason: 'bounce_rate' | 'complaint_rate'
  drop: boolean
}

function findConsequence({ sent, bounced, complained }: Reputation): Consequence | null {
  if (sent < enoughSent) return null
  if (complained / sent >= dropAtComplaints) return { reason: 'complaint_rate', drop: true }
  if (bounced / sent >= dropAtBounces) return { reason: 'bounce_rate', drop: true }
  return bounced / sent >= pauseAtBounces ? { reason: 'bounce_rate', drop: false } : null
}

function toWords({ sent, bounced, complained }: Reputation): string {
  return `${bounced} bounces and ${complained} complaints of ${sent} mails in 24 hours`
}

function toNotice(
  { name }: Workspace,
  { reason, drop }: Consequence,
  { reputation, paused }: { reputation: Reputation; paused: number },
) {
  const what = reason === 'bounce_rate' ? 'Too many addresses do not exist' : 'Too many recipients complained'
  return {
    subject: `${name}: campaigns are paused`,
    paragraphs: [
      `${what}: ${toWords(reputation)}.`,
      `${paused} of your campaigns ${paused === 1 ? 'was' : 'were'} paused, so that mail servers keep accepting your mail.`,
      ...(drop ? ['The trust level is M0 until an operator has reviewed it: paquebot workspace set-trust.'] : []),
      'Clean the list, then resume the campaign.',
    ],
  }
}

/** The conditions of a promotion, and its level. */
const ladder: Partial<Record<TrustLevel, { to: TrustLevel; cleanDays: number; delivered: number }>> = {
  M1: { to: 'M2', cleanDays: 7, delivered: 500 },
  M2: { to: 'M3', cleanDays: 30, delivered: 10_000 },
}
const promotionBounces = 0.02
const promotionComplaints = 0.001

/** The rates of a day's mails while they are too high for a promotion; null otherwise. */
export async function highRates(
  reader: Reader,
  workspaceId: string,
  now: Date,
): Promise<{ since: Date; detail: string } | null> {
  const from = new Date(now.getTime() - day)
  const reputation = await loadReputation(reader, workspaceId, from)
  const { sent, bounced, complained } = reputation
  if (sent < enoughSent || isClean(reputation)) return null
  const [first] = await reader.db.all<{ since: number }>(
    sql`SELECT since FROM sending_counts WHERE workspace_id = ${workspaceId} AND since > ${from.getTime()}
      AND ${bounced < promotionBounces * sent ? sql`complained` : sql`bounced`} > 0 ORDER BY since LIMIT 1`,
  )
  return { since: new Date(first?.since ?? from), detail: toWords({ sent, bounced, complained }) }
}

function isClean({ sent, bounced, complained }: Reputation): boolean {
  return bounced < promotionBounces * sent && complained < promotionComplaints * sent
}

/** The level that a workspace has earned, or null. `hasDmarc` was checked in the DNS before. */
export async function earnedLevel(
  reader: Reader,
  workspace: Workspace,
  { hasDmarc, now }: { hasDmarc: boolean; now: Date },
) {
  const step = ladder[workspace.trustLevel]
  if (!step || !hasDmarc) return null
  const since = new Date(now.getTime() - step.cleanDays * day)
  if ((await changedSince(reader, workspace.id, since)) || !(await sendsSince(reader, workspace.id, since))) return null
  const reputation = await loadReputation(reader, workspace.id, since)
  const delivered = reputation.sent - reputation.bounced
  return isClean(reputation) && delivered >= step.delivered ? step.to : null
}

/** A changed level, or a campaign paused for bounces, restarts the count of days. */
async function changedSince(reader: Reader, workspaceId: string, since: Date): Promise<boolean> {
  const rows = await reader.db.all(
    sql`SELECT 1 FROM trust_changes WHERE workspace_id = ${workspaceId} AND changed_at > ${since.getTime()}
      UNION ALL SELECT 1 FROM campaigns WHERE workspace_id = ${workspaceId} AND status = 'paused' AND pause_reason IN ('bounce_rate', 'complaint_rate')
      LIMIT 1`,
  )
  return rows.length > 0
}

/** Days without campaigns prove nothing: it must also have been sending for that long. */
async function sendsSince(reader: Reader, workspaceId: string, since: Date): Promise<boolean> {
  const rows = await reader.db.all(
    sql`SELECT 1 FROM sending_counts WHERE workspace_id = ${workspaceId} AND since <= ${since.getTime() + day} AND sent > 0 LIMIT 1`,
  )
  return rows.length > 0
}
