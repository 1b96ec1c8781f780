// What comes back from a tracked mail: its picture is loaded, a link is followed. Counted once per mail, and what programs do (scanners,
// prefetching) apart from what people do. Neither an address nor a browser is kept.

import { and, eq, sql } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { trackedLinks, trackedMails } from '../../db/tables/campaigns.ts'
import { messages } from '../../db/tables/messages.ts'
import { erasedAddress } from '../activity/activity.ts'
import { publishReaction } from '../activity/email-events.ts'
import { type App, type Tx, write } from '../app.ts'
import { second } from '../lib/duration.ts'
import { html, page } from '../lib/page.ts'
import { addToCounts } from './ledger.ts'
import { settingsOf } from './settings.ts'
import { messageOfToken } from './tracking.ts'

/** GIF89a, one transparent pixel. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
/** A mail that is opened faster than that was opened by the server that took it. */
const tooSoonMs = 2 * second
const programs =
  /bot|crawl|spider|scan|preview|proofpoint|mimecast|barracuda|safelinks|headless|python|curl|wget|go-http|okhttp|java\/|axios|node/i

export function reactionRoutes(app: App) {
  return new Elysia({ detail: { hide: true } })
    .get('/t/o/:token', ({ params, request }) => opened(app, params.token, request))
    .get('/t/c/:token/:number', ({ params, request }) => clicked(app, params, request))
}

const never = { 'cache-control': 'no-store, private', 'referrer-policy': 'no-referrer' }

async function opened(app: App, token: string, request: Request): Promise<Response> {
  const messageId = messageOfToken(app, token)
  if (messageId === null) return new Response(null, { status: 404 })
  await record(app, { messageId, what: 'open' }, request)
  return new Response(pixel, { headers: { ...never, 'content-type': 'image/gif' } })
}

async function clicked(app: App, params: { token: string; number: string }, request: Request): Promise<Response> {
  const messageId = messageOfToken(app, params.token)
  const link = messageId === null ? null : await linkOf(app, messageId, params.number)
  if (messageId === null || link === null)
    return page({
      title: 'This link does not work',
      body: html`<p>It is not one of ours, or it is gone.</p>`,
      status: 404,
    })
  await record(app, { messageId, what: 'click', link }, request)
  return new Response(null, { status: 302, headers: { ...never, location: link.url } })
}

interface Link {
  number: number
  url: string
}

async function linkOf(app: App, messageId: string, number: string): Promise<Link | null> {
  if (!/^\d{1,4}$/.test(number)) return null
  const [row] = await app.db
    .select({ number: trackedLinks.number, url: trackedLinks.url })
    .from(messages)
    .innerJoin(trackedLinks, eq(trackedLinks.campaignId, messages.campaignId))
    .where(and(eq(messages.id, messageId), eq(trackedLinks.number, Number(number))))
  return row ?? null
}

type Reaction = { messageId: string; what: 'open' } | { messageId: string; what: 'click'; link: Link }

/** Best effort: a reader is shown the page, whether or not it could be counted. */
async function record(app: App, reaction: Reaction, request: Request): Promise<void> {
  const machine = (sentAt: Date) => isMachine(request, app.clock.now().getTime() - sentAt.getTime())
  await write(app, (tx) => note(tx, reaction, machine)).catch((error) =>
    app.log.warn('a reaction was not counted', { messageId: reaction.messageId, error }),
  )
}

/** Apple's privacy protection loads every picture itself, and says no more than "Mozilla/5.0". */
function isMachine({ headers }: Request, sinceSentMs: number): boolean {
  const agent = headers.get('user-agent')?.trim() ?? ''
  const prefetch = /prefetch/.test(`${headers.get('sec-purpose') ?? ''} ${headers.get('purpose') ?? ''}`)
  return agent === '' || agent === 'Mozilla/5.0' || prefetch || sinceSentMs < tooSoonMs || programs.test(agent)
}

async function note(tx: Tx, reaction: Reaction, isMachineSince: (sentAt: Date) => boolean): Promise<void> {
  const { messageId, what } = reaction
  const [message] = await tx.db.select().from(messages).where(eq(messages.id, messageId))
  if (!message || message.campaignId === null || message.email === erasedAddress) return
  const { workspaceId, campaignId, updatedAt } = message
  const settings = await settingsOf(tx, workspaceId)
  if (!(what === 'open' ? settings.trackOpens : settings.trackClicks)) return
  const machine = isMachineSince(updatedAt)
  const { column, count } = notes[what][machine ? 'program' : 'person']
  const isFirst = await setFirst(tx, messageId, column)
  if (isFirst) await addToCounts(tx, campaignId, { [count]: 1 })
  if (reaction.what === 'click') {
    const { number, url } = reaction.link
    await countClick(tx, campaignId, number, machine)
    if (!machine && (await isFirstClick(tx, messageId, number)))
      await publishReaction(tx, messageId, 'email.clicked', { url })
  } else if (isFirst && !machine) await publishReaction(tx, messageId, 'email.opened')
}

/** Where a reaction is noted: the first of a mail, and how many mails there are of it. */
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

/** True when it had not happened before. */
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

/** Notes that a person followed the link; true for the first time. The mail is known: its first click was noted. */
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

async function countClick(tx: Tx, campaignId: string, number: number, machine: boolean): Promise<void> {
  await tx.db
    .update(trackedLinks)
    .set(machine ? { machineClicks: sql`machine_clicks + 1` } : { clicks: sql`clicks + 1` })
    .where(and(eq(trackedLinks.campaignId, campaignId), eq(trackedLinks.number, number)))
}
