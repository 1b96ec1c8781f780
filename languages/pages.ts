// The words of pages and mails that everybody may see, in each language that is offered.

import { closestLocale } from '../src/kit/locale.ts'
import { ownValue } from '../src/kit/own-value.ts'
import { pageMessages } from './generated/page-messages.ts'
import type { PageWords } from './generated/page-words.ts'
import { createSpeaker } from './message.ts'

const offered = Object.keys(pageMessages)
/** A cache: each is made when somebody first needs it. */
const spoken = new Map<string, PageWords>()

/** In the first of these languages that is offered, else in English. */
export function pageWordsFor(wanted: string[]): { locale: string; words: PageWords } {
  const locale = closestLocale(wanted, offered) ?? 'en'
  const words = spoken.get(locale) ?? createSpeaker(locale)(ownValue(pageMessages, locale) ?? {})
  spoken.set(locale, words)
  return { locale, words }
}
