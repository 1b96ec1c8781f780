// Waits for a captured mail: a test asks before its mail exists and is answered when it does. All waiting requests share one query, run
// after each commit of this process and every second for mail that other processes captured. Without waiting requests there is no query.

import type { App } from '../../../core/app.ts'
import { second } from '../../../kit/duration.ts'
import { AppError } from '../../../kit/error.ts'
import {
  type CapturedFilter,
  capturedAfter,
  createMatch,
  type DatedLine,
  lastCaptured,
  searchCaptured,
} from './captured-search.ts'

const lookEveryMs = second
/** The delay after a commit of this process, so that one query serves many commits. */
const soonMs = 25
const maxWaitsPerWorkspace = 20
const maxWaits = 1_000

export interface WaitOptions {
  workspaceId: string
  filter: CapturedFilter
  timeoutMs: number
  /** The caller went away. */
  signal: AbortSignal
}

const createWaits = (app: App) => new Waits(app)

/** The newest mail that is wanted if there is one, else the first that comes; null when none came. Throws 429 for one wait too many. */
export async function waitForCaptured(app: App, options: WaitOptions): Promise<number | null> {
  return await app.own(createWaits).wait(options)
}

/** Ends every wait: the server stops. */
export function closeWaits(app: App): void {
  app.own(createWaits).close()
}

interface Wait {
  workspaceId: string
  isWanted: (line: DatedLine) => boolean
  end: (id: number | null) => void
}

class Waits {
  readonly #app: App
  readonly #waits = new Set<Wait>()
  #begun: Promise<void> | null = null
  #seen = 0
  #soon: ReturnType<typeof setTimeout> | undefined
  #isLooking = false
  #stops: (() => void)[] = []

  constructor(app: App) {
    this.#app = app
  }

  async wait({ workspaceId, filter, timeoutMs, signal }: WaitOptions): Promise<number | null> {
    const mine = [...this.#waits].filter((wait) => wait.workspaceId === workspaceId)
    if (mine.length >= maxWaitsPerWorkspace || this.#waits.size >= maxWaits)
      throw new AppError('rate_limit_exceeded', `At most ${maxWaitsPerWorkspace} waits at once; end one of them.`, {
        retryAfterSeconds: 1,
      })
    const { promise, resolve: end } = Promise.withResolvers<number | null>()
    const wait: Wait = { workspaceId, isWanted: createWanted(filter), end }
    const limit = setTimeout(() => end(null), timeoutMs)
    const leave = () => end(null)
    signal.addEventListener('abort', leave)
    this.#waits.add(wait)
    try {
      // Mail from here on is announced to all; earlier mail is queried by each waiting request.
      this.#begun ??= this.#begin()
      await this.#begun
      const { lines } = await searchCaptured(this.#app, workspaceId, filter, { limit: 1 })
      const [there] = lines
      return there ? there.id : await promise
    } finally {
      clearTimeout(limit)
      signal.removeEventListener('abort', leave)
      this.#waits.delete(wait)
      if (this.#waits.size === 0) this.#stop()
    }
  }

  close(): void {
    for (const { end } of this.#waits) end(null)
  }

  async #begin(): Promise<void> {
    this.#seen = await lastCaptured(this.#app)
    const looks = setInterval(() => void this.#look(), lookEveryMs)
    const unlisten = this.#app.onWake(() => this.#lookSoon())
    this.#stops = [unlisten, () => clearInterval(looks), () => clearTimeout(this.#soon)]
    this.#lookSoon()
  }

  #stop(): void {
    this.#begun = null
    for (const stop of this.#stops.splice(0)) stop()
    this.#soon = undefined
  }

  #lookSoon(): void {
    this.#soon ??= setTimeout(() => void this.#look(), soonMs)
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    clearTimeout(this.#soon)
    this.#soon = undefined
    try {
      for (let lines = await this.#next(); lines.length > 0 && this.#waits.size > 0; lines = await this.#next())
        for (const line of lines) this.#tell(line)
    } catch (error) {
      this.#app.log.warn('captured mail could not be read for those who wait; trying again', { error })
    }
    this.#isLooking = false
  }

  async #next(): Promise<DatedLine[]> {
    const lines = await capturedAfter(this.#app, this.#seen)
    this.#seen = lines.at(-1)?.id ?? this.#seen
    return lines
  }

  #tell(line: DatedLine): void {
    for (const { workspaceId, isWanted, end } of this.#waits)
      if (workspaceId === line.workspaceId && isWanted(line)) end(line.id)
  }
}

function createWanted(filter: CapturedFilter): (line: DatedLine) => boolean {
  const { after } = filter
  const matches = createMatch(filter)
  return (line) =>
    matches(line) && (after === null || (typeof after === 'number' ? line.id > after : line.createdAt >= after))
}
