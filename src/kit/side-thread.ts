// Runs work on untrusted bytes away from the main thread: one Worker, started with the first job and ended when it is idle. When a job
// occupies it too long, that job fails, the Worker is ended, and the other jobs run again on a new one.

import { AppError } from './error.ts'

/** Messages to the Worker (side-thread-inside.ts). */
export type ToInside =
  | { kind: 'job'; id: number; name: string; input: unknown }
  | { kind: 'answer'; question: number; value?: unknown; failure?: Failure }
  | { kind: 'ping' }

/** Messages from the Worker; any of them shows that it is alive. */
export type FromInside =
  /** From now on this job occupies the thread. */
  | { kind: 'running'; id: number }
  | { kind: 'done'; id: number; value: unknown }
  | { kind: 'failed'; id: number; failure: Failure }
  | { kind: 'question'; question: number; id: number; about: unknown }
  | { kind: 'alive' }

/** An error in transit between the threads. */
export interface Failure {
  message: string
  code?: string
}

/** The work that a thread can do, by name. */
export type Work = Record<string, (input: never, ask: Ask) => unknown>
/** Asks the main thread a question. */
export type Ask = (about: unknown) => Promise<unknown>

/** The job occupied the thread too long, or crashed it. */
export class ThreadStuck extends Error {}

/** What is needed of a Worker. */
export type Thread = Pick<Worker, 'addEventListener' | 'postMessage' | 'terminate'>

export interface SideThreadOptions {
  start(): Thread
  /** What a job asks of the main thread; when it rejects, the question fails there. */
  answer(about: unknown): Promise<unknown>
  maxJobs?: number
  /** The total bytes of all unfinished jobs. */
  maxBytes?: number
  /** How long one job may occupy the thread. */
  stallMs?: number
  /** The limit from the request to the result. */
  deadlineMs?: number
}

const defaults = { maxJobs: 200, maxBytes: 256 * 1024 * 1024, stallMs: 5_000, deadlineMs: 60_000 }
/** From the start of a thread to its first message, while it loads its modules. */
const startMs = 30_000
/** An idle thread is ended, because it would only hold memory. */
const idleMs = 60_000
/** How often a job is run again because another job blocked the thread. */
const maxRuns = 3

interface Job {
  id: number
  name: string
  input: unknown
  bytes: number
  stallMs: number
  runs: number
  deadline: ReturnType<typeof setTimeout>
  resolve(value: unknown): void
  reject(error: Error): void
}

export class SideThread<W extends Work> {
  readonly #options: Required<SideThreadOptions>
  readonly #jobs = new Map<number, Job>()
  #worker: Thread | null = null
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

  /** Throws `overloaded`, ThreadStuck, and what the work throws (its message and code). `bytes`: the memory that the job holds. */
  run<K extends string & keyof W>(
    name: K,
    input: Parameters<W[K]>[0],
    bytes: number,
    stallMs = this.#options.stallMs,
  ): Promise<Awaited<ReturnType<W[K]>>> {
    const { maxJobs, maxBytes, deadlineMs } = this.#options
    if (this.#closed || this.#jobs.size >= maxJobs || this.#bytes + bytes > maxBytes)
      return Promise.reject(overloaded())
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const id = ++this.#lastId
    const deadline = setTimeout(() => this.#end(id)?.reject(overloaded()), deadlineMs)
    const job = { id, name, input, bytes, stallMs, runs: 0, deadline, resolve, reject }
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

  #started(): Thread {
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

  /** Twice in a row, so that a pause of this thread, in which messages stay unread, does not count. */
  #look(): void {
    if (this.#jobs.size === 0) this.#heardAt = Math.max(this.#heardAt, performance.now())
    const stallMs = this.#jobs.get(this.#running ?? 0)?.stallMs ?? this.#options.stallMs
    const isSilent = performance.now() - this.#heardAt > stallMs
    if (isSilent && this.#isSuspect) this.#restart()
    else {
      this.#isSuspect = isSilent
      this.#worker?.postMessage({ kind: 'ping' } satisfies ToInside)
    }
  }

  /** The job that occupied the thread fails; the others run again. */
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

/** Too much is waiting: this job was not accepted, or not finished in time. */
function overloaded(): AppError {
  return new AppError('overloaded', 'Too much work is waiting; try again in a moment.', { retryAfterSeconds: 5 })
}

export function toFailure(error: unknown): Failure {
  if (!(error instanceof Error)) return { message: String(error) }
  return { message: error.message, ...('code' in error ? { code: String(error.code) } : {}) }
}

export function toError({ message, code }: Failure): Error {
  return code === undefined ? new Error(message) : Object.assign(new Error(message), { code })
}
