// Asks before unsaved input is left, by whichever way: a link, a key, the browser's own buttons, another page.

import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { LocationProvider, useLocation } from 'preact-iso'
import { isDeparting } from '../departure.ts'
import { inLanguage } from '../words.ts'
import { Confirm } from './confirm.tsx'

const words = inLanguage(catalogue.parts.leaving)

interface Unsaved {
  isChanged: () => boolean
  /** Null if the input is restored when people come back to the screen: then only leaving the page asks. */
  forget: (() => void) | null
}

const open = new Set<{ current: Unsaved }>()
const waiting = signal<(() => void) | null>(null)
/** The current location, and a way to leave it without confirmation. */
let here = { url: '', route: (_: string) => {} }

/** While the component is on the screen. */
export function useUnsaved(unsaved: Unsaved): void {
  const one = useRef(unsaved)
  one.current = unsaved
  // Not an effect behind the next paint: somebody may type and leave before that.
  useLayoutEffect(() => {
    open.add(one)
    return () => void open.delete(one)
  }, [])
}

function lostBy(url: string): Unsaved[] {
  // Another page of a list leaves the screen as it is.
  const stays = new URL(url, location.origin).pathname === new URL(here.url, location.origin).pathname
  return stays ? [] : [...open].map(({ current }) => current).filter((one) => one.forget !== null && one.isChanged())
}

/** False where nothing is lost; otherwise `go` waits for an answer. */
function asks(url: string, go: () => void): boolean {
  const lost = lostBy(url)
  if (lost.length === 0) return false
  waiting.value = () => {
    for (const { forget } of lost) forget?.()
    go()
  }
  return true
}

/** Around all that goes elsewhere by itself. */
export function AskedLocation({ children }: { children: ComponentChildren }) {
  const at = useLocation()
  useLayoutEffect(() => {
    here = { url: at.url, route: at.route }
  }, [at])
  const asked = useMemo(() => {
    const route = (url: string, isReplaced?: boolean) => {
      const go = () => at.route(url, isReplaced)
      if (!asks(url, go)) go()
    }
    return { ...at, route }
  }, [at])
  return <LocationProvider.ctx.Provider value={asked}>{children}</LocationProvider.ctx.Provider>
}

export function Leaving() {
  const go = waiting.value
  if (!go) return null
  return (
    <Confirm
      title={words.title}
      does={words.leave}
      close={() => {
        waiting.value = null
      }}
      run={go}
    >
      <p>{words.how}</p>
    </Confirm>
  )
}

/** Before the router hears of it. */
export function listenToLeaving(): void {
  window.addEventListener(
    'click',
    (event) => {
      const url = targetScreen(event)
      if (url === null || !asks(url, () => here.route(url))) return
      event.preventDefault()
      event.stopImmediatePropagation()
    },
    true,
  )
  window.addEventListener('popstate', (event) => {
    if (!asks(location.pathname, () => history.back())) return
    event.stopImmediatePropagation()
    // The browser has gone already.
    history.pushState(null, '', here.url)
  })
  window.addEventListener('beforeunload', (event) => {
    if (!isDeparting() && [...open].some(({ current }) => current.isChanged())) event.preventDefault()
  })
}

/** Where a click on a link leads within this page. */
function targetScreen(event: MouseEvent): string | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.button !== 0) return null
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link || link.origin !== location.origin || link.target !== '' || link.hasAttribute('download')) return null
  if (!link.pathname.startsWith('/dashboard') || link.getAttribute('href')?.startsWith('#')) return null
  return link.pathname + link.search
}
