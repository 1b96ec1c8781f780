// Groups jobs of one kind that are handed over, or end, at the same time into one transaction. Jobs that nobody waits for take their turn,
// with as many in a group as there is time for while another workspace may be waiting.

import { isUnavailable } from '../../../db/faults.ts'
import { coalesce } from '../../kit/coalesce.ts'
import { tracing } from '../../kit/trace.ts'
import { hasCompany, inTurn } from '../../kit/turn.ts'
import { type App, stepSize, type Tx, write, writeRoutine } from '../app.ts'
import { type Completion, completeJobs } from './complete.ts'
import { type HandingOver, handOver } from './hand-over.ts'
import { type JobKind, type JobResult, type JobRow, LostJob, type Outcome } from './job.ts'
import { isUrgent, type Lane } from './lanes.ts'

const inGroup = { least: 8, most: 64 }

export class Groups {
  readonly #app: App
  readonly #inFlight: (lane: Lane) => number
  readonly #endings = new Map<string, (completions: Completion<unknown>) => Promise<boolean>>()
  /** The job that came last, by kind. */
  readonly #workspaces = new Map<string, string>()
  readonly #handOvers = new Map<string, (one: HandingOver<unknown>) => Promise<Outcome | LostJob | null>>()

  constructor(app: App, inFlight: (lane: Lane) => number) {
    this.#app = app
    this.#inFlight = inFlight
  }

  /** False when the job was no longer ours. A `decide` is written by itself. */
  async end(kind: JobKind<unknown>, job: JobRow, result: JobResult): Promise<boolean> {
    this.#workspaces.set(kind.kind, job.workspaceId)
    const complete = async (tx: Tx, completions: Completion<unknown>[]) => {
      const lost = await completeJobs(tx, kind, completions)
      return completions.map((one) => !lost.includes(one.job.id))
    }
    if (result.outcome === 'decide')
      return (await this.#write(kind, (tx) => complete(tx, [{ job, result }])))[0] ?? false
    const together = this.#endings.getOrInsertComputed(kind.kind, () => this.#together(kind, complete, write))
    return together({ job, result })
  }

  /** Null, or how the job ends because its kind refuses. Throws LostJob. */
  async handOver(kind: JobKind<unknown>, one: HandingOver<unknown>): Promise<Outcome | null> {
    this.#workspaces.set(kind.kind, one.job.workspaceId)
    const enter = (tx: Tx, all: HandingOver<unknown>[]) => handOver(tx, kind, all)
    const together = this.#handOvers.getOrInsertComputed(kind.kind, () => this.#together(kind, enter, writeRoutine))
    const refusal = await together(one)
    if (refusal instanceof LostJob) throw refusal
    return refusal
  }

  #together<T, R>(kind: JobKind<unknown>, unit: (tx: Tx, items: T[]) => Promise<R[]>, by: typeof writeRoutine) {
    const sizes = stepSize(this.#app, kind.kind, inGroup)
    const run = (take: () => T[]) =>
      this.#write(
        kind,
        async (tx) => {
          const items = take()
          const began = performance.now()
          const results = await unit(tx, items)
          sizes.took(items.length, performance.now() - began)
          return results
        },
        by,
      )
    const most = () => (this.#mayGoAtOnce(kind) ? inGroup.most : sizes.next())
    // On a file a hand-over waits for no other job, because its connection could already carry the next mail.
    const isRemote = this.#app.database.kind === 'remote'
    const expected = () => (isRemote || by === write ? this.#inFlight(kind.lane) : 0)
    return coalesce(run, { most, expected, lingerMs: isRemote ? 4 : 1, isForAll: isUnavailable })
  }

  #write<T>(kind: JobKind<unknown>, unit: (tx: Tx) => Promise<T>, by = write): Promise<T> {
    const written = () => (this.#mayGoAtOnce(kind) ? by(this.#app, unit) : inTurn(kind.kind, () => by(this.#app, unit)))
    // A group belongs to no single trace; the work that its jobs cause carries its own.
    return this.#app.tracer === null ? written() : tracing(null, written)
  }

  #mayGoAtOnce(kind: JobKind<unknown>): boolean {
    return isUrgent(kind) || !hasCompany(this.#workspaces.get(kind.kind) ?? '')
  }
}
