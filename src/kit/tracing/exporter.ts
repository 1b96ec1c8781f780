// Sends spans or log lines to a collector, in batches. No request waits for it: entries that arrive while the queue is full are dropped and
// counted, and a collector that is down is retried with growing delays.

import { second } from '../duration.ts'
import type { Dialer } from '../outbound/dialer.ts'
import { version } from '../version.ts'

const maxWaiting = 4_096
const maxBatch = 512
const everyMs = 2 * second
const longestWaitMs = 60 * second
const totalMs = 10 * second
/** Those that the specification has us send again. */
const isTemporary = (status: number) => [429, 502, 503, 504].includes(status)

export interface ExporterOptions<T> {
  url: string
  headers: [string, string][]
  dialer: Dialer
  encode(items: T[]): string
  /** How many were taken, or lost, and why. */
  onEnd(count: number, lost: string | null): void
}

export class Exporter<T> {
  readonly #options: ExporterOptions<T>
  #waiting: T[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #sending: Promise<void> | null = null
  #failures = 0

  constructor(options: ExporterOptions<T>) {
    this.#options = options
  }

  add(item: T): void {
    if (this.#waiting.length >= maxWaiting) {
      this.#options.onEnd(1, 'the queue is full')
      return
    }
    this.#waiting.push(item)
    if (this.#waiting.length >= maxBatch && this.#failures === 0) void this.flush()
    else this.#timer ??= setTimeout(() => void this.flush(), this.#waitMs()).unref()
  }

  /** Sends what waits, once. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#sending ??= this.#send().finally(() => {
      this.#sending = null
      if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => void this.flush(), this.#waitMs()).unref()
    })
    await this.#sending
  }

  async close(): Promise<void> {
    await this.flush()
    clearTimeout(this.#timer)
    if (this.#waiting.length > 0) this.#options.onEnd(this.#waiting.length, 'the process ended')
    this.#waiting = []
  }

  #waitMs(): number {
    return this.#failures === 0 ? everyMs : Math.min(longestWaitMs, everyMs * 2 ** this.#failures)
  }

  async #send(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, maxBatch)
      const failure = await this.#exchange(this.#options.encode(batch))
      if (failure === 'again') {
        this.#failures++
        return
      }
      this.#failures = 0
      this.#waiting.splice(0, batch.length)
      this.#options.onEnd(batch.length, failure)
    }
  }

  /** Null when it was taken. */
  async #exchange(body: string): Promise<string | null> {
    const { url, headers, dialer } = this.#options
    const own: [string, string][] = [
      ['Content-Type', 'application/json'],
      ['User-Agent', `Paquebot/${version}`],
    ]
    const dialed = await dialer.exchange({ url, headers: [...own, ...headers], body, totalMs })
    if (dialed.outcome === 'failed') return 'again'
    const { status } = dialed.head
    if (isTemporary(status)) return 'again'
    return status >= 200 && status < 300 ? null : `it answered ${status}`
  }
}
