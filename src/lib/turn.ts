// Long work on the one thread that serves everybody: it lets others have their turn of the event loop.

/** What may run on without a turn for the others. */
const sliceMs = 8

/** Resolves in a later turn of the event loop, after what has arrived meanwhile was served. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** `await pace()` in a loop: waits for the next turn once the loop has held the thread for some milliseconds. */
export function createPace(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < sliceMs) return undefined
    return nextTurn().then(() => {
      since = performance.now()
    })
  }
}
