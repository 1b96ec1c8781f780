// A second machine that follows the archive of the server, and takes over: by itself when the lease of the server has run out, or when it is
// asked to after the server has ended in order. Until then it serves nothing but how far it is.

import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../../core/config.ts'
import { second } from '../../kit/duration.ts'
import { AppError, failureText } from '../../kit/error.ts'
import { listenFailure } from '../../kit/listen.ts'
import { privateFile } from '../../kit/private-file.ts'
import type { Store } from '../../kit/store/store.ts'
import { Damaged } from '../archive/segment.ts'
import type { Keys } from '../backup/pack.ts'
import { createMetricsGate } from '../health/metrics-gate.ts'
import { Follower } from './follow.ts'
import { type Lease, type LeaseKeeper, LeaseWatch, leaseStore } from './lease.ts'
import { copyPath, ownDatabase, readState, type TakingOver, writeState } from './state.ts'

/** Without STANDBY_LEASE_S. */
export const usualLeaseMs = 15 * second
/** The lease is looked at so often in its length. */
const looksPerLease = 5
const finishAgainMs = second
const retryAfterS = 5
/** A command that asks for a take-over waits so long. */
const answerWithinMs = 60 * second
const askedName = 'take-over'
const answerName = 'take-over.answer'

export interface TakenOver extends TakingOver {
  lease: LeaseKeeper
}

interface StandbyParts {
  store: Store
  keys: Keys
  say: (line: string) => void
  /** Ends it. */
  signal: AbortSignal
}

export class Standby {
  readonly #config: Config
  readonly #parts: StandbyParts
  readonly #lengthMs: number
  readonly #follower: Follower
  readonly #watch: LeaseWatch
  #lease: Lease | null = null
  #runOut = false
  #fault: string | null = null
  #takingOver = false

  constructor(config: Config, parts: StandbyParts) {
    this.#config = config
    this.#parts = parts
    this.#lengthMs = config.archive.leaseMs ?? usualLeaseMs
    this.#follower = new Follower(parts.store, config, parts.keys)
    this.#watch = new LeaseWatch(leaseStore(config, this.#lengthMs))
  }

