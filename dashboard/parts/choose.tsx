// A dialog for choosing by typing: the arrows move through the matches, Enter takes one.

import { useState } from 'preact/hooks'
import { Dialog } from './dialog.tsx'

export interface Choice {
  says: string
  /** What is chosen by it. */
  is: string
  keys?: string
}

interface Props {
  title: string
  hint: string
  /** What is said where nothing fits. */
  nothing: string
  choicesFor: (typed: string) => Choice[]
  /** What was typed, where choices come from the server. */
  typed?: (text: string) => void
  choose: (is: string) => void
  close: () => void
}

export function Choose({ title, hint, nothing, choicesFor, typed, choose, close }: Props) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const choices = choicesFor(text)
  const take = (choice: Choice | undefined) => {
    if (!choice) return
    close()
    choose(choice.is)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    setAt(Math.max(0, Math.min(choices.length - 1, at + step)))
  }
  return (
    <Dialog title={title} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          // The current input, which may be newer than the rendered one.
          const entered = String(new FormData(event.currentTarget).get('text'))
          take(choicesFor(entered)[entered === text ? at : 0])
        }}
      >
        <input
          autofocus
          name="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="choices"
          aria-activedescendant={choices[at] && `choice-${at}`}
          aria-label={hint}
          placeholder={hint}
          autocomplete="off"
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value)
            typed?.(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
      </form>
      <div id="choices" role="listbox" aria-label={title}>
        {choices.map((choice, number) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the arrows and Enter of the field above do the same.
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the chosen one.
          <div
            key={choice.is + choice.says}
            id={`choice-${number}`}
            role="option"
            aria-selected={number === at}
            onClick={() => take(choice)}
          >
            {choice.says} {choice.keys && <kbd>{choice.keys}</kbd>}
          </div>
        ))}
      </div>
      {choices.length === 0 && <p class="muted">{nothing}</p>}
    </Dialog>
  )
}
