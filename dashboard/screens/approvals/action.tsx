// The call of a tool that waits: what it is called with, and what it would write beside what is there now.

import type { ComponentChildren } from 'preact'
import { visible } from '../../../src/kit/visible.ts'
import { get, post } from '../../api.ts'
import type { Approval } from '../../nouns.ts'
import { Facts } from '../../parts/facts.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { MailFrame } from '../../parts/mail-frame.tsx'
import { usePlace } from '../../place.ts'
import { ToList } from './about.tsx'
import { words } from './words.ts'

const templatePath = '/v1/transactional/:templateId'
const contentPath = '/v1/transactional/:templateId/content/:locale'

type Action = NonNullable<Approval['action']>
type Fact = [name: string, value: ComponentChildren]

/** All that it is called with but the tree, which is shown as the mail that it makes. */
export function ActionFacts({ action: { name, input } }: { action: Action }) {
  const given = Object.entries(input).filter(([field]) => field !== 'content')
  return (
    <Facts
      title={words.calledWith}
      facts={[
        [words.tool, <code key={name}>{name}</code>],
        ...given.map(([field, value]): Fact => [field, <Argument key={field} of={field} value={value} />]),
      ]}
    />
  )
}

function Argument({ of, value }: { of: string; value: unknown }) {
  const { to } = usePlace()
  const said = visible(typeof value === 'string' ? value : JSON.stringify(value))
  if (of !== 'campaignId') return <code>{said}</code>
  return (
    <>
      <a href={to(`/campaigns/${value}`)}>{said}</a>
      <ToList campaignId={String(value)} />
    </>
  )
}

/** Null for a call that is not about a template. */
export function templateIn({ name, input }: Action): { templateId: string; locale: string | null } | null {
  if (!name.endsWith('_template')) return null
  const { id, locale } = input
  return { templateId: String(id), locale: typeof locale === 'string' ? locale : null }
}

/** The template as it is sent until somebody says yes. */
export function NowThere({ templateId, locale }: { templateId: string; locale: string | null }) {
  const now = useLoaded(`${templateId} ${locale}`, async (signal) => {
    const template = await get(templatePath, { params: { templateId } }, signal)
    const spoken = locale !== null && template.locales.includes(locale) ? locale : template.primaryLocale
    const params = { templateId, locale: spoken }
    const { content, subject } = await get(contentPath, { params }, signal)
    const preview = await post('/v1/transactional/preview', { body: { content, subject: '-', locale: spoken } })
    return { ...preview, subject, locale: spoken, name: template.name }
  })
  return (
    <Show of={now}>
      {({ html, text, subject, locale: spoken, name }) => (
        <>
          <p class="under">
            {name} ({spoken}): <strong>{subject}</strong>
          </p>
          <MailFrame title={words.nowThere} html={html} text={text} />
        </>
      )}
    </Show>
  )
}
