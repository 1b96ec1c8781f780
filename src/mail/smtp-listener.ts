// Receives mail (RFC 5321): the sockets, how many there may be and how long they may stay. The conversation itself is in smtp-session.ts.
// It knows no tables: the handlers know the recipients and store the mail.

import { createServer, type Server, type Socket } from 'node:net'
import { listenFailure } from '../lib/listen.ts'
import { endSoon, type InboundHandlers, SmtpSession } from './smtp-session.ts'

export interface SmtpLimits {
  maxMessageBytes: number
  /** The total size of mails being received; beyond it senders are asked to come back later. */
  maxHeldBytes: number
  maxRecipients: number
  connections: number
  connectionsPerAddress: number
  /** A session that is silent for this long is closed. */
  idleMs: number
  /** From 354 to the final dot. */
  dataMs: number
  sessionMs: number
}

const mb = 1024 * 1024

const smtpLimits: SmtpLimits = {
  maxMessageBytes: 25 * mb,
  maxHeldBytes: 128 * mb,
  maxRecipients: 50,
  connections: 200,
  connectionsPerAddress: 20,
  idleMs: 60_000,
  dataMs: 5 * 60_000,
  sessionMs: 10 * 60_000,
}

export interface SmtpListenerOptions {
  /** 0 = any free one. */
  port: number
  host: string
  /** Our own host name. */
  name: string
  /** PEM. Without it STARTTLS is not offered. */
  tls?: { key: string; cert: string } | undefined
  handlers: InboundHandlers
  limits?: Partial<SmtpLimits>
}

export interface SmtpListener {
  port: number
  /** Stops accepting connections; closes idle ones and waits for mails that are being stored. */
  close(): Promise<void>
}

/** Listens until close(). Rejects when the port is taken. */
export async function startSmtpListener(options: SmtpListenerOptions): Promise<SmtpListener> {
  const limits = { ...smtpLimits, ...options.limits }
  const sessions = new Set<SmtpSession>()
  const held = { bytes: 0 }
  const server = createServer({ noDelay: true }, (socket) => {
    const address = plainAddress(socket.remoteAddress ?? '')
    const ofAddress = [...sessions].filter((session) => session.address === address).length
    if (sessions.size >= limits.connections || ofAddress >= limits.connectionsPerAddress) {
      turnAway(socket, options.name)
      return
    }
    const session = new SmtpSession(socket, { ...options, limits, held, address })
    sessions.add(session)
    session.ended.finally(() => sessions.delete(session))
    session.start()
  })
  const port = await listening(server, options)
  return {
    port,
    async close() {
      server.close()
      await Promise.all([...sessions].map((session) => session.stop()))
    },
  }
}

function listening(server: Server, { port, host }: { port: number; host: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(listenFailure(error, { host, port, setting: 'INBOUND_SMTP_PORT' })))
    server.listen(port, host, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}

function turnAway(socket: Socket, name: string): void {
  socket.on('error', () => socket.destroy())
  socket.write(`421 4.7.0 ${name} too many connections\r\n`)
  endSoon(socket)
}

/** `::ffff:192.0.2.1` stands for an IPv4 address. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address
}
