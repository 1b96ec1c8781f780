// Ctrl-K: type where to go, or paste any id.

import { useLocation } from 'preact-iso'
import type { Screen } from './frame.tsx'
import { type Choice, Choose } from './parts/choose.tsx'
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

export function Palette({ screens, close }: { screens: Screen[]; close: () => void }) {
  const { route } = useLocation()
  const { to, workspaces } = usePlace()
  const known = [
    ...screens.map(({ path, name, keys }) => ({ says: name, is: to(path), keys })),
    ...workspaces.map(({ slug, name }) => ({ says: words.workspace(name), is: pathIn(slug, '/') })),
  ]
  return (
    <Choose
      title={words.title}
      hint={words.hint}
      nothing={words.nothing}
      choicesFor={(typed) => choicesFor(typed, known, to)}
      choose={route}
      close={close}
    />
  )
}

function choicesFor(typed: string, known: Choice[], to: (path: string) => string): Choice[] {
  const text = typed.trim()
  const screen = screenOf(text)
  if (screen !== null) return [{ says: words.open(text), is: to(screen) }]
  const wanted = text.toLowerCase()
  const found = known.filter(({ says }) => says.toLowerCase().includes(wanted))
  const mails = text.includes('@')
    ? [{ says: words.mailsTo(text), is: to(`/activity?q=${encodeURIComponent(`to:${text}`)}`) }]
    : []
  return [...mails, ...found]
}
