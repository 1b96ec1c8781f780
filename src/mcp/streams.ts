// Every stream that stays open: sessions of the 2024-11-05 transport (HTTP+SSE) and answers that stream. Each belongs to one
// credential; it is asked for again every 2 seconds, so a revoked token loses its streams at once.

import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import type { App } from '../app.ts'
import { hour, second } from '../lib/duration.ts'
import { AppError } from '../lib/error.ts'

const keepAliveMs = 15 * second
const lookAgainMs = 2 * second
/** A session without a message for so long is over. */
const idleMs = hour
const maxStreams = 4_000
const maxStreamsPerCredential = 2_000
const sessionIdBytes = 32
/** A client that does not read its answers loses its stream. */
const maxUnreadBytes = 4 * 1024 * 1024

const encoder = new TextEncoder()
const keepAlive = encoder.encode(': keep-alive\n\n')

interface Stream {
  credentialId: string
  /** Throws when the credential opens nothing any more. */
  admit(): Promise<unknown>
  close(): void
  ping?: () => void
  /** Of a session. */
  lastMessageAt?: number
}

export interface Streams {
  /** Refuses one stream too many with 429. */
  open(stream: Stream): () => void
  openSession(options: SessionOptions): { session: SseSession; response: Response }
  /** The session of this id and credential; throws `not_found`: an id alone opens nothing. */
  getSession(id: string, credentialId: string): SseSession
  count(): number
  close(): void
}

interface SessionOptions {
  credentialId: string
  admit(): Promise<unknown>
  /** Where the client posts its messages; the session id is added. */
  messagePath: string
}

export function createStreams(app: App): Streams {
  const streams = new Set<Stream>()
  const sessions = new Map<string, { session: SseSession; stream: Stream }>()
  const timers: ReturnType<typeof setInterval>[] = []
  const open = (stream: Stream) => {
    const mine = [...streams].filter(({ credentialId }) => credentialId === stream.credentialId).length
    if (streams.size >= maxStreams || mine >= maxStreamsPerCredential) {
      throw new AppError('rate_limit_exceeded', 'Too many open streams; close one of them.', { retryAfterSeconds: 60 })
    }
    streams.add(stream)
    if (timers.length === 0) {
      timers.push(
        setInterval(() => ping(streams), keepAliveMs),
        setInterval(() => void lookAgain(app, streams), lookAgainMs),
      )
    }
    return () => {
      streams.delete(stream)
      if (streams.size === 0) for (const timer of timers.splice(0)) clearInterval(timer)
    }
  }
  return {
    open,
    openSession({ credentialId, admit, messagePath }) {
      const id = Buffer.from(app.random.bytes(sessionIdBytes)).toString('base64url')
      const session = new SseSession(id, `${messagePath}?sessionId=${id}`)
      const lastMessageAt = app.clock.now().getTime()
      const stream: Stream = {
        credentialId,
        admit,
        lastMessageAt,
        close: () => void session.close(),
        ping: () => session.ping(),
      }
      const closed = open(stream)
      sessions.set(id, { session, stream })
      session.onEnd(() => {
        sessions.delete(id)
        closed()
      })
      return { session, response: session.response() }
    },
    getSession(id, credentialId) {
      const found = sessions.get(id)
      if (found?.stream.credentialId !== credentialId) throw new AppError('not_found', 'There is no such session.')
      found.stream.lastMessageAt = app.clock.now().getTime()
      return found.session
    },
    count: () => streams.size,
    close() {
      for (const stream of [...streams]) stream.close()
    },
  }
}

function ping(streams: Set<Stream>): void {
  for (const stream of streams) stream.ping?.()
}

/** Closes what is idle, and all streams of a credential that no longer opens anything. */
async function lookAgain(app: App, streams: Set<Stream>): Promise<void> {
  const idleSince = app.clock.now().getTime() - idleMs
  const byCredential = new Map<string, Stream[]>()
  for (const stream of [...streams]) {
    if (stream.lastMessageAt !== undefined && stream.lastMessageAt < idleSince) stream.close()
    else byCredential.set(stream.credentialId, [...(byCredential.get(stream.credentialId) ?? []), stream])
  }
  for (const held of byCredential.values()) {
    const refused = await held[0]?.admit().then(
      () => false,
      (error) => error instanceof AppError,
    )
    if (refused) for (const stream of held) stream.close()
  }
}

/** The oldest transport: one stream of events to the client, whose messages come by POST. */
export class SseSession implements Transport {
  readonly sessionId: string
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #endpoint: string
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null
  #onEnd: () => void = () => {}

  constructor(sessionId: string, endpoint: string) {
    this.sessionId = sessionId
    this.#endpoint = endpoint
  }

  onEnd(listener: () => void): void {
    this.#onEnd = listener
  }

  response(): Response {
    const source: UnderlyingDefaultSource<Uint8Array> = {
      start: (controller) => {
        this.#controller = controller
        this.#write('endpoint', this.#endpoint)
      },
      cancel: () => this.close(),
    }
    const body = new ReadableStream(source, new ByteLengthQueuingStrategy({ highWaterMark: maxUnreadBytes }))
    return new Response(body, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } })
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    this.#write('message', JSON.stringify(message))
  }

  /** What the client posted. */
  receive(message: JSONRPCMessage): void {
    this.onmessage?.(message)
  }

  ping(): void {
    this.#enqueue(keepAlive)
  }

  async close(): Promise<void> {
    if (!this.#controller) return
    const controller = this.#controller
    this.#controller = null
    try {
      controller.close()
    } catch {
      // The client closed it first.
    }
    this.#onEnd()
    this.onclose?.()
  }

  #write(event: string, data: string): void {
    this.#enqueue(encoder.encode(`event: ${event}\ndata: ${data}\n\n`))
  }

  #enqueue(bytes: Uint8Array): void {
    this.#controller?.enqueue(bytes)
    if ((this.#controller?.desiredSize ?? 0) < 0) void this.close()
  }
}
