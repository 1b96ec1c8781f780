// The warm-up of a relay, as it is set and where it stands.

import type { App } from '../../core/app.ts'
import { countCarried } from '../../core/relays.ts'
import { invalidField } from '../../kit/error.ts'
import { parseTime } from '../../kit/time.ts'
import { warmUpStage } from '../../mail/warm-up.ts'
import type { Relay } from './relays.ts'

export interface WarmUpState {
  /** From 1. */
  day: number
  /** To each receiver. */
  allowed: number
  /** What was carried today, those with the most first. */
  receivers: { receiver: string; carried: number }[]
}

/** Receivers that are shown. */
const mostShown = 100

/** Throws 422 for what is no time, or one ahead. */
export function readWarmUp(given: string | null, now: Date): Date | null {
  if (given === null) return null
  const since = parseTime(given)
  if (since === null)
    throw invalidField('warmUpSince', 'must be an ISO 8601 time like 2027-01-15T12:00:00Z, or null', 'invalid_time')
  if (since > now) throw invalidField('warmUpSince', 'must not be ahead', 'invalid_time')
  return since
}

/** Null: it has none, or it is over. */
export async function loadWarmUp(app: App, { id, warmUpSince }: Relay): Promise<WarmUpState | null> {
  const stage = warmUpStage(warmUpSince, app.clock.now())
  if (stage === null) return null
  const carried = await countCarried(app, id)
  const receivers = [...carried].map(([receiver, carried]) => ({ receiver, carried }))
  return { ...stage, receivers: receivers.sort((one, other) => other.carried - one.carried).slice(0, mostShown) }
}
