// The words of a source with `{{variables}}` in them: in text, in attributes and in addresses, each filled in by the rules of its place
// (segments.ts). In styles and in conditions there are none.

import { faultyPlaceholders, withoutPlaceholders } from '../placeholders.ts'
import type { Escape, Slots } from '../segments.ts'
import { escapeValue, type Words } from './tags.ts'
import { plainUrl, safeLink, safePicture } from './urls.ts'

/** `doubt` is told each placeholder that names no variable. */
export function slottedWords(slots: Slots, doubt: (placeholder: string) => void): Words {
  // Quotes are escaped in text too, so that only an attribute looks like one.
  const write = (text: string, place: Escape) => {
    if (!text.includes('{{')) return escapeValue(text)
    for (const faulty of faultyPlaceholders(text)) doubt(faulty)
    return slots.within(text, place, escapeValue)
  }
  const address = (given: string, safe: typeof safeLink, put: (url: string) => string) => {
    if (!hasPlaceholders(given)) {
      const url = safe(given)
      return url === null ? null : escapeValue(url)
    }
    for (const faulty of faultyPlaceholders(given)) doubt(faulty)
    return safe(standIn(given)) === null ? null : put(given.replace(/[\t\n\r]/g, ''))
  }
  return {
    text: (text) => write(text, 'text'),
    value: (text) => write(text, 'attribute'),
    link: (given) => address(given, safeLink, (url) => slots.link(url)),
    picture: (given) => address(given, safePicture, (url) => slots.image(url)),
  }
}

const hasPlaceholders = (text: string) => withoutPlaceholders(text, '') !== text

/** An address with a value in each place. One that a value begins is checked when it is filled in. */
function standIn(given: string): string {
  const url = withoutPlaceholders(given.trim(), 'x')
  return given.trim().startsWith('{{') ? `https://${plainUrl(url)}` : url
}
