// Opens and clicks, counted once per mail; those by programs (scanners, prefetching) are counted apart from those by people. Neither an
// address nor a browser is stored: of people, a class of devices is counted (devices.ts).

import { and, eq, sql } from 'drizzle-orm'
import { trackedLinks, trackedMails } from '../../../../db/tables/campaigns.ts'
import { messageEvents, messages } from '../../../../db/tables/messages.ts'
import { type App, type Tx, write } from '../../../core/app.ts'
import { second } from '../../../kit/duration.ts'
import { erasedAddress } from '../../../kit/email-address.ts'
import { loadCampaignSettings } from '../../../people/campaign-settings.ts'
import { noteSignals, signalOf } from '../../signals.ts'
import { publishEngagement } from '../../webhooks/email-events.ts'
import type { Message } from '../activity/activity.ts'
import { countFigures } from '../stats/count.ts'
import { countOn, type Device, deviceOf } from './devices.ts'

/** A mail opened sooner than this was opened by the receiving server. */
const tooSoonMs = 2 * second
const programs =
  /bot|crawl|spider|scan|preview|proofpoint|mimecast|barracuda|safelinks|headless|python|curl|wget|go-http|okhttp|java\/|axios|node/i

/** Adds to the counts of the campaign or the sequence that a mail belongs to. */
export type Count = (tx: Tx, message: Message, changeByName: Record<string, number>) => Promise<unknown>

export interface Link {
  number: number
  url: string
}

/** The link of a tracked mail; null when there is none with this number. */
export async function findLink(app: App, messageId: string, number: string): Promise<Link | null> {
  if (!/^\d{1,4}$/.test(number)) return null
  const [row] = await app.db
    .select({ number: trackedLinks.number, url: trackedLinks.url })
    .from(messages)
    .innerJoin(trackedLinks, sql`${trackedLinks.sourceId} = coalesce(${messages.campaignId}, ${messages.sequenceId})`)
    .where(and(eq(messages.id, messageId), eq(trackedLinks.number, Number(number))))
  return row ?? null
}

/** What a reader did with a mail. */
export type Engagement = { messageId: string; what: 'open' } | { messageId: string; what: 'click'; link: Link }

/** Best effort: the reader gets the page or picture even if it could not be counted. */
export async function recordEngagement(
  app: App,
  engagement: Engagement,
  { headers, count }: { headers: Headers; count: Count },
): Promise<void> {
  const isProgram = (sentAt: Date) => isMachine(headers, app.clock.now().getTime() - sentAt.getTime())
  const device = deviceOf(headers)
  await write(app, (tx) => note(tx, engagement, { isProgram, device, count })).catch((error) =>
    app.log.warn('an open or a click was not counted', { messageId: engagement.messageId, error }),
  )
}

/** Apple's privacy protection loads every picture itself, with only "Mozilla/5.0" as its name. */
function isMachine(headers: Headers, sinceSentMs: number): boolean {
  const agent = headers.get('user-agent')?.trim() ?? ''
  const prefetch = /prefetch/.test(`${headers.get('sec-purpose') ?? ''} ${headers.get('purpose') ?? ''}`)
  return agent === '' || agent === 'Mozilla/5.0' || prefetch || sinceSentMs < tooSoonMs || programs.test(agent)
}

async function note(
  tx: Tx,
  engagement: Engagement,
  { isProgram, device, count: add }: { isProgram: (sentAt: Date) => boolean; device: Device; count: Count },
): Promise<void> {
  const { messageId, what } = engagement
  const [message] = await tx.db.select().from(messages).where(eq(messages.id, messageId))
  const sourceId = message?.campaignId ?? message?.sequenceId ?? null
  if (!message || sourceId === null || message.email === erasedAddress) return
  const { workspaceId } = message
  const settings = await loadCampaignSettings(tx, workspaceId)
  if (!(what === 'open' ? settings.trackOpens : settings.trackClicks)) return
  const machine = isProgram(await findSentAt(tx, messageId))
  const { column, count } = notes[what][machine ? 'program' : 'person']
  const isFirst = await setFirst(tx, messageId, column)
  if (isFirst) {
    await add(tx, message, { [count]: 1, ...(!machine && { [countOn(device, notes[what].person.count)]: 1 }) })
    await countFigures(tx, [{ id: messageId, figure: count }])
  }
  if (engagement.what === 'click') {
    const { number, url } = engagement.link
    await countClick(tx, sourceId, number, machine)
    if (!machine && (await isFirstClick(tx, messageId, number))) {
      await publishEngagement(tx, messageId, 'email.clicked', { url })
      const { contactId } = message
      if (contactId !== null)
        await noteSignals(tx, [{ workspaceId, contactId, signal: signalOf.mail('clicked'), about: sourceId }])
    }
  } else if (isFirst && !machine) await publishEngagement(tx, messageId, 'email.opened')
}

/** When the mail server accepted it; a mail opened before that is recorded was accepted just now. */
async function findSentAt(tx: Tx, messageId: string): Promise<Date> {
  const sent = and(eq(messageEvents.messageId, messageId), eq(messageEvents.status, 'sent'))
  const [event] = await tx.db
    .select({ at: messageEvents.at })
    .from(messageEvents)
    .where(sent)
    .orderBy(messageEvents.number)
    .limit(1)
  return event?.at ?? tx.now
}

/** Where an open or a click is stored: the first of a mail, and the number of mails with one. */
const notes = {
  open: {
    person: { column: 'openedAt', count: 'opened' },
    program: { column: 'machineOpenedAt', count: 'machineOpened' },
  },
  click: {
    person: { column: 'clickedAt', count: 'clicked' },
    program: { column: 'machineClickedAt', count: 'machineClicked' },
  },
} as const

type FirstColumn = (typeof notes)['open' | 'click']['person' | 'program']['column']

/** True when it is the first one. */
async function setFirst(tx: Tx, messageId: string, column: FirstColumn): Promise<boolean> {
  const [known] = await tx.db.select().from(trackedMails).where(eq(trackedMails.messageId, messageId))
  if (known && known[column] !== null) return false
  const set = { [column]: tx.now }
  await tx.db
    .insert(trackedMails)
    .values({ messageId, ...set })
    .onConflictDoUpdate({ target: trackedMails.messageId, set })
  return true
}

/** Records that a person clicked the link; true for the first time. The mail is known, because its first click was recorded. */
async function isFirstClick(tx: Tx, messageId: string, number: number): Promise<boolean> {
  const mail = eq(trackedMails.messageId, messageId)
  const [known] = await tx.db.select({ links: trackedMails.clickedLinks }).from(trackedMails).where(mail)
  const links = known?.links ?? []
  if (links.includes(number)) return false
  await tx.db
    .update(trackedMails)
    .set({ clickedLinks: [...links, number] })
    .where(mail)
  return true
}

async function countClick(tx: Tx, sourceId: string, number: number, machine: boolean): Promise<void> {
  await tx.db
    .update(trackedLinks)
    .set(machine ? { machineClicks: sql`machine_clicks + 1` } : { clicks: sql`clicks + 1` })
    .where(and(eq(trackedLinks.sourceId, sourceId), eq(trackedLinks.number, number)))
}
