// The preview of unsaved content, with the test data. While something is missing the last preview stays.

import { useRef } from 'preact/hooks'
import { useAnswer } from '../../parts/asked.ts'
import { listFaults } from '../../parts/preview.ts'
import { words } from './editor-words.ts'
import type { DraftText } from './history.ts'
import type { Owner, Preview } from './owner.ts'
import { contactIn, type Typed, toData } from './typed-data.ts'

interface PreviewOptions {
  owner: Owner
  locale: string
  written: DraftText
  /** The test data. */
  typed: Typed
}

export function usePreview({ owner, locale, written, typed }: PreviewOptions) {
  const shown = useRef<Preview | null>(null)
  const dataFor = (last: Preview | null) => toData(typed, last?.variables ?? [])
  const hasSubject = written.subject !== ''
  const isEmpty = written.content.length === 0
  const email = contactIn(typed)
  const { answer, issues } = useAnswer(
    (last: Preview | null) =>
      isEmpty || !hasSubject
        ? null
        : {
            ...written,
            locale,
            ...(email !== undefined && { email }),
            dataVariables: dataFor(last && listFaults(last).length === 0 ? last : shown.current),
            marks: true as const,
            draft: true as const,
          },
    owner.preview,
  )
  const faults = answer ? listFaults(answer) : []
  if (isEmpty) shown.current = null
  else if (answer && faults.length === 0) shown.current = answer
  const subject = { path: 'subject', message: words.isMissing }
  return {
    preview: shown.current,
    issues: isEmpty ? [] : hasSubject ? [...issues, ...faults] : [subject],
    dataVariables: dataFor(shown.current),
  }
}
