// Open and click tracking for workspaces that enable it (off by default): an image of one pixel, and links that redirect through this
// server. A tracked link contains a message, a link number and a keyed token; its target is stored in our table, so it cannot be used to
// redirect elsewhere.

import { eq, sql } from 'drizzle-orm'
import { trackedLinks } from '../../../../db/tables/campaigns.ts'
import { type App, type Reader, write } from '../../../core/app.ts'
import type { CampaignSettings } from '../../../people/campaign-settings.ts'
import type { Compiled } from '../../content/rendering/compile.ts'
import type { Values } from '../../content/rendering/fill.ts'
import type { Segment } from '../../content/rendering/segments.ts'

export interface Tracking {
  /** A campaign, or a sequence. */
  sourceId: string
  opens: boolean
  /** The numbers of tracked links by URL; null when no link is tracked. */
  links: Map<string, number> | null
}

const hrefPattern = /( href=")(https?:\/\/[^"]+)(?=")/g
/** No placeholder has a name like this. */
const [clickSlot, openSlot] = ['#click', '#open']

/** What to track in a campaign or a sequence with these mails; null for nothing. New links get their numbers. */
export async function loadTracking(
  app: App,
  sourceId: string,
  { trackOpens, trackClicks }: CampaignSettings,
  mails: Compiled[],
): Promise<Tracking | null> {
  if (!trackOpens && !trackClicks) return null
  return { sourceId, opens: trackOpens, links: trackClicks ? await numbered(app, sourceId, mails) : null }
}

async function numbered(app: App, sourceId: string, mails: Compiled[]): Promise<Map<string, number>> {
  const urls = [...new Set(mails.flatMap(listLinks))]
  const known = await loadNumbers(app, sourceId)
  if (urls.every((url) => known.has(url))) return known
  return await write(app, async (tx) => {
    const numbers = await loadNumbers(tx, sourceId)
    const fresh = urls.filter((url) => !numbers.has(url))
    for (const url of fresh) numbers.set(url, numbers.size)
    const rows = fresh.map((url) => ({ sourceId, number: numbers.get(url) ?? 0, url }))
    if (rows.length > 0) await tx.db.insert(trackedLinks).values(rows)
    return numbers
  })
}

async function loadNumbers(reader: Reader, sourceId: string): Promise<Map<string, number>> {
  const rows = await reader.db.select().from(trackedLinks).where(eq(trackedLinks.sourceId, sourceId))
  return new Map(rows.map(({ url, number }) => [url, number]))
}

/** The URLs in a mail that can be tracked: not those with variables in them or marked `notrack`. */
function listLinks({ html, untracked }: Compiled): string[] {
  const written = html.flatMap((segment) => (typeof segment === 'string' ? [...segment.matchAll(hrefPattern)] : []))
  return written.map(([, , href = '']) => decodeAttribute(href)).filter((url) => !untracked.includes(url))
}

const trackedVersions = new WeakMap<Compiled, Map<string, Compiled>>()

/** The mail with tracked links and the image. Returns the same object for the same tracking, because what is built from it is cached. */
export function tracked(compiled: Compiled, tracking: Tracking): Compiled {
  const versions = trackedVersions.get(compiled) ?? new Map<string, Compiled>()
  trackedVersions.set(compiled, versions)
  const key = `${tracking.sourceId} ${tracking.opens} ${tracking.links?.size ?? 'none'}`
  const version = versions.get(key) ?? { ...compiled, html: trackedHtml(compiled, tracking) }
  versions.set(key, version)
  return version
}

function trackedHtml({ html, untracked }: Compiled, { opens, links }: Tracking): Segment[] {
  const numberOf = (href: string) => {
    const url = decodeAttribute(href)
    return untracked.includes(url) ? undefined : links?.get(url)
  }
  return html.flatMap((segment, index): Segment[] => {
    if (typeof segment !== 'string') return [segment]
    const through = links === null ? [segment] : throughUs(segment, numberOf)
    return opens && index === html.length - 1 ? withPicture(through) : through
  })
}

function throughUs(literal: string, numberOf: (href: string) => number | undefined): Segment[] {
  const segments: Segment[] = []
  let from = 0
  for (const match of literal.matchAll(hrefPattern)) {
    const [whole, before = '', href = ''] = match
    const number = numberOf(href)
    if (number === undefined) continue
    segments.push(literal.slice(from, match.index) + before, { name: clickSlot, escape: 'attribute' }, `/${number}`)
    from = match.index + whole.length
  }
  return [...segments, literal.slice(from)]
}

function withPicture(segments: Segment[]): Segment[] {
  const last = segments.at(-1)
  const end = typeof last === 'string' ? last.lastIndexOf('</body>') : -1
  if (typeof last !== 'string' || end < 0) return segments
  const picture: Segment[] = [
    `${last.slice(0, end)}<img src="`,
    { name: openSlot, escape: 'attribute' },
    `" width="1" height="1" alt="" style="display:block;border:0;width:1px;height:1px;">${last.slice(end)}`,
  ]
  return [...segments.slice(0, -1), ...picture]
}

/** The values of the placeholders of tracked(). `base` as publicBase() gives it. */
export function trackingValues(app: Pick<App, 'sealer'>, base: string, messageId: string): Values {
  const token = trackingToken(app, messageId)
  return { [clickSlot]: `${base}/t/c/${token}`, [openSlot]: `${base}/t/o/${token}` }
}

const idPrefix = 'msg_'
/** 16 bytes of the id and 16 of the token, in hex. */
const tokenPattern = /^([0-9a-f]{32})([0-9a-f]{32})$/

export function trackingToken({ sealer }: Pick<App, 'sealer'>, messageId: string): string {
  const id = messageId.slice(idPrefix.length)
  return id + sealer.mac(id, 'tracking').slice(0, id.length)
}

/** The message of a token; null for one that we did not create. */
export function messageOfToken(app: Pick<App, 'sealer'>, token: string): string | null {
  const [, id = '', mac = ''] = tokenPattern.exec(token) ?? []
  if (id === '') return null
  return app.sealer.isMac(mac, id, 'tracking') ? idPrefix + id : null
}

/** The text before it was escaped into an attribute (Bun.escapeHTML). */
function decodeAttribute(attribute: string): string {
  return attribute
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
}

/** The links of a campaign or a sequence with their clicks, most clicked first. */
export async function linkClicks(reader: Reader, sourceId: string) {
  return await reader.db
    .select({ url: trackedLinks.url, clicks: trackedLinks.clicks, machineClicks: trackedLinks.machineClicks })
    .from(trackedLinks)
    .where(eq(trackedLinks.sourceId, sourceId))
    .orderBy(sql`clicks DESC, number`)
}
