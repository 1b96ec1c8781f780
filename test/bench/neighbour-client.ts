// The neighbour of neighbours.ts, a process of its own: sends mail at a steady rate whatever comes back (an open loop), and tells of each
// when it was due, and when it was accepted. `bun neighbour-client.ts URL KEY …`; each line of its input is a number of requests. With
// several keys, a workspace each, they take turns, and every seventh request is an event.

import { requestBytes } from './http-load.ts'

export const neighbourDomain = '@neighbour.example'
export const perSecond = 100
const requestsPerEvent = 7

/** By the clock that was given. */
export interface Sent {
  /** Null: an event. */
  to: string | null
  sentAt: number
  acceptedAt: number
}

interface Steady {
  url: string
  /** Of one workspace each. */
  keys: string[]
  /** How many requests, and how many were sent before: then the next keys have their turn. */
  count: number
  from: number
  now(): number
}

export async function sendSteadily({ url, keys, count, from, now }: Steady): Promise<Sent[]> {
  const connections = new Connections(new URL(url))
  const sent: Promise<Sent>[] = []
  const began = performance.now()
  for (let n = 0; n < count; n++) {
    await Bun.sleep(began + (n * 1_000) / perSecond - performance.now())
    const email = `${crypto.randomUUID()}${neighbourDomain}`
    const isEvent = keys.length > 1 && n % requestsPerEvent === 0
    const [path, body] = isEvent
      ? ['/v1/events/send', { email, eventName: 'bought' }]
      : ['/v1/transactional/send', { email, templateId: 'hello' }]
    const headers = { authorization: `Bearer ${keys[(from + n) % keys.length]}` }
    const request = requestBytes({ url, path, headers, body: JSON.stringify(body) })
    // A client that woke late is not the server's doing.
    const sentAt = now()
    sent.push(connections.ask(request).then(() => ({ to: isEvent ? null : email, sentAt, acceptedAt: now() })))
  }
  return await Promise.all(sent)
}

/** As many as are needed at once, kept open; bare sockets, so that the client costs little. */
class Connections {
  readonly #url: URL
  #idle: Connection[] = []

  constructor(url: URL) {
    this.#url = url
  }

  async ask(request: string): Promise<void> {
    const connection = this.#idle.pop() ?? (await connect(this.#url))
    await connection.ask(request)
    this.#idle.push(connection)
  }
}

interface Connection {
  ask(request: string): Promise<void>
}

async function connect({ hostname, port }: URL): Promise<Connection> {
  let answered = Promise.withResolvers<void>()
  let received = ''
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(_, chunk) {
        received += chunk.toString('latin1')
        const end = received.indexOf('\r\n\r\n')
        if (end === -1) return
        const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0)
        if (received.length < end + 4 + length) return
        if (received.startsWith('HTTP/1.1 2')) answered.resolve()
        else answered.reject(new Error(`refused: ${received.slice(0, 600)}`))
        received = ''
      },
      close: () => answered.reject(new Error('the server closed a connection')),
    },
  })
  return {
    ask(request) {
      answered = Promise.withResolvers<void>()
      socket.write(request)
      return answered.promise
    },
  }
}

if (import.meta.main) {
  const [url = '', ...keys] = process.argv.slice(2)
  const now = () => performance.timeOrigin + performance.now()
  let from = 0
  for await (const line of console) {
    const count = Number(line)
    const sent = await sendSteadily({ url, keys, count, from, now })
    from += count
    process.stdout.write(`${JSON.stringify(sent)}\n`)
  }
}
