// The sequences that the proofs are about, as the API takes them: each with its versions, and how people move from one to the next. The model
// is given the same ones (toModel), so neither side knows a sequence that the other does not.

import { readFileSync } from 'node:fs'
import { day, minute, spanMs } from '../../src/kit/duration.ts'
import type { Json } from '../support/app.ts'
import { literal, modelFile } from './quint.ts'

export interface Plan {
  versions: Json[]
  /** By which people may be moved: the step of an earlier version to one of the next, or out. */
  maps: Record<string, string | null>[]
  /** Of events, and the keys that they come with. */
  names: string[]
  keys: string[]
}

const mail = (id: string, more: object = {}) => ({ id, type: 'send', templateId: id, ...more })
const pause = (id: string, hours: number, more: object = {}) => {
  return { id, type: 'wait', for: { amount: hours, unit: 'h' }, ...more }
}
const order = { id: 'order', type: 'event', event: 'ordered', atMost: { amount: 1, unit: 'd' } }
const leaving = { exits: [{ event: 'left' }], goals: [{ event: 'bought' }] }

export const plans: Record<string, Plan> = {
  /** Somebody is welcomed, and the sequence is edited while they are in it. */
  edited: {
    versions: [
      {
        start: { event: 'signup' },
        reEntry: { mode: 'afterExit' },
        ...leaving,
        steps: [
          mail('welcome'),
          { ...order, next: 'thanks', otherwise: 'nudge' },
          pause('nudge', 24),
          mail('hurry', { next: null }),
          mail('thanks'),
        ],
      },
      {
        start: { event: 'signup' },
        reEntry: { mode: 'never' },
        ...leaving,
        steps: [mail('hello'), { ...order, next: 'hurry' }, pause('think', 48), mail('hurry'), mail('last')],
      },
      {
        start: { event: 'signup' },
        reEntry: { mode: 'afterExit', minDays: 1 },
        exits: [{ event: 'left' }],
        steps: [mail('hello'), pause('think', 72), mail('last')],
      },
    ],
    maps: [
      { nudge: 'think', welcome: null },
      { order: 'think', nudge: 'think', hurry: null },
    ],
    names: ['signup', 'ordered', 'left', 'bought'],
    keys: ['a'],
  },
  /** A person has a run for each cart: what happens to one cart is no matter of another. */
  carts: {
    versions: [
      {
        start: { event: 'filled' },
        reEntry: { mode: 'always', key: '{{event.cart}}' },
        exits: [{ event: 'emptied', sameKey: true }],
        goals: [{ event: 'paid', sameKey: true }],
        steps: [
          pause('calm', 1),
          mail('reminder'),
          {
            ...order,
            event: 'answered',
            sameKey: true,
            lookBack: { amount: 2, unit: 'h' },
            next: 'thanks',
            otherwise: null,
          },
          mail('thanks'),
        ],
      },
      {
        start: { event: 'filled' },
        reEntry: { mode: 'never', key: '{{event.cart}}' },
        exits: [{ event: 'emptied', sameKey: true }],
        goals: [{ event: 'paid' }],
        steps: [pause('calm', 1), mail('reminder'), pause('wait', 24), mail('thanks')],
      },
    ],
    maps: [{ order: 'wait' }, {}],
    names: ['filled', 'emptied', 'paid', 'answered'],
    keys: ['a', 'b'],
  },
}

/** The model with its constants filled in for a plan. */
export function moduleOf({ versions, maps, names, keys }: Plan): string {
  const given = {
    VERSIONS: new Map(versions.map((one, index) => [index + 1, toModel(one)])),
    MAPS: new Set(maps.map((steps) => new Map(Object.entries(steps).map(([from, to]) => [from, to ?? ''])))),
    NAMES: new Set(names),
    KEYS: new Set(keys),
  }
  let text = readFileSync(modelFile, 'utf8')
  for (const [name, value] of Object.entries(given)) {
    const declared = new RegExp(`const (${name}: .*)`)
    if (!declared.test(text)) throw new Error(`the model has no constant ${name}`)
    text = text.replace(declared, (_, typed) => `pure val ${typed} = ${literal(value)}`)
  }
  return text
}

function toModel({ start, reEntry, exits = [], goals = [], steps }: Json) {
  const triggers = (list: Json[]) => new Set(list.map(({ event, sameKey = false }) => ({ event, sameKey })))
  return {
    start: start.event,
    keyed: reEntry.key !== undefined,
    mode: reEntry.mode,
    minGap: ((reEntry.minDays ?? 0) * day) / minute,
    exits: triggers(exits),
    goals: triggers(goals),
    steps: steps.map(toStep),
  }
}

function toStep({ id, type, event = '', sameKey = false, for: span, atMost, lookBack, next, otherwise }: Json) {
  const minutes = (one: Json) => (one === undefined ? 0 : spanMs(one) / minute)
  const way = (to: string | null | undefined) => (to === undefined ? 'below' : (to ?? ''))
  return {
    id,
    kind: type,
    event,
    sameKey,
    span: minutes(span ?? atMost),
    lookBack: minutes(lookBack),
    next: way(next),
    otherwise: way(otherwise),
  }
}
