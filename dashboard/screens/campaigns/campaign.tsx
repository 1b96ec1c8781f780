// One campaign on one page: its content, its audience, who is excluded and why, its approval, and its results once it has begun.

import { useRoute } from 'preact-iso'
import { ownValue } from '../../../src/kit/own-value.ts'
import { get, post, toCall } from '../../api.ts'
import type { Campaign } from '../../nouns.ts'
import { type Act, useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { AskFirst } from '../../parts/ask-first.tsx'
import { Copy, CopyCurl } from '../../parts/copy.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { useRepeat } from '../../parts/repeat.ts'
import { Status } from '../../parts/status.tsx'
import { Why } from '../../parts/why.tsx'
import { usePlace } from '../../place.ts'
import { comma, moment, wallTime } from '../../words.ts'
import { words as revisions } from '../revisions/words.ts'
import { TestReport } from './ab-test.tsx'
import { PreFlight } from './pre-flight.tsx'
import { Rehearsal } from './rehearsal.tsx'
import { RemoveCampaign } from './remove.tsx'
import { Report } from './report.tsx'
import { words } from './words.ts'

const path = '/v1/campaigns/:campaignId'
const lookAgainMs = 2_000

export default function CampaignPage() {
  const { campaignId = '' } = useRoute().params
  const { to } = usePlace()
  const params = { campaignId }
  const campaign = useLoaded(campaignId, (signal) => get(path, { params }, signal))
  const status = campaign.value?.status
  useRepeat(status === 'sending' || status === 'scheduled' ? lookAgainMs : null, campaign.reload)
  const act = useAct()
  return (
    <Show of={campaign}>
      {(one) => (
        <>
          <p>
            <a class="back" href={to('/campaigns')}>
              {words.all}
            </a>
          </p>
          <header class="title">
            <h1>{one.name}</h1>
            <CopyCurl call={toCall('GET', path, { params })} />
          </header>
          <p class="under">
            <Status status={one.status} /> {stateInWords(one)} <Copy text={one.id} label={one.id} />
          </p>
          <WhyNot act={act} />
          {(one.status === 'sending' || one.status === 'paused' || one.status === 'scheduled') && (
            <Why of={params} state={`${one.status} ${one.waitsFor} ${one.nextSendAt}`} />
          )}
          <Actions campaign={one} act={act} reload={campaign.reload} />
          <CampaignFacts campaign={one} />
          <TestReport campaign={one} reload={campaign.reload} />
          <Rehearsal campaign={one} />
          {one.startedAt === null ? (
            <PreFlight campaign={one} act={act} reload={campaign.reload} />
          ) : (
            <Report campaign={one} reload={campaign.reload} />
          )}
        </>
      )}
    </Show>
  )
}

function stateInWords({ status, pauseReason, waitsFor, nextSendAt, scheduledAt, localTime }: Campaign): string {
  if (waitsFor !== null) return ownValue(words.waitsFor, waitsFor) ?? waitsFor
  if (status === 'paused' && pauseReason !== null)
    return words.paused(ownValue(words.why.pauses, pauseReason) ?? pauseReason)
  const local = localTime === null ? '' : ` ${words.atLocalTime(wallTime(localTime))}`
  if (status === 'scheduled' && scheduledAt !== null) return words.startsAt(moment(scheduledAt)) + local
  return status === 'sending' && nextSendAt !== null ? words.goesOn(moment(nextSendAt)) + local : ''
}

interface ActionProps {
  campaign: Campaign
  act: Act
  reload: () => void
}

const ended = ['sent', 'cancelled', 'failed']

/** Actions that are always available; sending is part of the pre-flight. */
function Actions({ campaign, act, reload }: ActionProps) {
  const { workspace, to } = usePlace()
  const { id: campaignId, status, name } = campaign
  if (workspace.role === 'viewer') return null
  const params = { campaignId }
  const doing = (work: () => Promise<unknown>) => () =>
    void act.run(async () => {
      await work()
      reload()
    })
  const cancel = async () => {
    await post(`${path}/cancel`, { params })
    reload()
  }
  const test = () =>
    act.run(async () => {
      await post(`${path}/test`, { params, body: {} })
      announce(words.tested)
    })
  return (
    <div class="actions">
      {status === 'sending' && (
        <button type="button" disabled={act.isRunning} onClick={doing(() => post(`${path}/pause`, { params }))}>
          {words.pause}
        </button>
      )}
      {status === 'paused' && (
        <button type="button" disabled={act.isRunning} onClick={doing(() => post(`${path}/resume`, { params }))}>
          {words.resume}
        </button>
      )}
      {status === 'scheduled' && (
        <button type="button" disabled={act.isRunning} onClick={doing(() => post(`${path}/unschedule`, { params }))}>
          {words.unschedule}
        </button>
      )}
      {campaign.startedAt === null && !ended.includes(status) && (
        <>
          {campaign.templateId === null && (
            <a class="button" href={to(`/campaigns/${campaignId}/content`)}>
              {words.write}
            </a>
          )}
          <a class="button" href={to(`/campaigns/${campaignId}/change`)}>
            {words.change}
          </a>
        </>
      )}
      <button type="button" disabled={act.isRunning} onClick={() => void test()}>
        {words.test}
      </button>
      {campaign.startedAt === null && <RemoveCampaign campaignId={campaignId} act={act} />}
      {!ended.includes(status) && (
        <AskFirst
          act={act}
          does={words.cancel}
          title={words.cancelTitle}
          how={words.cancelHow}
          typed={name}
          run={cancel}
        />
      )}
    </div>
  )
}

/** What it says, and to whom. */
function CampaignFacts({ campaign }: { campaign: Campaign }) {
  const { to } = usePlace()
  const { mailingListId, segmentId } = campaign
  const names = useLoaded(`${mailingListId} ${segmentId}`, async (signal) => {
    const [list, segment] = await Promise.all([
      get('/v1/mailing-lists/:listId', { params: { listId: mailingListId } }, signal),
      // One that is deleted later stays named by its id.
      segmentId === null ? null : get('/v1/segments/:segmentId', { params: { segmentId } }, signal).catch(() => null),
    ])
    return { list: list.name, segment: segment?.name }
  })
  const segment = names.value?.segment
  const { id, fromName, fromEmail, replyTo, subject, previewText, templateId, locale } = campaign
  const from = [fromName, fromEmail].filter(Boolean).join(' ')
  return (
    <div class="two">
      <Facts
        title={words.content}
        facts={[
          [words.subject, subject],
          [words.preheader, previewText],
          [revisions.title, templateId === null && <a href={to(`/campaigns/${id}/revisions`)}>{revisions.says}</a>],
          [words.template, templateId ? <a href={to(`/templates/${templateId}`)}>{templateId}</a> : words.ownContent],
          [words.from, from || words.defaultFrom],
          [words.replyTo, replyTo],
          [words.language, locale],
        ]}
      />
      <Facts
        title={words.audience}
        facts={[
          [words.list, names.value?.list ?? mailingListId],
          [words.segment, segment === undefined ? segmentId : <a href={to(`/segments/${segmentId}`)}>{segment}</a>],
          [words.conditions, toConditions(campaign)],
          [words.limits, campaign.ignoreGuardrail && words.ignoresLimits],
        ]}
      />
    </div>
  )
}

function toConditions({ audienceFilter }: Campaign): string {
  return (audienceFilter ?? []).map(({ field, op, value }) => `${field} ${op} ${value ?? ''}`.trim()).join(comma)
}
