// One relay: what is wrong with it, how it is drained, turned off, tried, changed and removed. That of SMTP_URL is only shown and tried.

import { useState } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso'
import { get, type Posted, patch, post, remove, toCall } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { AskFirst } from '../../parts/ask-first.tsx'
import { Copy, CopyCurl } from '../../parts/copy.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Form } from '../../parts/form.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { Nowhere } from '../../parts/nowhere.tsx'
import { useRepeat } from '../../parts/repeat.ts'
import { usePlace } from '../../place.ts'
import { moment } from '../../words.ts'
import { RelayFields, settingsIn } from './fields.tsx'
import { Fault, limitsOf, type Relay, RelayState, shareOf, smtpUrlRelay, streamsOf, whoseOf } from './in-words.tsx'
import { WarmUp } from './warm-up.tsx'
import { words } from './words.ts'

const listPath = '/v1/relays'
const path = '/v1/relays/:relayId'
const testPath = '/v1/relays/:relayId/test'
const lookEveryMs = 3_000

type Tested = Posted<typeof testPath>

export default function RelayPage() {
  const { relayId = '' } = useRoute().params
  const { to } = usePlace()
  // That of SMTP_URL stands only in the list.
  const relays = useLoaded(relayId, (signal) => get(listPath, {}, signal))
  useRepeat(lookEveryMs, relays.reload)
  return (
    <Show of={relays}>
      {({ data }) => {
        const relay = data.find(({ id }) => id === relayId)
        if (relay === undefined) return <Nowhere />
        const isFixed = relay.id === smtpUrlRelay
        return (
          <>
            <p>
              <a class="back" href={to('/relays')}>
                {words.all}
              </a>
            </p>
            <header class="title">
              <h1>{relay.name}</h1>
              <CopyCurl call={isFixed ? toCall('GET', listPath) : toCall('GET', path, { params: { relayId } })} />
            </header>
            <p class="under">
              <RelayState relay={relay} /> <code>{relay.address}</code> <Copy text={relay.id} label={relay.id} />
            </p>
            <p>{words.mailsOnTheWay(relay.inFlight)}</p>
            {relay.fault && <Fault fault={relay.fault} />}
            {isFixed ? <p class="notice">{words.fixed}</p> : <Acts relay={relay} reload={relays.reload} />}
            <TestMail relayId={relay.id} reload={relays.reload} />
            {relay.warmUp && <WarmUp warmUp={relay.warmUp} />}
            <RelayFacts relay={relay} />
            {!isFixed && <Change relay={relay} reload={relays.reload} />}
          </>
        )
      }}
    </Show>
  )
}

const turns = [
  { state: 'active', says: words.turnOn, done: words.turnedOn },
  { state: 'draining', says: words.drain, done: words.drained },
  { state: 'off', says: words.turnOff, done: words.turnedOff },
] as const

function Acts({ relay, reload }: { relay: Relay; reload: () => void }) {
  const { to } = usePlace()
  const { route } = useLocation()
  const act = useAct()
  const params = { relayId: relay.id }
  const turn = ({ state, done }: (typeof turns)[number]) =>
    act.run(async () => {
      await patch(path, { params, body: { state } })
      announce(done)
      reload()
    })
  const removeIt = async () => {
    await remove(path, { params })
    route(to('/relays'))
  }
  return (
    <>
      <div class="actions">
        {turns.map((one) =>
          one.state === relay.state ? null : (
            <button key={one.state} type="button" disabled={act.isRunning} onClick={() => void turn(one)}>
              {one.says}
            </button>
          ),
        )}
        <AskFirst
          act={act}
          does={words.remove}
          title={words.removeTitle}
          how={words.removeHow}
          typed={relay.name}
          run={removeIt}
        />
      </div>
      <WhyNot act={act} />
    </>
  )
}

function TestMail({ relayId, reload }: { relayId: string; reload: () => void }) {
  const { member } = usePlace()
  const act = useAct()
  const [tested, setTested] = useState<Tested | null>(null)
  const send = (form: HTMLFormElement) =>
    act.run(async () => {
      setTested(null)
      const to = String(new FormData(form).get('to')).trim()
      const result = await post(testPath, { params: { relayId }, body: { to } })
      setTested(result)
      announce(words.outcomes[result.outcome])
      reload()
    })
  return (
    <section>
      <h2>{words.test}</h2>
      <p class="muted">{words.testHow}</p>
      <form
        class="filter"
        onSubmit={(event) => {
          event.preventDefault()
          void send(event.currentTarget)
        }}
      >
        <label>
          {words.testTo}
          <input type="email" name="to" required defaultValue={member.email} />
        </label>
        <button type="submit" disabled={act.isRunning}>
          {words.testIt}
        </button>
      </form>
      <WhyNot act={act} />
      {tested !== null && (
        <div class={tested.outcome === 'accepted' ? 'notice good' : 'notice bad'}>
          <p>{words.outcomes[tested.outcome]}</p>
          {tested.detail && <pre>{tested.detail}</pre>}
        </div>
      )}
    </section>
  )
}

function RelayFacts({ relay }: { relay: Relay }) {
  const { workspaces } = usePlace()
  return (
    <Facts
      title={words.facts}
      facts={[
        [words.share, shareOf(relay)],
        [words.limits, limitsOf(relay)],
        [words.streams, streamsOf(relay)],
        [words.whose, whoseOf(relay, workspaces)],
        [words.added, relay.createdAt && moment(relay.createdAt)],
      ]}
    />
  )
}

function Change({ relay, reload }: { relay: Relay; reload: () => void }) {
  const act = useAct()
  const save = (form: FormData) =>
    act.run(async () => {
      await patch(path, { params: { relayId: relay.id }, body: settingsIn(form) })
      announce(words.saved)
      reload()
    })
  return (
    <section>
      <h2>{words.change}</h2>
      {/* Drawn anew with what was saved, also by somebody else. */}
      <Form key={relay.updatedAt} act={act} says={words.saveChange} submit={save}>
        <RelayFields relay={relay} />
      </Form>
    </section>
  )
}
