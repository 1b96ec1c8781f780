// The preview of what is written, with the data that was typed for it.

import { useAsked } from '../../parts/asked.ts'
import type { Written } from './history.ts'
import type { Owner, Preview } from './owner.ts'
import { dataOf, type Typed } from './test-data.tsx'

interface Wanted {
  owner: Owner
  locale: string
  written: Written
  /** The test data. */
  typed: Typed
}

export function usePreview({ owner, locale, written, typed }: Wanted) {
  const dataOfLast = (last: Preview | null) => dataOf(typed, last?.variables ?? [])
  const { answer: preview, issues } = useAsked(
    (last: Preview | null) =>
      written.content.length === 0
        ? null
        : { ...written, locale, dataVariables: dataOfLast(last), marks: true as const },
    owner.preview,
  )
  return { preview, issues, dataVariables: dataOfLast(preview) }
}
