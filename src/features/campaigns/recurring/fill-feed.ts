// Writes the items of a feed into content: each `{{feed.…}}` becomes the words themselves, and a list of `feed.items` an entry for each. What
// comes out is the content of a campaign like any other: it is approved, stored and shown as what it says.

import { lookUp, type Values } from '../../content/rendering/fill.ts'
import type { Node } from '../../content/rendering/nodes.ts'
import { splitPlaceholders, writePlaceholder } from '../../content/rendering/placeholders.ts'
import type { Feed } from './parse-feed.ts'

/** What `feed.…` stands for. */
export interface FeedValues {
  title: string
  link: string
  /** The title of the newest item. */
  newest: string
  count: number
  items: Values[]
}

const itemsName = 'feed.items'

/** `locale` and `zone`: for the dates. */
export function toFeedValues({ title, link, items }: Feed, locale: string, zone: string): FeedValues {
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: zone })
  const shown = items.map(({ title, link, summary, date }) => {
    return { title, link, summary, date: date === null ? '' : dates.format(new Date(date)) }
  })
  return { title, link, newest: items[0]?.title ?? '', count: items.length, items: shown }
}

export function fillFeed(content: Node[], feed: FeedValues): unknown[] {
  return content.map((node) => fillNode({ ...node }, { feed }))
}

/** Of a subject or a preview text. */
export function fillFeedWords(text: string, feed: FeedValues): string {
  return fillText(text, { feed }, 'words')
}

type TextPlace = 'words' | 'markdown' | 'address'

function fillNode(node: Values, values: Values): Values {
  if (node['type'] === 'list' && isItems(node['itemsVariable'])) return fillList(node, values)
  return fillProperties(node, values)
}

const isItems = (name: unknown) => typeof name === 'string' && name.replace(/^\{\{|\}\}$/g, '').trim() === itemsName

/** Its entries, once for each item. */
function fillList({ itemsVariable: _, items, ...list }: Values, values: Values): Values {
  const entries: unknown[] = Array.isArray(items) ? items : []
  const { items: found } = values['feed'] as FeedValues
  const filled = found.flatMap((item) => entries.map((entry) => fillValue(entry, { ...values, item }, 'words')))
  return { ...fillProperties(list, values), items: filled }
}

function fillProperties(node: Values, values: Values): Values {
  const text: TextPlace = node['format'] === 'markdown' ? 'markdown' : 'words'
  const place = (name: string): TextPlace =>
    /^(?:href|src|url)$/.test(name) ? 'address' : name === 'text' ? text : 'words'
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, fillValue(value, values, place(name))]))
}

function fillValue(value: unknown, values: Values, place: TextPlace): unknown {
  if (typeof value === 'string') return fillText(value, values, place)
  if (Array.isArray(value)) return value.map((one) => fillValue(one, values, place))
  return typeof value === 'object' && value !== null ? fillNode({ ...value }, values) : value
}

/** Placeholders of others stay as they are. */
function fillText(text: string, values: Values, place: TextPlace): string {
  if (!text.includes('{{')) return text
  const parts = splitPlaceholders(text)
  return parts
    .map((part, index) => {
      if (typeof part === 'string') return part
      const value = lookUp(values, part.name)
      if (typeof value !== 'string' && typeof value !== 'number') return writePlaceholder(part)
      // A web address holds no sign that would end a link, and reads as it is.
      const at = place === 'markdown' && part.name.endsWith('.link') ? 'words' : place
      return writeAt(at, String(value) || (part.fallback ?? ''), index === 0)
    })
    .join('')
}

/** So that it stays what it is where it stands. An address that begins with it is one by itself. */
function writeAt(place: TextPlace, value: string, isFirst: boolean): string {
  if (place === 'address') return isFirst ? value : encodeURIComponent(value)
  return place === 'markdown' ? value.replace(/[\\*_[\]()]/g, '\\$&') : value
}
