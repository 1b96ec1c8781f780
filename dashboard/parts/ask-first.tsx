// A button that asks before it does what cannot be undone; of what is gone for good the name is to be typed.

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
  run: () => Promise<void>
}

export function AskFirst({ act, does, title, how, typed, run }: Props) {
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
          run={() => void act.run(run)}
        >
          <p>{how}</p>
        </Confirm>
      )}
    </>
  )
}
