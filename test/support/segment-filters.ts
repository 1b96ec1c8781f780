// Filters of segments, drawn from small sets, so that they meet something of a small world.

import fc from 'fast-check'
import { subscriptionStates } from '../../db/tables/lists.ts'

export const names = ['Ada', 'grace', 'Ünal', '']
export const plans = ['pro', 'Pro', 'free', '1']

const ordered = fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte')
const days = fc.constantFrom(1, 4, 35, 365)
const happened = { withinDays: days, atLeast: fc.constantFrom(1, 2, 3) }
const optional = { requiredKeys: [] as never[] }
const field = fc.oneof(
  fc.record({
    field: fc.constantFrom('firstName', 'plan', 'domain', 'email'),
    op: fc.oneof(ordered, fc.constant('contains')),
    value: fc.constantFrom(...names, ...plans, 'two.example', 'P1', 'ü'),
  }),
  fc.record({ field: fc.constant('seats'), op: ordered, value: fc.constantFrom(0, 1, 2.5, -1) }),
  fc.record({ field: fc.constantFrom('vip', 'subscribed'), op: fc.constantFrom('eq', 'ne'), value: fc.boolean() }),
  fc.record({
    field: fc.constantFrom('since', 'createdAt'),
    op: ordered,
    value: fc.constantFrom('2026-01-10', '2025-12-20T12:00:00Z'),
  }),
  fc.record({ field: fc.constantFrom('since', 'createdAt'), op: fc.constant('withinDays'), value: days }),
  fc.record({
    field: fc.constantFrom('plan', 'seats', 'vip', 'firstName', 'nobodyHas'),
    op: fc.constant('exists'),
    value: fc.boolean(),
  }),
)
const leaf = fc.oneof(
  { weight: 3, arbitrary: field },
  {
    weight: 1,
    arbitrary: fc.record({
      list: fc.constantFrom('lst_a', 'lst_b', 'lst_none'),
      status: fc.constantFrom(...subscriptionStates),
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('login', 'bought'), fc.record(happened, optional))
      .map(([event, rest]) => ({ event, ...rest })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('sent', 'opened', 'clicked'),
        fc.record({ ...happened, campaignId: fc.constantFrom('cmp_x', 'cmp_y') }, optional),
      )
      .map(([campaign, rest]) => ({ campaign, ...rest })),
  },
)
export const { filter: anyFilter } = fc.letrec<{ filter: unknown }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'filter' },
    leaf,
    fc.array(tie('filter'), { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
    fc.array(tie('filter'), { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
    tie('filter').map((not) => ({ not })),
  ),
}))

/** Of the properties that they ask about. */
export const types = new Map([
  ['plan', 'string'],
  ['seats', 'number'],
  ['vip', 'boolean'],
  ['since', 'date'],
] as const)
