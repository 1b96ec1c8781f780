// HTTP load over raw keep-alive sockets: the cheapest client there is, so that the server and not the load is measured.

import { percentile } from './figures.ts'

export interface Load {
  url: string
  path: string
  headers?: Record<string, string>
  /** The JSON body of request `n`. */
  body: (n: number) => string
  inFlight: number
  /** How long, or how many. */
  seconds?: number
  requests?: number
}

export interface LoadResult {
  perSecond: number
  p50Ms: number
  p99Ms: number
}

/** Throws at the first answer that is not 2xx: a refused request is not a fast one. */
export async function httpLoad(load: Load): Promise<LoadResult> {
  const times: number[] = []
  let next = 0
  const began = performance.now()
  const { seconds: limit = Number.POSITIVE_INFINITY, requests = Number.POSITIVE_INFINITY } = load
  const end = began + limit * 1_000
  const take = () =>
    performance.now() < end && next < requests ? requestBytes({ ...load, body: load.body(next++) }) : null
  await Promise.all(Array.from({ length: load.inFlight }, () => oneConnection(new URL(load.url), take, times)))
  const seconds = (performance.now() - began) / 1_000
  return { perSecond: times.length / seconds, p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) }
}

/** A POST of JSON as it goes on the wire. */
export function requestBytes({
  url,
  path,
  headers = {},
  body,
}: Omit<Load, 'body' | 'inFlight'> & {
  body: string
}): string {
  const lines = Object.entries({ host: new URL(url).host, 'content-type': 'application/json', ...headers })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return `POST ${path} HTTP/1.1\r\n${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

function oneConnection(url: URL, take: () => string | null, times: number[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let sentAt = 0
  let received = ''
  const write = (socket: { write(data: string): number; end(): void }) => {
    const request = take()
    if (request === null) {
      socket.end()
      resolve()
      return
    }
    sentAt = performance.now()
    socket.write(request)
  }
  Bun.connect({
    hostname: url.hostname,
    port: Number(url.port),
    socket: {
      open: write,
      data(socket, chunk) {
        received += chunk.toString('latin1')
        const headEnd = received.indexOf('\r\n\r\n')
        if (headEnd === -1) return
        const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0)
        if (received.length < headEnd + 4 + length) return
        if (!received.startsWith('HTTP/1.1 2')) reject(new Error(`refused: ${received.slice(0, 600)}`))
        received = ''
        times.push(performance.now() - sentAt)
        write(socket)
      },
      close: () => resolve(),
      error: (_, error) => reject(error),
    },
  }).catch(reject)
  return promise
}
