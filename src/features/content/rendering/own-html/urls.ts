// The URLs in a caller's HTML: only those that a mail may contain (kit/safe-url.ts), written without spaces.

import { isInlineUrl, isSafeImageUrl, isSafeUrl } from '../../../../kit/safe-url.ts'

/** Null for one that no link of a mail may open; a place within the mail is one. */
export function safeLink(given: string): string | null {
  const url = plainUrl(given)
  return isSafeUrl(url) || /^#[\w.:-]{0,200}$/.test(url) ? url : null
}

/** Null for one that no picture is loaded from. */
export function safePicture(given: string): string | null {
  const url = plainUrl(given)
  return isSafeImageUrl(url) || isInlineUrl(url) ? url : null
}

/** As browsers read it: without line breaks, and with its spaces encoded. */
export function plainUrl(given: string): string {
  return given
    .trim()
    .replace(/[\t\n\r]/g, '')
    .replace(/ /g, '%20')
}
