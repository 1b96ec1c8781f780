// The preview of what is written, with the data that was typed for it.

import { post } from '../../api.ts'
import { useAsked } from '../../parts/asked.ts'
import type { Written } from './history.ts'
import { dataOf, type Typed } from './test-data.tsx'

const path = '/v1/transactional/:templateId/preview'

export type Preview = Awaited<ReturnType<typeof post<typeof path>>>

interface Wanted {
  templateId: string
  locale: string
  written: Written
  /** The test data. */
  typed: Typed
}

export function usePreview({ templateId, locale, written, typed }: Wanted) {
  const dataOfLast = (last: Preview | null) => dataOf(typed, last?.variables ?? [])
  const { answer: preview, issues } = useAsked(
    (last: Preview | null) =>
      written.content.length === 0 ? null : { ...written, locale, dataVariables: dataOfLast(last), marks: true },
    (body) => post(path, { params: { templateId }, body }),
  )
  return { preview, issues, dataVariables: dataOfLast(preview) }
}
