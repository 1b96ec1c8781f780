// The words of an HTML mail, for a reader that wants text. It is no sanitizer: its result is text and must be shown as text.

const blocks =
  /<\/?(?:address|article|blockquote|br|center|div|dl|dd|dt|form|h[1-6]|hr|li|ol|p|pre|section|table|tr|ul)\b[^>]*>/gi
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
const maxCodePoint = 0x10ffff

export function htmlText(html: string): string {
  return withoutElements(html, ['style', 'script', 'head', 'title', 'template'])
    .replace(/[ \t\r\n]+/g, ' ')
    .replace(blocks, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(#x?)?([0-9a-z]{1,10});/gi, entity)
    .replace(/[ \t]*\n[ \t]*/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Elements that hold no words, and comments. One pass each, so that no input makes it slow. */
function withoutElements(html: string, names: string[]): string {
  const spans = [['<!--', '-->'], ...names.map((name) => [`<${name}`, `</${name}`])]
  return spans.reduce((text, [open = '', close = '']) => cut(text, open, close), html)
}

function cut(text: string, open: string, close: string): string {
  const lower = text.toLowerCase()
  let out = ''
  let from = 0
  for (let at = lower.indexOf(open); at !== -1; at = lower.indexOf(open, from)) {
    // `<header` is not `<head`.
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

function entity(whole: string, numeric: string | undefined, name: string): string {
  if (numeric === undefined) return entities[name.toLowerCase()] ?? whole
  const code = Number.parseInt(name, numeric === '#' ? 10 : 16)
  return code > 31 && code <= maxCodePoint ? String.fromCodePoint(code) : ' '
}
