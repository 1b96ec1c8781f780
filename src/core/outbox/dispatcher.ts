// Runs the jobs of the outbox: woken after commits, by the next due time and, as a safety net, every second. It can also be driven by hand
// (runDue). A job runs outside any transaction; its end is one transaction, guarded by its fence.

import { hostname } from 'node:os'
import { Cron } from 'croner'
import { isUnavailable } from '../../../db/faults.ts'
import { acting, systemAct } from '../../kit/act.ts'
import { timeoutAfter, withDeadline } from '../../kit/deadline.ts'
import { second } from '../../kit/duration.ts'
import { AppError, failureText } from '../../kit/error.ts'
import { beginUrgent, hasCompany } from '../../kit/turn.ts'
import { type App, type Tx, write } from '../app.ts'
import { storeLimits } from '../receivers.ts'
import { byTurn, claimedRows, claimShares, type InFlight, isFull, type Share, scheduleFairly } from './claim.ts'
import { ClockWatch, followClock } from './clock-steps.ts'
import { countAnew } from './complete.ts'
import { DueJobs, type NextJob } from './due-jobs.ts'
import { cancelled, databaseAgainMs, databaseAway, failed, stopped, undecided } from './ended-early.ts'
import { Groups } from './groups.ts'
import { type JobControl, type JobKind, type JobResult, type JobRow, LostJob, unknownKind } from './job.ts'
import { chooseLanes, isUrgent, type Lane, type Lanes, lanes } from './lanes.ts'
import { LeaseWatch } from './lease-watch.ts'
import { measureAttempt, noteRescued, traceAttempt } from './measure-jobs.ts'
import { registerProcess, renewLeases, rescueAbandoned, signOff } from './rescue.ts'
import { type Schedule, startSchedules } from './schedules.ts'
import { recordFault } from './sending-faults.ts'
import { SharedTurns } from './shared-turns.ts'
import type { Throttle } from './throttle.ts'

/** The lease of a process that shares the database with others; renewed after a third of it. */
const sharedLeaseMs = 30 * second
const renewEveryMs = 10 * second
/** The longest sleep between two polls of the outbox. */
const lookEveryMs = second
/** How much longer than its time-out a job may take before it is given up. */
const overrunMs = 5 * second
/** How long a stop waits for replies to final dots, after its grace period. */
const finalReplyGraceMs = 30 * second
const unknownKindDelayMs = 60 * second

export interface DispatcherOptions {
  kinds: JobKind<never>[]
  schedules?: Schedule[]
  /** True when a lock guarantees that no other process runs jobs of this database. */
  alone: boolean
  version: string
}

interface Running {
  row: JobRow
  abort: AbortController
  handedOver: boolean
  /** The result, until it is written. */
  result?: JobResult
  ended: Promise<void>
}

export class Dispatcher {
  readonly #app: App
  readonly #options: DispatcherOptions
  readonly #kinds: Map<string, JobKind<unknown>>
  readonly #throttles: [Lane, Throttle][]
  /** Of this process, in `processes`. */
  readonly bootId: string
  readonly #dueJobs: DueJobs
  readonly #running = new Map<string, Running>()
  readonly #lastServed = new Map<Lane, string>()
  readonly #counts = new Map<string, number>()
  readonly #groups: Groups
  readonly #clockWatch: ClockWatch
  readonly #leases: LeaseWatch
  #crons: Cron[] = []
  #unlisten: () => void = () => {}
  #timer: ReturnType<typeof setTimeout> | undefined
  #renewal: ReturnType<typeof setInterval> | undefined
  #wanted = false
  #looking: Promise<void> | null = null
  #accepting = true
  /** Aborted when the grace period of a stop is over. */
  #givesUp = false
  readonly #unwritten = new Set<string>()
  #lastTickAt: Date | null = null

