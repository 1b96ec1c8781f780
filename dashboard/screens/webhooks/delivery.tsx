// One delivery: the request, every attempt with its answer, and delivering it again.

import { useRoute } from 'preact-iso'
import { type Got, get, post } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { Code, Copy } from '../../parts/copy.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { useRepeat } from '../../parts/repeat.ts'
import { Status } from '../../parts/status.tsx'
import { Why } from '../../parts/why.tsx'
import { usePlace } from '../../place.ts'
import { count, moment } from '../../words.ts'
import { words } from './words.ts'

const endpointPath = '/v1/webhook-endpoints/:endpointId'
const path = `${endpointPath}/deliveries/:deliveryId` as const
const replayPath = `${path}/replay` as const
const nowPath = `${path}/deliver-now` as const
const lookAgainMs = 3_000

type Delivery = Got<typeof path>

export default function DeliveryPage() {
  const { endpointId = '', deliveryId = '' } = useRoute().params
  const { to, workspace } = usePlace()
  const params = { endpointId, deliveryId }
  const act = useAct()
  const found = useLoaded(deliveryId, async (signal) => {
    const [endpoint, delivery] = await Promise.all([
      get(endpointPath, { params: { endpointId } }, signal),
      get(path, { params }, signal),
    ])
    return { endpoint, delivery }
  })
  useRepeat(found.value?.delivery.state === 'pending' ? lookAgainMs : null, found.reload)
  const replay = async () => {
    await post(replayPath, { params })
    announce(words.replayed(1))
    found.reload()
  }
  const hurry = async () => {
    await post(nowPath, { params })
    announce(words.hurried)
    found.reload()
  }
  return (
    <Show of={found}>
      {({ endpoint, delivery }) => (
        <>
          <p>
            <a class="back" href={to(`/webhooks/${endpointId}`)}>
              {endpoint.url}
            </a>
          </p>
          <header class="title">
            <h1>{delivery.type}</h1>
            {workspace.role !== 'viewer' && (
              <button
                type="button"
                disabled={act.isRunning}
                onClick={() => void act.run(delivery.state === 'pending' ? hurry : replay)}
              >
                {delivery.state === 'pending' ? words.deliverNow : words.replayIt}
              </button>
            )}
          </header>
          <p class="under">
            <Status status={delivery.state} /> {delivery.nextAttemptAt !== null && nextAttempt(delivery.nextAttemptAt)}{' '}
            <Copy text={delivery.id} label={delivery.id} />
          </p>
          <WhyNot act={act} />
          {delivery.state === 'pending' && <Why of={params} state={`${delivery.attempts} ${delivery.nextAttemptAt}`} />}
          <Attempts delivery={delivery} />
          <Request url={endpoint.url} isSigned={endpoint.hasSigningSecret} delivery={delivery} />
        </>
      )}
    </Show>
  )
}

/** One that has passed is when it fell due. */
function nextAttempt(at: string): string {
  return `${new Date(at).getTime() > Date.now() ? words.next : words.dueSince} ${moment(at)}`
}

function Attempts({ delivery: { attemptLog } }: { delivery: Delivery }) {
  return (
    <section>
      <h2>{words.attempts}</h2>
      {attemptLog.length === 0 && <p class="muted">{words.noAttempts}</p>}
      <ol class="history">
        {attemptLog.map(({ number, at, durationMs, statusCode, code, response }) => (
          <li key={number}>
            <Status status={code === null ? 'delivered' : 'failed'} /> <time dateTime={at}>{moment(at)}</time>,{' '}
            {words.took(count(durationMs))}
            <p class="reply">
              <code>{statusCode ?? words.noAnswer}</code> {code}
            </p>
            {response && <pre class="reply">{response}</pre>}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** The time and the signature are another with each attempt. */
function Request({ url, isSigned, delivery }: { url: string; isSigned: boolean; delivery: Delivery }) {
  const last = delivery.attemptLog.at(-1)
  const timestamp = Math.floor(new Date(last?.at ?? delivery.createdAt).getTime() / 1_000)
  const { pathname, search, host } = new URL(url)
  const head = [
    `POST ${pathname}${search} HTTP/1.1`,
    `Host: ${host}`,
    'Content-Type: application/json',
    `Webhook-Id: ${delivery.webhookId}`,
    `Webhook-Timestamp: ${timestamp}`,
    `Webhook-Signature: (${isSigned ? words.signature : words.unsigned})`,
  ]
  return (
    <section>
      <h2>{words.request}</h2>
      <Code>{`${head.join('\n')}\n\n${JSON.stringify(delivery.payload, null, 2)}`}</Code>
    </section>
  )
}
