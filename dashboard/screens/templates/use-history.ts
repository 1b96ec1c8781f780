// The history of a mail that is edited here: with the steps of before the page was loaded, and kept a moment after each change.

import { useEffect, useRef, useState } from 'preact/hooks'
import { saysTheSame } from '../../parts/same.ts'
import type { DraftText, History } from './history.ts'
import type { WrittenMail } from './kept-history.ts'

const pauseMs = 250

/** What keeps them is loaded when it is needed first. */
const loadKept = () => import('./kept-history.ts')

/** `stored`: what is stored, which stays the same object wherever a step says the same. Null: nothing of it is kept. */
export function useHistory(begin: () => History, of: WrittenMail | null, stored: DraftText) {
  const [history, setHistory] = useState(begin)
  const first = useRef(history)
  useEffect(() => {
    if (!of) return
    const known = (text: DraftText) => (saysTheSame(text, stored) ? stored : text)
    const resume = async () => {
      const { findSteps } = await loadKept()
      const steps = await findSteps(of, first.current.now)
      if (!steps) return
      const { past, future } = steps
      // Whoever was faster than that has begun anew.
      setHistory((now) => (now === first.current ? { ...now, past: past.map(known), future: future.map(known) } : now))
    }
    // Without it undo works until the page is left.
    void resume().catch(() => {})
  }, [of?.mail])
  useEffect(() => {
    if (!of || history === first.current || history.past.length + history.future.length === 0) return undefined
    let isKept = false
    const keep = () => {
      if (!isKept)
        void loadKept()
          .then(({ keepSteps }) => keepSteps(of, history))
          .catch(() => {})
      isKept = true
    }
    const timer = setTimeout(keep, pauseMs)
    window.addEventListener('pagehide', keep)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('pagehide', keep)
    }
  }, [history])
  return [history, setHistory] as const
}
