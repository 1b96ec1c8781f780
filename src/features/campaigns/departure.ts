// When the mail of each recipient leaves: at once or at a local time, and not in their quiet hours. Who has to wait stays queued, put aside
// until then (`send_after`).

import { sql } from 'drizzle-orm'
import { prepared } from '../../../db/prepared.ts'
import { toRows } from '../../../db/rows.ts'
import { campaignRecipients, untilWinner } from '../../../db/tables/campaigns.ts'
import type { Reader, Tx } from '../../core/app.ts'
import { fromLocal, nextOutside, parseLocalTime } from '../../kit/local-time.ts'
import type { CampaignSettings } from '../../people/campaign-settings.ts'
import { mailableFrom, spreadFrom, zoneOf } from '../../people/recipient-time.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { awaitsWinner } from './ab-test.ts'
import type { Campaign } from './campaign.ts'

export interface DepartureRules {
  campaign: Pick<Campaign, 'id' | 'localTime' | 'test' | 'winner'>
  workspace: Pick<Workspace, 'timeZone'>
  settings: Pick<CampaignSettings, 'quietHours'>
}

/** When it is the local time of a campaign in a zone; null: the campaign has none. */
export function localMoment(localTime: string | null, zone: string): Date | null {
  const local = localTime === null ? null : parseLocalTime(localTime)
  return local === null ? null : fromLocal(local, zone)
}

/**
 * Not before now; a local time that has passed is now; `untilWinner` for who gets the winner of a test that has none yet. Who was put aside
 * for a local time keeps it, whatever becomes of their zone.
 */
export function departureOf(
  { campaign, workspace, settings: { quietHours } }: DepartureRules,
  { id, timezone, wasPutAside }: { id: string; timezone: string | null; wasPutAside: boolean },
  now: Date,
): Date {
  if (awaitsWinner(campaign, id)) return untilWinner
  const person = { zone: zoneOf({ timezone }, workspace), quietHours, key: `${campaign.id} ${id}` }
  const local = wasPutAside ? null : localMoment(campaign.localTime, person.zone)
  const planned = local === null ? now : spreadFrom(local, person)
  return mailableFrom(planned > now ? planned : now, person)
}

/** A recipient whose mail was not prepared yet. */
export interface Queued {
  contactId: string
  /** Null: it was deleted. */
  contact: { id: string; timezone: string | null } | null
  wasPutAside: number
}

/** As many as there is room for leave; `cursor` is the last that was looked at, '' for those put aside before, which are behind it. */
export function divide<R extends Queued>(
  rules: DepartureRules,
  rows: R[],
  { room, now }: { room: number; now: Date },
): { leaving: R[]; waiting: { contactId: string; sendAfter: Date }[]; cursor: string } {
  const leaving: R[] = []
  const waiting: { contactId: string; sendAfter: Date }[] = []
  let cursor = ''
  for (const row of rows) {
    if (leaving.length === room) break
    const { contactId, contact, wasPutAside } = row
    const at = contact === null ? now : departureOf(rules, { ...contact, wasPutAside: wasPutAside === 1 }, now)
    if (at > now) waiting.push({ contactId, sendAfter: at })
    else leaving.push(row)
    if (wasPutAside === 0) cursor = contactId
  }
  return { leaving, waiting, cursor }
}

/** How many recipients get it how; each counts once. */
export interface Timing {
  atLocalTime: number
  atOnce: number
  afterQuietHours: number
}

/** Of people by the time zone that they have; `begin` is when the campaign begins. */
export function timingOf(
  { campaign, workspace, settings: { quietHours } }: DepartureRules,
  zones: Map<string | null, number>,
  begin: Date,
): Timing {
  const timing = { atLocalTime: 0, atOnce: 0, afterQuietHours: 0 }
  for (const [timezone, people] of zones) {
    const zone = zoneOf({ timezone }, workspace)
    const local = localMoment(campaign.localTime, zone)
    const isAhead = local !== null && local >= begin
    const at = isAhead ? local : begin
    const isQuiet = nextOutside(quietHours, zone, at) !== at
    timing[isQuiet ? 'afterQuietHours' : isAhead ? 'atLocalTime' : 'atOnce'] += people
  }
  return timing
}

const departures = toRows(
  { contactId: campaignRecipients.contactId, sendAfter: campaignRecipients.sendAfter },
  { campaignId: campaignRecipients.campaignId, now: campaignRecipients.updatedAt },
)

// An upsert of existing rows: it seeks each by its key. Their state stays, and with it since when they are in it.
const delay = prepared((db: Tx['db']) =>
  departures
    .insertInto(db, campaignRecipients, {
      ...departures.each,
      campaignId: departures.shared.campaignId,
      state: 'queued',
      updatedAt: departures.shared.now,
    })
    .onConflictDoUpdate({
      target: [campaignRecipients.campaignId, campaignRecipients.contactId],
      set: { sendAfter: sql`excluded.send_after` },
    })
    .prepare(),
)

/** Queued recipients wait until then; the cursor passes them. */
export async function putAside(
  tx: Tx,
  campaignId: string,
  recipients: { contactId: string; sendAfter: Date }[],
): Promise<void> {
  if (recipients.length > 0) await delay(tx.db).run(departures.given(recipients, { campaignId, now: tx.now }))
}

/** When the first of those put aside may leave; null: nobody is. */
export async function findNextDeparture(reader: Reader, campaignId: string): Promise<Date | null> {
  const [row] = await reader.db.all<{ next: number | null }>(
    sql`SELECT min(send_after) AS next FROM campaign_recipients
      WHERE campaign_id = ${campaignId} AND state = 'queued' AND send_after IS NOT NULL`,
  )
  return row?.next == null ? null : new Date(row.next)
}

/** How many wait for a time that has not come. */
export async function countPutAside(reader: Reader, campaignId: string, now: Date): Promise<number> {
  const [row] = await reader.db.all<{ waiting: number }>(
    sql`SELECT count(*) AS waiting FROM campaign_recipients
      WHERE campaign_id = ${campaignId} AND state = 'queued' AND send_after > ${now.getTime()}`,
  )
  return row?.waiting ?? 0
}
