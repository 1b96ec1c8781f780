// The editor of a mail in the language of the address: its outline, its preview, and the properties of the chosen component.

import { useLocation } from 'preact-iso'
import { Refusal } from '../../api.ts'
import { Show, useLoaded } from '../../parts/load.tsx'
import { Desk, type State } from './desk.tsx'
import type { StoredDraft } from './history.ts'
import type { Owner } from './owner.ts'

interface Props {
  owner: Owner
  state: State
  saved: () => void
}

export function InLocale({ owner, state, saved }: Props) {
  const { query } = useLocation()
  const locale = canonical(query['locale'] || owner.primaryLocale)
  const key = `${owner.id} ${locale}`
  const opened = useLoaded(key, async () => ({ key, locale, ...(await open(owner, locale)) }))
  return (
    <Show of={opened}>
      {({ key, locale, stored, copyOf }) => (
        <Desk key={key} owner={owner} state={state} locale={locale} stored={stored} copyOf={copyOf} saved={saved} />
      )}
    </Show>
  )
}

/** As the server writes it; what is no language is left for it to refuse. */
function canonical(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? locale
  } catch {
    return locale
  }
}

/** What a locale holds; where it holds nothing, a copy of what its readers get. */
async function open(owner: Owner, locale: string): Promise<{ stored: StoredDraft; copyOf: string | null }> {
  const { words, locales } = owner
  const stored = locales.includes(locale) ? await owner.load(locale) : null
  if (stored) return { stored, copyOf: null }
  const copyOf = locales.length === 0 ? null : await fallbackOf(owner, locale)
  const copied = copyOf === null ? null : await owner.load(copyOf)
  return { stored: { ...words, content: [], ...copied, revisionId: null }, copyOf }
}

async function fallbackOf(owner: Owner, locale: string): Promise<string | null> {
  try {
    return await owner.localeFor(locale)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'no_content') return null
    throw error
  }
}
