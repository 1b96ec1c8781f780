// A form that a person sends: once at a time, and with why it was refused, at the field it is about.

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { inLanguage } from '../words.ts'
import { type Act, WhyNot } from './act.tsx'
import { markFaults } from './faults.ts'

const words = inLanguage({ en: { back: 'Not now' }, de: { back: 'Jetzt nicht' } })

interface Props {
  act: Act
  /** The words of its button; null for who may only look. */
  says: string | null
  submit: (form: FormData) => Promise<void>
  /** Where it may be left as it was. */
  close?: () => void
  children: ComponentChildren
}

export function Form({ act, says, submit, close, children }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const [isSaid, setSaid] = useState(false)
  useLayoutEffect(() => {
    if (form.current === null) return
    const { isWhole, undo } = markFaults(form.current, act.issues)
    setSaid(isWhole)
    return undo
  }, [act.issues])
  return (
    <form
      ref={form}
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        void submit(new FormData(event.currentTarget))
      }}
    >
      {children}
      {!isSaid && <WhyNot act={act} />}
      {says !== null && (
        <div class="actions">
          <button type="submit" disabled={act.isRunning}>
            {says}
          </button>
          {close && (
            <button type="button" class="quiet" onClick={close}>
              {words.back}
            </button>
          )}
        </div>
      )}
    </form>
  )
}
