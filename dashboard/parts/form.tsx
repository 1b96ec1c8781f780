// A form that is submitted once at a time. A refusal is shown at the field it is about. Input is kept until it is saved; people who may
// only read see it disabled.

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { usePlace } from '../place.ts'
import { inLanguage } from '../words.ts'
import { type Act, WhyNot } from './act.tsx'
import { markFaults } from './faults.ts'
import { type Drawn, useKept } from './kept.ts'

const words = inLanguage(catalogue.parts.form)

interface Props<T> {
  act: Act
  /** The words of its button. */
  says: string
  /** Whether it was done. */
  submit: (form: FormData) => Promise<boolean>
  /** Where it may be left as it was. */
  close?: () => void
  /** About the signed-in person: viewers may change it, too. */
  isOwn?: boolean
  /** False where it stays when somebody goes to another screen. */
  isOfScreen?: boolean
  drawn?: Drawn<T>
  children: ComponentChildren
}

export function Form<T>(props: Props<T>) {
  const { act, says, submit, close, isOwn = false, isOfScreen = true, drawn, children } = props
  const { mayChange } = usePlace()
  const form = useRef<HTMLFormElement>(null)
  const [isSaid, setSaid] = useState(false)
  const kept = useKept({ form, drawn: drawn ? (drawn as Drawn<unknown>) : null, isOfScreen })
  useLayoutEffect(() => {
    if (form.current === null) return
    const { isWhole, undo } = markFaults(form.current, act.issues)
    setSaid(isWhole)
    return undo
  }, [act.issues])
  if (!mayChange && !isOwn)
    return (
      <fieldset class="form read" disabled>
        {children}
      </fieldset>
    )
  const giveUp = () => {
    kept.forget()
    close?.()
  }
  return (
    <form
      ref={form}
      class="form"
      onInput={kept.keep}
      onChange={kept.keep}
      onSubmit={(event) => {
        event.preventDefault()
        const filled = new FormData(event.currentTarget)
        if (!act.isRunning) void kept.send(() => submit(filled))
      }}
    >
      {kept.isAgain && (
        <p class="notice actions" role="status">
          <span>{words.again}</span>
          <button type="button" class="quiet" onClick={kept.discard}>
            {words.discard}
          </button>
        </p>
      )}
      {children}
      {!isSaid && <WhyNot act={act} />}
      {act.error !== null && isOfScreen && <p class="muted">{words.refused}</p>}
      <div class="actions">
        <button type="submit" disabled={act.isRunning}>
          {says}
        </button>
        {close && (
          <button type="button" class="quiet" onClick={giveUp}>
            {words.back}
          </button>
        )}
      </div>
    </form>
  )
}
