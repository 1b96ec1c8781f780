// One connection to one checked address, and the HTTP/1.1 exchanges on it. It connects to the address itself, so no name is looked up
// again; for TLS, the name is used for SNI and certificate checks.

import type { Socket, SocketHandler } from 'bun'
import { withoutUndefined } from '../without-undefined.ts'
import { type Progress, type ResponseHead, ResponseReader } from './response.ts'

export interface Target {
  /** A checked IP address. */
  address: string
  port: number
  /** Null = plain HTTP. */
  tls: { serverName: string; ca: string | undefined } | null
}

export type ConnectFailure = 'connect_failed' | 'connect_timeout' | 'tls_failed' | 'certificate_invalid'
export type ExchangeFailure = 'timeout' | 'cut' | 'protocol_error' | 'headers_too_large' | 'aborted'

export type Exchanged =
  | { ok: true; head: ResponseHead; body: Buffer }
  | { ok: false; code: ExchangeFailure /** No byte of an answer had come. */; unanswered: boolean }

/** Once the status is known, a body that is only for the log is not waited for longer than this. */
const bodyGraceMs = 1_000

interface Exchange {
  reader: ResponseReader
  isWhole: boolean
  answered: boolean
  settle(result: Exchanged): void
}

export class OutboundConnection {
  readonly #target: Target
  readonly #ready = Promise.withResolvers<ConnectFailure | null>()
  #socket: Socket<OutboundConnection> | null = null
  #exchange: Exchange | null = null
  #grace: ReturnType<typeof setTimeout> | undefined
  #unsent: Uint8Array = new Uint8Array()
  #open = true

  private constructor(target: Target) {
    this.#target = target
  }

  /** Resolves with a connection that is ready for a request, or with why there is none. */
  static async open(target: Target, timeoutMs: number): Promise<OutboundConnection | ConnectFailure> {
    const connection = new OutboundConnection(target)
    const timer = setTimeout(() => connection.#ready.resolve('connect_timeout'), timeoutMs)
    connection.#connect()
    const failure = await connection.#ready.promise
    clearTimeout(timer)
    if (failure === null) return connection
    connection.destroy()
    return failure
  }

  /** False once it has closed: it can carry no further exchange. */
  get isOpen(): boolean {
    return this.#open
  }

  /**
   * Sends `request` and reads the response, with `wholeBytes` to the end or that many bytes of its body. Aborting `signal` ends both; its
   * reason `timeout` is reported as such.
   */
  async exchange(request: Uint8Array, signal: AbortSignal, wholeBytes?: number): Promise<Exchanged> {
    const { promise, resolve } = Promise.withResolvers<Exchanged>()
    const reader = new ResponseReader(wholeBytes)
    this.#exchange = { reader, isWhole: wholeBytes !== undefined, answered: false, settle: resolve }
    const onAbort = () => this.#abort(signal.reason === 'timeout' ? 'timeout' : 'aborted')
    if (!this.#open) this.#fail('cut')
    else if (signal.aborted) onAbort()
    else {
      signal.addEventListener('abort', onAbort)
      this.#unsent = request
      this.#flush()
    }
    const result = await promise
    signal.removeEventListener('abort', onAbort)
    return result
  }

  destroy(): void {
    this.#open = false
    this.#socket?.terminate()
  }

  #connect(): void {
    const { address, port, tls } = this.#target
    const options = { hostname: address, port, socket: handlers, data: this }
    const connecting =
      tls === null
        ? Bun.connect(options)
        : Bun.connect({
            ...options,
            tls: {
              serverName: tls.serverName,
              rejectUnauthorized: true,
              ...withoutUndefined({ ca: tls.ca }),
            },
          })
    connecting.catch(() => this.opened(null))
  }

  /** Null = nobody took the connection. */
  opened(socket: Socket<OutboundConnection> | null): void {
    this.#socket = socket
    if (socket === null) this.#ready.resolve('connect_failed')
    else if (!this.#open) socket.terminate()
    else if (this.#target.tls === null) this.#ready.resolve(null)
  }

  secured(success: boolean, error: Error | null): void {
    if (success && error === null) this.#ready.resolve(null)
    else this.#ready.resolve(error === null ? 'tls_failed' : 'certificate_invalid')
  }

  received(chunk: Uint8Array): void {
    const exchange = this.#exchange
    // Bytes that answer no request make everything after them ambiguous.
    if (!exchange) this.destroy()
    else {
      exchange.answered = true
      this.#advance(exchange, exchange.reader.push(chunk))
    }
  }

  closed(): void {
    this.#open = false
    this.#ready.resolve(this.#target.tls === null ? 'connect_failed' : 'tls_failed')
    this.#abort('cut')
  }

  drained(): void {
    this.#flush()
  }

  #advance({ reader, isWhole }: Exchange, progress: Progress): void {
    if (progress === 'done') this.#answer()
    else if (progress !== 'more') this.#fail(progress)
    else if (reader.head && !isWhole) this.#grace ??= setTimeout(() => this.#answer(), bodyGraceMs)
  }

  #flush(): void {
    if (this.#unsent.length === 0 || !this.#socket) return
    const written = this.#socket.write(this.#unsent)
    this.#unsent = this.#unsent.subarray(Math.max(0, written))
  }

  #answer(): void {
    const exchange = this.#end()
    if (!exchange?.reader.head) return
    const { reader } = exchange
    if (!reader.reusable || this.#unsent.length > 0) this.destroy()
    exchange.settle({ ok: true, head: exchange.reader.head, body: reader.body })
  }

  /** A response whose status was read counts, wherever its body was cut off. */
  #abort(code: ExchangeFailure): void {
    if (this.#exchange?.reader.head) this.#answer()
    else this.#fail(code)
  }

  #fail(code: ExchangeFailure): void {
    const exchange = this.#end()
    this.destroy()
    exchange?.settle({ ok: false, code, unanswered: !exchange.answered })
  }

  #end(): Exchange | null {
    clearTimeout(this.#grace)
    this.#grace = undefined
    const exchange = this.#exchange
    this.#exchange = null
    return exchange
  }
}

const handlers: SocketHandler<OutboundConnection> = {
  open: (socket) => socket.data.opened(socket),
  handshake: (socket, success, error) => socket.data.secured(success, error),
  data: (socket, chunk) => socket.data.received(chunk),
  drain: (socket) => socket.data.drained(),
  close: (socket) => socket.data.closed(),
  error: (socket) => socket.data.closed(),
  end: (socket) => socket.data.closed(),
}
