// HTML as elements and texts: enough of it for the templates of other services, in one pass, so that no input makes it slow.

import { ownValue } from '../lib/own-value.ts'

export interface Element {
  name: string
  attributes: Record<string, string>
  children: (Element | string)[]
}

const empty = new Set(['area', 'base', 'br', 'col', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr'])
/** What stands in them is no text. */
const unread = new Set(['style', 'script', 'title', 'head', 'template'])
const entities: Record<string, string> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', copy: '©', reg: '®', trade: '™', hellip: '…' },
  ...{ mdash: '—', ndash: '–', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', bull: '•', middot: '·', euro: '€' },
  ...{ zwnj: '', zwj: '', shy: '', laquo: '«', raquo: '»', eacute: 'é', egrave: 'è', agrave: 'à', ccedil: 'ç' },
  ...{ auml: 'ä', ouml: 'ö', uuml: 'ü', Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü', szlig: 'ß', rarr: '→', larr: '←', times: '×' },
}

/** The root has no name. `skipped`: the elements that were passed over, with what stands in them. */
export function parseHtml(html: string): { root: Element; skipped: Set<string> } {
  const root: Element = { name: '', attributes: {}, children: [] }
  const skipped = new Set<string>()
  const open = [root]
  let at = 0
  while (at < html.length) {
    const tag = html.indexOf('<', at)
    addText(open, html.slice(at, tag === -1 ? undefined : tag))
    if (tag === -1) break
    const end = html.startsWith('<!--', tag) ? after(html, '-->', tag) : tagEnd(html, tag)
    const [, slash, written = ''] = /^<(\/?)([a-zA-Z][a-zA-Z0-9:-]{0,40})/.exec(html.slice(tag, tag + 50)) ?? []
    const name = written.toLowerCase()
    at = end
    if (name === '') continue
    if (slash === '/') closeTo(open, name)
    else if (unread.has(name)) {
      if (name !== 'head' && name !== 'title') skipped.add(name)
      at = skipHead(html, name, end, skipped)
    } else {
      const element: Element = {
        name,
        attributes: attributesOf(html.slice(tag + 1 + written.length, end - 1)),
        children: [],
      }
      open.at(-1)?.children.push(element)
      if (!empty.has(name) && !html.startsWith('/>', end - 2)) open.push(element)
    }
  }
  return { root, skipped }
}

function addText(open: Element[], text: string): void {
  if (text !== '') open.at(-1)?.children.push(decodeEntities(text))
}

export function decodeEntities(text: string): string {
  return text.replace(/&(#x?)?([0-9a-zA-Z]{1,10});/g, (whole, numeric: string | undefined, name: string) => {
    if (numeric === undefined) return ownValue(entities, name) ?? whole
    const code = Number.parseInt(name, numeric === '#' ? 10 : 16)
    return code > 31 && code <= 0x10ffff ? String.fromCodePoint(code) : ' '
  })
}

function after(html: string, what: string, from: number): number {
  const at = html.indexOf(what, from)
  return at === -1 ? html.length : at + what.length
}

/** A `>` within quotes does not end a tag. */
function tagEnd(html: string, from: number): number {
  let quote = ''
  for (let at = from + 1; at < html.length; at++) {
    const char = html[at] ?? ''
    if (quote !== '') quote = char === quote ? '' : quote
    else if (char === '"' || char === "'") quote = char
    else if (char === '>') return at + 1
  }
  return html.length
}

/** An element that was never opened closes nothing. */
function closeTo(open: Element[], name: string): void {
  const index = open.findLastIndex((one) => one.name === name)
  if (index > 0) open.length = index
}

/** Behind the end of an element without text. Styles of the head are told of. */
function skipHead(html: string, name: string, from: number, skipped: Set<string>): number {
  const close = html.toLowerCase().indexOf(`</${name}`, from)
  const end = close === -1 ? html.length : tagEnd(html, close)
  if (name === 'head' && /<style/i.test(html.slice(from, end))) skipped.add('style')
  return end
}

function attributesOf(text: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [, name = '', double, single, bare] of text.matchAll(
    /([a-zA-Z_:][\w:.-]{0,60})\s{0,20}(?:=\s{0,20}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g,
  ))
    if (name !== '__proto__') found[name.toLowerCase()] = decodeEntities(double ?? single ?? bare ?? '')
  return found
}
