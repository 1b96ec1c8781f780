// Long work on the one thread that serves everybody. It goes on in slices, and however many such works there are, one slice of one of
// them runs in a turn of the event loop; workspaces take turns at it. What somebody waits for goes first: no slice begins while a
// request is being answered or a mail handed over, but for some milliseconds now and then, so that long work ends under any load.

/** What may run on without a turn for the others. */
const sliceMs = 4
/** When there is nobody to wait for it, a step of long work may take so long: larger ones cost less in all. */
const lonelySliceMs = 16
/** Somebody who came within this time may come again. */
const companyMs = 250
/** What takes longer is long work itself, or waits for somebody else. */
const urgentMs = 20
/** A slice waits no longer for what is urgent. */
const patienceMs = 10

/** What is urgent now, with the time at which it began; the oldest first. */
const urgent = new Set<{ since: number }>()
let lastUrgentAt = Number.NEGATIVE_INFINITY
let whenNoneUrgent: () => void = () => {}

/** From now until the returned function is called somebody waits for us. */
export function beginUrgent(): () => void {
  const since = performance.now()
  lastUrgentAt = since
  const one = { since }
  urgent.add(one)
  return () => {
    if (urgent.delete(one) && urgent.size === 0) whenNoneUrgent()
  }
}

function isAnyUrgent(): boolean {
  const now = performance.now()
  for (const one of urgent) {
    if (now - one.since <= urgentMs) return true
    urgent.delete(one)
  }
  return false
}

/** Slices that wait, by the workspace whose work it is; the first has the next turn. */
const waiting = new Map<string, (() => Promise<void>)[]>()
let isServing = false
let begun = 0

/** How many slices have begun in this process. */
export function slicesBegun(): number {
  return begun
}

/** Runs one slice of work in its turn. It must not wait for another turn. */
export function inTurn<T>(workspaceId: string, work: () => T | Promise<T>): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>()
  const run = async () => {
    const result = (async () => work())()
    resolve(result)
    // Whoever asked hears of a failure.
    await result.catch(() => {})
  }
  const slices = waiting.get(workspaceId)
  if (slices) slices.push(run)
  else waiting.set(workspaceId, [run])
  if (!isServing) void serve()
  return promise
}

/** Resolves in a later turn of the event loop, when it is this work's turn; what follows up to the next wait is the slice. */
export function nextTurn(workspaceId = ''): Promise<void> {
  return inTurn(workspaceId, () => {})
}

async function serve(): Promise<void> {
  isServing = true
  let since = performance.now()
  let left = 0
  for (let next = waiting.entries().next(); !next.done; next = waiting.entries().next()) {
    await turn()
    left -= performance.now() - since
    if (left <= 0) {
      await patience()
      left = sliceMs
    }
    since = performance.now()
    const [workspaceId, slices] = next.value
    const run = slices.shift()
    waiting.delete(workspaceId)
    if (slices.length > 0) waiting.set(workspaceId, slices)
    begun++
    await run?.()
  }
  isServing = false
}

/** Lets what is urgent go first. */
async function patience(): Promise<void> {
  const until = performance.now() + patienceMs
  for (let left = patienceMs; left > 0 && isAnyUrgent(); left = until - performance.now()) {
    await noneUrgent(left)
    // What was urgent has ended and its answer leaves in this turn.
    await turn()
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function noneUrgent(limitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const limit = setTimeout(resolve, limitMs)
    whenNoneUrgent = () => {
      clearTimeout(limit)
      resolve()
    }
  })
}

export type Pace = () => Promise<void> | undefined

/** `await pace()` in a loop: waits for the next turn once the loop has held the thread for some milliseconds. */
export function createPace(workspaceId = ''): Pace {
  let since = performance.now()
  return () => {
    if (performance.now() - since < sliceMs) return undefined
    return nextTurn(workspaceId).then(() => {
      since = performance.now()
    })
  }
}

/** How many items fit into a step that nothing can interrupt, learned from the steps before. */
export class StepSize {
  readonly #most: number
  readonly #least: number
  #itemMs: number

  /** `least` is also what the first step takes. */
  constructor({ least, most }: { least: number; most: number }) {
    this.#least = least
    this.#most = most
    this.#itemMs = sliceMs / least
  }

  /** As many as a step may take now: fewer while somebody may be waiting. */
  next(): number {
    const budget = performance.now() - lastUrgentAt < companyMs ? sliceMs : lonelySliceMs
    return Math.max(this.#least, Math.min(this.#most, Math.floor(budget / this.#itemMs)))
  }

  took(items: number, ms: number): void {
    if (items > 0) this.#itemMs = (this.#itemMs + ms / items) / 2
  }
}
