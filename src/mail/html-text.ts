// Extracts the text of an HTML mail. It is not a sanitizer: show its result as text only.

import { ownValue } from '../lib/own-value.ts'

const blocks = new Set(
  'address article blockquote br center div dl dd dt form h1 h2 h3 h4 h5 h6 hr li ol p pre section table tr ul'.split(
    ' ',
  ),
)
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
const maxCodePoint = 0x10ffff

export function htmlText(html: string): string {
  const words = withoutElements(html, ['style', 'script', 'head', 'title', 'template']).replace(/\s+/g, ' ')
  return withoutTags(words)
    .replace(/&(#x?)?([0-9a-z]{1,10});/gi, entity)
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Elements without visible text, and comments. One pass each, so that no input makes it slow. */
function withoutElements(html: string, names: string[]): string {
  const spans = [['<!--', '-->'], ...names.map((name) => [`<${name}`, `</${name}`])]
  return spans.reduce((text, [open = '', close = '']) => cut(text, open, close), html)
}

function cut(text: string, open: string, close: string): string {
  const lower = text.toLowerCase()
  let out = ''
  let from = 0
  for (let at = lower.indexOf(open); at !== -1; at = lower.indexOf(open, from)) {
    // `<header` must not match `<head`.
    const isName = !/[a-z0-9-]/.test(lower[at + open.length] ?? '') || open === '<!--'
    out += text.slice(from, isName ? at : at + open.length)
    from = at + open.length
    if (!isName) continue
    const end = lower.indexOf(close, from)
    if (end === -1) return out
    const tagEnd = close === '-->' ? end + 2 : lower.indexOf('>', end)
    if (tagEnd === -1) return out
    from = tagEnd + 1
  }
  return out + text.slice(from)
}

/** A tag that ends a line becomes a line break, any other tag nothing; a "<" that is never closed is text. */
function withoutTags(html: string): string {
  let out = ''
  let from = 0
  for (let open = html.indexOf('<'); open !== -1; open = html.indexOf('<', from)) {
    const end = html.indexOf('>', open)
    if (end === -1) break
    const name = /^<\/?([a-z][a-z0-9]*)/i.exec(html.slice(open, open + 20))?.[1] ?? ''
    out += html.slice(from, open) + (blocks.has(name.toLowerCase()) ? '\n' : '')
    from = end + 1
  }
  return out + html.slice(from)
}

function entity(whole: string, numeric: string | undefined, name: string): string {
  if (numeric === undefined) return ownValue(entities, name.toLowerCase()) ?? whole
  const code = Number.parseInt(name, numeric === '#' ? 10 : 16)
  return code > 31 && code <= maxCodePoint ? String.fromCodePoint(code) : ' '
}
