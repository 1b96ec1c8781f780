// Undo for some seconds after an action: what can be undone needs no confirmation.

import { signal } from '@preact/signals'
import { inLanguage } from '../words.ts'
import { announce } from './announce.tsx'

const words = inLanguage(catalogue.parts.undo)
const shownMs = 15_000

interface Done {
  says: string
  undo: () => Promise<void>
}

const done = signal<Done | null>(null)

export function offerUndo(says: string, undo: () => Promise<void>): void {
  const offered = { says, undo }
  done.value = offered
  announce(says)
  setTimeout(() => {
    if (done.value === offered) done.value = null
  }, shownMs)
}

export function UndoBar() {
  const offered = done.value
  if (!offered) return null
  const undo = async () => {
    done.value = null
    await offered.undo()
  }
  return (
    <aside class="undo" aria-label={words.undo}>
      <span>{offered.says}</span>
      <button type="button" onClick={() => void undo()}>
        {words.undo}
      </button>
      <button type="button" class="quiet" onClick={() => (done.value = null)}>
        {words.close}
      </button>
    </aside>
  )
}
