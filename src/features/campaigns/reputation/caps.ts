// How many recipients a workspace may reach in a rolling day: by its trust level, an operator's own number, and the warm-up of a sending
// domain; and what its plan leaves. Mail above the cap waits; nothing is dropped.

import { lt, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/handle.ts'
import { prepared } from '../../../../db/prepared.ts'
import { sendingCounts } from '../../../../db/tables/campaigns.ts'
import type { LimitName, TrustLevel } from '../../../../db/tables/workspaces.ts'
import type { Reader, Tx } from '../../../core/app.ts'
import { day, minute } from '../../../kit/duration.ts'
import { rampOn } from '../../../mail/warm-up.ts'
import type { CampaignSettings } from '../../../people/campaign-settings.ts'
import { type MailsLeft, mailsLeft } from '../../../people/limits.ts'
import type { Workspace } from '../../../people/workspaces.ts'

export const capOfLevel: Record<TrustLevel, number> = {
  M0: 200,
  M1: 2_000,
  M2: 20_000,
  M3: 100_000,
  M4: Number.POSITIVE_INFINITY,
}

/** Counts are kept in steps of ten minutes, so a mail leaves the window up to that much later than after 24 hours. */
const stepMs = 10 * minute
export const windowMs = day + stepMs

/** The row in which what happens now is counted. */
export function windowStep(now: Date): Date {
  return new Date(Math.floor(now.getTime() / stepMs) * stepMs)
}

export type CountName = 'reserved' | 'sent' | 'bounced' | 'complained'

const addCounts = prepared((db: Db) => {
  const p = sql.placeholder
  return db
    .insert(sendingCounts)
    .values({
      workspaceId: p('workspaceId'),
      since: sql`${p('since')}`,
      domain: p('domain'),
      reserved: p('reserved'),
      sent: p('sent'),
      bounced: p('bounced'),
      complained: p('complained'),
    })
    .onConflictDoUpdate({
      target: [sendingCounts.workspaceId, sendingCounts.since, sendingCounts.domain],
      set: {
        reserved: sql`max(0, reserved + excluded.reserved)`,
        sent: sql`sent + excluded.sent`,
        bounced: sql`bounced + excluded.bounced`,
        complained: sql`complained + excluded.complained`,
      },
    })
    .prepare()
})

export interface Sending {
  workspaceId: string
  /** The sender's domain. */
  domain: string
  /** Default: now. */
  at?: Date
}

export async function countSending(
  tx: Tx,
  { workspaceId, domain, at }: Sending,
  changes: Partial<Record<CountName, number>>,
): Promise<void> {
  const none = { reserved: 0, sent: 0, bounced: 0, complained: 0 }
  await addCounts(tx.db).run({
    workspaceId,
    since: windowStep(at ?? tx.now).getTime(),
    domain,
    ...none,
    ...changes,
  })
}

export interface Allowance {
  /** Recipients in 24 h; Infinity when unlimited. */
  cap: number
  used: number
  remaining: number
  /** When the first recipients leave the window; null while something is left. */
  nextAt: Date | null
  /** What determines the cap. */
  by: 'level' | 'operator' | 'warm_up' | LimitName
}

/** How many recipients may be sent to now from `domain`. */
export async function loadAllowance(
  reader: Reader,
  workspace: Pick<Workspace, 'id' | 'trustLevel' | 'limits'>,
  { settings, domain, now }: { settings: CampaignSettings; domain: string; now: Date },
): Promise<Allowance> {
  const used = {
    all: await usedIn(reader, workspace.id, now, null),
    ofDomain: settings.warmUp ? await usedIn(reader, workspace.id, now, domain) : nothing,
    domainSince: settings.warmUp ? await findFirst(reader, workspace.id, domain) : null,
  }
  return lesserAllowance(allowanceBy(workspace, settings, used, now), await mailsLeft(reader, workspace, now))
}

/** The cap, or what the plan leaves, whichever is less. */
export function lesserAllowance(capped: Allowance, plan: MailsLeft): Allowance {
  if (plan.by === null || plan.left >= capped.remaining) return capped
  const { left, by, most, until } = plan
  return { cap: most, used: most - left, remaining: left, nextAt: left > 0 ? null : until, by }
}

/** Recipients in the window. */
export interface Used {
  used: number
  /** The first row with some, ms; null for none. */
  first: number | null
}

const nothing: Used = { used: 0, first: null }

export interface UsedUp {
  all: Used
  ofDomain: Used
  /** The first row of the domain, ms; null for none. What retention has removed was long ago. */
  domainSince: number | null
}

/** The one rule: the cap of the whole, and that of a domain that warms up, whichever leaves less. */
export function allowanceBy(
  { trustLevel }: { trustLevel: TrustLevel },
  { dailyCap, warmUp }: Pick<CampaignSettings, 'dailyCap' | 'warmUp'>,
  { all, ofDomain, domainSince }: UsedUp,
  now: Date,
): Allowance {
  const total = allowance(dailyCap ?? capOfLevel[trustLevel], dailyCap === null ? 'level' : 'operator', all)
  if (!warmUp) return total
  const days = domainSince === null ? 0 : Math.floor((now.getTime() - domainSince) / day)
  const warming = allowance(rampOn(days), 'warm_up', ofDomain)
  return warming.remaining < total.remaining ? warming : total
}

function allowance(cap: number, by: Allowance['by'], { used, first }: Used): Allowance {
  const remaining = Math.max(0, cap - used)
  const nextAt = remaining > 0 || first === null ? null : new Date(first + windowMs)
  return { cap, used, remaining, nextAt, by }
}

async function usedIn(reader: Reader, workspaceId: string, now: Date, domain: string | null): Promise<Used> {
  const of = domain === null ? sql`` : sql`AND domain = ${domain}`
  const [row] = await reader.db.all<{ used: number; first: number | null }>(
    sql`SELECT coalesce(sum(reserved), 0) AS used, min(since) AS first FROM sending_counts
      WHERE workspace_id = ${workspaceId} AND since > ${now.getTime() - windowMs} AND reserved > 0 ${of}`,
  )
  return { used: row?.used ?? 0, first: row?.first ?? null }
}

/** When the domain sent its first campaign. */
async function findFirst(reader: Reader, workspaceId: string, domain: string): Promise<number | null> {
  const [row] = await reader.db.all<{ first: number | null }>(
    sql`SELECT min(since) AS first FROM sending_counts WHERE workspace_id = ${workspaceId} AND domain = ${domain}`,
  )
  return row?.first ?? null
}

const keptMs = 40 * day
const retentionBatch = 200

/** Removes counts that no rule needs any more. Returns how many; call until 0. */
export async function deleteOldCounts(tx: Tx): Promise<number> {
  const old = tx.db
    .select({ key: sql`workspace_id, since, domain` })
    .from(sendingCounts)
    .where(lt(sendingCounts.since, new Date(tx.now.getTime() - keptMs)))
    .limit(retentionBatch)
  const gone = await tx.db
    .delete(sendingCounts)
    .where(sql`(workspace_id, since, domain) IN ${old}`)
    .returning({ domain: sendingCounts.domain })
  return gone.length
}
