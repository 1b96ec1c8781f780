// An action that a person asks for: it is done and confirmed, or the reason of its refusal is shown.

import { useState } from 'preact/hooks'
import { type Issue, Refusal } from '../api.ts'
import { inLanguage } from '../words.ts'
import { reloaded } from './load.tsx'

const words = inLanguage(catalogue.parts.act)

export interface Act {
  isRunning: boolean
  /** Why the last one failed. */
  error: string | null
  /** Where it failed. */
  issues: Issue[]
  /** Whether it was done. */
  run: (work: () => Promise<void>) => Promise<boolean>
}

export function useAct(): Act {
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [issues, setIssues] = useState<Issue[]>([])
  const run = async (work: () => Promise<void>) => {
    setRunning(true)
    setError(null)
    setIssues([])
    try {
      await work()
      // What is decided next is decided by what the screen shows.
      await reloaded()
      return true
    } catch (cause) {
      setError(cause instanceof Refusal ? cause.message : words.offline)
      if (cause instanceof Refusal) setIssues(cause.issues)
      return false
    } finally {
      setRunning(false)
    }
  }
  return { isRunning, error, issues, run }
}

export function WhyNot({ act }: { act: Act }) {
  return act.error === null ? null : (
    <p class="notice bad" role="alert">
      {act.error}
    </p>
  )
}
