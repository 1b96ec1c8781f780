// Ctrl-K: type where to go, what to do, or the name of anything: a contact, a template, a campaign, a list; or paste any id.

import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { get, post } from './api.ts'
import type { Screen } from './frame.tsx'
import { useAsked } from './parts/asked.ts'
import { type Choice, Choose } from './parts/choose.tsx'
import { useLoaded } from './parts/load.tsx'
import { pathIn, screenOf, usePlace } from './place.ts'
import { inLanguage } from './words.ts'

const words = inLanguage({
  en: {
    title: 'Find or do',
    hint: 'A name, a screen, an address, or a pasted id',
    open: (id: string) => `Open ${id}`,
    mailsTo: (address: string) => `Mails to ${address}`,
    workspace: (name: string) => `Workspace ${name}`,
    nothing: 'Nothing of that name. Paste an id such as msg_…, or type an e-mail address.',
    contact: (name: string) => `Contact: ${name}`,
    template: (name: string) => `Template: ${name}`,
    campaign: (name: string) => `Campaign: ${name}`,
    list: (name: string) => `List: ${name}`,
    acts: {
      '/contacts/new': 'Add a contact',
      '/contacts/import': 'Import contacts',
      '/campaigns/new': 'New campaign',
      '/lists/new': 'New list',
      '/rules/new': 'New rule',
      '/mailboxes/new': 'New mailbox',
      '/webhooks/new': 'New webhook',
      '/agents/new': 'New agent',
    },
  },
  de: {
    title: 'Suchen oder tun',
    hint: 'Ein Name, eine Ansicht, eine Adresse oder eine eingefügte Id',
    open: (id: string) => `${id} öffnen`,
    mailsTo: (address: string) => `Mails an ${address}`,
    workspace: (name: string) => `Arbeitsbereich ${name}`,
    nothing: 'Nichts mit diesem Namen. Eine Id wie msg_… einfügen oder eine Mailadresse tippen.',
    contact: (name: string) => `Kontakt: ${name}`,
    template: (name: string) => `Vorlage: ${name}`,
    campaign: (name: string) => `Kampagne: ${name}`,
    list: (name: string) => `Liste: ${name}`,
    acts: {
      '/contacts/new': 'Einen Kontakt anlegen',
      '/contacts/import': 'Kontakte importieren',
      '/campaigns/new': 'Neue Kampagne',
      '/lists/new': 'Neue Liste',
      '/rules/new': 'Neue Regel',
      '/mailboxes/new': 'Neues Postfach',
      '/webhooks/new': 'Neuer Webhook',
      '/agents/new': 'Neuer Agent',
    },
  },
})

export function Palette({ screens, close }: { screens: Screen[]; close: () => void }) {
  const { route } = useLocation()
  const { to, workspace, workspaces } = usePlace()
  const [typed, setTyped] = useState('')
  const named = useNamed()
  const people = usePeople(typed)
  const acts = workspace.role === 'viewer' ? [] : Object.entries(words.acts)
  const known = [
    ...screens.map(({ path, name, keys }) => ({ says: name, is: to(path), keys })),
    ...acts.map(([path, says]) => ({ says, is: to(path) })),
    ...workspaces.map(({ slug, name }) => ({ says: words.workspace(name), is: pathIn(slug, '/') })),
  ]
  return (
    <Choose
      title={words.title}
      hint={words.hint}
      nothing={words.nothing}
      typed={setTyped}
      choicesFor={(text) => choicesFor(text, { known, named, people }, to)}
      choose={route}
      close={close}
    />
  )
}

const query = { perPage: 100 }

/** What there is of each kind; of more than a hundred the newest. */
function useNamed(): Choice[] {
  const { to } = usePlace()
  const found = useLoaded('named', async (signal) => {
    const [templates, campaigns, lists] = await Promise.all([
      get('/v1/transactional', { query: { ...query, status: 'all' } }, signal),
      get('/v1/campaigns', { query }, signal),
      get('/v1/mailing-lists', { query }, signal),
    ])
    return [
      ...templates.data.map(({ id, name }) => ({ says: words.template(name), is: to(`/templates/${id}`) })),
      ...campaigns.data.map(({ id, name }) => ({ says: words.campaign(name), is: to(`/campaigns/${id}`) })),
      ...lists.data.map(({ id, name }) => ({ says: words.list(name), is: to(`/lists/${id}`) })),
    ]
  })
  return found.value ?? []
}

/** By any part of an address or a name. */
const fields = ['email', 'firstName', 'lastName'] as const
const leastTyped = 2

function usePeople(typed: string): Choice[] {
  const { to } = usePlace()
  const value = typed.trim()
  const any = fields.map((field) => ({ field, op: 'contains', value }))
  const { answer } = useAsked(
    () => (value.length < leastTyped || screenOf(value) !== null ? null : { filter: { any } }),
    (body) => post('/v1/segments/preview', { body }),
  )
  return (answer?.data ?? []).map(({ id, email, firstName, lastName }) => {
    const name = [firstName, lastName].filter(Boolean).join(' ')
    return { says: words.contact(name === '' ? email : `${name}, ${email}`), is: to(`/contacts/${id}`) }
  })
}

interface Found {
  known: Choice[]
  named: Choice[]
  people: Choice[]
}

function choicesFor(typed: string, { known, named, people }: Found, to: (path: string) => string): Choice[] {
  const text = typed.trim()
  const screen = screenOf(text)
  if (screen !== null) return [{ says: words.open(text), is: to(screen) }]
  const wanted = text.toLowerCase()
  const matching = (choices: Choice[]) => choices.filter(({ says }) => says.toLowerCase().includes(wanted))
  const mails = text.includes('@')
    ? [{ says: words.mailsTo(text), is: to(`/activity?q=${encodeURIComponent(`to:${text}`)}`) }]
    : []
  // What was found for what was typed before is not what is typed now.
  return [...mails, ...matching(known), ...(text === '' ? [] : [...matching(named), ...matching(people)])]
}
