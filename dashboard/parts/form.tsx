// A form that a person sends: once at a time, and with why it was refused.

import type { ComponentChildren } from 'preact'
import { type Act, WhyNot } from './act.tsx'

interface Props {
  act: Act
  /** The words of its button; null for who may only look. */
  says: string | null
  submit: (form: FormData) => Promise<void>
  children: ComponentChildren
}

export function Form({ act, says, submit, children }: Props) {
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        void submit(new FormData(event.currentTarget))
      }}
    >
      {children}
      <WhyNot act={act} />
      {says !== null && (
        <div class="actions">
          <button type="submit" disabled={act.isRunning}>
            {says}
          </button>
        </div>
      )}
    </form>
  )
}
