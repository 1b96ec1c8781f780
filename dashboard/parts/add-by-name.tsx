// The field of a list in which something new is named; then it opens.

import { useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { type Shortcut, useShortcuts } from '../keys.ts'
import { usePlace } from '../place.ts'
import { useAct, WhyNot } from './act.tsx'

interface Props {
  /** The name of the field, to which an empty list leads. */
  field: string
  label: string
  button: string
  /** The key that leads to the field. */
  keys?: Shortcut['keys']
  /** Makes it. Returns its address in the workspace. */
  make: (name: string) => Promise<string>
}

export function AddByName({ field, label, button, keys, make }: Props) {
  const { route } = useLocation()
  const { to } = usePlace()
  const input = useRef<HTMLInputElement>(null)
  const act = useAct()
  useShortcuts(keys === undefined ? [] : [{ keys, says: button, run: () => input.current?.focus() }])
  const add = () => act.run(async () => route(to(await make(input.current?.value.trim() ?? ''))))
  return (
    <div>
      <form
        class="filter"
        onSubmit={(event) => {
          event.preventDefault()
          void add()
        }}
      >
        <label>
          {label}
          <input ref={input} name={field} required maxLength={200} />
        </label>
        <button type="submit" disabled={act.isRunning}>
          {button}
        </button>
      </form>
      <WhyNot act={act} />
    </div>
  )
}