  constructor(app: App, options: DispatcherOptions) {
    this.#app = app
    this.#options = options
    this.#kinds = new Map(options.kinds.map((kind) => [kind.kind, kind]))
    this.#throttles = [...this.#kinds.values()].flatMap((kind) =>
      kind.throttle ? [[kind.lane, kind.throttle(app)]] : [],
    )
    this.#dueJobs = new DueJobs(app)
    this.#groups = new Groups(app, (lane) => this.#counts.get(lane) ?? 0)
    this.#clockWatch = new ClockWatch(app.clock)
    this.#leases = new LeaseWatch(app.clock)
    this.bootId = app.random.uuidv7(app.clock.now())
    app.mailer.onFault((scope, fault) => void recordFault(app, scope, fault))
    app.mailer.shaping.onLimits = (pair, limits) => void storeLimits(app, pair, limits)
  }

  /** Rescues what an earlier process left running, then dispatches until stop(). */
  async start(): Promise<void> {
    const self = { bootId: this.bootId, pid: process.pid, host: hostname(), version: this.#options.version }
    await this.#followingClock((tx) => registerProcess(tx, self))
    // The database may have been away until now.
    if (!this.#options.alone) this.#leases.missed()
    this.#leases.renewed()
    await this.rescue()
    this.#unlisten = this.#app.onWake((touched) => {
      if (touched.size === 0) return
      this.#dueJobs.touch(touched)
      this.#wake()
    })
    this.#crons = [
      new Cron('* * * * * *', { utcOffset: 0 }, () => this.#wake()),
      ...startSchedules(this.#app, this.#options.schedules ?? []),
    ]
    this.#renewal = setInterval(() => void this.renew(), renewEveryMs)
    this.#wake()
  }

  /** Rescues the jobs of processes that are gone. Returns how many. */
  async rescue(): Promise<number> {
    if (!this.#options.alone && (this.#clockWatch.wasSetForward() || !this.#leases.isTrusted())) return 0
    const kindOf = (row: JobRow) => this.#kinds.get(row.kind)
    const rescue = { bootId: this.bootId, alone: this.#options.alone, kindOf }
    let total = 0
    for (let rescued = -1; rescued !== 0; total += rescued) {
      rescued = await write(this.#app, (tx) => rescueAbandoned(tx, rescue))
    }
    if (total > 0) noteRescued(this.#app, total)
    return total
  }

  /** Runs everything that is due, and everything that becomes due because of it; for tests and one-off commands. Returns how many ran. */
  async runDue(): Promise<number> {
    for (let total = 0; ; ) {
      const claimed = this.#accepting ? await this.#claim('all') : 0
      if (claimed === 0) return total
      total += claimed
      await Promise.all([...this.#running.values()].map(({ ended }) => ended))
    }
  }

  /** When the dispatcher last polled the outbox without an error. */
  lastTickAt(): Date | null {
    return this.#lastTickAt
  }

  /** Jobs running now, by lane. */
  inFlight(): Record<string, number> {
    return Object.fromEntries(Object.keys(lanes).map((lane) => [lane, this.#counts.get(lane) ?? 0]))
  }

  /**
   * Graceful stop: claims no new jobs, lets running ones finish within `graceMs`, then aborts those that have handed nothing over (their
   * attempts are given back), and waits up to 30 s more for replies to final dots and for a database that has to store the results. What is
   * still open then ends as ambiguous. What the database does not accept is found by the next start.
   */
  async stop(graceMs: number): Promise<void> {
    this.#unlisten()
    for (const cron of this.#crons) cron.stop()
    clearTimeout(this.#timer)
    await this.#endSoon(graceMs)
    await withDeadline(this.#allEnded(), this.#anyHandedOver() ? finalReplyGraceMs : overrunMs, undefined)
    this.#givesUp = true
    const open = [...this.#running.values()]
    await withDeadline(
      Promise.all(open.map((one) => this.#complete(one, one.result ?? stopped(one.handedOver)))),
      overrunMs,
      undefined,
    )
    if (this.#unwritten.size > 0)
      this.#app.log.error('stopped before the ends of all jobs were stored: the next start continues with them', {
        jobs: this.#unwritten.size,
      })
    clearInterval(this.#renewal)
    if (this.#crons.length === 0) return
    const signedOff = write(this.#app, (tx) => signOff(tx, this.bootId)).catch(() => undefined)
    await withDeadline(signedOff, overrunMs, undefined)
  }

  /**
   * Claims no new jobs, and ends those that run as stop() does: within `graceMs`, then aborted where nothing was handed over. Resolves once
   * none runs and all their ends are stored, however long that takes; resume() goes on.
   */
  async pause(graceMs: number): Promise<void> {
    await this.#endSoon(graceMs)
    await this.#allEnded()
  }

  resume(): void {
    this.#accepting = true
    this.#wake()
  }

  async #endSoon(graceMs: number): Promise<void> {
    this.#accepting = false
    await this.#looking
    await withDeadline(this.#allEnded(), graceMs, undefined)
    for (const { abort } of this.#running.values()) abort.abort('stopping')
  }

  #allEnded(): Promise<unknown> {
    return Promise.all([...this.#running.values()].map(({ ended }) => ended))
  }

  #anyHandedOver(): boolean {
    return [...this.#running.values()].some(({ handedOver }) => handedOver)
  }

  #wake(): void {
    this.#wanted = true
    this.#looking ??= this.#look()
  }

  async #look(): Promise<void> {
    try {
      while (this.#wanted && this.#accepting) {
        this.#wanted = false
        await this.#claim()
      }
    } catch (error) {
      this.#app.log.error('the dispatcher could not claim jobs', { error })
    }
    this.#looking = null
  }

  /** One poll of the outbox: claims what is due and within the limits, starts it, and sets the timer for what comes next. */
  async #claim(which?: 'all'): Promise<number> {
    const now = this.#app.clock.now()
    const policies = chooseLanes(this.#app.database.kind, this.#app.mailer.relays)
    const { due, nextDueAt } = await this.#dueJobs.poll(now.getTime(), {
      isFull: (job) => isFull(job, this.#inFlight, policies),
      all: which === 'all',
    })
    this.#lastTickAt = now
    const shares = this.#schedule(due, { now: now.getTime(), nextDueAt, policies })
    if (shares.length === 0) return 0
    const claim = { bootId: this.bootId, leaseMs: sharedLeaseMs }
    // A claim lost in a power cut leaves the job pending, as if it had never been claimed.
    const claimed = shares.some(isUrgent) ? beginUrgent() : nothing
    const taken = await write(this.#app, (tx) => claimShares(tx, shares, claim), 'volatile').finally(claimed)
    const rows = (await claimedRows(this.#app, taken)).filter(({ id }) => !this.#running.has(id)).sort(byTurn)
    const turns = new SharedTurns()
    for (const row of rows) this.#start(row, turns)
    return rows.length
  }

  /** What may start now; sets the timer for what may not yet. */
  #schedule(
    due: NextJob[],
    { now, nextDueAt, policies }: { now: number; nextDueAt: number; policies: Lanes },
  ): Share[] {
    const allowances = new Map(this.#throttles.map(([lane, throttle]) => [lane, throttle.allowance(now)]))
    const shares = scheduleFairly(due, now, this.#inFlight, this.#lastServed, { allowances, policies })
    const held = [...allowances.values()].map(({ againAt }) => againAt)
    this.#sleepUntil(Math.max(1, Math.min(...held, nextDueAt) - now))
    return shares
  }

  #sleepUntil(delayMs: number): void {
    if (this.#crons.length === 0) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#wake(), Math.min(delayMs, lookEveryMs))
  }

  #start(row: JobRow, turns: SharedTurns): void {
    const running: Running = { row, abort: new AbortController(), handedOver: false, ended: Promise.resolve() }
    this.#running.set(row.id, running)
    const counted = countedAs(row)
    this.#count(counted, 1)
    const executed = isUrgent(row) ? beginUrgent(row.workspaceId) : nothing
    // A job is an act of its own, not of the request that woke the dispatcher.
    const run = () => traceAttempt(this.#app, row, () => this.#execute(running, turns))
    running.ended = acting(systemAct(row.kind), run).finally(() => {
      executed()
      this.#running.delete(row.id)
      this.#count(counted, -1)
      if (this.#crons.length > 0) this.#wake()
    })
  }

  async #execute(running: Running, turns: SharedTurns): Promise<string | null> {
    const { row } = running
    if (!isUrgent(row) && hasCompany(row.workspaceId)) await turns.next(row.workspaceId)
    const measured = measureAttempt(this.#app, row)
    const result = await this.#run(running)
    if (result === null) return null
    await this.#complete(running, result)
    measured(result.outcome)
    return result.outcome
  }

  /** Runs the job within its time-out. Null when another process owns it by now: then there is nothing to write. */
  async #run(running: Running): Promise<JobResult | null> {
    const { row, abort } = running
    const kind = this.#kinds.get(row.kind)
    if (!kind) return { outcome: 'defer', code: 'unknown_kind', detail: row.kind, delayMs: unknownKindDelayMs }
    const timer = setTimeout(() => abort.abort('timeout'), kind.timeoutMs)
    const overdue = timeoutAfter(kind.timeoutMs + overrunMs)
    try {
      const result = await Promise.race([kind.run(this.#app, row, this.#control(running, kind)), overdue.promise])
      if (result === 'overdue') return failed(running.handedOver, 'timeout', `not done within ${kind.timeoutMs} ms`)
      return result
    } catch (error) {
      if (error instanceof LostJob) return error.reason === 'cancelled' ? cancelled : null
      if (!running.handedOver && isUnavailable(error)) return databaseAway(error)
      // The same input would throw the same AppError again, so the job is not retried.
      if (error instanceof AppError && !running.handedOver) return undecided(error)
      this.#app.log.error('a job threw', { jobId: row.id, kind: row.kind, error })
      return failed(running.handedOver, 'exception', failureText(error))
    } finally {
      clearTimeout(timer)
      overdue.clear()
    }
  }

  #control(running: Running, kind: JobKind<unknown>): JobControl {
    const { row, abort } = running
    return {
      signal: abort.signal,
      handOver: async (carriedBy = { relayId: null, receiver: null }) => {
        const refusal = await this.#groups.handOver(kind, { job: row, ...carriedBy })
        running.handedOver = refusal === null
        return refusal
      },
      progressed: () => countAnew(this.#app, row),
    }
  }

  /** Writes the end of a job. If the database is unavailable it waits, because the outside effect has happened. */
  async #complete(running: Running, result: JobResult): Promise<void> {
    const { row } = running
    const kind = this.#kinds.get(row.kind) ?? unknownKind(row)
    let told = result
    running.result = result
    for (;;) {
      try {
        const mine = await this.#groups.end(kind, row, told)
        if (!mine) this.#app.log.warn('a job was finished by somebody else', { jobId: row.id, fence: row.fence })
        return
      } catch (error) {
        if (told.outcome === 'decide' && !isUnavailable(error)) {
          told = undecided(error)
          this.#app.log.error('a job could not decide', { jobId: row.id, kind: row.kind, error })
          continue
        }
        this.#app.log.error('the end of a job could not be written; trying again', { jobId: row.id, error })
        if (this.#givesUp) return void this.#unwritten.add(row.id)
        await new Promise((resolve) => setTimeout(resolve, databaseAgainMs))
      }
    }
  }

  async #followingClock(beat: (tx: Tx) => Promise<void>): Promise<void> {
    const moved = await write(this.#app, async (tx) => {
      const jobs = await followClock(tx, sharedLeaseMs)
      await beat(tx)
      return jobs
    })
    if (moved === null) return
    this.#dueJobs.pollAgain()
    this.#app.log.warn('the clock was set back; what counted from a later time is due earlier', { jobs: moved })
  }

  /** Renews the leases of jobs that run here, and rescues abandoned ones. Called every ten seconds. */
  async renew(): Promise<void> {
    try {
      const mine = { bootId: this.bootId, leaseMs: sharedLeaseMs, jobIds: [...this.#running.keys()] }
      await this.#followingClock((tx) => renewLeases(tx, mine))
      this.#leases.renewed()
      if (!this.#options.alone) await this.rescue()
    } catch (error) {
      this.#leases.missed()
      this.#app.log.error('leases could not be renewed', { error })
    }
  }

  readonly #inFlight: InFlight = {
    lane: (lane) => this.#counts.get(lane) ?? 0,
    workspace: (lane, workspaceId) => this.#counts.get(`${lane} ${workspaceId}`) ?? 0,
    partition: (lane, workspaceId, key) => this.#counts.get(`${lane} ${workspaceId} ${key}`) ?? 0,
  }

  #count(names: string[], change: 1 | -1): void {
    for (const name of names) {
      const count = (this.#counts.get(name) ?? 0) + change
      if (count === 0) this.#counts.delete(name)
      else this.#counts.set(name, count)
    }
  }
}

function countedAs({ lane, workspaceId, partitionKey }: JobRow): string[] {
  const ofWorkspace = `${lane} ${workspaceId}`
  return [lane, ofWorkspace, `${ofWorkspace} ${partitionKey}`]
}

function nothing(): void {}
