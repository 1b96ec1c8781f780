// Long work on the one thread that serves everybody: it lets others have their turn of the event loop. However many such works there are,
// one of them goes on in a turn, so that together they hold the thread no longer than one alone.

/** What may run on without a turn for the others. */
const sliceMs = 4

/** Of the process, as its event loop is: who waited first goes on first. */
let last: Promise<void> = Promise.resolve()

/** Resolves in a later turn of the event loop, after what has arrived meanwhile was served. */
export function nextTurn(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)))
  return last
}

export type Pace = () => Promise<void> | undefined

/** `await pace()` in a loop: waits for the next turn once the loop has held the thread for some milliseconds. */
export function createPace(): Pace {
  let since = performance.now()
  return () => {
    if (performance.now() - since < sliceMs) return undefined
    return nextTurn().then(() => {
      since = performance.now()
    })
  }
}
