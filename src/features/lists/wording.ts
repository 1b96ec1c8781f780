// The texts of the public pages, in the languages of the built-in confirmation mail.

import type { PageWords } from '../../../languages/generated/said-by-server.ts'
import { pageWordsFor } from '../../../languages/said-by-server.ts'

export type Words = PageWords['lists'] & { locale: string }

/** The person's language if we have it, else the workspace's, else English. */
export function wordsFor(...locales: (string | null | undefined)[]): Words {
  const { locale, words } = pageWordsFor(locales.flatMap((one) => one ?? []))
  return { ...words.lists, locale }
}