  /** Follows until it has taken over; null when it was ended before. Throws Damaged when the archive cannot be trusted any more. */
  async run(): Promise<TakenOver | null> {
    const server = this.#serve()
    rmSync(join(this.#config.dataDir, askedName), { force: true })
    this.#parts.say(`standing by on ${server.url.origin}`)
    try {
      return await this.#follow()
    } finally {
      this.#follower.stopChecking()
      await server.stop(true)
    }
  }

  async #follow(): Promise<TakenOver | null> {
    const everyMs = this.#config.archive.intervalMs
    const lookEveryMs = this.#lengthMs / looksPerLease
    let lookedAt = Number.NEGATIVE_INFINITY
    while (!this.#parts.signal.aborted) {
      const began = performance.now()
      await this.#attempt(() => this.#follower.step())
      const asked = existsSync(join(this.#config.dataDir, askedName))
      if (asked || began - lookedAt > lookEveryMs) {
        await this.#attempt(() => this.#look())
        lookedAt = began
      }
      if (asked) this.#answer(this.#refusal(true))
      if ((asked || this.#runOut) && this.#refusal(asked) === null) {
        const taken = await this.#takeOver()
        if (taken !== null) return taken
      }
      await pause(Math.max(0, everyMs - (performance.now() - began)))
    }
    return null
  }

  /** What the store says is said, and tried again. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work()
      this.#fault = null
    } catch (error) {
      if (error instanceof Damaged) throw error
      const fault = failureText(error)
      if (fault !== this.#fault) this.#parts.say(`cannot follow: ${fault}`)
      this.#fault = fault
    }
  }

  async #look(): Promise<void> {
    const seen = await this.#watch.look()
    this.#lease = seen?.lease ?? null
    this.#runOut = seen?.runOut ?? false
  }

  /** Why it must not take over now; null when it may. */
  #refusal(asked: boolean): string | null {
    if (this.#lease === null) return 'the server has no lease: set STANDBY_LEASE_S there, and restart it'
    if (!this.#follower.isReady) return 'the copy is not complete yet: see /readyz'
    if (this.#runOut || (asked && this.#lease.state === 'released')) return null
    return 'the server holds its lease: stop it first, and ask again'
  }

  async #takeOver(): Promise<TakenOver | null> {
    const former = this.#lease
    if (former === null) return null
    const lease = await this.#watch.seize(this.#config, former, this.#lengthMs).catch(() => null)
    this.#runOut = false
    if (lease === null) return null
    this.#takingOver = true
    const isWhole = former.state === 'released'
    this.#parts.say(`taking over with term ${lease.term}`)
    while (!(await this.#finish())) {
      if (!lease.holds())
        throw new AppError('conflict', 'the lease ran out before the end of the archive could be read')
      await pause(finishAgainMs)
    }
    becomeServer(this.#config, { isWhole })
    return { isWhole, lease }
  }

  async #finish(): Promise<boolean> {
    let isDone = false
    await this.#attempt(async () => {
      const unchecked = await this.#follower.finish()
      const before = this.#follower.checkedAt?.toISOString() ?? 'its beginning'
      if (unchecked !== null)
        this.#parts.say(`the copy was not checked again (${unchecked}); it was whole at ${before}`)
      isDone = true
    })
    return isDone
  }

  #answer(refusal: string | null): void {
    const path = join(this.#config.dataDir, answerName)
    writeFileSync(`${path}.new`, JSON.stringify({ refusal }), { mode: privateFile })
    renameSync(`${path}.new`, path)
    rmSync(join(this.#config.dataDir, askedName), { force: true })
  }

  #serve() {
    const { port, host: hostname } = this.#config
    const mayRead = createMetricsGate(this.#config)
    try {
      return Bun.serve({
        port,
        hostname,
        reusePort: false,
        fetch: (request, server) => {
          const { pathname } = new URL(request.url)
          if (pathname === '/livez') return Response.json({ ok: true })
          if (pathname === '/readyz') return unavailable(this.#state())
          if (pathname !== '/metrics')
            return unavailable({ success: false, message: 'This is a standby: it serves nothing until it takes over.' })
          try {
            mayRead(request, server)
          } catch (error) {
            return Response.json({ success: false, message: failureText(error) }, { status: 401 })
          }
          return new Response(this.#metrics(), { headers: { 'content-type': 'text/plain; version=0.0.4' } })
        },
      })
    } catch (error) {
      throw listenFailure(error, { host: hostname, port, setting: 'PORT' })
    }
  }

  #state() {
    const { lagMs, generation, waitsForBase, isReady, isChecking, checkedAt } = this.#follower
    return {
      state: this.#takingOver ? 'taking_over' : 'standby',
      isReady,
      lagSeconds: lagMs === null ? null : Math.round(lagMs) / 1_000,
      generation,
      waitsForBase,
      isChecking,
      checkedAt,
      lease: this.#lease === null ? null : { term: this.#lease.term, state: this.#lease.state },
      fault: this.#fault,
    }
  }

  #metrics(): string {
    const { lagMs } = this.#follower
    const lag = lagMs === null ? 'NaN' : String(lagMs / 1_000)
    const name = 'paquebot_standby_lag_seconds'
    return `# HELP ${name} What the archive had before this time is in the copy.\n# TYPE ${name} gauge\n${name} ${lag}\n`
  }
}

function unavailable(body: object): Response {
  return Response.json(body, { status: 503, headers: { 'retry-after': String(retryAfterS) } })
}

/** The copy becomes the database. Done again by the next start when it was cut off. */
export function becomeServer(config: Config, takingOver: TakingOver): void {
  const state = readState(config)
  if (state === null) throw new AppError('conflict', 'there is no copy to serve')
  writeState(config, { ...state, takingOver })
  if (existsSync(copyPath(config))) renameSync(copyPath(config), ownDatabase(config))
}

/** Asks the standby of this DATA_DIR to take over. Throws `conflict` with why it does not. */
export async function askToTakeOver({ dataDir }: Config): Promise<void> {
  const [asked, answer] = [join(dataDir, askedName), join(dataDir, answerName)]
  rmSync(answer, { force: true })
  writeFileSync(asked, '', { mode: privateFile })
  const until = performance.now() + answerWithinMs
  while (!existsSync(answer)) {
    if (performance.now() > until) {
      rmSync(asked, { force: true })
      throw new AppError('conflict', `no standby runs with ${dataDir}`)
    }
    await pause(second / 10)
  }
  const { refusal } = JSON.parse(readFileSync(answer, 'utf8')) as { refusal: string | null }
  rmSync(answer, { force: true })
  if (refusal !== null) throw new AppError('conflict', refusal)
}
