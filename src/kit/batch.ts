// Combines single look-ups: keys requested in one turn of the event loop are loaded together.

/** `load` gets distinct keys and returns what it found; keys that are missing become undefined. */
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
