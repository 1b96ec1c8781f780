// The socket under a conversation with a mail server: to its address, encrypted for its name. On the sockets of Bun itself: through a stream
// each piece of a mail costs some promises and callbacks more.

import type { Socket, SocketHandler, TLSOptions } from 'bun'
import { withoutUndefined } from '../kit/without-undefined.ts'
import type { NotSentReason, SmtpStage } from './mailer.ts'
import type { SmtpOptions } from './smtp-url.ts'

export interface SocketEvents {
  /** Connected, or encrypted where that was asked for. */
  ready(): void
  received(data: Buffer): void
  /** What write() kept is written. */
  drained(): void
  /** Called once, unless we ended it; null: the server closed it. */
  ended(error: Error | null): void
}

/** A server that was told QUIT has as long to close the connection. */
const closeSeconds = 10

/** The handshake failed, or was cut off. */
class NoTls extends Error {
  readonly code = 'ERR_TLS_HANDSHAKE'

  constructor(cause: Error | null) {
    super(`no TLS: ${cause?.message ?? 'the server closed the connection'}`, { cause })
  }
}

export class MailSocket {
  readonly #options: SmtpOptions
  readonly #events: SocketEvents
  #socket: Socket<MailSocket> | null = null
  #unsent: Buffer[] = []
  #isOver = false
  /** A handshake of TLS has begun, and not come to an agreement. */
  #isSecuring = false
  #isEncrypted = false
  #isTrusted = false

  /** Connects. */
  constructor(options: SmtpOptions, events: SocketEvents) {
    this.#options = options
    this.#events = events
    const { host, address = host, port, localAddress, secure } = options
    const tls = secure ? { tls: trust(options) } : {}
    const to = { hostname: address, port, data: this, socket: handlers, ...withoutUndefined({ localAddress }), ...tls }
    Bun.connect<MailSocket>(to).catch((error: Error) => this.closed(null, error))
  }

  get isEncrypted(): boolean {
    return this.#isEncrypted
  }

  /** Encrypted, with a certificate that is valid for the host. */
  get isTrusted(): boolean {
    return this.#isTrusted
  }

  /** False: the rest goes when the server has read more (`drained`). */
  write(data: string | Buffer): boolean {
    const written = this.#unsent.length > 0 ? 0 : (this.#socket?.write(data) ?? 0)
    if (written < data.length) this.#unsent.push(asBytes(data).subarray(Math.max(0, written)))
    return this.#unsent.length === 0
  }

  /** STARTTLS: the same connection, encrypted from here on. */
  secure(): void {
    const [, secured] = this.#socket?.upgradeTLS({ data: this, tls: trust(this.#options), socket: handlers }) ?? []
    this.#socket = secured ?? null
    this.#isSecuring = true
  }

  /** Says a last word that nobody waits for the answer to. */
  end(last: string): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#socket?.timeout(closeSeconds)
    this.#socket?.unref()
    this.#socket?.end(last)
  }

  destroy(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#socket?.terminate()
  }

  opened(socket: Socket<MailSocket>): void {
    this.#socket = socket
    this.#isSecuring = this.#options.secure
    if (this.#isOver) socket.terminate()
    else if (!this.#options.secure) this.#events.ready()
  }

  /** `error`: what is wrong with the certificate, or why there is no encryption. */
  secured(socket: Socket<MailSocket>, error: Error | null): void {
    if (this.#isOver || socket !== this.#socket) return
    // Only a handshake that was completed agrees on a cipher.
    this.#isSecuring = !socket.getCipher()?.name
    this.#isTrusted = !this.#isSecuring && error === null
    this.#isEncrypted = this.#isTrusted || (!this.#isSecuring && !this.#options.verifyCertificate)
    if (this.#isEncrypted) this.#events.ready()
    else this.closed(socket, error)
  }

  received(socket: Socket<MailSocket>, data: Buffer): void {
    // Of a connection that was encrypted, the bytes come a second time, as they are on the wire.
    if (!this.#isOver && socket === this.#socket) this.#events.received(data)
  }

  drained(): void {
    if (this.#isOver || this.#unsent.length === 0) return
    const unsent = this.#unsent
    this.#unsent = []
    for (const data of unsent) this.write(data)
    if (this.#unsent.length === 0) this.#events.drained()
  }

  closed(socket: Socket<MailSocket> | null, error: Error | null): void {
    if (this.#isOver || socket !== this.#socket) return
    this.destroy()
    this.#events.ended(this.#isSecuring ? new NoTls(error) : error)
  }
}

const handlers: SocketHandler<MailSocket> = {
  open: (socket) => socket.data.opened(socket),
  handshake: (socket, _, error) => socket.data.secured(socket, error),
  data: (socket, data) => socket.data.received(socket, data),
  drain: (socket) => socket.data.drained(),
  close: (socket, error) => socket.data.closed(socket, error ?? null),
  error: (socket, error) => socket.data.closed(socket, error),
  end: (socket) => socket.data.closed(socket, null),
  timeout: (socket) => void socket.terminate(),
}

/** Commands are ASCII. */
function asBytes(data: string | Buffer): Buffer {
  return typeof data === 'string' ? Buffer.from(data, 'latin1') : data
}

function trust({ host, verifyCertificate: rejectUnauthorized, ca }: SmtpOptions): TLSOptions {
  return { rejectUnauthorized, ...withoutUndefined({ serverName: isIpLiteral(host) ? undefined : host, ca }) }
}

function isIpLiteral(host: string): boolean {
  return host.includes(':') || /^\d+\.\d+\.\d+\.\d+$/.test(host)
}

function codeOf(error: Error | null): string {
  return error !== null && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

export function toReason(error: Error, stage: SmtpStage): NotSentReason {
  const code = codeOf(error)
  if (code === 'ECONNREFUSED') return 'refused_connection'
  if (code.startsWith('ENOTFOUND') || code.startsWith('EAI_') || code.startsWith('DNS')) return 'dns'
  if (code === 'ETIMEDOUT') return 'timeout'
  if (stage === 'starttls' || /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO|DEPTH_ZERO/i.test(code)) return 'tls'
  return 'cut'
}
