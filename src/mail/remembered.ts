// What was found out about a name, kept for a while. Whoever asks meanwhile, or while it is found out, gets the same.

import type { Clock } from '../kit/clock.ts'

interface Entry<T> {
  /** Null while it is found out. */
  value: T | null
  loading: Promise<T>
  until: number
}

/** Names that are remembered. */
const most = 10_000

export class Remembered<T> {
  readonly #clock: Clock
  readonly #load: (name: string) => Promise<T>
  readonly #keptMs: (value: T) => number
  readonly #kept = new Map<string, Entry<T>>()

  /** `keptMs`: for how long. What throws is not remembered. */
  constructor(clock: Clock, { load, keptMs }: { load: (name: string) => Promise<T>; keptMs: (value: T) => number }) {
    this.#clock = clock
    this.#load = load
    this.#keptMs = keptMs
  }

  /** Null where it is not known, or not any more. */
  known(name: string): T | null {
    const kept = this.#kept.get(name)
    return kept && this.#now() < kept.until ? kept.value : null
  }

  async find(name: string): Promise<T> {
    const kept = this.#kept.get(name)
    if (kept && this.#now() < kept.until) return await kept.loading
    const loading = this.#load(name)
    const entry: Entry<T> = { value: null, loading, until: Number.POSITIVE_INFINITY }
    this.#kept.delete(name)
    const oldest = this.#kept.size < most ? undefined : this.#kept.keys().next().value
    if (oldest !== undefined) this.#kept.delete(oldest)
    this.#kept.set(name, entry)
    entry.value = await loading.catch((error) => {
      this.#kept.delete(name)
      throw error
    })
    entry.until = this.#now() + this.#keptMs(entry.value)
    return entry.value
  }

  #now(): number {
    return this.#clock.now().getTime()
  }
}
