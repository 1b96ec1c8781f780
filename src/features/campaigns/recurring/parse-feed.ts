// Reads RSS 2.0, RSS 1.0 and Atom as a stream of tags, beside the main thread: whoever writes a feed decides how long that takes. No entity
// that a feed declares is ever expanded, nesting is bounded, and each text is cut where a mail would not show more of it.

import { defineSideWork } from '../../../kit/aside.ts'
import { sha256Hex } from '../../../kit/digest.ts'
import { isSafeImageUrl } from '../../../kit/safe-url.ts'

export interface FeedItem {
  /**
   * By either of them it is known again: digests of its guid or id, else of its link or title; and of its link with its title, by which it
   * is known after a change of every guid.
   */
  marks: string[]
  title: string
  /** http or https. */
  link: string
  /** Plain text. */
  summary: string
  /** ISO 8601; null where it says none. */
  date: string | null
}

export interface Feed {
  title: string
  link: string
  /** Newest first where all have a date, else as they stand. */
  items: FeedItem[]
  /** Of these, and of the items after them: what moves up when an item is taken away is not new. */
  marks: string[]
}

export type ParsedFeed = { feed: Feed } | { fault: string }

interface FeedBytes {
  bytes: Uint8Array
  /** Where it was fetched: what its links are relative to. */
  url: string
  contentType: string
}

/** How many can be new, and how many are read so as to know them again. */
const maxFeedItems = 200
const maxReadItems = 2_000
export const maxMarks = 2 * maxReadItems
/** Of one mail. */
export const maxShownItems = 50
const maxDepth = 64
const maxRawChars = 8_000
const maxTitleChars = 300
const maxSummaryChars = 600
const maxLinkChars = 2_000
const markChars = 16

/** By the name of an element: what it says of an item. The first that is not empty counts. */
const fieldNames = {
  key: ['guid', 'id'],
  title: ['title'],
  link: ['link'],
  summary: ['description', 'summary', 'content:encoded', 'content'],
  date: ['pubDate', 'published', 'updated', 'dc:date'],
} satisfies Record<string, string[]>
const itemNames = new Set(['item', 'entry'])
const roots = new Set(['rss', 'feed', 'rdf:RDF'])

export const feedReading = defineSideWork({
  name: 'read-feed',
  whenStuck: (): ParsedFeed => ({ fault: 'it takes too long to read' }),
  async run({ bytes, url, contentType }: FeedBytes): Promise<ParsedFeed> {
    const { Parser } = await import('htmlparser2')
    try {
      const raw = readRaw(Parser, decode(bytes, contentType))
      return { feed: toFeed(raw, url, (html) => toText(Parser, html)) }
    } catch (error) {
      if (error instanceof FeedFault) return { fault: error.message }
      throw error
    }
  },
})

class FeedFault extends Error {}

type ParserClass = typeof import('htmlparser2').Parser

/** What an item, or the feed itself, says: by the name of the element. */
type RawFields = Map<string, { text: string; isHtml: boolean }>

interface RawFeed {
  about: RawFields
  items: RawFields[]
}

/** By its first bytes, else by what the server says, else by what it says itself. */
function decode(bytes: Uint8Array, contentType: string): string {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 200))
  const said = /charset="?([\w-]{1,40})/i.exec(contentType)?.[1] ?? /encoding=["']([\w-]{1,40})/.exec(start)?.[1]
  const label = wideAt(start) ?? (said === undefined || /^utf-?16/i.test(said) ? 'utf-8' : said)
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    return new TextDecoder('utf-8').decode(bytes)
  }
}

/** UTF-16 can be seen, with its mark or without; where it is only said, the text is something else. */
function wideAt(start: string): string | undefined {
  if (/^(?:\xff\xfe|<\0)/.test(start)) return 'utf-16le'
  return /^(?:\xfe\xff|\0<)/.test(start) ? 'utf-16be' : undefined
}

