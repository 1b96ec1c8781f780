// The words of the pages and mails that the server writes, in each language that is offered.

import { closestLocale } from '../src/kit/locale.ts'
import { ownValue } from '../src/kit/own-value.ts'
import { pageMessages, signInMessages } from './generated/said-by-server.ts'
import { createSpeaker, type MessagesOf } from './message.ts'

function createChoice<W>(messages: Record<string, MessagesOf<W>>) {
  /** A cache: each is made when somebody first needs it. */
  const spoken = new Map<string, W>()
  return (wanted: string[]): { locale: string; words: W } => {
    const locale = closestLocale(wanted, Object.keys(messages)) ?? 'en'
    const words = spoken.get(locale) ?? createSpeaker(locale)(ownValue(messages, locale) ?? {})
    spoken.set(locale, words)
    return { locale, words }
  }
}

/** In the first of these languages that is offered, else in English. */
export const pageWordsFor = createChoice(pageMessages)
export const signInWordsFor = createChoice(signInMessages)
