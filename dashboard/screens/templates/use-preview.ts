// The preview of what is written: asked of the server a moment after the last change. The last one stays while the next cannot be shown.

import { useEffect, useState } from 'preact/hooks'
import { type Issue, post, Refusal } from '../../api.ts'
import type { Written } from './history.ts'
import { dataOf, type Typed } from './test-data.tsx'

const path = '/v1/transactional/:templateId/preview'
const pauseMs = 150

export type Preview = Awaited<ReturnType<typeof post<typeof path>>>

export interface Previewed {
  preview: Preview | null
  /** Why what is written cannot be shown. */
  issues: Issue[]
}

interface Asked {
  templateId: string
  locale: string
  written: Written
  /** The test data. */
  typed: Typed
}

export function usePreview({ templateId, locale, written, typed }: Asked) {
  const [state, setState] = useState<Previewed>({ preview: null, issues: [] })
  const dataVariables = dataOf(typed, state.preview?.variables ?? [])
  const body = { ...written, locale, dataVariables, marks: true }
  const asked = JSON.stringify(body)
  useEffect(() => {
    if (written.content.length === 0) return setState({ preview: null, issues: [] })
    let isWanted = true
    const show = async () => {
      try {
        const preview = await post(path, { params: { templateId }, body })
        if (isWanted) setState({ preview, issues: [] })
      } catch (error) {
        const issues = error instanceof Refusal ? issuesOf(error) : []
        if (isWanted) setState(({ preview }) => ({ preview, issues }))
      }
    }
    const timer = setTimeout(() => void show(), pauseMs)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [asked])
  return { ...state, dataVariables }
}

function issuesOf({ issues, message }: Refusal): Issue[] {
  return issues.length > 0 ? issues : [{ path: '', message }]
}
