// One person's way through a sequence: where they are and why, the steps that are over, and what can be done about it.

import { useRoute } from 'preact-iso'
import type { Definition } from '../../../db/tables/sequences.ts'
import { type Got, get, post, toCall } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { AskFirst } from '../../parts/ask-first.tsx'
import { Copy, CopyCurl } from '../../parts/copy.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { useRepeat } from '../../parts/repeat.ts'
import { Status } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { count, moment } from '../../words.ts'
import { outcomeInWords, reasonInWords, whyInWords, words } from './people-words.ts'
import { stepName } from './steps-in-words.ts'

const sequencePath = '/v1/sequences/:sequenceId'
const path = '/v1/sequences/:sequenceId/runs/:runId'
const lookAgainMs = 3_000

type Run = Got<typeof path>
type Steps = Definition['steps']

export default function SequenceRun() {
  const { sequenceId = '', runId = '' } = useRoute().params
  const { to } = usePlace()
  const params = { sequenceId, runId }
  const page = useLoaded(`${sequenceId} ${runId}`, async (signal) => {
    const [run, sequence] = await Promise.all([
      get(path, { params }, signal),
      get(sequencePath, { params: { sequenceId } }, signal),
    ])
    return { run, sequence }
  })
  useRepeat(lookAgainMs, page.reload)
  return (
    <Show of={page}>
      {({ run, sequence }) => {
        const { steps } = sequence.definition as Definition
        return (
          <>
            <p>
              <a class="back" href={to(`/sequences/${sequenceId}/people`)}>
                {sequence.name}
              </a>
            </p>
            <header class="title">
              <h1>{run.email ?? words.erased}</h1>
              <CopyCurl call={toCall('GET', path, { params })} />
            </header>
            <p class="under">
              <Status status={run.state} /> <Copy text={run.id} label={run.id} />
            </p>
            <p class={run.state === 'failed' || run.state === 'uncertain' ? 'notice bad' : 'notice'}>
              {whyInWords(run, sequence.state === 'paused')}
            </p>
            <Acts sequenceId={sequenceId} run={run} reload={page.reload} />
            <RunFacts run={run} steps={steps} />
            <Path run={run} steps={steps} />
          </>
        )
      }}
    </Show>
  )
}

function RunFacts({ run, steps }: { run: Run; steps: Steps }) {
  const { to } = usePlace()
  const { contactId, email, stepId, version, key, eventId, messageId, startedAt, dueAt, endedAt, gathered } = run
  return (
    <Facts
      title={words.facts}
      facts={[
        [words.contact, email && <a href={to(`/contacts/${contactId}`)}>{email}</a>],
        [words.step, `${stepName(stepId, steps)} (${stepId})`],
        [words.version, count(version)],
        [words.key, key],
        [words.event, eventId && <a href={to(`/events/${eventId}`)}>{words.theEvent}</a>],
        [words.mail, messageId && <a href={to(`/activity/${messageId}`)}>{words.theMail}</a>],
        [words.gathered, gathered > 0 && words.events(gathered)],
        [words.began, moment(startedAt)],
        [words.goesOn, dueAt && moment(dueAt)],
        [words.ended, endedAt && moment(endedAt)],
      ]}
    />
  )
}

function Path({ run, steps }: { run: Run; steps: Steps }) {
  const { to } = usePlace()
  return (
    <section>
      <h2>{words.path}</h2>
      {run.path.length === 0 ? (
        <p class="muted">{words.noPath}</p>
      ) : (
        <Table
          caption={words.path}
          rows={run.path}
          keyOf={({ number }) => String(number)}
          columns={[
            { name: words.number, isFigure: true, show: ({ number }) => number },
            { name: words.step, show: ({ stepId }) => `${stepName(stepId, steps)} (${stepId})` },
            {
              name: words.did,
              show: ({ outcome, detail, messageId }) => (
                <>
                  {outcomeInWords(outcome)} <Detail detail={detail} />{' '}
                  {messageId && <a href={to(`/activity/${messageId}`)}>{words.theMail}</a>}
                </>
              ),
            },
            { name: words.when, isFigure: true, show: ({ at }) => <Time at={at} /> },
          ]}
        />
      )}
    </section>
  )
}

/** The event that came, or a reason. */
function Detail({ detail }: { detail: string | null }) {
  const { to } = usePlace()
  if (detail === null) return null
  if (detail.startsWith('evt_')) return <a href={to(`/events/${detail}`)}>{words.theEvent}</a>
  return <span class="muted">({reasonInWords(detail)})</span>
}

function Acts({ sequenceId, run, reload }: { sequenceId: string; run: Run; reload: () => void }) {
  const { mayChange } = usePlace()
  const act = useAct()
  const { id: runId, state } = run
  if (!mayChange || state === 'completed' || state === 'exited') return null
  const params = { sequenceId, runId }
  const exit = async () => {
    await post(`${path}/exit`, { params })
    reload()
  }
  const skip = async () => {
    await post(`${path}/skip`, { params })
    reload()
  }
  const retry = () =>
    act.run(async () => {
      await post(`${path}/retry`, { params })
      announce(words.retried)
      reload()
    })
  return (
    <>
      <div class="actions">
        {state === 'failed' && (
          <button type="button" disabled={act.isRunning} onClick={() => void retry()}>
            {words.retry}
          </button>
        )}
        {state !== 'sending' && (
          <AskFirst act={act} does={words.skip} title={words.skipTitle} how={words.skipHow} run={skip} />
        )}
        <AskFirst act={act} does={words.exit} title={words.exitTitle} how={words.exitHow} run={exit} />
      </div>
      <WhyNot act={act} />
    </>
  )
}
