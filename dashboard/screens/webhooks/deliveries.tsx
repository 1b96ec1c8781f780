// The deliveries to an endpoint, newest first, and redelivering those that failed, after they were counted.

import { useState } from 'preact/hooks'
import { get, post } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty.tsx'
import { ChooseBy, ListRows, useList } from '../../parts/list.tsx'
import { useLoaded } from '../../parts/load.tsx'
import { useRepeat } from '../../parts/repeat.ts'
import { Status, statusWord } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { count } from '../../words.ts'
import { words } from './words.ts'

const endpointPath = '/v1/webhook-endpoints/:endpointId'
const path = `${endpointPath}/deliveries` as const
const states = ['pending', 'delivered', 'failed', 'skipped'] as const
const lookAgainMs = 3_000

interface Props {
  endpointId: string
  round: number
  /** What is not in this list waits for its end. */
  isWaiting: boolean
  reload: () => void
}

export function Deliveries({ endpointId, round, isWaiting, reload }: Props) {
  const { to, workspace } = usePlace()
  const [isAsking, setAsking] = useState(false)
  const list = useList({
    screen: `/webhooks/${endpointId}`,
    path,
    params: { endpointId },
    filters: ['state'],
    round,
    load: ({ state, ...query }, signal) => {
      const chosen = states.find((one) => one === state)
      return get(path, { params: { endpointId }, query: { ...query, ...(chosen && { state: chosen }) } }, signal)
    },
  })
  const isPending = list.page.value?.data.some(({ state }) => state === 'pending') ?? false
  useRepeat(isWaiting || isPending ? lookAgainMs : null, reload)
  const choices = states.map((state): [string, string] => [state, statusWord(state)])
  return (
    <section>
      <header class="title">
        <h2>{words.deliveries}</h2>
        {workspace.role !== 'viewer' && (
          <button type="button" onClick={() => setAsking(true)}>
            {words.replay}
          </button>
        )}
      </header>
      <ChooseBy of={list} name="state" label={words.state} choices={[['', words.anyState], ...choices]} />
      <ListRows of={list} empty={<Empty says={words.nothing} act={null} />} emptyFiltered={words.nothingFiltered}>
        {({ data }) => (
          <Table
            caption={words.deliveries}
            rows={data}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => to(`/webhooks/${endpointId}/deliveries/${id}`)}
            columns={[
              { name: words.state, show: ({ state }) => <Status status={state} /> },
              { name: words.type, show: ({ type }) => type, isLink: true },
              {
                name: words.answer,
                isFigure: true,
                show: ({ statusCode, code }) => [statusCode, code].filter(Boolean).join(' '),
              },
              { name: words.attempts, isFigure: true, show: ({ attempts }) => count(attempts) },
              { name: words.when, show: ({ createdAt }) => <Time at={createdAt} /> },
            ]}
          />
        )}
      </ListRows>
      {isAsking && <Replay endpointId={endpointId} close={() => setAsking(false)} done={reload} />}
    </section>
  )
}

/** The states that are delivered again, unless somebody asks for others. */
const undelivered = ['failed', 'skipped'] as const

function Replay({ endpointId, close, done }: { endpointId: string; close: () => void; done: () => void }) {
  const act = useAct()
  const [local, setLocal] = useState('')
  const since = local === '' ? {} : { from: new Date(local).toISOString() }
  const params = { endpointId }
  const found = useLoaded(local, async (signal) => {
    const counts = await Promise.all(
      undelivered.map((state) => get(path, { params, query: { state, perPage: 1, ...since } }, signal)),
    )
    return counts.reduce((sum, { pagination }) => sum + pagination.totalResults, 0)
  })
  const replay = () =>
    act.run(async () => {
      const { replayed } = await post(`${endpointPath}/replay`, { params, body: since })
      announce(words.replayed(replayed))
      close()
      done()
    })
  return (
    <Dialog title={words.replayTitle} close={close}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void replay()
        }}
      >
        <h2>{words.replayTitle}</h2>
        <label>
          {words.since}
          <input type="datetime-local" value={local} onInput={(event) => setLocal(event.currentTarget.value)} />
        </label>
        <p role="status">
          {found.value === undefined || found.isLoading ? `${words.counting}…` : words.wouldReplay(found.value)}
        </p>
        <WhyNot act={act} />
        <div class="actions">
          <button type="submit" autofocus disabled={act.isRunning || found.isLoading || !found.value}>
            {words.replayIt}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
