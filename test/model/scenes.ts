// What happens to people in a trace of the real engine, scene by scene: one that is written for each plan, and any number by seeds.

import type { Json } from '../support/app.ts'
import { dice } from '../support/dice.ts'
import type { Plan } from './plans.ts'

/** A call to the API; whatever it refuses is no step. */
export type Call =
  /** The next version, if there is one. */
  | { publish: Record<string, string | null> | null }
  | { tell: string; who: string; key: string }
  | { enrol: string[] }
  | { ask: 'pause' | 'resume' | 'stop' }
  | { act: 'exit' | 'skip' | 'retry'; who: string }
  | { resolve: 'done' | 'resend' }

export interface Scene {
  /** Minutes since the begin. */
  at: number
  calls: Call[]
}

export interface Death {
  /** Which commit of the work. */
  nth: number
  side: 'before' | 'after'
}

/** What an engine process is told to do. */
export interface Order extends Scene {
  death: Death | null
}

/** Where an engine process works. */
export interface Place {
  environment: Record<string, string> & { DATA_DIR: string }
  smtpUrl: string
  apiKey: string
  sequenceId: string
  versions: Json[]
  isAlone: boolean
}

export const begin = new Date('2026-01-15T12:00:00.000Z')

/** Whose mail the server refuses for ever, at first, and without an answer that arrives. */
export const people = {
  plain: ['ann', 'bob', 'cem', 'dee', 'eve', 'fay'].map((name) => `${name}@example.net`),
  refused: 'hard@example.net',
  later: 'soft@example.net',
  unanswered: 'cut@example.net',
}
export const everybody = [...people.plain, people.refused, people.later, people.unanswered]

const day = 1_440

export function writtenScenes(name: string, { maps }: Plan): Scene[] {
  const [ann = '', bob = '', cem = '', dee = '', eve = '', fay = ''] = people.plain
  const tell = (event: string, who: string, key = 'a'): Call => ({ tell: event, who, key })
  const publish = (steps: Record<string, string | null> | null = null): Call => ({ publish: steps })
  if (name === 'carts')
    return [
      {
        at: 0,
        calls: [
          publish(),
          ...everybody.map((who) => tell('filled', who)),
          ...[ann, bob, cem].map((who) => tell('filled', who, 'b')),
          tell('filled', ann),
        ],
      },
      { at: 30, calls: [tell('emptied', ann, 'b'), tell('answered', bob), tell('paid', dee, 'b')] },
      { at: 60, calls: [tell('paid', cem)] },
      { at: 90, calls: [tell('answered', ann), tell('filled', cem), tell('answered', eve, 'b')] },
      { at: 200, calls: [{ ask: 'pause' }, tell('emptied', fay), tell('filled', dee, 'b')] },
      { at: 300, calls: [publish(maps[0] ?? null), { ask: 'resume' }] },
      { at: 300 + day, calls: [tell('answered', eve), { act: 'skip', who: dee }, { resolve: 'done' }] },
      { at: 300 + 2 * day, calls: [tell('paid', dee, 'a'), tell('filled', ann, 'b')] },
      { at: 300 + 4 * day, calls: [{ ask: 'stop' }] },
    ]
  return [
    { at: 0, calls: [publish(), ...everybody.map((who) => tell('signup', who)), tell('left', fay)] },
    {
      at: 60,
      calls: [tell('ordered', ann), tell('left', bob), tell('bought', cem), tell('ordered', dee), tell('left', dee)],
    },
    { at: day, calls: [tell('ordered', eve), tell('signup', fay), { act: 'retry', who: people.refused }] },
    { at: day + 60, calls: [{ ask: 'pause' }, tell('signup', ann), tell('left', people.later), { enrol: [bob] }] },
    { at: day + 90, calls: [publish(maps[0] ?? null), tell('bought', fay)] },
    { at: day + 120, calls: [{ ask: 'resume' }, { resolve: 'resend' }, { enrol: [cem] }] },
    { at: 2 * day + 90, calls: [tell('signup', dee), publish()] },
    { at: 4 * day, calls: [tell('signup', eve), { act: 'skip', who: cem }, { resolve: 'done' }, { enrol: everybody }] },
    { at: 5 * day, calls: [{ act: 'exit', who: bob }, tell('left', eve)] },
    { at: 9 * day, calls: [{ ask: 'stop' }] },
  ]
}

/** So many scenes by chance, of which the first publishes and the last stops. */
export function randomScenes({ maps, names, keys }: Plan, seed: number): Scene[] {
  const roll = dice(seed)
  let at = 0
  const call = (): Call => {
    const who = roll.of(everybody)
    const what = roll.below(100)
    if (what < 64) return { tell: roll.chance(40) ? (names[0] ?? '') : roll.of(names), who, key: roll.of(keys) }
    if (what < 72) return { enrol: [who, roll.of(everybody)] }
    if (what < 80) return { ask: roll.of(['pause', 'resume', 'resume']) }
    if (what < 88) return { act: roll.of(['exit', 'skip', 'retry']), who }
    if (what < 92) return { resolve: roll.of(['done', 'resend']) }
    return { publish: roll.chance(70) ? roll.of(maps) : null }
  }
  const first: Scene = { at, calls: [{ publish: null }] }
  const later = Array.from({ length: 7 }, (): Scene => {
    at += roll.of([1, 59, 60, 300, day, day, 2 * day])
    return { at, calls: Array.from({ length: 3 + roll.below(9) }, call) }
  })
  return [
    first,
    ...later,
    { at: at + 3 * day, calls: [{ ask: 'resume' }] },
    { at: at + 9 * day, calls: [{ ask: 'stop' }] },
  ]
}
