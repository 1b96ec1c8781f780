// Long work on the one thread that serves everybody. It goes on in slices, and however many such works there are, one slice of one of
// them runs in a turn of the event loop; workspaces take turns at it. What somebody waits for goes first: no slice begins while a
// request is being answered or a mail handed over, but for some milliseconds now and then, so that long work ends under any load.

/** What may run on without a turn for the others. */
const sliceMs = 4
/** However slow the disk, a step takes no longer. */
const longestStepMs = 16
/** Another workspace that came within this time may come again. */
const companyMs = 250
/** What takes longer is long work itself, or waits for somebody else. */
const urgentMs = 20
/** A slice waits no longer for what is urgent. */
const patienceMs = 10

/** What is urgent now, with the time at which it began; the oldest first. */
const urgent = new Set<{ since: number }>()
let whenNoneUrgent: () => void = () => {}

/** From now until the returned function is called somebody waits for us; of this workspace, if it is known yet. */
export function beginUrgent(workspaceId?: string): () => void {
  if (workspaceId !== undefined) noteUrgent(workspaceId)
  const one = { since: performance.now() }
  urgent.add(one)
  return () => {
    if (urgent.delete(one) && urgent.size === 0) whenNoneUrgent()
  }
}

/** The workspace that came last, and the last one before it that is another. */
let last = { workspaceId: '', at: Number.NEGATIVE_INFINITY }
let lastOther = last

/** Somebody of this workspace waits for us, or has just waited. */
export function noteUrgent(workspaceId: string): void {
  if (last.workspaceId !== workspaceId) lastOther = last
  last = { workspaceId, at: performance.now() }
}

/** Whether another workspace came a moment ago. */
export function hasCompany(workspaceId: string): boolean {
  const { at } = last.workspaceId === workspaceId ? lastOther : last
  return performance.now() - at < companyMs
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
  readonly #workspaceId: string
  readonly #most: number
  readonly #least: number
  #itemMs: number
  #aroundMs = 0

  /** Of work of this workspace. */
  constructor(workspaceId: string, { least, most }: { least: number; most: number }) {
    this.#workspaceId = workspaceId
    this.#least = least
    this.#most = most
    this.#itemMs = sliceMs / least
  }

  /** As many as may be; while another workspace may be waiting, as many as there is time for. */
  next(): number {
    if (!hasCompany(this.#workspaceId)) return this.#most
    const budget = Math.min(Math.max(sliceMs, this.#aroundMs), longestStepMs)
    return Math.max(this.#least, Math.min(this.#most, Math.floor(budget / this.#itemMs)))
  }

  /** `aroundMs`: what the step cost beside its items, e.g. a commit on a slow disk; a step is never shorter than that. */
  took(items: number, ms: number, aroundMs = 0): void {
    if (items === 0) return
    this.#itemMs = (this.#itemMs + ms / items) / 2
    this.#aroundMs = (this.#aroundMs + aroundMs) / 2
  }
}
