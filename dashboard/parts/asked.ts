// Asks the server about unsaved input, a moment after the last change. The last answer stays while the input is not valid.

import { useEffect, useState } from 'preact/hooks'
import { type Issue, Refusal } from '../api.ts'

const pauseMs = 150

export interface Answered<T> {
  answer: T | null
  /** Why what is written is refused. */
  issues: Issue[]
}

/** What is asked may depend on the last answer; null: there is nothing to ask about. */
export function useAnswer<Body, T>(
  bodyOf: (last: T | null) => Body | null,
  ask: (body: Body) => Promise<T>,
): Answered<T> {
  const [state, setState] = useState<Answered<T>>({ answer: null, issues: [] })
  const body = bodyOf(state.answer)
  useEffect(() => {
    if (body === null) return setState({ answer: null, issues: [] })
    let isWanted = true
    const show = async () => {
      try {
        const answer = await ask(body)
        if (isWanted) setState({ answer, issues: [] })
      } catch (error) {
        const issues = error instanceof Refusal ? toIssues(error) : []
        if (isWanted) setState(({ answer }) => ({ answer, issues }))
      }
    }
    const timer = setTimeout(() => void show(), pauseMs)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [JSON.stringify(body)])
  return state
}

function toIssues({ issues, message }: Refusal): Issue[] {
  return issues.length > 0 ? issues : [{ path: '', message }]
}
