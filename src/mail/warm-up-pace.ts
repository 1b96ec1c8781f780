// When mails would have left over relays that all warm up: by receiver, as many a day as they may carry together. It changes nothing.

import { day } from '../kit/duration.ts'
import { startOfDay } from './quota.ts'
import type { Pace, Part } from './relay-pace.ts'
import { warmUpStage } from './warm-up.ts'

/** `mails`: by receiver, due from then on. Nothing has to wait where one relay is warm. */
export function warmUpParts(
  paces: Pace[],
  mails: Map<string, number>,
  { from, now }: { from: Date; now: Date },
): Part[] {
  const isWarm = paces.some(({ warmUp }) => warmUp === null || warmUpStage(warmUp.since, from) === null)
  if (isWarm || paces.length === 0) return []
  return [...mails].flatMap(([receiver, count]) => partsFor(paces, { receiver, count }, { from, now }))
}

function partsFor(
  paces: Pace[],
  { receiver, count }: { receiver: string; count: number },
  { from, now }: { from: Date; now: Date },
): Part[] {
  const today = startOfDay(now.getTime())
  const parts: Part[] = []
  let left = count
  for (let at = from.getTime(); left > 0; at = startOfDay(at) + day) {
    const room = paces.reduce((sum, { warmUp }) => {
      const carried = startOfDay(at) === today ? (warmUp?.carried.get(receiver) ?? 0) : 0
      const allowed = warmUpStage(warmUp?.since ?? null, new Date(at))?.allowed ?? Number.POSITIVE_INFINITY
      return sum + Math.max(0, allowed - carried)
    }, 0)
    const leaving = Math.min(left, room)
    if (leaving > 0) parts.push({ mails: leaving, at, by: at === from.getTime() ? null : 'relay_warm_up' })
    left -= leaving
  }
  return parts
}
