// What a screen loads: loading, failed or loaded.

import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Refusal } from '../api.ts'
import { inLanguage } from '../words.ts'
import { Nowhere } from './nowhere.tsx'

const words = inLanguage(catalogue.parts.load)

export interface Loaded<T> {
  value: T | undefined
  error: Error | undefined
  isLoading: boolean
  /** Of the screen that it was loaded for first. */
  path: string
  reload: () => void
}

/** A reload that has not finished. */
const reloads = new Set<Promise<void>>()

/** Resolves once the reload has finished: until then a screen shows the old state. */
export async function reloaded(): Promise<void> {
  await Promise.all(reloads)
}

function newReload(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  reloads.add(promise)
  return () => {
    reloads.delete(promise)
    resolve()
  }
}

/** Loads when it appears and whenever `key` changes; what was there stays until the new is. */
export function useLoaded<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [round, setRound] = useState(0)
  const [state, setState] = useState<{ key: string; path: string; value?: T; error?: Error }>({ key: '', path: '' })
  const asked = useRef<(() => void)[]>([])
  const came = () => {
    for (const end of asked.current.splice(0)) end()
  }
  useEffect(() => came, [])
  // `load` is a new function at each drawing; `key` says what it loads.
  useEffect(() => {
    const stop = new AbortController()
    const path = location.pathname
    load(stop.signal)
      .then(
        (value) => setState((was) => ({ key, path: was.key === key ? was.path : path, value })),
        // Looked at again in vain, it stays as it was.
        (error: Error) =>
          stop.signal.aborted ||
          setState((was) => (was.key === key && was.value !== undefined ? was : { key, path, error })),
      )
      .then(() => stop.signal.aborted || came())
    return () => stop.abort()
  }, [key, round])
  const isLoading = state.key !== key
  const { value, error, path } = state
  const reload = () => {
    asked.current.push(newReload())
    setRound((before) => before + 1)
  }
  return { value, error, path, isLoading, reload }
}

/** Shows what was loaded, or why it was not. What is typed on one screen stays on it when the next is of the same kind. */
export function Show<T>({ of, children }: { of: Loaded<T>; children: (value: T) => ComponentChildren }) {
  if (of.value !== undefined)
    return (
      <div key={of.path} aria-busy={of.isLoading}>
        {children(of.value)}
      </div>
    )
  if (of.error === undefined) return <p class="loading">{words.loading}…</p>
  if (of.error instanceof Refusal && of.error.status === 404) return <Nowhere />
  return (
    <div class="notice bad" role="alert">
      <p>
        <strong>{words.failed}.</strong> {of.error instanceof Refusal ? of.error.message : words.offline}
      </p>
      <button type="button" onClick={of.reload}>
        {words.again}
      </button>
    </div>
  )
}
