// Loads a screen when somebody goes to it, and what it needs later once it is shown. If that fails, because the server does not answer or
// has new files since an upgrade, the screen says so and the tab reloads as soon as the server answers: a browser does not fetch a module
// again that failed to load.

import type { FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { lazy } from 'preact-iso'
import { loadAnew } from './departure.ts'
import { useRepeat } from './parts/repeat.ts'
import { inLanguage } from './words.ts'

const words = inLanguage(catalogue.frame.screen)

type Screen = FunctionComponent<Record<string, unknown>>

export function screen(load: () => Promise<{ default: Screen }>): Screen {
  return lazy<Screen>(() => load().catch(() => ({ default: NotLoaded })))
}

/** What a screen needs only once it is shown: null before it came, undefined where it did not come (then `NotLoaded` is shown). */
export function usePart<T>(load: () => Promise<T>): T | null | undefined {
  const [part, setPart] = useState<T | null>()
  const [isHere, setHere] = useState(true)
  useEffect(() => {
    load().then(setPart, () => setHere(false))
  }, [])
  return isHere ? (part ?? null) : undefined
}

const lookEveryMs = 3_000
/** If it fails again right after a reload, another reload would not help. */
const notAgainMs = 20_000
const lastName = 'loaded anew at'

export function NotLoaded() {
  const look = () => void lookAgain()
  useRepeat(lookEveryMs, look)
  useEffect(() => {
    look()
    window.addEventListener('online', look)
    return () => window.removeEventListener('online', look)
  }, [])
  return (
    <>
      <header class="title">
        <h1>{words.failed}</h1>
      </header>
      <div class="notice bad" role="alert">
        <p>{words.how}</p>
        <button type="button" onClick={loadAnew}>
          {words.again}
        </button>
      </div>
    </>
  )
}

async function lookAgain(): Promise<void> {
  if (Date.now() - Number(sessionStorage.getItem(lastName)) < notAgainMs) return
  const answer = await fetch('/healthz', { cache: 'no-store' }).catch(() => null)
  if (!answer?.ok) return
  sessionStorage.setItem(lastName, String(Date.now()))
  loadAnew()
}
