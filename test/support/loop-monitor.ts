// How long the event loop is held: a tick every millisecond, and the longest time between two of them. What holds the loop holds every
// neighbour, so the tests of everything that strangers can send measure it. Time in which this thread was ready and other processes had
// the processor (Linux tells it) is theirs and not counted. What is too long is told in milliseconds of one machine, whose speed is known.

import { existsSync, openSync, readSync } from 'node:fs'

/** Nothing holds the loop longer. */
export const maxBlockMs = 50
/** The machine is shared: a block counts when it comes back each time. */
const tries = 5

/** What `pieceOfWork` takes where the limit was set: the median of 300 runs on two cores that did nothing else. */
const pieceMs = 10
/** Before and after a block that seems too long. */
const piecesPerTry = 3
const piece = JSON.stringify(Object.fromEntries(Array.from({ length: 15_000 }, (_, n) => [`k${n}`, [n, `v${n}`]])))

/** What holds a loop is mostly this: parsing, looking at each character, making strings and objects. Returns how long it took. */
function pieceOfWork(): number {
  const at = loopMs()
  const { length } = Object.keys(JSON.parse(piece))
  let sum = length
  for (let place = 0; place < piece.length; place++) sum += piece.charCodeAt(place)
  if (sum === 0) throw new Error('there was no work')
  return loopMs() - at
}

/** Of the first thread of this process: nanoseconds that it ran, and that it waited to run. Kept open, for it is read a thousand times a second. */
const schedule = existsSync('/proc/self/schedstat') ? openSync('/proc/self/schedstat', 'r') : null
const told = Buffer.alloc(64)

export interface LoopMonitor extends Disposable {
  /** Since the start, and of the time that has not ended yet. */
  longestMs(): number
}

export function monitorLoop(): LoopMonitor {
  let last = loopMs()
  let longest = 0
  const look = () => {
    const now = loopMs()
    longest = Math.max(longest, now - last)
    last = now
  }
  const ticks = setInterval(look, 1)
  return {
    longestMs() {
      look()
      return longest
    },
    [Symbol.dispose]: () => clearInterval(ticks),
  }
}

/** A clock that stands while this thread waits for a processor. */
export function loopMs(): number {
  for (;;) {
    const waited = waitedMs()
    const at = performance.now()
    // Else it waited between the two.
    if (waitedMs() === waited) return at - waited
  }
}

function waitedMs(): number {
  if (schedule === null) return 0
  const text = told.toString('latin1', 0, readSync(schedule, told, 0, told.length, 0))
  return Number(text.split(' ')[1]) / 1e6
}

export interface Measured<T> {
  /** Of the machine where the limit was set, if this one is slower. */
  blockMs: number
  result: T
}

/** What 20 MB of fresh memory take where the limit was set; a virtual machine whose host takes memory back needs ten times as long. */
const freshMs = 8
const freshBytes = 20_000_000
const pageBytes = 4096

/** What holds a loop that takes in large mail is mostly this. Returns how long it took. */
function freshMemory(): number {
  const at = loopMs()
  const fresh = new Uint8Array(freshBytes)
  for (let place = 0; place < freshBytes; place += pageBytes) fresh[place] = 1
  return loopMs() - at
}

/** How often this machine's time holds that of the one where the limit was set; never more than 1 for one that is faster. */
export class Slowness {
  readonly #took: number[] = []
  readonly #ofMemory: boolean

  /** `ofMemory`: of work that takes megabytes of fresh memory. */
  constructor({ ofMemory = false } = {}) {
    this.#ofMemory = ofMemory
  }

  look(): void {
    for (let count = 0; count < piecesPerTry; count++)
      this.#took.push(this.#ofMemory ? freshMemory() / freshMs : pieceOfWork() / pieceMs)
  }

  get factor(): number {
    return Math.max(1, this.#took.toSorted((one, other) => one - other)[this.#took.length >> 1] ?? 1)
  }
}

/**
 * The longest block while `work` runs, printed: the least of five runs, or of the first that is short enough. What work finds the first
 * time only is for `prepare`, which is run before each and not measured.
 */
export async function longestBlock<T, P = void>(
  name: string,
  work: (prepared: P) => Promise<T>,
  prepare?: () => Promise<P>,
): Promise<Measured<T>> {
  const slowness = new Slowness()
  let least: Measured<T> | null = null
  for (let run = 0; run < tries; run++) {
    const prepared = (await prepare?.()) as P
    // What earlier work left behind is not this one's. Only now, for it takes longer than most of what is measured.
    if (run > 0) Bun.gc(true)
    using monitor = monitorLoop()
    const result = await work(prepared)
    const blockMs = monitor.longestMs()
    if (!least || blockMs < least.blockMs) least = { blockMs, result }
    if (least.blockMs > maxBlockMs) slowness.look()
    if (least.blockMs <= maxBlockMs * slowness.factor) break
  }
  if (!least) throw new Error('nothing was measured')
  const { factor } = slowness
  const elsewhere = factor > 1 ? ` (${(least.blockMs / factor).toFixed(1)} ms where the limit was set)` : ''
  process.stdout.write(`  longest block ${least.blockMs.toFixed(1).padStart(6)} ms${elsewhere}  ${name}\n`)
  return { blockMs: least.blockMs / factor, result: least.result }
}
