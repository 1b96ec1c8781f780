// Keys: one key, or two after each other (`g a`). Where somebody types, letters are letters.

import { useLayoutEffect } from 'preact/hooks'

export interface Shortcut {
  /** `j`, `g a`, `Enter`, `Mod+k`, `Mod+Shift+z` (Mod: Ctrl, or Command on a Mac). */
  keys: string
  says: string
  run: () => void
}

/** Those of what is on the screen now, the last added first. */
const active: Shortcut[][] = []
const sequenceMs = 1_000
let pending = { key: '', at: 0 }

/** While the component is on the screen. At once, so that a key finds what the key before it did. */
export function useShortcuts(shortcuts: Shortcut[]): void {
  useLayoutEffect(() => {
    active.unshift(shortcuts)
    return () => void active.splice(active.indexOf(shortcuts), 1)
  })
}

export function activeShortcuts(): Shortcut[] {
  return active.flat()
}

export function listenToKeys(): void {
  window.addEventListener('keydown', (event) => {
    const mod = event.ctrlKey || event.metaKey
    if (event.altKey || event.defaultPrevented || (!mod && isTyping(event.target))) return
    const name = mod ? `Mod+${event.shiftKey ? 'Shift+' : ''}${event.key.toLowerCase()}` : event.key
    const isNext = event.timeStamp - pending.at < sequenceMs
    const found = find(isNext ? `${pending.key} ${name}` : name) ?? find(name)
    pending = { key: found ? '' : name, at: event.timeStamp }
    if (!found) return
    event.preventDefault()
    found.run()
  })
}

function find(keys: string): Shortcut | undefined {
  return active.flat().find((one) => one.keys === keys)
}

/** Letters say nothing to a box that is ticked. */
const typedInto = 'input:not([type="checkbox"]), textarea, select, dialog[open]'

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest(typedInto) !== null
}
