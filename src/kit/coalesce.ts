// Coalesces work that is cheaper together: items that arrive while a round is running form one group of the next round.

/** Of one kind of work. */
const roundsUnderWay = 2
/** In a long turn of the event loop something always arrives. */
const longestGatheringMs = 4

/**
 * `run` takes its group when it starts working (every call of `take()` returns the same group) and returns one result per item. When it
 * throws, each item is run again by itself, unless `isForAll` says that a single one would fail too.
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
    const until = performance.now() + longestGatheringMs
    for (let seen = 0; waiting.length > seen && waiting.length < most() && performance.now() < until; ) {
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
  /** The most items in one group. */
  most?: () => number
  /** The most items in flight, including those that wait. While fewer than half of them have arrived, a round waits for more. */
  expected?: () => number
  /** For this long; default 1. */
  lingerMs?: number
  /** Before a round, wait for further turns of the event loop as long as each brings more items, but not for more than 4 ms. */
  isGathering?: boolean
  /** When this many wait while a round is running, another round starts. Default: never. */
  beside?: number
  /** Whether an error was not caused by any item of the group, e.g. the database is unavailable. */
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
