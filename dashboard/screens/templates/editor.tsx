// The editor of a template: its outline, the mail as it would be sent, and what the chosen component is made of.

import { useLocation, useRoute } from 'preact-iso'
import { get, post, Refusal } from '../../api.ts'
import { Show, useLoaded } from '../../parts/load.tsx'
import { usePlace } from '../../place.ts'
import { Desk } from './desk.tsx'
import { words } from './editor-words.ts'
import { loadStored, type Stored } from './use-draft.ts'

const path = '/v1/transactional/:templateId'

export type Template = Awaited<ReturnType<typeof get<typeof path>>>

export default function TemplateEditor() {
  const { templateId = '' } = useRoute().params
  const { query } = useLocation()
  const { to } = usePlace()
  const template = useLoaded(templateId, (signal) => get(path, { params: { templateId } }, signal))
  return (
    <>
      <p>
        <a href={to('/templates')}>← {words.all}</a>
      </p>
      <Show of={template}>
        {(one) => (
          <InLocale template={one} locale={canonical(query['locale'] || one.primaryLocale)} saved={template.reload} />
        )}
      </Show>
    </>
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

interface Props {
  template: Template
  locale: string
  saved: () => void
}

function InLocale({ template, locale, saved }: Props) {
  const key = `${template.id} ${locale}`
  const opened = useLoaded(key, async () => ({ key, ...(await open(template, locale)) }))
  return (
    <Show of={opened}>
      {({ key, stored, copyOf }) => (
        <Desk key={key} template={template} locale={locale} stored={stored} copyOf={copyOf} saved={saved} />
      )}
    </Show>
  )
}

/** What a locale holds; where it holds nothing, a copy of what its readers get. */
async function open(template: Template, locale: string): Promise<{ stored: Stored; copyOf: string | null }> {
  const { id: templateId, subject, previewText, locales } = template
  const stored = locales.includes(locale) ? await loadStored({ templateId, locale }) : null
  if (stored) return { stored, copyOf: null }
  const copyOf = locales.length === 0 ? null : await fallbackOf(templateId, locale)
  const copied = copyOf === null ? null : await loadStored({ templateId, locale: copyOf })
  return { stored: { subject, previewText, content: [], ...copied, revisionId: null }, copyOf }
}

async function fallbackOf(templateId: string, locale: string): Promise<string | null> {
  try {
    return (await post(`${path}/preview`, { params: { templateId }, body: { locale } })).locale
  } catch (error) {
    if (error instanceof Refusal && error.code === 'no_content') return null
    throw error
  }
}
