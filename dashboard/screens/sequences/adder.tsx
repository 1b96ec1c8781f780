// Between two steps: a button that asks which step shall stand there.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useShortcuts } from '../../keys.ts'
import { words } from './canvas-words.ts'
import { type StepType, stepTypes } from './steps.ts'

interface Props {
  at: number
  add: (type: StepType) => void
}

export function Adder({ at, add }: Props) {
  const [isAsking, setAsking] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (isAsking) box.current?.querySelector<HTMLElement>('.choices button')?.focus()
  }, [isAsking])
  const close = () => {
    setAsking(false)
    box.current?.querySelector('button')?.focus()
  }
  useShortcuts(isAsking ? [{ keys: 'Escape', says: words.addNone, run: close }] : [])
  return (
    <div ref={box} class="adder">
      <button
        type="button"
        class="quiet"
        aria-expanded={isAsking}
        aria-label={words.addAt(at + 1)}
        onClick={() => setAsking(!isAsking)}
      >
        + <span>{words.add}</span>
      </button>
      {isAsking && (
        <fieldset class="choices">
          <legend class="unseen">{words.whichStep}</legend>
          {stepTypes.map((type) => (
            <button
              key={type}
              type="button"
              onClick={() => {
                setAsking(false)
                add(type)
              }}
            >
              {words.types[type]}
            </button>
          ))}
        </fieldset>
      )}
    </div>
  )
}
