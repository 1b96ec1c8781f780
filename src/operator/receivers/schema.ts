// Receivers and their rules, as the API takes and shows them.

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { replyOutcomes } from '../../../db/tables/relays.ts'
import { refusing } from '../../core/http/unknown-fields.ts'
import { nullableTime, oneOf, time } from '../../core/http/wire.ts'
import { type ShapingRule, shapingActions } from '../../mail/shaping-rules.ts'
import { smtpUrlRelay } from '../relays/relays.ts'
import { receiver } from '../relays/schema.ts'
import { mostShown, type ReceiverState } from './receivers.ts'
import type { GivenRule, Met, Tried } from './rules.ts'

const relayId = t.String({ maxLength: 64, description: `\`${smtpUrlRelay}\` for the relay of \`SMTP_URL\`.` })
const count = Type.Integer()

export const receiversQuery = t.Object({ relayId: t.Optional(relayId), receiver: t.Optional(receiver) })
export const pairBody = refusing(t.Object({ relayId, receiver }))

export const receiversView = t.Object({
  data: t.Array(
    t.Object({
      relayId,
      receiver,
      rate: t.Union([t.Number(), t.Null()], {
        description: 'Mails a second that it is slowed down to, of all processes together. Null: it is not.',
      }),
      connections: t.Union([Type.Integer(), t.Null()], { description: 'The most at once. Null: no limit.' }),
      suspendedUntil: nullableTime,
      lastReply: t.Union([t.String(), t.Null()], { description: 'What it asked for less by.' }),
      lastAt: nullableTime,
      day: t.Object(
        { accepted: count, deferred: count, refused: count },
        { description: 'Answers of the last 24 hours, in hours that have begun.' },
      ),
      replies: t.Array(
        t.Object({
          at: time,
          outcome: oneOf(replyOutcomes),
          stage: t.String({ description: 'Of the SMTP conversation.' }),
          code: t.String({ description: 'The SMTP code, and the enhanced one if there is one.' }),
          reply: t.String(),
          count,
        }),
        { description: 'The last kinds of answers that were no acceptance, newest first.' },
      ),
    }),
    { description: `Those with the most mail first, at most ${mostShown}.` },
  ),
})

/** `form`: what they must look like. */
const words = (maxLength: number, description: string, form: { pattern?: string; error?: string } = {}) =>
  t.Optional(
    t.Union([t.Array(t.String({ minLength: 1, maxLength, ...form }), { minItems: 1, maxItems: 20 }), t.Null()], {
      description,
    }),
  )
const part = (description: string) => t.Optional(t.Number({ minimum: 0.01, maximum: 1, description }))
const seconds = (maximum: number, description: string) => t.Optional(Type.Integer({ minimum: 1, maximum, description }))

const rule = t.Object({
  receivers: words(253, 'Whose replies. Null: everybody’s.'),
  codes: words(3, 'How the SMTP code begins: `421`, `4`. Null: whatever it is.', {
    pattern: '^[2-5]\\d{0,2}$',
    error: 'must be an SMTP code or how one begins, such as 421 or 4',
  }),
  enhanced: words(11, 'The enhanced code, or its first parts: `4.7`. Null: whatever it is.', {
    pattern: '^[245](\\.\\d{1,3}){0,2}$',
    error: 'must be an enhanced code or its first parts, such as 4.7.28 or 4.7',
  }),
  contains: words(200, 'One of these is in the reply, whatever the case. Null: whatever it is.'),
  action: oneOf(
    shapingActions,
    '`slow_down`: fewer mails a second; where nothing is taken any more, mail waits. `fewer_connections`: fewer at once. `suspend`: mail waits. `ignore`: nothing changes. Only mail that nobody waits for is slowed down or waits.',
  ),
  inARow: t.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000,
      description: 'A reply to RCPT may be about that recipient alone: it counts from so many in a row on. Default: 1.',
    }),
  ),
  by: part('What is left of the mails a second, as they were taken lately, or of the connections. Default: 0.95.'),
  floor: t.Optional(
    t.Number({
      minimum: 0.01,
      maximum: 1_000,
      description: 'What is always left of them. Default: 0.1 mails a second, 1 connection.',
    }),
  ),
  waitSeconds: seconds(14_400, 'The first wait; each next one is twice as long, up to four hours. Default: 60.'),
  rampSeconds: seconds(86_400, 'How often the mails a second are raised again, where they are used. Default: 60.'),
  rampBy: part('By how much. Default: 0.05.'),
})

export const rulesBody = refusing(t.Object({ rules: t.Array(rule, { maxItems: 100 }) }))
export const tryBody = refusing(
  t.Object({ rules: t.Optional(t.Array(rule, { maxItems: 100, description: 'Default: those that are set.' })) }),
)

const nullableWords = t.Union([t.Array(t.String()), t.Null()])
const ruleView = t.Object({
  receivers: nullableWords,
  codes: nullableWords,
  enhanced: nullableWords,
  contains: nullableWords,
  action: oneOf(shapingActions),
  inARow: Type.Integer(),
  by: t.Number(),
  floor: t.Number(),
  waitSeconds: Type.Integer(),
  rampSeconds: Type.Integer(),
  rampBy: t.Number(),
})

export const rulesView = t.Object({
  rules: t.Array(ruleView, { description: 'The first that fits a reply decides.' }),
  builtIn: t.Array(ruleView, { description: 'What decides where none of them fits.' }),
})

export const triedView = t.Object({
  met: t.Array(
    t.Object({
      rule: ruleView,
      builtIn: t.Boolean(),
      count,
      receivers: t.Array(t.Object({ receiver, count })),
      example: t.Union([t.String(), t.Null()], { description: 'The reply that came most often.' }),
    }),
    { description: 'In the order of the rules, with the replies that each would have met.' },
  ),
  unmet: t.Array(t.Object({ receiver, reply: t.String(), count }), {
    description: 'Replies that no rule fits, the most frequent first.',
  }),
})

export function toReceiverView({ relayId, receiver, limits, day, replies }: ReceiverState, now: Date) {
  const { suspendedUntil = null, perSecond = null, connections = null } = limits ?? {}
  const isSuspended = suspendedUntil !== null && suspendedUntil > now
  return {
    relayId: relayId ?? smtpUrlRelay,
    receiver,
    rate: perSecond === null ? null : Math.round(perSecond * 100) / 100,
    connections,
    suspendedUntil: isSuspended ? suspendedUntil.toISOString() : null,
    lastReply: limits?.lastReply ?? null,
    lastAt: limits?.changedAt.toISOString() ?? null,
    day,
    replies: replies.map(({ lastAt, reply, ...shown }) => {
      const [code = ''] = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(reply) ?? []
      return { ...shown, at: lastAt.toISOString(), code: code.replace('-', ' '), reply }
    }),
  }
}

/** A rule as it is given: null where a list is left out. */
export function toGivenRule(given: (typeof rulesBody.static)['rules'][number]): GivenRule {
  const { receivers = null, codes = null, enhanced = null, contains = null, ...others } = given
  return { ...others, receivers, codes, enhanced, contains }
}

export function toTriedView({ met, unmet }: Tried, own: ShapingRule[]): typeof triedView.static {
  return {
    met: met.map(({ receivers, example, ...one }: Met, at) => ({
      ...one,
      builtIn: at >= own.length,
      receivers: [...receivers].map(([receiver, count]) => ({ receiver, count })),
      example: example === '' ? null : example,
    })),
    unmet,
  }
}
