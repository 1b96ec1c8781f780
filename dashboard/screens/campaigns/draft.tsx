// Creates a campaign, or edits one that has not begun: its subject, its list and its content.

import { useState } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso'
import { get, patch, post, toCurl } from '../../api.ts'
import type { Campaign } from '../../nouns.ts'
import { useAct } from '../../parts/act.tsx'
import { all } from '../../parts/all.ts'
import { Code } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Form } from '../../parts/form.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { usePlace } from '../../place.ts'
import { colon, comma, count } from '../../words.ts'
import { TestFields, toTest } from './ab-test.tsx'
import { words } from './words.ts'

const path = '/v1/campaigns/:campaignId'
const newList = { method: 'POST', path: '/v1/mailing-lists', body: { name: 'News' } }

async function choicesFor(campaignId: string | undefined, signal: AbortSignal) {
  const [campaign, lists, segments, templates] = await Promise.all([
    campaignId === undefined ? null : get(path, { params: { campaignId } }, signal),
    all((query) => get('/v1/mailing-lists', { query }, signal)),
    all((query) => get('/v1/segments', { query }, signal)),
    all((query) => get('/v1/transactional', { query }, signal)),
  ])
  return { campaign, lists, segments, templates }
}

export default function DraftEditor() {
  const { campaignId } = useRoute().params
  const { to } = usePlace()
  const choices = useLoaded(campaignId ?? '', (signal) => choicesFor(campaignId, signal))
  const back = to(campaignId === undefined ? '/campaigns' : `/campaigns/${campaignId}`)
  return (
    <Show of={choices}>
      {(found) => (
        <>
          <p>
            <a class="back" href={back}>
              {found.campaign?.name ?? words.all}
            </a>
          </p>
          <header class="title">
            <h1>{found.campaign?.name ?? words.create}</h1>
          </header>
          {found.lists.length === 0 ? (
            <Empty says={words.noList} act={{ to: '/lists/new', says: words.makeList }}>
              <Code>{toCurl(newList)}</Code>
            </Empty>
          ) : (
            <DraftForm {...found} />
          )}
        </>
      )}
    </Show>
  )
}

type Choices = Awaited<ReturnType<typeof choicesFor>>

function DraftForm({ campaign, lists, segments, templates }: Choices) {
  const { route } = useLocation()
  const { to } = usePlace()
  const act = useAct()
  const save = (fields: Fields) =>
    act.run(async () => {
      const saved =
        campaign === null
          ? await post('/v1/campaigns', { body: fields })
          : await patch(path, { params: { campaignId: campaign.id }, body: fields })
      // Its mail is written next, unless a template says it or it is written already.
      const isWritten = campaign !== null || saved.templateId !== null
      route(to(`/campaigns/${saved.id}${isWritten ? '' : '/content'}`))
    })
  return (
    <Form act={act} says={words.save} submit={(form) => save(toFields(form, campaign))}>
      <p class="muted">{words.draftHow}</p>
      <label>
        {words.name}
        <input name="name" required maxLength={200} defaultValue={campaign?.name ?? ''} />
      </label>
      <label>
        {words.subject}
        <input name="subject" required maxLength={500} defaultValue={campaign?.subject ?? ''} />
      </label>
      <label>
        {words.preheader}
        <input name="previewText" maxLength={500} defaultValue={campaign?.previewText ?? ''} />
      </label>
      <Choose name="mailingListId" label={words.list} of={lists} chosen={campaign?.mailingListId} />
      <ChooseSegment of={segments} chosen={campaign?.segmentId ?? ''} />
      <Choose
        name="templateId"
        label={words.itsMail}
        none={words.ownMail}
        of={templates.map(asChoice)}
        chosen={campaign?.templateId}
      />
      <Unfit templates={templates} />
      <label class="check">
        <input type="checkbox" name="ignoreGuardrail" defaultChecked={campaign?.ignoreGuardrail ?? false} />{' '}
        {words.ignore}
      </label>
      <TestFields test={campaign?.test ?? null} />
    </Form>
  )
}

type Fields = Pick<
  Campaign,
  'name' | 'subject' | 'previewText' | 'mailingListId' | 'segmentId' | 'templateId' | 'ignoreGuardrail'
> &
  Partial<Pick<Campaign, 'test'>>

function toFields(form: FormData, before: Campaign | null): Fields {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  return {
    name: text('name'),
    subject: text('subject'),
    previewText: text('previewText'),
    mailingListId: text('mailingListId'),
    segmentId: text('segmentId') || null,
    templateId: text('templateId') || null,
    ignoreGuardrail: form.has('ignoreGuardrail'),
    ...toTest(form, before?.test ?? null),
  }
}

type Template = Choices['templates'][number]

/** What nobody fills in a campaign, which has no caller who could. */
function unfilledIn({ variableDescriptors }: Template): string[] {
  return variableDescriptors.filter((one) => one.required && !one.auto_resolved).map(({ name }) => name)
}

function asChoice(template: Template) {
  const { id, name } = template
  const isUnfit = unfilledIn(template).length > 0
  return { id, name: isUnfit ? words.doesNotFit(name) : name, isUnfit }
}

/** Why some cannot be chosen. */
function Unfit({ templates }: Pick<Choices, 'templates'>) {
  const { to } = usePlace()
  const unfit = templates.filter((one) => unfilledIn(one).length > 0)
  if (unfit.length === 0) return null
  return (
    <details>
      <summary>{words.unfit(count(unfit.length))}</summary>
      <p class="muted">{words.unfitHow}</p>
      <ul class="plain">
        {unfit.map((one) => (
          <li key={one.id}>
            <a href={to(`/templates/${one.id}`)}>{one.name}</a>
            {colon}
            {words.fills(unfilledIn(one).join(comma))}
          </li>
        ))}
      </ul>
    </details>
  )
}

/** With the way to what the chosen one means, or to make one. */
function ChooseSegment({ of, chosen }: { of: Choices['segments']; chosen: string }) {
  const { to } = usePlace()
  const [id, setId] = useState(chosen)
  const [path, says] = id === '' ? ['/segments', words.segments] : [`/segments/${id}`, words.showSegment]
  return (
    <>
      <Choose name="segmentId" label={words.segment} none={words.none} of={of} chosen={chosen} choose={setId} />
      <p>
        <a href={to(path)}>{says}</a>
      </p>
    </>
  )
}

interface ChooseProps {
  name: string
  label: string
  none?: string
  of: { id: string; name: string; isUnfit?: boolean }[]
  chosen: string | null | undefined
  choose?: (id: string) => void
}

function Choose({ name, label, none, of, chosen, choose }: ChooseProps) {
  return (
    <label>
      {label}
      <select name={name} onChange={(event) => choose?.(event.currentTarget.value)}>
        {none !== undefined && <option value="">{none}</option>}
        {of.map((one) => (
          <option key={one.id} value={one.id} selected={one.id === chosen} disabled={one.isUnfit}>
            {one.name}
          </option>
        ))}
      </select>
    </label>
  )
}
