// The only outbound HTTP of the product. An address is judged as written, its name is resolved once, every answer is judged
// again, and the connection goes to a judged address: there is no second look-up that could answer something else. Failure is
// data, in a fixed set of codes: they tell a user what to mend, and nothing about what else is on our network.

import { lookup } from 'node:dns/promises'
import { within } from '../lib/deadline.ts'
import { second } from '../lib/duration.ts'
import { isReachable, parseIp } from '../lib/ip-address.ts'
import {
  type ConnectFailure,
  type Exchanged,
  type ExchangeFailure,
  OutboundConnection,
  type Target,
} from './outbound/connection.ts'
import type { ResponseHead } from './outbound/response.ts'
import { allowedCidrs, checkOutboundUrl, hostOf, type OutboundConfig, portOf } from './outbound/url.ts'

/** Every reason for which no answer was read. */
export type DialFailure = 'blocked_url' | 'blocked_ip' | 'dns_failed' | ConnectFailure | ExchangeFailure

interface DialRequest {
  url: string
  /** In the order and spelling in which they are sent; Host, Content-Length and the like are added. */
  headers: [name: string, value: string][]
  body: string
  /** Aborted: the exchange is given up at once. */
  signal?: AbortSignal
  /** Default: the dialer's. */
  totalMs?: number
}

type Dialed =
  | { outcome: 'answered'; head: ResponseHead; body: Buffer; durationMs: number }
  | { outcome: 'failed'; code: DialFailure; durationMs: number }

/** All addresses of a name. Throws when there is none. */
type Resolve = (hostname: string) => Promise<string[]>

export interface Dialer {
  /** Sends one POST and reads at most 8 KiB of the answer. Never throws for what the other side does; follows no redirect. */
  post(request: DialRequest): Promise<Dialed>
  /** Ends idle connections. */
  close(): void
}

export interface DialerOptions {
  resolve?: Resolve
  /** A certificate authority to trust instead of the system's; PEM. */
  ca?: string
  /** Looking up the name, connecting and the TLS handshake. */
  connectMs?: number
  /** All of an exchange. */
  totalMs?: number
}

const defaultConnectMs = 5 * second
const defaultTotalMs = 20 * second
/** Of the addresses of a name so many are tried. */
const maxTried = 3
const maxIdle = 256
const idleMs = 4 * second

export function createDialer(config: OutboundConfig, options: DialerOptions = {}): Dialer {
  const { resolve = systemResolve, ca, connectMs = defaultConnectMs, totalMs = defaultTotalMs } = options
  const idle = createIdlePool()
  const post = async (request: DialRequest, signal: AbortSignal): Promise<AttemptResult> => {
    const checked = checkOutboundUrl(request.url, config)
    if (!checked.ok) return checked.code
    const { url } = checked
    const connectBy = performance.now() + connectMs
    const addresses = await reachable(url, { resolve, config, connectMs })
    if (!Array.isArray(addresses)) return addresses
    const bytes = requestBytes(url, request)
    let failure: AttemptResult = 'connect_failed'
    for (const address of addresses.slice(0, maxTried)) {
      const target = targetOf(url, address, ca)
      failure = await exchangeWith(target, { bytes, signal, connectBy, idle })
      if (failure !== 'connect_failed') break
    }
    return failure
  }
  return {
    async post(request) {
      const began = performance.now()
      const abort = new AbortController()
      const timer = setTimeout(() => abort.abort('timeout'), request.totalMs ?? totalMs)
      const onAbort = () => abort.abort(request.signal?.reason)
      if (request.signal?.aborted) onAbort()
      request.signal?.addEventListener('abort', onAbort)
      const result = await post(request, abort.signal)
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

/** The addresses that may be connected to, IPv4 first: a host without IPv6 loses no time. */
async function reachable(
  url: URL,
  { resolve, config, connectMs }: { resolve: Resolve; config: OutboundConfig; connectMs: number },
): Promise<string[] | DialFailure> {
  const host = hostOf(url)
  // A literal was judged with its URL.
  if (parseIp(host)) return [host]
  const found = await within(
    resolve(host).catch(() => null),
    connectMs,
    null,
  )
  if (found === null || found.length === 0) return 'dns_failed'
  const allowed = found.filter((address) => isReachable(address, allowedCidrs(config)))
  if (allowed.length === 0) return 'blocked_ip'
  return allowed.sort((one, other) => Number(one.includes(':')) - Number(other.includes(':')))
}

function targetOf(url: URL, address: string, ca: string | undefined): Target {
  return { address, port: portOf(url), tls: url.protocol === 'https:' ? { serverName: hostOf(url), ca } : null }
}

function requestBytes(url: URL, { headers, body }: DialRequest): Uint8Array {
  const lines = [
    `POST ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
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
}

async function exchangeWith(target: Target, { bytes, signal, connectBy, idle }: ExchangeParts): Promise<AttemptResult> {
  for (;;) {
    const reused = idle.take(target)
    const connection = reused ?? (await OutboundConnection.open(target, Math.max(1, connectBy - performance.now())))
    if (typeof connection === 'string') return signal.aborted ? abortCode(signal) : connection
    const result: Exchanged = await connection.exchange(bytes, signal)
    if (result.ok) {
      idle.keep(target, connection)
      return result
    }
    // An idle connection may have been closed in the moment it was taken: a fresh one says what is really the case.
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
 * Connections that wait for another exchange with the same checked address, port and certificate name. Which address that is
 * was judged anew by whoever takes one, so a connection is never used across a change of policy.
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
