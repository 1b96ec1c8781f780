// Requests of one route that come together are looked up and written together.

import { isUnavailable } from '../../db/faults.ts'
import type { App } from '../app.ts'
import { coalesce } from '../lib/coalesce.ts'
import { currentHops } from '../lib/hops.ts'

/** Of one group. */
const most = 128
/** So many do not wait for the group before them while that is on its way to a libSQL server and back. */
const besideRemote = 32

/**
 * `accept` answers one result for each of its list. When it throws because of one of them, each is accepted by itself. What a webhook has
 * led to is always accepted by itself: its hops are its own.
 */
export function coalesceRequests<T, R>(
  { database }: App,
  accept: (list: T[]) => Promise<R[]>,
): (asked: T) => Promise<R> {
  const beside = database.kind === 'remote' ? besideRemote : Number.POSITIVE_INFINITY
  const options = { most: () => most, isGathering: true, beside, isForAll: isUnavailable }
  const together = coalesce((take: () => T[]) => accept(take()), options)
  return async (asked) => {
    if (currentHops() === 0) return await together(asked)
    const [result] = await accept([asked])
    if (result === undefined) throw new Error('a request was neither written nor refused')
    return result
  }
}
