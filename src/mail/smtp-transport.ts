// The SMTP mailer: a pool of connections to one server, each carrying one message at a time.

import { second } from '../lib/duration.ts'
import type { HandOver, Mailer, MailOutcome, OutgoingMail } from './mailer.ts'
import { defaultTimeouts, SmtpConnection, type SmtpTimeouts } from './smtp-connection.ts'
import { readSmtpUrl, type SmtpOptions } from './smtp-url.ts'

const idleMs = 20 * second
/** Servers limit what one connection may carry; a fresh one is cheap. */
const messagesPerConnection = 200

export interface SmtpTransportOptions {
  /** See readSmtpUrl(). */
  url: string
  timeouts?: Partial<SmtpTimeouts>
}

export function smtpTransport({ url, timeouts = {} }: SmtpTransportOptions): Mailer {
  return new Pool(readSmtpUrl(url), { ...defaultTimeouts, ...timeouts })
}

interface Idle {
  connection: SmtpConnection
  timer: ReturnType<typeof setTimeout>
}

class Pool implements Mailer {
  readonly kind = 'smtp'
  readonly #options: SmtpOptions
  readonly #timeouts: SmtpTimeouts
  #idle: Idle[] = []
  #busy = 0
  #busyBulk = 0
  #queue: (() => void)[] = []
  #bulkQueue: (() => void)[] = []
  #closed = false

  constructor(options: SmtpOptions, timeouts: SmtpTimeouts) {
    this.#options = options
    this.#timeouts = timeouts
  }

  async send(mail: OutgoingMail, handOver: HandOver): Promise<MailOutcome> {
    const bulk = handOver.bulk ?? false
    if (!(await this.#place(handOver.signal, bulk))) {
      return {
        outcome: 'not_sent',
        stage: 'connect',
        reason: 'aborted',
        detail: 'stopped while waiting for a connection',
      }
    }
    try {
      return await this.#sendNow(mail, handOver)
    } finally {
      this.#busy--
      if (bulk) this.#busyBulk--
      this.#next()
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const { connection, timer } of this.#idle) {
      clearTimeout(timer)
      connection.close()
    }
    this.#idle = []
  }

  /** Bulk mail leaves one connection free, so that a mail that somebody waits for finds it. */
  #hasRoom(bulk: boolean): boolean {
    const { maxConnections } = this.#options
    return this.#busy < maxConnections && (!bulk || this.#busyBulk < Math.max(1, maxConnections - 1))
  }

  #next(): void {
    if (this.#queue.length > 0) this.#queue.shift()?.()
    else if (this.#hasRoom(true)) this.#bulkQueue.shift()?.()
  }

  #take(bulk: boolean): void {
    this.#busy++
    if (bulk) this.#busyBulk++
  }

  /** Waits for one of the pool's places. False when the signal came first. */
  async #place(signal: AbortSignal, bulk: boolean): Promise<boolean> {
    if (signal.aborted) return false
    if (this.#hasRoom(bulk)) {
      this.#take(bulk)
      return true
    }
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const queue = bulk ? this.#bulkQueue : this.#queue
    const take = () => {
      this.#take(bulk)
      resolve(true)
    }
    const abort = () => {
      const at = queue.indexOf(take)
      if (at >= 0) queue.splice(at, 1)
      resolve(false)
    }
    queue.push(take)
    signal.addEventListener('abort', abort, { once: true })
    const taken = await promise
    signal.removeEventListener('abort', abort)
    return taken
  }

  async #sendNow(mail: OutgoingMail, handOver: HandOver): Promise<MailOutcome> {
    const reused = this.#takeIdle()
    if (reused) {
      const outcome = await this.#sendOver(reused, mail, handOver)
      // A server may close an idle connection at any time; that says nothing about this mail.
      const stale = outcome.outcome === 'not_sent' && outcome.stage === 'mail' && outcome.reason === 'cut'
      if (!stale) return outcome
    }
    const { signal } = handOver
    const connection = await SmtpConnection.open(this.#options, { signal, timeouts: this.#timeouts })
    if (!(connection instanceof SmtpConnection)) return connection
    return this.#sendOver(connection, mail, handOver)
  }

  async #sendOver(connection: SmtpConnection, mail: OutgoingMail, handOver: HandOver): Promise<MailOutcome> {
    const outcome = await connection.send(mail, handOver)
    this.#keep(connection)
    return outcome
  }

  #takeIdle(): SmtpConnection | null {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      clearTimeout(idle.timer)
      if (idle.connection.usable) return idle.connection
    }
    return null
  }

  #keep(connection: SmtpConnection): void {
    if (!connection.usable) return
    if (this.#closed || connection.messages >= messagesPerConnection) {
      connection.close()
      return
    }
    const timer = setTimeout(() => {
      this.#idle = this.#idle.filter((one) => one.connection !== connection)
      connection.close()
    }, idleMs)
    this.#idle.push({ connection, timer })
  }
}
