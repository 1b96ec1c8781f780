// The palette (Ctrl-K): type where to go, what to do, or the name of anything that has one, a mail by its subject; or paste an id.

import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { get } from './api.ts'
import { all } from './parts/all.ts'
import { useAnswer } from './parts/asked.ts'
import { type Choice, Choose } from './parts/choose.tsx'
import { useLoaded } from './parts/load.tsx'
import { pathIn, screenOf, usePlace } from './place.ts'
import type { Entry } from './screens.ts'
import { comma, inLanguage } from './words.ts'

const words = inLanguage(catalogue.frame.palette)

export function Palette({ screens, close }: { screens: Entry[]; close: () => void }) {
  const { route } = useLocation()
  const { to, workspace, workspaces } = usePlace()
  const [typed, setTyped] = useState('')
  const named = useNamed()
  const asked = [...usePeople(typed), ...useMails(typed)]
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
      choicesFor={(text) => choicesFor(text, { known, named, asked }, to)}
      choose={route}
      close={close}
    />
  )
}

/** Of each kind the first so many. */
const most = 1_000

/** What there is of each kind: people and mails come from the server, as they are typed. */
function useNamed(): Choice[] {
  const { to, mayChange } = usePlace()
  const found = useLoaded('named', async (signal) => {
    const kinds = await Promise.all([
      all((query) => get('/v1/transactional', { query: { ...query, status: 'all' } }, signal), most),
      all((query) => get('/v1/campaigns', { query }, signal), most),
      all((query) => get('/v1/mailing-lists', { query }, signal), most),
      all((query) => get('/v1/event-rules', { query }, signal), most),
      get('/v1/mailboxes', {}, signal),
      all((query) => get('/v1/segments', { query }, signal), most),
      all((query) => get('/v1/sequences', { query }, signal), most),
      all((query) => get('/v1/recurring-campaigns', { query }, signal), most),
    ])
    const [templates, campaigns, lists, rules, mailboxes, segments, sequences, recurring] = kinds
    return [
      ...templates.map(({ id, name }) => ({ says: words.template(name), is: to(`/templates/${id}`) })),
      ...(mayChange ? templates : []).map(({ id, name }) => ({
        says: words.test(name),
        is: to(`/templates/${id}?do=test`),
      })),
      ...campaigns.map(({ id, name }) => ({ says: words.campaign(name), is: to(`/campaigns/${id}`) })),
      ...lists.map(({ id, name }) => ({ says: words.list(name), is: to(`/lists/${id}`) })),
      ...rules.map(({ id, name }) => ({ says: words.rule(name), is: to(`/rules/${id}`) })),
      ...mailboxes.data.map(({ id, address }) => ({ says: words.mailbox(address), is: to(`/mailboxes/${id}`) })),
      ...segments.map(({ id, name }) => ({ says: words.segment(name), is: to(`/segments/${id}`) })),
      ...sequences.map(({ id, name }) => ({ says: words.sequence(name), is: to(`/sequences/${id}`) })),
      ...recurring.map(({ id, name }) => ({ says: words.recurring(name), is: to(`/campaigns/recurring/${id}`) })),
    ]
  })
  return found.value ?? []
}

/** What is worth asking the server about: some letters, and nothing that its searches read as more than words. */
function askable(typed: string): string | null {
  const text = typed.trim()
  const isPlain = /^[^\s:"-]{2,}(\s+[^\s:"-][^\s:"]*){0,7}$/.test(text) && text.length <= 320
  return isPlain && screenOf(text) === null ? text : null
}

/** By any parts of their addresses and names. */
function usePeople(typed: string): Choice[] {
  const { to } = usePlace()
  const q = askable(typed)
  const { answer } = useAnswer(
    () => (q === null ? null : { q, perPage: 10 }),
    (query) => get('/v1/contacts', { query }),
  )
  return (answer?.data ?? []).map(({ id, email, firstName, lastName }) => {
    const name = [firstName, lastName].filter(Boolean).join(' ')
    return { says: words.contact(name === '' ? email : `${name}${comma}${email}`), is: to(`/contacts/${id}`) }
  })
}

/** By words of their subjects. */
function useMails(typed: string): Choice[] {
  const { to } = usePlace()
  const q = askable(typed)
  const { answer } = useAnswer(
    () => (q === null ? null : { q, perPage: 5 }),
    (query) => get('/v1/activity', { query }),
  )
  return (answer?.data ?? []).map(({ messageId, subject, email }) => ({
    says: words.mail({ subject, email }),
    is: to(`/activity/${messageId}`),
  }))
}

interface PaletteResults {
  known: Choice[]
  named: Choice[]
  /** People and mails. */
  asked: Choice[]
}

function choicesFor(typed: string, { known, named, asked }: PaletteResults, to: (path: string) => string): Choice[] {
  const text = typed.trim()
  const screen = screenOf(text)
  if (screen !== null) return [{ says: words.open(text), is: to(screen) }]
  const parts = text.toLowerCase().split(/\s+/)
  const matching = (choices: Choice[]) =>
    choices.filter(({ says }) => parts.every((part) => says.toLowerCase().includes(part)))
  const mails = text.includes('@')
    ? [{ says: words.mailsTo(text), is: to(`/activity?q=${encodeURIComponent(`to:${text}`)}`) }]
    : []
  // Results of an earlier input must not replace those of the current one.
  return [...mails, ...matching(known), ...(text === '' ? [] : [...matching(named), ...matching(asked)])]
}
