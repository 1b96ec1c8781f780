// Follows new data while the page is visible. A browser opens few connections to a server, so a page in the background closes its own.

import { useEffect, useRef } from 'preact/hooks'
import { follow } from '../api.ts'
import { useRepeat } from './repeat.ts'

/** Screen readers and eyes are not hurried. */
const atMostEveryMs = 1_000
const againMs = 15_000

/** `work` after something came on the live tail of `path`; null: nothing is followed. */
export function useTail(path: string | null, work: () => void): void {
  const isNew = useRef(false)
  useEffect(() => {
    if (path === null) return
    let stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const listen = async () => {
      stop.abort()
      clearTimeout(timer)
      if (document.hidden) return
      stop = new AbortController()
      const { signal } = stop
      const came = () => {
        isNew.current = true
      }
      await follow(path, came, signal).catch(() => {})
      if (!signal.aborted) timer = setTimeout(back, againMs)
    }
    /** Events in the meantime were missed. */
    const back = () => {
      isNew.current = true
      void listen()
    }
    void listen()
    document.addEventListener('visibilitychange', back)
    return () => {
      stop.abort()
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', back)
    }
  }, [path])
  useRepeat(path === null ? null : atMostEveryMs, () => {
    if (!isNew.current) return
    isNew.current = false
    work()
  })
}
