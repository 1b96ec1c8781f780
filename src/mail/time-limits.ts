// How long the steps of a conversation may take. One timer stands for all of them: it is set anew only where a limit ends earlier than it
// would, or when it has come too early.

interface Limit {
  /** performance.now() */
  at: number
  what: string
}

export class TimeLimits {
  readonly #onOver: (what: string) => void
  readonly #limits = new Set<Limit>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #timerAt = Number.POSITIVE_INFINITY

  /** `onOver` is told what took too long. */
  constructor(onOver: (what: string) => void) {
    this.#onOver = onOver
  }

  async keep<T>(work: Promise<T>, limitMs: number, what: string): Promise<T> {
    const limit = { at: performance.now() + limitMs, what }
    this.#limits.add(limit)
    if (limit.at < this.#timerAt) this.#setTimer(limit.at)
    try {
      return await work
    } finally {
      this.#limits.delete(limit)
    }
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
