// One endpoint: its health, its actions, and its deliveries.

import { useState } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso'
import { type Got, get, type Posted, patch, post, remove } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { AskFirst } from '../../parts/ask-first.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { makerName } from '../../parts/maker.tsx'
import { Once } from '../../parts/once.tsx'
import { Status } from '../../parts/status.tsx'
import { usePlace } from '../../place.ts'
import { count, moment } from '../../words.ts'
import { Change } from './change.tsx'
import { Deliveries } from './deliveries.tsx'
import { Health, lastDeliveries } from './health.tsx'
import { Latency, lastAttempts } from './latency.tsx'
import { toEvents } from './list.tsx'
import { Verify } from './verify.tsx'
import { words } from './words.ts'

const path = '/v1/webhook-endpoints/:endpointId'
const testPath = `${path}/send-test` as const

type Endpoint = Got<typeof path>
type Tested = Posted<typeof testPath>

export default function EndpointPage() {
  const { endpointId = '' } = useRoute().params
  const { to, workspace } = usePlace()
  const endpoint = useLoaded(endpointId, (signal) => get(path, { params: { endpointId } }, signal))
  const [round, setRound] = useState(0)
  // The attempts come last: then those of each delivery that is shown as over are among them.
  const last = useLoaded(`${endpointId} ${round}`, async (signal) => {
    const deliveries = await lastDeliveries(endpointId, signal)
    return { deliveries, attempts: await lastAttempts(endpointId, signal) }
  })
  const isWaiting = (last.value?.deliveries.waiting ?? 0) > 0
  const reload = () => {
    endpoint.reload()
    setRound((before) => before + 1)
  }
  return (
    <Show of={endpoint}>
      {(one) => (
        <>
          <p>
            <a class="back" href={to('/webhooks')}>
              {words.all}
            </a>
          </p>
          <header class="title">
            <h1>{one.url}</h1>
          </header>
          <p class="under">
            <Status status={one.status} /> {one.disabledReason !== null && words.reasons[one.disabledReason]}{' '}
            <Copy text={one.id} label={one.id} />
          </p>
          {last.value && <Health last={last.value.deliveries} />}
          {workspace.role !== 'viewer' && <Actions endpoint={one} reload={reload} />}
          <Facts title={words.facts} facts={toFacts(one)} />
          {last.value && <Latency endpointId={endpointId} attempts={last.value.attempts} />}
          <Deliveries endpointId={endpointId} round={round} isWaiting={isWaiting} reload={reload} />
          {workspace.role !== 'viewer' && <Change endpoint={one} reload={reload} />}
          <Verify />
        </>
      )}
    </Show>
  )
}

function toFacts(endpoint: Endpoint) {
  const { description, eventFilters, hasSigningSecret, maxPerSecond, failingSince } = endpoint
  return [
    [words.description, description],
    [words.events, toEvents(eventFilters)],
    [words.signed, hasSigningSecret ? words.yes : words.notSigned],
    [words.rate, maxPerSecond === null ? words.noLimit : words.perSecond(count(maxPerSecond))],
    [words.failingSince, failingSince && moment(failingSince)],
    [words.madeBy, makerName(endpoint)],
  ] satisfies [string, string | null][]
}

function Actions({ endpoint, reload }: { endpoint: Endpoint; reload: () => void }) {
  const { route } = useLocation()
  const { to } = usePlace()
  const act = useAct()
  const [secret, setSecret] = useState<string | null>(null)
  const [tested, setTested] = useState<Tested | null>(null)
  const params = { endpointId: endpoint.id }
  const isActive = endpoint.status === 'active'
  const toggle = async () => {
    await patch(path, { params, body: { status: isActive ? 'disabled' : 'active' } })
    announce(isActive ? words.paused : words.enabled)
    reload()
  }
  const test = async () => {
    const result = await post(testPath, { params })
    setTested(result)
    announce(describeTest(result))
    reload()
  }
  const rotate = async () => {
    setSecret((await post(`${path}/signing-secret`, { params })).signingSecret)
    reload()
  }
  const endOverlap = async () => {
    const { revoked } = await remove(`${path}/signing-secret/previous`, { params })
    announce(words.overlapEnded(revoked))
    reload()
  }
  const removeIt = async () => {
    await remove(path, { params })
    route(to('/webhooks'))
  }
  return (
    <>
      <div class="actions">
        <button type="button" disabled={act.isRunning} onClick={() => void act.run(toggle)}>
          {isActive ? words.pause : words.enable}
        </button>
        <button type="button" disabled={act.isRunning} onClick={() => void act.run(test)}>
          {words.test}
        </button>
        <AskFirst act={act} does={words.rotate} title={words.rotateTitle} how={words.rotateHow} run={rotate} />
        {endpoint.hasSigningSecret && (
          <AskFirst
            act={act}
            does={words.endOverlap}
            title={words.endOverlapTitle}
            how={words.endOverlapHow}
            run={endOverlap}
          />
        )}
        <AskFirst
          act={act}
          does={words.remove}
          title={words.removeTitle}
          how={words.removeHow}
          typed={new URL(endpoint.url).host}
          run={removeIt}
        />
      </div>
      <WhyNot act={act} />
      {secret !== null && (
        <Once title={words.secret} how={words.secretOnce}>
          {secret}
        </Once>
      )}
      {tested !== null && <TestResult tested={tested} />}
    </>
  )
}

function describeTest({ delivered, statusCode, code, durationMs }: Tested): string {
  return delivered
    ? words.testDone({ status: String(statusCode), ms: count(durationMs) })
    : words.testFailed([code, statusCode].filter((one) => one !== null).join(' '))
}

function TestResult({ tested }: { tested: Tested }) {
  return (
    <div class={tested.delivered ? 'notice good' : 'notice bad'}>
      <p>{describeTest(tested)}</p>
      {tested.responseBody && <pre>{tested.responseBody}</pre>}
    </div>
  )
}
