// One receiver through one relay: how much it took today, what it asked for, what it answered last, and a button that forgets it.

import { useRoute } from 'preact-iso'
import { get, type Listed, post, toCall } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { CopyCurl } from '../../parts/copy.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { Nowhere } from '../../parts/nowhere.tsx'
import { receiverName } from '../../parts/receivers.ts'
import { useRepeat } from '../../parts/repeat.ts'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { colon, comma, count } from '../../words.ts'
import { limitsOf, type Pair } from './pair.tsx'
import { words } from './receiver-words.ts'

const path = '/v1/receivers'
const lookEveryMs = 5_000

type Reply = Listed<typeof path>['replies'][number]

async function loadPair(wanted: Pick<Pair, 'relayId' | 'receiver'>, signal: AbortSignal) {
  const [{ data }, relays] = await Promise.all([get(path, { query: wanted }, signal), get('/v1/relays', {}, signal)])
  const none = { accepted: 0, deferred: 0, refused: 0 }
  const free = { rate: null, connections: null, suspendedUntil: null, lastReply: null, lastAt: null }
  const pair: Pair = data[0] ?? { ...wanted, ...free, day: none, replies: [] }
  return { pair, isKnown: data.length > 0, relay: relays.data.find(({ id }) => id === wanted.relayId) }
}

export default function ReceiverPage() {
  const { relayId = '', receiver = '' } = useRoute().params
  const { to } = usePlace()
  const wanted = { relayId, receiver }
  const page = useLoaded(`${relayId} ${receiver}`, (signal) => loadPair(wanted, signal))
  useRepeat(lookEveryMs, page.reload)
  return (
    <Show of={page}>
      {({ pair, relay, isKnown }) =>
        relay === undefined && !isKnown ? (
          <Nowhere />
        ) : (
          <>
            <p>
              <a class="back" href={to('/relays/receivers')}>
                {words.all}
              </a>
            </p>
            <header class="title">
              <h1>{words.through({ receiver: receiverName(receiver), relay: relay?.name ?? words.gone(relayId) })}</h1>
              <CopyCurl call={toCall('GET', path, { query: wanted })} />
            </header>
            <Today pair={pair} />
            <Now pair={pair} reload={page.reload} />
            <Replies replies={pair.replies} />
          </>
        )
      }
    </Show>
  )
}

function Today({ pair: { day } }: { pair: Pair }) {
  return (
    <section>
      <h2>{words.lastDay}</h2>
      <dl class="totals">
        {(['accepted', 'deferred', 'refused'] as const).map((outcome) => (
          <div key={outcome}>
            <dt>{words.outcomes[outcome]}</dt>
            <dd>{count(day[outcome])}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Now({ pair, reload }: { pair: Pair; reload: () => void }) {
  const act = useAct()
  const { relayId, receiver, lastReply, lastAt } = pair
  const resume = () =>
    act.run(async () => {
      await post('/v1/receivers/resume', { body: { relayId, receiver } })
      announce(words.tried)
      reload()
    })
  return (
    <section>
      <h2>{words.now}</h2>
      {lastReply === null ? (
        <p>{words.free}</p>
      ) : (
        <div class="notice">
          <p>
            <strong>{limitsOf(pair).join(comma)}</strong>
          </p>
          <p>
            {words.asked} {lastAt && <Time at={lastAt} />}
            {colon}
            {lastReply}
          </p>
          <p class="muted">{words.tryHow}</p>
          <button type="button" disabled={act.isRunning} onClick={() => void resume()}>
            {words.tryNow}
          </button>
        </div>
      )}
      <WhyNot act={act} />
    </section>
  )
}

const tones = { accepted: 'good', deferred: 'warn', refused: 'bad' } as const

function Replies({ replies }: { replies: Reply[] }) {
  return (
    <section>
      <h2>{words.replies}</h2>
      {replies.length === 0 ? (
        <p class="muted">{words.noReplies}</p>
      ) : (
        <Table
          caption={words.repliesCaption}
          rows={replies}
          keyOf={({ outcome, stage, at, reply }) => [outcome, stage, at, reply].join(' ')}
          columns={[
            { name: words.last, show: ({ at }) => <Time at={at} /> },
            {
              name: words.outcome,
              show: ({ outcome }) => <span class={`status ${tones[outcome]}`}>{words.outcomes[outcome]}</span>,
            },
            { name: words.count, isFigure: true, show: (reply) => count(reply.count) },
            { name: words.stage, isFigure: true, show: ({ stage }) => <code>{stage.toUpperCase()}</code> },
            { name: words.reply, show: ({ reply }) => reply },
          ]}
        />
      )}
    </section>
  )
}
