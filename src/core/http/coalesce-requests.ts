// Coalesces requests of one route: requests that arrive at the same time share their look-ups and one transaction.

import { isUnavailable } from '../../../db/faults.ts'
import { coalesce } from '../../kit/coalesce.ts'
import { currentHops } from '../../kit/hops.ts'
import { tracing } from '../../kit/trace.ts'
import type { App } from '../app.ts'

/** The most requests in a group. */
const most = 256
/** When this many wait while a group is on its way to a libSQL server and back, the next group starts. */
const besideRemote = 32

/**
 * `accept` returns one result for each of its list. When it throws because of one of them, each is accepted by itself. A request caused by
 * a webhook is accepted by itself: its hop count is its own. A group belongs to no trace: each of the list names its own.
 */
export function coalesceRequests<T, R>(
  { database }: App,
  accept: (list: T[]) => Promise<R[]>,
): (asked: T) => Promise<R> {
  const beside = database.kind === 'remote' ? besideRemote : Number.POSITIVE_INFINITY
  const options = { most: () => most, isGathering: true, beside, isForAll: isUnavailable }
  const together = coalesce((take: () => T[]) => tracing(null, () => accept(take())), options)
  return async (asked) => {
    if (currentHops() === 0) return await together(asked)
    const [result] = await accept([asked])
    if (result === undefined) throw new Error('a request was neither accepted nor refused')
    return result
  }
}
