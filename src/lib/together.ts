// Work that is cheaper together than apart: while one round is under way, what comes waits for the next.

/** `run` gets up to `most` items and answers one result for each. When it throws, each item is run again by itself. */
export function createTogether<T, R>(run: (items: T[]) => Promise<R[]>, most = 64): (item: T) => Promise<R> {
  let waiting: { item: T; settled: PromiseWithResolvers<R> }[] = []
  let running = false
  const round = async () => {
    running = true
    // Whatever ends in this turn of the event loop comes along.
    await new Promise(setImmediate)
    const group = waiting.slice(0, most)
    waiting = waiting.slice(most)
    await Promise.all((await attempt(group.map(({ item }) => item))).map((give, index) => give(group[index]?.settled)))
    running = false
    if (waiting.length > 0) void round()
  }
  const attempt = async (items: T[]): Promise<((settled?: PromiseWithResolvers<R>) => void)[]> => {
    try {
      return (await run(items)).map((result) => (settled) => settled?.resolve(result))
    } catch (error) {
      if (items.length <= 1) return items.map(() => (settled) => settled?.reject(error))
      return (await Promise.all(items.map((item) => attempt([item])))).flat()
    }
  }
  return (item) => {
    const settled = Promise.withResolvers<R>()
    waiting.push({ item, settled })
    if (!running) void round()
    return settled.promise
  }
}
