// Confirmation before an action that cannot be undone: says what it would do and, where something is deleted, asks for its name.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { inLanguage } from '../words.ts'
import { Dialog } from './dialog.tsx'

const words = inLanguage(catalogue.parts.confirm)

interface Props {
  title: string
  /** What the button says. */
  does: string
  /** What must be typed first. */
  typed?: string
  close: () => void
  /** With what was filled in. */
  run: (form: FormData) => void
  children: ComponentChildren
}

export function Confirm({ title, does, typed, close, run, children }: Props) {
  const [text, setText] = useState('')
  return (
    <Dialog title={title} close={close}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          close()
          run(form)
        }}
      >
        <h2>{title}</h2>
        {children}
        {typed !== undefined && (
          <label>
            {words.type(typed)}
            <input autofocus autocomplete="off" value={text} onInput={(event) => setText(event.currentTarget.value)} />
          </label>
        )}
        <div class="actions">
          <button type="submit" disabled={typed !== undefined && text.trim() !== typed}>
            {does}
          </button>
          <button type="button" class="quiet" onClick={close}>
            {words.back}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
