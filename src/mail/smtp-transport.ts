// The SMTP mailer: a pool of connections to one server, each carrying one message at a time. Who gets one is decided in places.ts.

import { second } from '../kit/duration.ts'
import { addressDomain } from '../kit/email-address.ts'
import type { Destination, HandOver, Mailer, MailOutcome, OutgoingMail, SlowReceiver } from './mailer.ts'
import { type Claim, Places } from './places.ts'
import { defaultTimeouts, SmtpConnection, type SmtpTimeouts } from './smtp-connection.ts'
import { readSmtpUrl, type SmtpOptions } from './smtp-url.ts'

const idleMs = 20 * second
/** Servers limit how many messages one connection may carry; a new one is cheap. */
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
  readonly #places: Places
  #idle: Idle[] = []
  #closed = false

  constructor(options: SmtpOptions, timeouts: SmtpTimeouts) {
    this.#options = options
    this.#timeouts = timeouts
    this.#places = new Places(options.maxConnections)
  }

  async send(mail: OutgoingMail, handOver: HandOver): Promise<MailOutcome> {
    const { workspaceId, envelope } = mail
    const claim = toClaim({ workspaceId, to: envelope.to, bulk: handOver.bulk ?? false })
    const place = await this.#places.take(claim, handOver.signal)
    if ('outcome' in place) return place
    const recalled = place.recall.signal
    const beforeFinalDot = () => this.#places.handOver(place, () => handOver.beforeFinalDot())
    const signal = AbortSignal.any([handOver.signal, recalled])
    const sent = this.#sendNow(mail, { ...handOver, signal, beforeFinalDot })
    const outcome = await sent.finally(() => this.#places.giveBack(place))
    const gaveWay = outcome.outcome === 'not_sent' && recalled.aborted && !handOver.signal.aborted
    return gaveWay ? this.#places.later(claim) : outcome
  }

  turnedAway(to: Destination): MailOutcome | null {
    return this.#places.turnedAway(toClaim(to))
  }

  slowReceivers(): SlowReceiver[] {
    return this.#places.slowReceivers()
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const { connection, timer } of this.#idle) {
      clearTimeout(timer)
      connection.close()
    }
    this.#idle = []
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

function toClaim({ workspaceId, to, bulk }: Destination): Claim {
  return { bulk, workspace: workspaceId, domain: addressDomain(to).toLowerCase() }
}
