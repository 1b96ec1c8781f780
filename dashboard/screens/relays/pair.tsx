// One receiver through one relay: its shade, and what is asked of us there.

import type { Listed } from '../../api.ts'
import { count, moment } from '../../words.ts'
import { words } from './receiver-words.ts'

export type Pair = Listed<'/v1/receivers'>

export const shades = ['none', 'few', 'some', 'many', 'most'] as const
/** The largest part that was not taken, of the first four. */
const largestParts = [0, 0.01, 0.05, 0.2]

/** By the part that was put off or refused; '' without mail. */
export function shadeOf({ day: { accepted, deferred, refused } }: Pair): (typeof shades)[number] | '' {
  const all = accepted + deferred + refused
  if (all === 0) return ''
  const at = largestParts.findIndex((part) => (deferred + refused) / all <= part)
  return shades.at(at) ?? 'most'
}

/** Nothing where mail goes as it comes. */
export function Limits({ of }: { of: Pair }) {
  return limitsOf(of).map((limit) => <em key={limit}>{limit}</em>)
}

export function limitsOf({ suspendedUntil, rate, connections }: Pair): string[] {
  return [
    suspendedUntil !== null && words.waits(moment(suspendedUntil)),
    rate !== null && words.slowed(count(rate)),
    connections !== null && words.atOnce(connections),
  ].filter((limit) => limit !== false)
}
