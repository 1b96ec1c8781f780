// Makes a recurring campaign, or changes one: what it says and to whom, when, and of which feed.

import { useState } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso'
import { get, patch, post, toCurl } from '../../api.ts'
import { useAct } from '../../parts/act.tsx'
import { all } from '../../parts/all.ts'
import { Code } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Form } from '../../parts/form.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { PickNamed } from '../../parts/pick.tsx'
import { usePlace } from '../../place.ts'
import { bodyOf, draftOf, type RecurringDraft } from './draft.ts'
import { FeedFields } from './feed-fields.tsx'
import { NextTimes } from './next-times.tsx'
import { ScheduleFields } from './schedule-fields.tsx'
import { words } from './words.ts'

const path = '/v1/recurring-campaigns'
const onePath = `${path}/:recurringCampaignId` as const
const newList = { method: 'POST', path: '/v1/mailing-lists', body: { name: 'News' } }

async function choicesFor(recurringCampaignId: string | undefined, signal: AbortSignal) {
  const [recurring, workspace, lists, segments, templates] = await Promise.all([
    recurringCampaignId === undefined ? null : get(onePath, { params: { recurringCampaignId } }, signal),
    get('/v1/workspace', {}, signal),
    all((query) => get('/v1/mailing-lists', { query }, signal)),
    all((query) => get('/v1/segments', { query }, signal)),
    all((query) => get('/v1/transactional', { query }, signal)),
  ])
  return { recurring, workspace, lists: lists.filter(({ status }) => status === 'active'), segments, templates }
}

type Choices = Awaited<ReturnType<typeof choicesFor>>

export default function RecurringEditor() {
  const { recurringCampaignId } = useRoute().params
  const { to } = usePlace()
  const choices = useLoaded(recurringCampaignId ?? '', (signal) => choicesFor(recurringCampaignId, signal))
  const back = to(`/campaigns/recurring${recurringCampaignId === undefined ? '' : `/${recurringCampaignId}`}`)
  return (
    <Show of={choices}>
      {(found) => (
        <>
          <p>
            <a class="back" href={back}>
              {found.recurring?.name ?? words.all}
            </a>
          </p>
          <header class="title">
            <h1>{found.recurring?.name ?? words.create}</h1>
          </header>
          {found.lists.length === 0 && found.recurring === null ? (
            <Empty says={words.noList} act={{ to: '/lists/new', says: words.makeList }}>
              <Code>{toCurl(newList)}</Code>
            </Empty>
          ) : (
            <RecurringForm {...found} />
          )}
        </>
      )}
    </Show>
  )
}

function RecurringForm(choices: Choices) {
  const { recurring, lists, workspace } = choices
  const { route } = useLocation()
  const { to } = usePlace()
  const act = useAct()
  const { timeZone } = workspace
  const [draft, setDraft] = useState(() => draftOf(recurring, { listId: lists[0]?.id ?? '', timeZone }))
  const set = (change: Partial<RecurringDraft>) => setDraft((before) => ({ ...before, ...change }))
  const save = () =>
    act.run(async () => {
      const body = bodyOf(draft, recurring)
      const { id } =
        recurring === null
          ? await post(path, { body: { ...body, state: draft.isPaused ? 'paused' : 'active' } })
          : await patch(onePath, { params: { recurringCampaignId: recurring.id }, body })
      route(to(`/campaigns/recurring/${id}`))
    })
  return (
    <div class="two">
      <Form
        act={act}
        says={recurring === null ? words.saveNew : words.save}
        submit={save}
        drawn={{ value: draft, set: setDraft }}
      >
        <p class="muted">{words.how}</p>
        <label>
          {words.name}
          <input
            name="name"
            required
            maxLength={200}
            value={draft.name}
            onInput={(event) => set({ name: event.currentTarget.value })}
          />
        </label>
        <ScheduleFields draft={draft} set={set} />
        <FeedFields draft={draft} set={set} />
        <MailFields draft={draft} set={set} choices={choices} />
        {recurring === null && (
          <label class="check">
            <input
              type="checkbox"
              checked={draft.isPaused}
              onChange={(event) => set({ isPaused: event.currentTarget.checked })}
            />{' '}
            {words.savePaused}
          </label>
        )}
      </Form>
      <NextTimes draft={draft} />
    </div>
  )
}

interface Props {
  draft: RecurringDraft
  set: (change: Partial<RecurringDraft>) => void
}

function MailFields({ draft, set, choices }: Props & { choices: Choices }) {
  const { recurring, lists, segments, templates } = choices
  const hasFeed = draft.feed !== null
  const own = recurring !== null && recurring.content !== null ? words.ownMail : hasFeed ? words.newItems : undefined
  return (
    <>
      <label>
        {words.subject}
        <input
          name="subject"
          required
          maxLength={500}
          value={draft.subject}
          placeholder={hasFeed ? '{{feed.newest}}' : undefined}
          onInput={(event) => set({ subject: event.currentTarget.value })}
        />
        {hasFeed && <span>{words.placeholders}</span>}
      </label>
      <label>
        {words.preheader}
        <input
          name="previewText"
          maxLength={500}
          value={draft.previewText}
          onInput={(event) => set({ previewText: event.currentTarget.value })}
        />
      </label>
      <PickNamed
        name="mailingListId"
        label={words.list}
        among={lists}
        id={draft.mailingListId}
        set={(mailingListId) => set({ mailingListId })}
      />
      <PickNamed
        name="segmentId"
        label={words.segment}
        none={words.none}
        among={segments}
        id={draft.segmentId}
        set={(segmentId) => set({ segmentId })}
      />
      <PickNamed
        name="templateId"
        label={words.itsMail}
        {...(own !== undefined && { none: own })}
        among={templates.map((one) => asChoice(one, hasFeed))}
        id={draft.templateId}
        set={(templateId) => set({ templateId })}
      />
    </>
  )
}

/** What nobody fills in keeps a template from being sent: a campaign has no caller, but its feed. */
function asChoice({ id, name, variableDescriptors }: Choices['templates'][number], hasFeed: boolean) {
  const isUnfit = variableDescriptors.some(
    (one) => one.required && !one.auto_resolved && !(hasFeed && one.name.startsWith('feed.')),
  )
  return { id, name: isUnfit ? words.doesNotFit(name) : name, isUnfit }
}
