// Connections that carried a message and can carry another: kept for a while, by the server they lead to. A server may close one at any
// time, which says nothing about the mail that was to go over it.

import type { HandOver, MailOutcome, OutgoingMail } from './mailer.ts'
import type { SmtpConnection } from './smtp-connection.ts'

/** Servers limit how many messages one connection may carry; a new one is cheap. */
const messagesPerConnection = 200

interface Idle {
  server: string
  connection: SmtpConnection
  timer: ReturnType<typeof setTimeout>
}

export class IdleConnections {
  readonly #idleMs: number
  readonly #most: number
  #idle: Idle[] = []
  #closed = false

  constructor({ idleMs, most }: { idleMs: number; most: number }) {
    this.#idleMs = idleMs
    this.#most = most
  }

  /** Null where none is left that can carry it. */
  async send(server: string, mail: OutgoingMail, handOver: HandOver): Promise<MailOutcome | null> {
    const connection = this.#take(server)
    if (connection === null) return null
    const outcome = await this.sendOver(connection, mail, { handOver, server })
    return isStale(outcome) ? null : outcome
  }

  /** Keeps the connection afterwards. */
  async sendOver(
    connection: SmtpConnection,
    mail: OutgoingMail,
    { handOver, server }: { handOver: HandOver; server: string },
  ): Promise<MailOutcome> {
    const outcome = await connection.send(mail, handOver)
    this.#keep(server, connection)
    return outcome
  }

  close(): void {
    this.#closed = true
    for (const one of this.#idle) end(one)
    this.#idle = []
  }

  #take(server: string): SmtpConnection | null {
    for (let found = this.#last(server); found; found = this.#last(server)) {
      this.#idle = this.#idle.filter((one) => one !== found)
      clearTimeout(found.timer)
      if (found.connection.usable) return found.connection
    }
    return null
  }

  #last(server: string): Idle | undefined {
    return this.#idle.findLast((one) => one.server === server)
  }

  #keep(server: string, connection: SmtpConnection): void {
    if (!connection.usable) return
    if (this.#closed || connection.messages >= messagesPerConnection) {
      connection.close()
      return
    }
    const timer = setTimeout(() => {
      this.#idle = this.#idle.filter((one) => one.connection !== connection)
      connection.close()
    }, this.#idleMs)
    this.#idle.push({ server, connection, timer })
    const [oldest] = this.#idle.length > this.#most ? this.#idle.splice(0, 1) : []
    if (oldest) end(oldest)
  }
}

/** It had closed, or was about to: 421 to the first command (RFC 5321, 3.8). */
function isStale(outcome: MailOutcome): boolean {
  if (outcome.outcome === 'refused') return outcome.stage === 'mail' && outcome.code === 421
  return outcome.outcome === 'not_sent' && outcome.stage === 'mail' && outcome.reason === 'cut'
}

function end({ connection, timer }: Idle): void {
  clearTimeout(timer)
  connection.close()
}
