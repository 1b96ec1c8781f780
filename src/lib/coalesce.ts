// Work that is cheaper together than apart: what comes while a round is under way is one group of the next.

/** Of one kind of work. */
const roundsUnderWay = 2

/**
 * `run` takes its group when it begins in earnest (`take()` answers the same however often it is asked) and answers one result
 * for each. When it throws, each item is run again by itself, unless `isForAll` says that it would fare no better.
 */
export function coalesce<T, R>(
  run: (take: () => T[]) => Promise<R[]>,
  {
    most = () => 64,
    expected = () => 0,
    lingerMs = 1,
    isGathering = false,
    beside = Number.POSITIVE_INFINITY,
    isForAll = () => false,
  }: CoalesceOptions = {},
): (item: T) => Promise<R> {
  const waiting: Waiting<T, R>[] = []
  let underWay = 0
  const takeGroup = () => waiting.splice(0, most())
  const gather = async () => {
    for (let seen = 0; waiting.length > seen && waiting.length < most(); ) {
      seen = waiting.length
      await new Promise(setImmediate)
    }
  }
  let isBeginning = false
  const isTime = () => !isBeginning && underWay < roundsUnderWay && waiting.length >= (underWay === 0 ? 1 : beside)
  const rounds = async () => {
    for (; isTime(); underWay--) {
      underWay++
      isBeginning = true
      if (isGathering) await gather()
      if (expected() > 2 * waiting.length) await new Promise((resolve) => setTimeout(resolve, lingerMs))
      let group: Waiting<T, R>[] | null = null
      const take = () => {
        group ??= takeGroup()
        return group.map(({ item }) => item)
      }
      isBeginning = false
      await settle({ run, isForAll }, take, () => group ?? takeGroup())
    }
  }
  return (item) => {
    const settled = Promise.withResolvers<R>()
    waiting.push({ item, settled })
    if (isTime()) void rounds()
    return settled.promise
  }
}

export interface CoalesceOptions {
  /** Items of one group. */
  most?: () => number
  /** How many may be on their way, those that wait included. While fewer than half of them have come, a round waits for more. */
  expected?: () => number
  /** So long; default 1. */
  lingerMs?: number
  /** Turns of the event loop go by before a round as long as each brings more. */
  isGathering?: boolean
  /** When so many wait while a round is under way, another one begins. Default: never. */
  beside?: number
  /** An error that is nobody's fault in the group, e.g. a database that is gone. */
  isForAll?: (error: unknown) => boolean
}

interface Waiting<T, R> {
  item: T
  settled: PromiseWithResolvers<R>
}

async function settle<T, R>(
  { run, isForAll }: { run: (take: () => T[]) => Promise<R[]>; isForAll: (error: unknown) => boolean },
  take: () => T[],
  groupOf: () => Waiting<T, R>[],
): Promise<void> {
  try {
    const results = await run(take)
    for (const [index, { settled }] of groupOf().entries()) settled.resolve(results[index] as R)
  } catch (error) {
    const group = groupOf()
    if (group.length === 1 || isForAll(error)) for (const { settled } of group) settled.reject(error)
    else
      await Promise.all(
        group.map((one) =>
          settle(
            { run, isForAll },
            () => [one.item],
            () => [one],
          ),
        ),
      )
  }
}
