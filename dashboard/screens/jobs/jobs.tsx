// Jobs: what waits, what failed and what is uncertain, and what a person can do about it, one by one or for a whole page.

import type { ComponentChildren } from 'preact'
import { ownValue } from '../../../src/kit/own-value.ts'
import { get, type Listed, post, toCall, toCurl } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { Code } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { ChooseBy, ListPage, useList } from '../../parts/list.tsx'
import { Status, statusWord } from '../../parts/status.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { screenOf, usePlace } from '../../place.ts'
import { count } from '../../words.ts'
import { words } from './words.ts'

const path = '/v1/jobs'
/** Those that wait for a person come first. */
const states = ['dead', 'ambiguous', 'held', 'pending', 'running', 'done', 'cancelled'] as const

type Job = Listed<typeof path>
type Result = { outcome: string }

const retry = (jobs: Job[]) => post(`${path}/retry`, { body: { jobIds: jobIds(jobs) } })
const cancel = (jobs: Job[]) => post(`${path}/cancel`, { body: { jobIds: jobIds(jobs) } })
const resolve = (verdict: 'done' | 'resend') => (jobs: Job[]) =>
  post(`${path}/resolve`, { body: { verdict, jobIds: jobIds(jobs) } })

const jobIds = (jobs: Job[]) => jobs.map(({ jobId }) => jobId)

interface Deed {
  says: string
  /** For all of a page; not offered for what is better decided one by one. */
  saysOfAll?: string
  do: (jobs: Job[]) => Promise<{ results: Result[] }>
}

const deeds: Partial<Record<Job['state'], Deed[]>> = {
  dead: [{ says: words.retry, saysOfAll: words.retryShown, do: retry }],
  cancelled: [{ says: words.retry, do: retry }],
  ambiguous: [
    { says: words.arrived, saysOfAll: words.arrivedShown, do: resolve('done') },
    { says: words.again, do: resolve('resend') },
  ],
  pending: [{ says: words.cancel, do: cancel }],
  held: [{ says: words.cancel, do: cancel }],
}

export default function Jobs() {
  const { workspace } = usePlace()
  const act = useAct()
  const list = useList({
    screen: '/jobs',
    path,
    filters: ['state'],
    load: ({ state, ...query }, signal) => {
      const chosen = states.find((one) => one === state)
      return get(path, { query: { ...query, ...(chosen && { state: chosen }) } }, signal)
    },
  })
  const button = ({ do: work }: Deed, says: string, jobs: Job[], style: string) => (
    <button
      key={says}
      type="button"
      class={style}
      disabled={act.isRunning}
      onClick={() =>
        void act.run(async () => {
          announce(describeResults((await work(jobs)).results))
          list.page.reload()
        })
      }
    >
      {says}
    </button>
  )
  const mayChange = workspace.role !== 'viewer'
  const action: Column<Job> = {
    name: words.action,
    show: (job) =>
      job.retriedAs === null ? deeds[job.state]?.map((deed) => button(deed, deed.says, [job], 'quiet')) : words.retried,
  }
  const choices = states.map((state): [string, string] => [state, statusWord(state)])
  return (
    <ListPage
      of={list}
      title={words.title}
      tools={
        <>
          <p class="muted">{words.how}</p>
          <ChooseBy of={list} name="state" label={words.state} choices={[['', words.anyState], ...choices]} />
          <WhyNot act={act} />
        </>
      }
      emptyFiltered={words.emptyFiltered}
      empty={
        <Empty says={words.empty} act={{ to: '/templates', says: words.firstMail }}>
          <Code>{toCurl(toCall('GET', path, { query: { state: 'dead' } }))}</Code>
        </Empty>
      }
    >
      {({ data }) => (
        <>
          {mayChange && <div class="actions">{forAll(list.filter['state'], data, button)}</div>}
          <Table
            caption={words.caption}
            rows={data}
            keyOf={({ jobId }) => jobId}
            columns={[
              { name: words.state, show: ({ state }) => <Status status={state} /> },
              { name: words.kind, show: ({ kind }) => <code>{kind}</code> },
              { name: words.about, show: (job) => <Subject payload={job.payload} /> },
              { name: words.why, show: ({ code, detail }) => detail ?? code },
              {
                name: words.attempts,
                isFigure: true,
                show: (job) => words.ofAttempts({ n: count(job.attempt), most: count(job.attemptsMax) }),
              },
              { name: words.due, show: ({ dueAt }) => <Time at={dueAt} /> },
              ...(mayChange ? [action] : []),
            ]}
          />
        </>
      )}
    </ListPage>
  )
}

/** What can be done at once to a page of jobs that are all in the same state. */
function forAll(
  state: string | undefined,
  jobs: Job[],
  button: (deed: Deed, says: string, jobs: Job[], style: string) => ComponentChildren,
) {
  const same = jobs.filter((job) => job.state === state && job.retriedAs === null)
  return (deeds[same[0]?.state ?? 'done'] ?? []).flatMap((deed) =>
    deed.saysOfAll === undefined ? [] : [button(deed, deed.saysOfAll, same, '')],
  )
}

function describeResults(results: Result[]): string {
  const refused = results.filter(({ outcome }) => outcome === 'refused').length
  const done = results.length - refused
  return [done > 0 && words.done(count(done)), refused > 0 && words.refused(count(refused))].filter(Boolean).join(' ')
}

/** The thing that a job is about, if it has a screen, by its address where that is known. */
function Subject({ payload }: Pick<Job, 'payload'>) {
  const { to } = usePlace()
  const texts = Object.values(payload).filter((one) => typeof one === 'string')
  const email = texts.find((one) => one.includes('@'))
  const id = texts.find((one) => screenOf(one) !== null)
  if (id === undefined) return email
  return <a href={to(screenOf(id) ?? '')}>{email ?? ownValue(words.things, id.split('_')[0] ?? '') ?? id}</a>
}
