// Repeats a task while the page is visible.

import { useEffect, useRef } from 'preact/hooks'

/** Not while the page is in the background. Null: no more. */
export function useRepeat(everyMs: number | null, work: () => void): void {
  const last = useRef(work)
  last.current = work
  useEffect(() => {
    if (everyMs === null) return
    const timer = setInterval(() => document.hidden || last.current(), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
}
