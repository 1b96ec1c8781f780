// Relays and routes, as the API takes and shows them.

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { mailStreams, relayStates } from '../../../db/tables/relays.ts'
import { refusing } from '../../core/http/unknown-fields.ts'
import { nullableText, nullableTime, oneOf, time } from '../../core/http/wire.ts'
import type { MailOutcome } from '../../mail/mailer.ts'
import type { Fault } from '../../mail/sending-hold.ts'
import { warmUpDays } from '../../mail/warm-up.ts'
import { type Relay, type RelayRoute, smtpUrlRelay } from './relays.ts'
import type { WarmUpState } from './warm-up.ts'

const workspaceId = t.Union([t.String(), t.Null()], {
  description: 'Whose mail alone it carries; null: that of every workspace that has no relay of its own.',
})
const name = t.String({ minLength: 1, maxLength: 100 })
const url = t.String({
  minLength: 1,
  maxLength: 2_000,
  description:
    '`smtp://[user:password@]host[:port]` or `smtps://…`, with the options of `SMTP_URL`. It is stored sealed and never shown.',
})
const state = oneOf(
  relayStates,
  '`active`: it carries mail. `draining`: it takes no new mail, and what is on its way goes on. `off`: the same, for good.',
)
const weight = Type.Integer({
  minimum: 0,
  maximum: 1_000,
  description: 'Its part of what several relays share. 0: a spare, which carries what the others cannot.',
})
const most = (per: string, maximum: number) =>
  t.Union([Type.Integer({ minimum: 1, maximum }), t.Null()], {
    description: `The most mails a ${per}; beyond it, other relays of the same mail carry more, or it waits. Null: no limit.`,
  })
const mostPerSecond = most('second', 10_000)
const mostPerDay = most('day (UTC)', 1_000_000_000)
const warmUpSince = t.Union([t.String({ maxLength: 40 }), t.Null()], {
  description: `When its warm-up began: on each day (UTC) since then it carries at most 50, 100, 250, 500, 1,000 and then twice as many mails to each receiver, for ${warmUpDays} days. What is beyond takes a relay that is warmer; where there is none, bulk mail waits for the next day. Null: it needs none.`,
})
const streams = t.Union([t.Array(oneOf(mailStreams), { minItems: 1, maxItems: mailStreams.length }), t.Null()], {
  description:
    'What it is for. `transactional`: mail that is asked for. `marketing`: campaigns, and what people can unsubscribe from. `replies`: answers of mailboxes. Null: all of it.',
})

const settings = {
  workspaceId: t.Optional(workspaceId),
  state: t.Optional(state),
  weight: t.Optional(weight),
  mostPerSecond: t.Optional(mostPerSecond),
  mostPerDay: t.Optional(mostPerDay),
  warmUpSince: t.Optional(warmUpSince),
  streams: t.Optional(streams),
}

export const createRelayBody = refusing(t.Object({ name, url, ...settings }))
export const updateRelayBody = refusing(t.Object({ name: t.Optional(name), url: t.Optional(url), ...settings }))

export const relayView = t.Object({
  id: t.String({ description: `\`${smtpUrlRelay}\` for the relay of \`SMTP_URL\`, which is changed there.` }),
  name: t.String(),
  address: t.String({ description: 'Where it is: its URL without user, password and options.' }),
  workspaceId,
  state,
  weight,
  mostPerSecond,
  mostPerDay,
  warmUpSince: nullableTime,
  warmUp: t.Union(
    [
      t.Object({
        day: Type.Integer({ description: `From 1 to ${warmUpDays}.` }),
        allowed: Type.Integer({ description: 'Mails to each receiver today.' }),
        receivers: t.Array(t.Object({ receiver: t.String(), carried: Type.Integer() }), {
          description: 'What it carried today, the 100 receivers with the most first.',
        }),
      }),
      t.Null(),
    ],
    { description: 'Where its warm-up stands; null: it has none, or it is over.' },
  ),
  streams,
  inFlight: Type.Integer({ description: 'Mails on their way through it now, in the process that answers.' }),
  fault: t.Union(
    [
      t.Object({
        reply: t.String({ description: 'What it said, or what went wrong.' }),
        since: time,
        heldUntil: nullableTime,
      }),
      t.Null(),
    ],
    { description: 'Why it carries nothing now; null: all is well.' },
  ),
  createdAt: nullableTime,
  updatedAt: nullableTime,
})

