// Ctrl-K: type where to go, or paste any id.

import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { Screen } from './frame.tsx'
import { Dialog } from './parts/dialog.tsx'
import { pathIn, screenOf, usePlace } from './place.ts'
import { inLanguage } from './words.ts'

const words = inLanguage({
  en: {
    title: 'Find or do',
    hint: 'A screen, an address, or a pasted id',
    open: (id: string) => `Open ${id}`,
    mailsTo: (address: string) => `Mails to ${address}`,
    workspace: (name: string) => `Workspace ${name}`,
    nothing: 'Nothing of that name. Paste an id such as msg_…, or type an e-mail address.',
  },
  de: {
    title: 'Suchen oder tun',
    hint: 'Eine Ansicht, eine Adresse oder eine eingefügte Id',
    open: (id: string) => `${id} öffnen`,
    mailsTo: (address: string) => `Mails an ${address}`,
    workspace: (name: string) => `Arbeitsbereich ${name}`,
    nothing: 'Nichts mit diesem Namen. Eine Id wie msg_… einfügen oder eine Mailadresse tippen.',
  },
})

interface Choice {
  says: string
  href: string
  keys?: string
}

export function Palette({ screens, close }: { screens: Screen[]; close: () => void }) {
  const { route } = useLocation()
  const { to, workspaces } = usePlace()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const known = [
    ...screens.map(({ path, name, keys }) => ({ says: name, href: to(path), keys })),
    ...workspaces.map(({ slug, name }) => ({ says: words.workspace(name), href: pathIn(slug, '/') })),
  ]
  const choices = choicesFor(text, known, to)
  const go = (choice: Choice | undefined) => {
    if (!choice) return
    close()
    route(choice.href)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    setAt(Math.max(0, Math.min(choices.length - 1, at + step)))
  }
  return (
    <Dialog title={words.title} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          // As it is typed by now, which may be more than what is drawn.
          const typed = String(new FormData(event.currentTarget).get('text'))
          go(choicesFor(typed, known, to)[typed === text ? at : 0])
        }}
      >
        <input
          autofocus
          name="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="choices"
          aria-activedescendant={choices[at] && `choice-${at}`}
          aria-label={words.hint}
          placeholder={words.hint}
          autocomplete="off"
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
      </form>
      <div id="choices" role="listbox" aria-label={words.title}>
        {choices.map((choice, number) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the arrows and Enter of the field above do the same.
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the chosen one.
          <div
            key={choice.href + choice.says}
            id={`choice-${number}`}
            role="option"
            aria-selected={number === at}
            onClick={() => go(choice)}
          >
            {choice.says} {choice.keys && <kbd>{choice.keys}</kbd>}
          </div>
        ))}
      </div>
      {choices.length === 0 && <p class="muted">{words.nothing}</p>}
    </Dialog>
  )
}

function choicesFor(typed: string, known: Choice[], to: (path: string) => string): Choice[] {
  const text = typed.trim()
  const screen = screenOf(text)
  if (screen !== null) return [{ says: words.open(text), href: to(screen) }]
  const wanted = text.toLowerCase()
  const found = known.filter(({ says }) => says.toLowerCase().includes(wanted))
  const mails = text.includes('@')
    ? [{ says: words.mailsTo(text), href: to(`/activity?q=${encodeURIComponent(`to:${text}`)}`) }]
    : []
  return [...mails, ...found]
}
