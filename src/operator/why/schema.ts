// Wire shape of the answer to "why is this not moving?".

import { t } from 'elysia'
import { oneOf } from '../../core/http/wire.ts'
import { faultCauseNames } from '../../mail/fault-cause.ts'
import { codes } from '../attention/rules.ts'
import { smtpUrlRelay } from '../relays/relays.ts'
import { type Code, ownCodes, type Reason, type State, states } from './reasons.ts'

const time = (description: string) => t.Union([t.String({ format: 'date-time', description }), t.Null()])

const reasonView = t.Object({
  code: oneOf<Code>(
    [...ownCodes, ...codes],
    'The code of the reason. Stable: new codes may be added, but none changes its meaning.',
  ),
  state: oneOf<State>(states, '`stopped`: until somebody acts. `waiting`: it continues automatically.'),
  since: time('Since when; null if unknown.'),
  until: time('When it continues or is retried automatically; null if unknown.'),
  text: t.String({ description: 'The reason, in words.' }),
  detail: t.Union([t.String(), t.Null()], { description: 'Details of this case: a reply, a number.' }),
  thing: t.Union([t.Object({ id: t.String(), name: t.String() }), t.Null()], {
    description: 'What it is about: a campaign, an endpoint, a receiving domain.',
  }),
  cause: t.Union([oneOf(faultCauseNames, 'Why mail is not sent.'), t.Null()], {
    description: 'Set if the mail server is the reason; `text` and `todo` are then about this cause.',
  }),
  todo: t.String({ description: 'What to do.' }),
  path: t.Union(
    [
      t.Object({
        relay: t.Union([t.Object({ id: t.String(), name: t.String() }), t.Null()], {
          description: 'The relay that it took or waits for. Told to those whose the installation is.',
        }),
        receiver: t.Union([t.String(), t.Null()], {
          description: 'Who takes the mail in the end, as `GET /v1/receivers` calls it. Null: whoever it is.',
        }),
      }),
      t.Null(),
    ],
    { description: 'Which way the mail takes. Null: it is not about that.' },
  ),
})

export const whyView = t.Object({
  data: t.Array(reasonView, { description: 'Most important first: what stops it, then what it waits for.' }),
})

/** `relays`: their names by id, for those who may know. */
export function toReasonView(
  { since, until, path, ...reason }: Reason,
  relays: Map<string, string> = new Map(),
): typeof reasonView.static {
  const id = path?.relayId === undefined ? undefined : (path.relayId ?? smtpUrlRelay)
  const name = id === undefined ? undefined : relays.get(id)
  const relay = id === undefined || name === undefined ? null : { id, name }
  const isKnown = path !== null && (relay !== null || path.receiver !== null)
  return {
    ...reason,
    since: since?.toISOString() ?? null,
    until: until?.toISOString() ?? null,
    path: isKnown ? { relay, receiver: path.receiver } : null,
  }
}
