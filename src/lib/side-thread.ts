// Work on strangers' bytes, away from the thread that serves: one Worker, started with the first job and ended when it is idle. Work that
// holds it too long is given up, the Worker is ended, and what stood beside that work runs again on a new one.

import { AppError } from './error.ts'

/** What the inside (side-thread-inside.ts) is sent. */
export type ToInside =
  | { kind: 'job'; id: number; name: string; input: unknown }
  | { kind: 'answer'; question: number; value?: unknown; failure?: Failure }
  | { kind: 'ping' }

/** What the inside says; all of it is a sign of life. */
export type FromInside =
  /** From here on this job holds the thread. */
  | { kind: 'running'; id: number }
  | { kind: 'done'; id: number; value: unknown }
  | { kind: 'failed'; id: number; failure: Failure }
  | { kind: 'question'; question: number; id: number; about: unknown }
  | { kind: 'alive' }

/** An error on its way between the threads. */
export interface Failure {
  message: string
  code?: string
}

/** The work a thread does, by name. */
export type Work = Record<string, (input: never, ask: Ask) => unknown>
/** Asks the main thread. */
export type Ask = (about: unknown) => Promise<unknown>

/** The job held the thread too long, or broke it. */
export class ThreadStuck extends Error {}

export interface SideThreadOptions {
  start(): Worker
  /** What a job asks of the main thread; the question ends with its rejection there. */
  answer(about: unknown): Promise<unknown>
  maxJobs?: number
  /** Bytes of all jobs that have not ended. */
  maxBytes?: number
  /** How long one job may hold the thread. */
  stallMs?: number
  /** From asking to the answer. */
  deadlineMs?: number
}

const defaults = { maxJobs: 200, maxBytes: 256 * 1024 * 1024, stallMs: 5_000, deadlineMs: 60_000 }
/** From the start of a thread to its first sign of life: it loads what its work needs. */
const startMs = 30_000
/** A quiet thread is ended: it would hold its memory for nothing. */
const idleMs = 60_000
/** How often a job runs again because a neighbour was stuck. */
const maxRuns = 3

interface Job {
  id: number
  name: string
  input: unknown
  bytes: number
  runs: number
  deadline: ReturnType<typeof setTimeout>
  resolve(value: unknown): void
  reject(error: Error): void
}

export class SideThread<W extends Work> {
  readonly #options: Required<SideThreadOptions>
  readonly #jobs = new Map<number, Job>()
  #worker: Worker | null = null
  #watch: ReturnType<typeof setInterval> | undefined
  #idle: ReturnType<typeof setTimeout> | undefined
  #lastId = 0
  #bytes = 0
  #running: number | null = null
  #heardAt = 0
  #isSuspect = false
  #closed = false

  constructor(options: SideThreadOptions) {
    this.#options = { ...defaults, ...options }
  }

  /** Throws `overloaded`, ThreadStuck, and what the work throws (its message and code). `bytes`: what the job holds in memory. */
  run<K extends string & keyof W>(
    name: K,
    input: Parameters<W[K]>[0],
    bytes: number,
  ): Promise<Awaited<ReturnType<W[K]>>> {
    const { maxJobs, maxBytes, deadlineMs } = this.#options
    if (this.#closed || this.#jobs.size >= maxJobs || this.#bytes + bytes > maxBytes)
      return Promise.reject(overloaded())
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const id = ++this.#lastId
    const deadline = setTimeout(() => this.#end(id)?.reject(overloaded()), deadlineMs)
    const job = { id, name, input, bytes, runs: 0, deadline, resolve, reject }
    this.#jobs.set(id, job)
    this.#bytes += bytes
    this.#post(job)
    return promise as Promise<Awaited<ReturnType<W[K]>>>
  }

  close(): void {
    this.#closed = true
    this.#stop()
    for (const id of [...this.#jobs.keys()]) this.#end(id)?.reject(overloaded())
  }

  #post(job: Job): void {
    clearTimeout(this.#idle)
    job.runs++
    const worker = this.#started()
    worker.postMessage({ kind: 'job', id: job.id, name: job.name, input: job.input } satisfies ToInside)
  }

  #started(): Worker {
    if (this.#worker) return this.#worker
    const worker = this.#options.start()
    this.#worker = worker
    this.#heardAt = performance.now() + startMs
    this.#isSuspect = false
    worker.addEventListener('message', ({ data }: MessageEvent<FromInside>) => {
      if (this.#worker === worker) this.#hear(data)
    })
    const broken = () => {
      if (this.#worker === worker) this.#restart()
    }
    worker.addEventListener('error', broken)
    worker.addEventListener('close', broken)
    this.#watch = setInterval(() => this.#look(), this.#options.stallMs / 5)
    return worker
  }

  #hear(message: FromInside): void {
    this.#heardAt = performance.now()
    this.#isSuspect = false
    if (message.kind === 'running') this.#running = message.id
    else if (message.kind === 'question') void this.#answer(message)
    else if (message.kind === 'done') this.#end(message.id)?.resolve(message.value)
    else if (message.kind === 'failed') this.#end(message.id)?.reject(toError(message.failure))
  }

  async #answer({ question, about }: { question: number; about: unknown }): Promise<void> {
    const worker = this.#worker
    const answer: ToInside = await this.#options.answer(about).then(
      (value) => ({ kind: 'answer', question, value }),
      (error) => ({ kind: 'answer', question, failure: toFailure(error) }),
    )
    if (this.#worker === worker) worker?.postMessage(answer)
  }

  #end(id: number): Job | undefined {
    const job = this.#jobs.get(id)
    if (!job) return undefined
    clearTimeout(job.deadline)
    this.#jobs.delete(id)
    this.#bytes -= job.bytes
    if (this.#jobs.size === 0 && !this.#closed) {
      this.#idle = setTimeout(() => this.#stop(), idleMs)
      this.#idle.unref()
    }
    return job
  }

  /** Twice in a row, so that a pause of this thread, which leaves signs of life unread, does not count. */
  #look(): void {
    if (this.#jobs.size === 0) this.#heardAt = Math.max(this.#heardAt, performance.now())
    const isSilent = performance.now() - this.#heardAt > this.#options.stallMs
    if (isSilent && this.#isSuspect) this.#restart()
    else {
      this.#isSuspect = isSilent
      this.#worker?.postMessage({ kind: 'ping' } satisfies ToInside)
    }
  }

  /** The job that held the thread is given up; the others run again. */
  #restart(): void {
    const culprit = this.#running
    this.#stop()
    if (culprit !== null) this.#end(culprit)?.reject(new ThreadStuck('it held its thread too long'))
    for (const job of [...this.#jobs.values()]) {
      if (job.runs < maxRuns) this.#post(job)
      else this.#end(job.id)?.reject(new ThreadStuck('it was beside work that broke its thread'))
    }
  }

  #stop(): void {
    const worker = this.#worker
    this.#worker = null
    this.#running = null
    clearInterval(this.#watch)
    clearTimeout(this.#idle)
    worker?.terminate()
  }
}

/** So much is waiting that this job was not taken, or not ended in time. */
function overloaded(): AppError {
  return new AppError('overloaded', 'Too much work is waiting at the moment. Try again.', { retryAfterSeconds: 5 })
}

export function toFailure(error: unknown): Failure {
  if (!(error instanceof Error)) return { message: String(error) }
  return { message: error.message, ...('code' in error ? { code: String(error.code) } : {}) }
}

export function toError({ message, code }: Failure): Error {
  return code === undefined ? new Error(message) : Object.assign(new Error(message), { code })
}
