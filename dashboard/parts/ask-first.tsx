// A button that asks for confirmation before it does something that cannot be undone; before something is deleted for good its name must be
// typed.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Act } from './act.tsx'
import { Confirm } from './confirm.tsx'

interface Props {
  act: Act
  /** What the button says. */
  does: string
  title: string
  /** What comes of it. */
  how: string
  /** What must be typed first. */
  typed?: string
  /** What is to be filled in. */
  children?: ComponentChildren
  run: (form: FormData) => Promise<void>
}

export function AskFirst({ act, does, title, how, typed, children, run }: Props) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <button type="button" class="quiet" disabled={act.isRunning} onClick={() => setAsking(true)}>
        {does}
      </button>
      {isAsking && (
        <Confirm
          title={title}
          does={does}
          {...(typed !== undefined && { typed })}
          close={() => setAsking(false)}
          run={(form) => void act.run(() => run(form))}
        >
          <p>{how}</p>
          {children}
        </Confirm>
      )}
    </>
  )
}
