// Single look-ups that are asked for together become one: what is asked within one turn of the event loop is loaded at once.

/** `load` is given distinct keys and answers with what it found; the others become undefined. */
export function createBatch<T>(
  load: (keys: string[]) => Promise<Map<string, T>>,
): (key: string) => Promise<T | undefined> {
  let next: { keys: Set<string>; loaded: Promise<Map<string, T>> } | null = null
  return async (key) => {
    if (!next) {
      const keys = new Set<string>()
      const loaded = Promise.resolve().then(() => {
        next = null
        return load([...keys])
      })
      next = { keys, loaded }
    }
    next.keys.add(key)
    return (await next.loaded).get(key)
  }
}
