// Which URLs may be used in a link or image of a mail. It is an allow-list of whole forms, so an entity, a tab, a backslash or `//host` is
// refused without having been thought of. Checked when a tree is parsed and again when variables are filled in.

import { idOfUrl, isContentId } from './content-id.ts'

const web = /^https?:\/\/[^\s\\/?#@%<>"]+(?:[/?#][^\s\\]*)?$/i
const mail = /^mailto:[^\s\\<>"]+$/i
const phone = /^tel:[+\w().;=%-]+$/i
const control = /[\x00-\x20\x7f-\x9f]/
const relative = /^[\w./?#=%~+,;@!$'*()&-]*$/
const entity = /&(?:#|\w+;)/

/** A URL that a link may open: http, https, mailto or tel; no credentials before the host, no white space, no backslash. */
export function isSafeUrl(url: string): boolean {
  return isSafeImageUrl(url) || (!control.test(url) && (mail.test(url) || phone.test(url)))
}

/** A URL that an image may be loaded from: http or https. */
export function isSafeImageUrl(url: string): boolean {
  return !control.test(url) && web.test(url)
}

/** `cid:logo`, for a picture that is attached. */
export function isInlineUrl(url: string): boolean {
  const id = idOfUrl(url)
  return id !== null && isContentId(id)
}

/** True for `example.com/a` or `/a`: harmless, but a mail has no page that it could be relative to. */
export function isRelativeUrl(url: string): boolean {
  return relative.test(url) && !url.startsWith('//') && !entity.test(url)
}
