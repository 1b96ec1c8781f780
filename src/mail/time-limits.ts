// Time limits for the steps of a conversation. One timer serves all of them: it is only reset when a limit ends earlier than it would fire,
// or when it fired too early.

export interface Limit {
  /** performance.now() */
  at: number
  what: string
}

export class TimeLimits {
  readonly #onOver: (what: string) => void
  readonly #limits = new Set<Limit>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #timerAt = Number.POSITIVE_INFINITY

  /** `onOver` gets the `what` of the limit that was exceeded. */
  constructor(onOver: (what: string) => void) {
    this.#onOver = onOver
  }

  async keep<T>(work: Promise<T>, limitMs: number, what: string): Promise<T> {
    const limit = this.begin(limitMs, what)
    try {
      return await work
    } finally {
      this.end(limit)
    }
  }

  /** The step must end within that time: call end() with what this returns. */
  begin(limitMs: number, what: string): Limit {
    const limit = { at: performance.now() + limitMs, what }
    this.#limits.add(limit)
    if (limit.at < this.#timerAt) this.#setTimer(limit.at)
    return limit
  }

  end(limit: Limit): void {
    this.#limits.delete(limit)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#limits.clear()
  }

  #setTimer(at: number): void {
    clearTimeout(this.#timer)
    this.#timerAt = at
    if (at < Number.POSITIVE_INFINITY)
      this.#timer = setTimeout(() => this.#check(), Math.max(0, at - performance.now()))
  }

  #check(): void {
    const [first] = [...this.#limits].sort((one, other) => one.at - other.at)
    this.#setTimer(first?.at ?? Number.POSITIVE_INFINITY)
    if (first && first.at <= performance.now()) this.#onOver(first.what)
  }
}
