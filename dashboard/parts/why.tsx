// Why a mail or a campaign does not move, in one line: the strongest reason and what to do about it; the others can be expanded.

import { get, type Listed, toCall } from '../api.ts'
import { usePlace } from '../place.ts'
import { colon, inLanguage, moment, onward } from '../words.ts'
import { attentionText, german } from './attention-words.ts'
import { CopyCurl } from './copy.tsx'
import { useLoaded } from './load.tsx'
import { pairPath, receiverName } from './receivers.ts'
import { useRepeat } from './repeat.ts'
import { TryAgain } from './try-again.tsx'
import { germanReasons } from './why-words.ts'

const words = inLanguage(catalogue.parts.why)

const lookEveryMs = 10_000

type WhySubject = { messageId: string } | { campaignId: string } | { endpointId: string; deliveryId: string }
const mailPath = '/v1/activity/why'
const campaignPath = '/v1/campaigns/:campaignId/why'
const deliveryPath = '/v1/webhook-endpoints/:endpointId/deliveries/:deliveryId/why'

type Reason = Listed<typeof mailPath>

/** `state`: reloaded whenever it changes. Nothing is shown for something that moves. */
export function Why({ of, state }: { of: WhySubject; state: string }) {
  const reasons = useLoaded(`${JSON.stringify(of)} ${state}`, (signal) => ask(of, signal))
  useRepeat(lookEveryMs, reasons.reload)
  const [first, ...others] = (reasons.value?.data ?? []).filter(({ state }) => state !== 'over')
  if (first === undefined || first.state === 'moving') return null
  return (
    <div class="notice">
      <p dir="auto">
        <Because of={of} reason={first} /> <CopyCurl call={callFor(of)} />
      </p>
      {others.length > 0 && (
        <details>
          <summary>{words.more(others.length)}</summary>
          {others.map((reason) => (
            <p dir="auto" key={`${reason.code} ${reason.thing?.id}`}>
              <Because of={of} reason={reason} />
            </p>
          ))}
        </details>
      )}
      {'endpointId' in of || <TryAgain code={first.code} done={reasons.reload} />}
    </div>
  )
}

function Because({ of, reason }: { of: WhySubject; reason: Reason }) {
  const { detail, thing, until } = reason
  const [text, todo] = attentionText(reason, { ...german, ...germanReasons })
  const isAnother = thing !== null && !Object.values(of).includes(thing.id)
  const about = [isAnother && thing.name, detail].filter(Boolean).join(colon)
  return (
    <>
      <strong>{text}</strong>
      {until && ` ${words.goesOn(moment(until))}`}. {about}
      <br />
      <span class="muted">{todo.replaceAll('`', '')}</span>
      <Way path={reason.path} />
    </>
  )
}

/** It leads to the relay, or to what the receiver said there. Relays are told to those whose the installation is. */
function Way({ path }: Pick<Reason, 'path'>) {
  const { to } = usePlace()
  if (path === null) return null
  const { relay, receiver } = path
  const says = [relay?.name, receiver && receiverName(receiver)].filter(Boolean).join(` ${onward} `)
  const place = relay && (receiver === null ? `/relays/${relay.id}` : pairPath({ relayId: relay.id, receiver }))
  return (
    <>
      <br />
      {words.way} {place ? <a href={to(place)}>{says}</a> : says}
    </>
  )
}

function ask(of: WhySubject, signal: AbortSignal) {
  if ('deliveryId' in of) return get(deliveryPath, { params: of }, signal)
  return 'messageId' in of ? get(mailPath, { query: of }, signal) : get(campaignPath, { params: of }, signal)
}

function callFor(of: WhySubject) {
  if ('deliveryId' in of) return toCall('GET', deliveryPath, { params: of })
  return 'messageId' in of ? toCall('GET', mailPath, { query: of }) : toCall('GET', campaignPath, { params: of })
}
