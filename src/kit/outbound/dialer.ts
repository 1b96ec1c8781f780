// The only outbound HTTP. The URL is checked as written, its name is resolved once, every resolved address is checked, and the connection
// goes to a checked address, so there is no second look-up that could return another one. Failures are returned as data, with a fixed set
// of codes: they tell a user what to fix and reveal nothing about our network.

import { lookup } from 'node:dns/promises'
import { withDeadline } from '../deadline.ts'
import { second } from '../duration.ts'
import { isReachable, parseIp } from '../ip-address.ts'
import {
  type ConnectFailure,
  type Exchanged,
  type ExchangeFailure,
  OutboundConnection,
  type Target,
} from './connection.ts'
import type { ResponseHead } from './response.ts'
import { allowedCidrs, checkOutboundUrl, hostOf, type OutboundConfig, portOf } from './url.ts'

/** Every reason for not getting a response. */
export type DialFailure = 'blocked_url' | 'blocked_ip' | 'dns_failed' | ConnectFailure | ExchangeFailure

interface DialRequest {
  /** Default: POST. */
  method?: 'GET' | 'POST'
  url: string
  /** In the order and spelling in which they are sent; Host, Content-Length and similar are added. */
  headers: [name: string, value: string][]
  body: string
  /** Waits for the whole response, up to this many bytes of its body. Default: the first 8 KiB, as far as received within a second. */
  wholeBytes?: number
  /** Aborting it ends the exchange at once. */
  signal?: AbortSignal
  /** Default: that of the dialer. */
  totalMs?: number
}

export type Dialed =
  | { outcome: 'answered'; head: ResponseHead; body: Buffer; durationMs: number }
  | { outcome: 'failed'; code: DialFailure; durationMs: number }

/** Resolves a name to all its addresses. Throws when there is none. */
type Resolve = (hostname: string) => Promise<string[]>

export interface Dialer {
  /** The certificate authority that is trusted instead of the system's; PEM. */
  readonly ca: string | undefined
  /** Sends one request and reads the response. Never throws for what the other side does; follows no redirects. */
  exchange(request: DialRequest): Promise<Dialed>
  /** Closes idle connections. */
  close(): void
}

export interface DialerOptions {
  resolve?: Resolve
  /** A certificate authority to trust instead of the system's; PEM. */
  ca?: string
  /** Where a server of https: listens that names no port: 443, but for tests. */
  httpsPort?: number
  /** The limit for looking up the name, connecting and the TLS handshake. */
  connectMs?: number
  /** The limit for a whole exchange. */
  totalMs?: number
}

const defaultConnectMs = 5 * second
const defaultTotalMs = 20 * second
/** How many addresses of a name are tried. */
const maxTried = 3
const maxIdle = 256
const idleMs = 4 * second

/** To addresses that the operator names, which may be within a private network. */
export function createOperatorDialer(config: OutboundConfig): Dialer {
  return createDialer({ ...config, webhookAllowCidrs: ['0.0.0.0/0', '::/0'], webhookAllowHttp: true })
}

export function createDialer(config: OutboundConfig, options: DialerOptions = {}): Dialer {
  const { resolve = systemResolve, ca, httpsPort, connectMs = defaultConnectMs, totalMs = defaultTotalMs } = options
  const idle = createIdlePool()
  const exchange = async (request: DialRequest, signal: AbortSignal): Promise<AttemptResult> => {
    const checked = checkOutboundUrl(request.url, config)
    if (!checked.ok) return checked.code
    const { url } = checked
    const connectBy = performance.now() + connectMs
    const addresses = await reachable(url, { resolve, config, connectMs })
    if (!Array.isArray(addresses)) return addresses
    const bytes = requestBytes(url, request)
    let failure: AttemptResult = 'connect_failed'
    for (const address of addresses.slice(0, maxTried)) {
      const target = toTarget(url, address, { ca, httpsPort })
      failure = await exchangeWith(target, { bytes, signal, connectBy, idle, wholeBytes: request.wholeBytes })
      if (failure !== 'connect_failed') break
    }
    return failure
  }
  return {
    ca,
    async exchange(request) {
      const began = performance.now()
      const abort = new AbortController()
      const timer = setTimeout(() => abort.abort('timeout'), request.totalMs ?? totalMs)
      const onAbort = () => abort.abort(request.signal?.reason)
      if (request.signal?.aborted) onAbort()
      request.signal?.addEventListener('abort', onAbort)
      const result = await exchange(request, abort.signal)
      clearTimeout(timer)
      request.signal?.removeEventListener('abort', onAbort)
      const durationMs = Math.round(performance.now() - began)
      if (typeof result === 'string') return { outcome: 'failed', code: result, durationMs }
      return { outcome: 'answered', head: result.head, body: result.body, durationMs }
    },
    close: idle.close,
  }
}