/** Stops at the first thing that a feed has no need of, and after as many items as are ever looked at. */
function readRaw(Parser: ParserClass, xml: string): RawFeed {
  const feed: RawFeed = { about: new Map(), items: [] }
  const path: string[] = []
  let target = feed.about
  let field: { name: string; depth: number; text: string; isHtml: boolean } | null = null
  let isDone = false
  let isWhole = false
  const parser: InstanceType<ParserClass> = new Parser(
    {
      onopentag(name, attributes) {
        path.push(name)
        if (path.length === 1 && !roots.has(name)) throw new FeedFault('it is neither RSS nor Atom')
        if (path.length > maxDepth) throw new FeedFault(`it is nested deeper than ${maxDepth} elements`)
        if (isDone) return
        if (field) field.text += ' '
        else if (itemNames.has(name)) {
          target = new Map()
          feed.items.push(target)
        } else if (isFieldOf(path)) {
          const link = name === 'link' ? linkIn(attributes) : null
          if (link !== null) keep(target, name, { text: link, isHtml: false })
          else field = { name, depth: path.length, text: '', isHtml: isHtml(path[0], attributes) }
        }
      },
      ontext(text) {
        if (field && field.text.length < maxRawChars) field.text += text.slice(0, maxRawChars)
      },
      onclosetag(name, isImplied) {
        if (path.length === 1) isWhole = !isImplied
        if (field?.depth === path.length) {
          keep(target, field.name, field)
          field = null
        }
        path.pop()
        if (!itemNames.has(name)) return
        target = feed.about
        isDone = feed.items.length === maxReadItems
      },
      onprocessinginstruction(name, data) {
        if (name.startsWith('!') && (/^!(?:entity|element|attlist)/i.test(data) || data.includes('[')))
          throw new FeedFault('it declares entities of its own')
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(xml)
  if (!isWhole) throw new FeedFault('it ends before its end, or is no XML')
  return feed
}

/** Directly in an item, or in what holds the items. */
function isFieldOf(path: string[]): boolean {
  const holder = path.at(-2) ?? ''
  return itemNames.has(holder) || holder === 'channel' || holder === 'feed'
}

/** Of Atom: what a reader opens. Null where the link is the text of the element, as in RSS; empty for one that leads elsewhere. */
function linkIn({ href, rel = 'alternate' }: Record<string, string>): string | null {
  if (href === undefined) return null
  return rel === 'alternate' ? href : ''
}

/** Text of RSS may be HTML; Atom says it where it is. */
function isHtml(root: string | undefined, { type }: Record<string, string>): boolean {
  return root === 'feed' ? type === 'html' || type === 'text/html' : true
}

function keep(fields: RawFields, name: string, { text, isHtml }: { text: string; isHtml: boolean }): void {
  if (text.trim() !== '' && !fields.has(name)) fields.set(name, { text, isHtml })
}

type ToText = (html: string) => string

function toFeed({ about, items }: RawFeed, url: string, toText: ToText): Feed {
  const link = toLink(valueIn(about, 'link')?.text, url) ?? url
  const read = items.flatMap((item) => toItem(item, { url, home: link, toText }) ?? [])
  const dated = read.every(({ date }) => date !== null)
  if (dated) read.sort((one, other) => ((one.date ?? '') < (other.date ?? '') ? 1 : -1))
  const title = clean(valueIn(about, 'title'), maxTitleChars, toText) || new URL(url).hostname
  return { title, link, items: read.slice(0, maxFeedItems), marks: read.flatMap(({ marks }) => marks) }
}

/** Null for one that says nothing by which it could be known again. */
function toItem(
  item: RawFields,
  { url, home, toText }: { url: string; home: string; toText: ToText },
): FeedItem | null {
  const link = toLink(valueIn(item, 'link')?.text, url)
  const title = clean(valueIn(item, 'title'), maxTitleChars, toText)
  const identity = valueIn(item, 'key')?.text.trim() ?? link ?? title
  if (identity === '') return null
  const summary = clean(valueIn(item, 'summary'), maxSummaryChars, toText)
  const moment = Date.parse(valueIn(item, 'date')?.text.trim() ?? '')
  return {
    marks: [identity, `${link ?? ''} ${title}`].map((text) => sha256Hex(text).slice(0, markChars)),
    title: title || shortened(summary, maxTitleChars) || (link ?? home),
    link: link ?? home,
    summary,
    date: Number.isNaN(moment) ? null : new Date(moment).toISOString(),
  }
}

function valueIn(fields: RawFields, field: keyof typeof fieldNames) {
  return fieldNames[field].flatMap((name) => fields.get(name) ?? [])[0]
}

/** Null for what no link of a mail may be. What would end a link or be a placeholder is written in its other form. */
function toLink(text: string | undefined, base: string): string | null {
  const given = text?.trim() ?? ''
  if (given === '' || given.length > maxLinkChars || !URL.canParse(given, base)) return null
  const { href } = new URL(given, base)
  const written = href.replace(/[(){}|]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  return written.length <= maxLinkChars && isSafeImageUrl(written) ? written : null
}

/** One line of words. Braces become parentheses: between two of them would be a placeholder. */
function clean(value: { text: string; isHtml: boolean } | undefined, maxChars: number, toText: ToText): string {
  if (value === undefined) return ''
  const text = value.isHtml ? toText(value.text) : value.text
  const line = text
    .toWellFormed()
    .replace(/[\s\x00-\x1f\x7f-\x9f\u2028\u2029]+/g, ' ')
    .replaceAll('{', '(')
    .replaceAll('}', ')')
  return shortened(line.trim(), maxChars)
}

function shortened(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const cut = text.slice(0, maxChars - 1)
  const end = cut.lastIndexOf(' ')
  return `${cut.slice(0, end > maxChars / 2 ? end : undefined).toWellFormed()}…`
}

/** The words of HTML, as far as it is nested like a text. */
function toText(Parser: ParserClass, html: string): string {
  let text = ''
  let depth = 0
  let hiddenAt = 0
  const parser: InstanceType<ParserClass> = new Parser({
    onopentag(name) {
      if (++depth > maxDepth) parser.pause()
      if (hiddenAt === 0 && (name === 'script' || name === 'style')) hiddenAt = depth
      text += ' '
    },
    onclosetag() {
      if (hiddenAt === depth) hiddenAt = 0
      depth--
      text += ' '
    },
    ontext(words) {
      if (hiddenAt === 0) text += words
    },
  })
  parser.write(html)
  parser.end()
  return text
}
