// Pictures that a mail brings along: an attachment with a Content-ID, and HTML that shows it by `cid:` (RFC 2392).

import { invalidField } from './error.ts'

/** No character that an address or an attribute would have to escape, so that an id is the same in both. */
const contentId = /^[A-Za-z0-9][\w.+=~-]{0,99}(?:@[A-Za-z0-9.-]{1,100})?$/
/** No run of spaces is looked at more than once, however long it is. */
const reference =
  /(?:\b(?:src|background|href|poster|data)\s{0,9}=\s{0,9}["']?|\burl\(\s{0,9}(?:["']|&quot;|&#39;)?)\s{0,9}cid:([^\s"'<>()&]{1,300})/gi

export function isContentId(text: string): boolean {
  return contentId.test(text)
}

/** `cid:logo` -> `logo`; null for any other address. */
export function idOfUrl(url: string): string | null {
  return /^cid:/i.test(url) ? url.slice('cid:'.length) : null
}

/** The ids that an HTML shows, each once. */
export function contentIdsIn(html: string): string[] {
  if (!/cid:/i.test(html)) return []
  return [...new Set(Array.from(html.matchAll(reference), ([, id = '']) => unescaped(id)))]
}

/** With an address in place of each `cid:` that there is one for. */
export function withAddresses(html: string, addresses: ReadonlyMap<string, string>): string {
  return html.replace(reference, (whole, id: string) => {
    const address = addresses.get(unescaped(id))
    return address === undefined ? whole : whole.slice(0, -`cid:${id}`.length) + address
  })
}

function unescaped(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}

/** Throws 422 when one of `shown` is not attached. */
export function expectAttached(shown: string[], attachments: { contentId: string | null }[], path: string): void {
  const missing = shown.find((id) => !attachments.some(({ contentId }) => contentId === id))
  if (missing === undefined) return
  const message = `${path} shows cid:${missing.slice(0, 100)}, but no attachment has this contentId`
  throw invalidField(path, message, 'not_attached')
}