type AttemptResult = DialFailure | { head: ResponseHead; body: Buffer }

async function systemResolve(hostname: string): Promise<string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address)
}

/** The addresses that may be connected to, IPv4 first, so that a host without IPv6 loses no time. */
async function reachable(
  url: URL,
  { resolve, config, connectMs }: { resolve: Resolve; config: OutboundConfig; connectMs: number },
): Promise<string[] | DialFailure> {
  const host = hostOf(url)
  // An IP literal was checked with its URL.
  if (parseIp(host)) return [host]
  const found = await withDeadline(
    resolve(host).catch(() => null),
    connectMs,
    null,
  )
  if (found === null || found.length === 0) return 'dns_failed'
  const cidrs = allowedCidrs(config)
  const allowed = found.filter((address) => isReachable(address, cidrs))
  if (allowed.length === 0) return 'blocked_ip'
  return allowed.sort((one, other) => Number(one.includes(':')) - Number(other.includes(':')))
}

function toTarget(
  url: URL,
  address: string,
  { ca, httpsPort = portOf(url) }: { ca: string | undefined; httpsPort: number | undefined },
): Target {
  const port = url.protocol === 'https:' && url.port === '' ? httpsPort : portOf(url)
  return { address, port, tls: url.protocol === 'https:' ? { serverName: hostOf(url), ca } : null }
}

function requestBytes(url: URL, { method = 'POST', headers, body }: DialRequest): Uint8Array {
  const lines = [
    `${method} ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(method === 'GET' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    'Accept-Encoding: identity',
    'Connection: keep-alive',
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)
}

interface ExchangeParts {
  bytes: Uint8Array
  signal: AbortSignal
  connectBy: number
  idle: IdlePool
  wholeBytes: number | undefined
}

async function exchangeWith(target: Target, parts: ExchangeParts): Promise<AttemptResult> {
  const { bytes, signal, connectBy, idle, wholeBytes } = parts
  for (;;) {
    const reused = idle.take(target)
    const connection = reused ?? (await OutboundConnection.open(target, Math.max(1, connectBy - performance.now())))
    if (typeof connection === 'string') return signal.aborted ? abortCode(signal) : connection
    const result: Exchanged = await connection.exchange(bytes, signal, wholeBytes)
    if (result.ok) {
      idle.keep(target, connection)
      return result
    }
    // An idle connection may have been closed just as it was taken; a new one shows the real state.
    if (!reused || result.code !== 'cut' || !result.unanswered) return result.code
  }
}

function abortCode(signal: AbortSignal): ExchangeFailure {
  return signal.reason === 'timeout' ? 'timeout' : 'aborted'
}

interface IdlePool {
  take(target: Target): OutboundConnection | null
  keep(target: Target, connection: OutboundConnection): void
  close(): void
}

/**
 * Idle connections by checked address, port and certificate name. Each use checks the address anew, so a connection is never used after the
 * policy changed.
 */
function createIdlePool(): IdlePool {
  const idle = new Map<string, { connection: OutboundConnection; timer: ReturnType<typeof setTimeout> }[]>()
  const keyOf = ({ address, port, tls }: Target) => `${address} ${port} ${tls?.serverName ?? ''}`
  let count = 0
  const pop = (key: string) => {
    const waiting = idle.get(key)
    const last = waiting?.pop()
    if (!waiting || !last) return null
    if (waiting.length === 0) idle.delete(key)
    count--
    clearTimeout(last.timer)
    return last.connection
  }
  const drop = (key: string, connection: OutboundConnection) => {
    const waiting = idle.get(key) ?? []
    const left = waiting.filter((one) => one.connection !== connection)
    count -= waiting.length - left.length
    if (left.length === 0) idle.delete(key)
    else idle.set(key, left)
    connection.destroy()
  }
  return {
    take(target) {
      const key = keyOf(target)
      for (let connection = pop(key); connection; connection = pop(key)) if (connection.isOpen) return connection
      return null
    },
    keep(target, connection) {
      if (!connection.isOpen) return
      if (count >= maxIdle) return connection.destroy()
      const key = keyOf(target)
      const timer = setTimeout(() => drop(key, connection), idleMs)
      timer.unref()
      idle.set(key, [...(idle.get(key) ?? []), { connection, timer }])
      count++
    },
    close() {
      for (const key of [...idle.keys()]) for (let one = pop(key); one; one = pop(key)) one.destroy()
    },
  }
}
