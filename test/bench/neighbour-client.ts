// The neighbour of neighbours.ts, a process of its own: sends mail at a steady rate whatever comes back (an open loop), and tells of each
// when it was due, and when it was accepted. `bun neighbour-client.ts URL KEY`; each line of its input is a number of mails.

import { requestBytes } from './http-load.ts'

export const neighbourDomain = '@neighbour.example'
export const perSecond = 100

/** By the clock that was given. */
export interface Sent {
  to: string
  sentAt: number
  acceptedAt: number
}

interface Steady {
  url: string
  key: string
  /** How many mails. */
  count: number
  now(): number
}

export async function sendSteadily({ url, key, count, now }: Steady): Promise<Sent[]> {
  const connections = new Connections(new URL(url))
  const sent: Promise<Sent>[] = []
  const began = performance.now()
  for (let n = 0; n < count; n++) {
    await Bun.sleep(began + (n * 1_000) / perSecond - performance.now())
    const to = `${crypto.randomUUID()}${neighbourDomain}`
    const request = requestBytes({
      url,
      path: '/v1/transactional/send',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ email: to, templateId: 'hello' }),
    })
    // A client that woke late is not the server's doing.
    const sentAt = now()
    sent.push(connections.ask(request).then(() => ({ to, sentAt, acceptedAt: now() })))
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
  const [url = '', key = ''] = process.argv.slice(2)
  const now = () => performance.timeOrigin + performance.now()
  for await (const line of console) {
    const sent = await sendSteadily({ url, key, count: Number(line), now })
    process.stdout.write(`${JSON.stringify(sent)}\n`)
  }
}