const domain = t.String({
  minLength: 3,
  maxLength: 253,
  pattern: '^[^\\s@/]+\\.[^\\s@/]+$',
  error: 'must be a domain, such as example.com',
})

export const receiver = t.String({
  minLength: 1,
  maxLength: 253,
  pattern: '^[^\\s@/]+$',
  description:
    'Who takes the mail in the end: `google`, `microsoft`, `yahoo`, `apple`, `gmx`, `orange`, `mimecast`, `proofpoint`, `messagelabs`, or the host of the MX; the domain of the address while that is not known.',
})

const relayRoute = t.Object({
  streams: t.Optional(streams),
  domains: t.Optional(
    t.Union([t.Array(domain, { minItems: 1, maxItems: 100 }), t.Null()], {
      description: 'Domains of senders. Null: all of them.',
    }),
  ),
  receivers: t.Optional(
    t.Union([t.Array(receiver, { minItems: 1, maxItems: 100 }), t.Null()], {
      description: 'Who takes the mail in the end. Null: whoever it is.',
    }),
  ),
  relays: t.Array(t.Object({ relayId: t.String({ maxLength: 64 }), weight }), {
    minItems: 1,
    maxItems: 20,
    description: 'The relays that may carry it: those with a weight share it, the others are spares, in this order.',
  }),
})

export const routesQuery = t.Object({ workspaceId: t.Optional(t.String({ maxLength: 64 })) })
export const routesBody = refusing(
  t.Object({ workspaceId: t.Optional(workspaceId), routes: t.Array(relayRoute, { maxItems: 200 }) }),
)
export const routesView = t.Object({
  workspaceId: nullableText,
  routes: t.Array(
    t.Object({
      streams,
      domains: t.Union([t.Array(t.String()), t.Null()]),
      receivers: t.Union([t.Array(t.String()), t.Null()]),
      relays: t.Array(t.Object({ relayId: t.String(), weight })),
    }),
  ),
})

export const testRelayBody = refusing(
  t.Object({ to: t.String({ format: 'email', description: 'Who gets the test mail.' }) }),
)
export const testRelayView = t.Object({
  outcome: oneOf<MailOutcome['outcome']>([
    'accepted',
    'refused',
    'not_sent',
    'uncertain',
    'held',
    'put_off',
    'withheld',
  ]),
  detail: t.String({ description: 'What the relay said, or what went wrong and at which stage.' }),
})

interface Around {
  fault: Fault | undefined
  inFlight: number
  warmUp: WarmUpState | null
}

export function toRelayView(relay: Relay, around: Around): typeof relayView.static {
  const { urlSealed: _, createdAt, updatedAt, warmUpSince, ...shown } = relay
  return {
    ...shown,
    warmUpSince: warmUpSince?.toISOString() ?? null,
    ...aroundView(around),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

/** That of SMTP_URL. */
export function toFixedView(address: string, around: Omit<Around, 'warmUp'>): typeof relayView.static {
  return {
    id: smtpUrlRelay,
    name: 'SMTP_URL',
    address,
    workspaceId: null,
    state: 'active',
    weight: 1,
    mostPerSecond: null,
    mostPerDay: null,
    warmUpSince: null,
    streams: null,
    ...aroundView({ ...around, warmUp: null }),
    createdAt: null,
    updatedAt: null,
  }
}

function aroundView({ fault, inFlight, warmUp }: Around) {
  const told = fault && {
    reply: fault.reply,
    since: fault.since.toISOString(),
    heldUntil: fault.heldUntil?.toISOString() ?? null,
  }
  return { inFlight, warmUp, fault: told ?? null }
}

export function toRoutesView(workspaceId: string | null, routes: RelayRoute[]): typeof routesView.static {
  return {
    workspaceId,
    routes: routes.map(({ streams, domains, receivers, relays }) => {
      const named = relays.map(({ relayId, weight }) => ({ relayId: relayId ?? smtpUrlRelay, weight }))
      return { streams, domains, receivers, relays: named }
    }),
  }
}
