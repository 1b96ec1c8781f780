// One recurring campaign: when it is due, what the next mail would hold, and what became of its times.

import { useLocation, useRoute } from 'preact-iso'
import { ownValue } from '../../../src/kit/own-value.ts'
import { get, post, remove, toCall } from '../../api.ts'
import type { Recurring } from '../../nouns.ts'
import { type Act, useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { AskFirst } from '../../parts/ask-first.tsx'
import { Copy, CopyCurl } from '../../parts/copy.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { useRepeat } from '../../parts/repeat.ts'
import { Status, statusWord } from '../../parts/status.tsx'
import { usePlace } from '../../place.ts'
import { colon, moment } from '../../words.ts'
import { scheduleInWords } from './in-words.ts'
import { NextMail } from './next-mail.tsx'
import { Runs } from './runs.tsx'
import { words } from './words.ts'

const path = '/v1/recurring-campaigns/:recurringCampaignId'
const lookAgainMs = 5_000

export default function RecurringPage() {
  const { recurringCampaignId = '' } = useRoute().params
  const { to, mayChange } = usePlace()
  const params = { recurringCampaignId }
  const recurring = useLoaded(recurringCampaignId, (signal) => get(path, { params }, signal))
  useRepeat(lookAgainMs, recurring.reload)
  const act = useAct()
  return (
    <Show of={recurring}>
      {(one) => (
        <>
          <p>
            <a class="back" href={to('/campaigns/recurring')}>
              {words.all}
            </a>
          </p>
          <header class="title">
            <h1>{one.name}</h1>
            <CopyCurl call={toCall('GET', path, { params })} />
          </header>
          <p class="under">
            <Status status={one.state} /> {scheduleInWords(one)} <Copy text={one.id} label={one.id} />
          </p>
          {one.state === 'paused' && <p class="notice">{words.resumeHow}</p>}
          <WhyNot act={act} />
          {mayChange && <Acts recurring={one} act={act} reload={recurring.reload} />}
          <RecurringFacts recurring={one} />
          <Runs runs={one.runs} />
          <NextMail recurring={one} />
        </>
      )}
    </Show>
  )
}

interface Props {
  recurring: Recurring
  act: Act
  reload: () => void
}

function Acts({ recurring: { id, name, state }, act, reload }: Props) {
  const { to } = usePlace()
  const { route } = useLocation()
  const params = { recurringCampaignId: id }
  const move = (work: () => Promise<unknown>, says: string) => () =>
    void act.run(async () => {
      await work()
      announce(says)
      reload()
    })
  const run = async () => {
    const { outcome } = await post(`${path}/run`, { params, once: crypto.randomUUID() })
    announce(words.ran(statusWord(outcome)))
    reload()
  }
  const removeIt = async () => {
    await remove(path, { params })
    route(to('/campaigns/recurring'))
  }
  return (
    <div class="actions">
      {state === 'active' ? (
        <button
          type="button"
          disabled={act.isRunning}
          onClick={move(() => post(`${path}/pause`, { params }), words.paused)}
        >
          {words.pause}
        </button>
      ) : (
        <button
          type="button"
          disabled={act.isRunning}
          onClick={move(() => post(`${path}/resume`, { params }), words.resumed)}
        >
          {words.resume}
        </button>
      )}
      <a class="button" href={to(`/campaigns/recurring/${id}/change`)}>
        {words.change}
      </a>
      <AskFirst act={act} does={words.run} title={words.runTitle} how={words.runHow} run={run} />
      <AskFirst
        act={act}
        does={words.remove}
        title={words.removeTitle}
        how={words.removeHow}
        typed={name}
        run={removeIt}
      />
    </div>
  )
}

function RecurringFacts({ recurring }: Pick<Props, 'recurring'>) {
  const { to } = usePlace()
  const { mailingListId, segmentId, templateId, subject, previewText, feed, nextAt, failures, runs } = recurring
  const names = useLoaded(`${mailingListId} ${segmentId}`, async (signal) => {
    const [list, segment] = await Promise.all([
      get('/v1/mailing-lists/:listId', { params: { listId: mailingListId } }, signal).catch(() => null),
      // One that is deleted later stays named by its id.
      segmentId === null ? null : get('/v1/segments/:segmentId', { params: { segmentId } }, signal).catch(() => null),
    ])
    return { list: list?.name, segment: segment?.name }
  })
  const failed = runs.find(({ outcome }) => outcome === 'failed')
  return (
    <>
      {failures > 0 && failed && (
        <p class="notice bad">
          {moment(failed.at)}
          {colon}
          {ownValue(words.reasons, failed.code ?? '') ?? failed.reason}
        </p>
      )}
      <Facts
        title={words.facts}
        facts={[
          [words.when, scheduleInWords(recurring)],
          [words.next, nextAt && moment(nextAt)],
          [words.feed, feed && <a href={feed.url}>{feed.url}</a>],
          [words.subject, subject],
          [words.preheader, previewText],
          [words.itsMail, templateId ? <a href={to(`/templates/${templateId}`)}>{templateId}</a> : words.ownMail],
          [words.list, <a href={to(`/lists/${mailingListId}`)}>{names.value?.list ?? mailingListId}</a>],
          [words.segment, segmentId && <a href={to(`/segments/${segmentId}`)}>{names.value?.segment ?? segmentId}</a>],
        ]}
      />
    </>
  )
}
