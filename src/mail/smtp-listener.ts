// Receives mail (RFC 5321): the sockets, how many there may be and how long they may stay. The conversation itself is in smtp-session.ts.
// It knows no tables: the handlers know the recipients and store the mail.

import { createServer, type Server, type Socket } from 'node:net'
import { plainAddress } from '../kit/ip-address.ts'
import { type ListenAddress, listenFailure } from '../kit/listen.ts'
import { endSoon } from './end-soon.ts'
import { createPlaces, type SmtpLimits } from './smtp-places.ts'
import { type SessionTls, type SmtpHandlers, SmtpSession } from './smtp-session.ts'

const mb = 1024 * 1024

const smtpLimits: SmtpLimits = {
  maxMessageBytes: 25 * mb,
  maxHeldBytes: 128 * mb,
  maxRecipients: 50,
  connections: 200,
  connectionsPerNetwork: 20,
  idleMs: 60_000,
  dataMs: 5 * 60_000,
  sessionMs: 10 * 60_000,
  signInMs: 60_000,
}

export interface SmtpListenerOptions {
  /** 0 = any free one. */
  port: number
  host: string
  /** The setting that names the port. */
  setting: string
  /** Our own host name. */
  name: string
  tls?: SessionTls | undefined
  /** Of one session. */
  handlersOf(peer: { address: string }): SmtpHandlers
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
  const places = createPlaces(limits)
  const server = createServer({ noDelay: true }, (socket) => {
    const address = plainAddress(socket.remoteAddress ?? '')
    const giveBack = places.take(address)
    if (giveBack === null) {
      turnAway(socket, options.name)
      return
    }
    const handlers = options.handlersOf({ address })
    const session = new SmtpSession(socket, { ...options, handlers, limits, held, address })
    sessions.add(session)
    session.ended.finally(() => {
      sessions.delete(session)
      giveBack()
    })
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

function listening(server: Server, { port, host, setting }: ListenAddress): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(listenFailure(error, { host, port, setting })))
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
