// The SMTP mailer: a pool of connections to one server, each carrying one message at a time. Who gets one is decided in places.ts.

import { second } from '../kit/duration.ts'
import { addressDomain } from '../kit/email-address.ts'
import { IdleConnections } from './idle-connections.ts'
import type { Destination, HandOver, Mailer, MailOutcome, OutgoingMail, SlowReceiver } from './mailer.ts'
import { type Claim, Places } from './places.ts'
import { defaultTimeouts, SmtpConnection, type SmtpTimeouts } from './smtp-connection.ts'
import { readSmtpUrl, type SmtpOptions } from './smtp-url.ts'

const idleMs = 20 * second

export interface SmtpTransportOptions {
  /** See readSmtpUrl(). */
  url: string
  timeouts?: Partial<SmtpTimeouts>
}

export function smtpTransport({ url, timeouts = {} }: SmtpTransportOptions): Mailer {
  return new Pool(readSmtpUrl(url), { ...defaultTimeouts, ...timeouts })
}

class Pool implements Mailer {
  readonly kind = 'smtp'
  readonly #options: SmtpOptions
  readonly #timeouts: SmtpTimeouts
  readonly #places: Places
  /** All lead to the one server. */
  readonly #idle = new IdleConnections({ idleMs, most: Number.POSITIVE_INFINITY })

  constructor(options: SmtpOptions, timeouts: SmtpTimeouts) {
    this.#options = options
    this.#timeouts = timeouts
    this.#places = new Places({ most: options.maxConnections })
  }

  async send(mail: OutgoingMail, handOver: HandOver): Promise<MailOutcome> {
    const { workspaceId, envelope } = mail
    const claim = toClaim({ workspaceId, to: envelope.to, bulk: handOver.bulk ?? false })
    return await this.#places.send(claim, handOver, (placed) => this.#sendNow(mail, placed))
  }

  turnedAway(to: Destination): MailOutcome | null {
    return this.#places.turnedAway(toClaim(to))
  }

  slowReceivers(): SlowReceiver[] {
    return this.#places.slowReceivers()
  }

  async close(): Promise<void> {
    this.#idle.close()
  }

  async #sendNow(mail: OutgoingMail, handOver: HandOver): Promise<MailOutcome> {
    const server = this.#options.host
    const sent = await this.#idle.send(server, mail, handOver)
    if (sent !== null) return sent
    const { signal } = handOver
    const connection = await SmtpConnection.open(this.#options, { signal, timeouts: this.#timeouts })
    if (!(connection instanceof SmtpConnection)) return connection
    return await this.#idle.sendOver(connection, mail, { handOver, server })
  }
}

function toClaim({ workspaceId, to, bulk }: Destination): Claim {
  return { bulk, workspace: workspaceId, domain: addressDomain(to).toLowerCase() }
}
