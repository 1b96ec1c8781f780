// Sessions of the 2024-11-05 transport (HTTP+SSE), the only streams that stay open. Each belongs to one credential, which is checked again
// every 2 seconds, so that a revoked token loses its streams.

import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import type { App } from '../../core/app.ts'
import { hour, second } from '../../kit/duration.ts'
import { AppError } from '../../kit/error.ts'

const keepAliveMs = 15 * second
const lookAgainMs = 2 * second
/** A session without a message for this long is closed. */
const idleMs = hour
const maxSessions = 4_000
const maxSessionsPerCredential = 2_000
const sessionIdBytes = 32
/** A client that does not read its answers loses its session. */
const maxUnreadBytes = 4 * 1024 * 1024

const encoder = new TextEncoder()
const keepAlive = encoder.encode(': keep-alive\n\n')

interface SessionOptions {
  credentialId: string
  /** Throws AppError when the credential is no longer valid. */
  admit(): Promise<unknown>
  /** Where the client posts its messages; the session id is appended. */
  messagePath: string
}

interface OpenSession {
  session: SseSession
  credentialId: string
  admit(): Promise<unknown>
  lastMessageAt: number
}

export interface Sessions {
  /** Refuses with 429 when there are too many sessions. */
  open(options: SessionOptions): SseSession
  /** The session with this id and credential; throws `not_found`: an id alone is not enough. */
  get(id: string, credentialId: string): SseSession
  close(): void
}

export function createSessions(app: App): Sessions {
  const held = new Map<string, OpenSession>()
  const timers: ReturnType<typeof setInterval>[] = []
  const now = () => app.clock.now().getTime()
  const end = (id: string) => {
    held.delete(id)
    if (held.size === 0) for (const timer of timers.splice(0)) clearInterval(timer)
  }
  const begin = () => {
    if (timers.length > 0) return
    timers.push(
      setInterval(() => ping(held), keepAliveMs),
      setInterval(() => void lookAgain(held, now()), lookAgainMs),
    )
  }
  return {
    open({ credentialId, admit, messagePath }) {
      refuseTooMany(held, credentialId)
      const id = Buffer.from(app.random.bytes(sessionIdBytes)).toString('base64url')
      const session = new SseSession(id, `${messagePath}?sessionId=${id}`, () => end(id))
      held.set(id, { session, credentialId, admit, lastMessageAt: now() })
      begin()
      return session
    },
    get(id, credentialId) {
      const found = held.get(id)
      if (found?.credentialId !== credentialId) throw new AppError('not_found', 'There is no such session.')
      found.lastMessageAt = now()
      return found.session
    },
    close() {
      for (const { session } of [...held.values()]) void session.close()
    },
  }
}

function refuseTooMany(held: Map<string, OpenSession>, credentialId: string): void {
  const mine = held.values().reduce((sum, one) => sum + (one.credentialId === credentialId ? 1 : 0), 0)
  if (held.size < maxSessions && mine < maxSessionsPerCredential) return
  throw new AppError('rate_limit_exceeded', 'Too many open sessions; close one first.', { retryAfterSeconds: 60 })
}

function ping(held: Map<string, OpenSession>): void {
  for (const { session } of held.values()) session.ping()
}

/** Closes idle sessions, and all sessions of a credential that is no longer valid. */
async function lookAgain(held: Map<string, OpenSession>, now: number): Promise<void> {
  for (const { session, lastMessageAt } of [...held.values()]) {
    if (lastMessageAt < now - idleMs) void session.close()
  }
  for (const [, ofOne] of Map.groupBy([...held.values()], ({ credentialId }) => credentialId)) {
    const refused = await ofOne[0]?.admit().then(
      () => false,
      (error) => error instanceof AppError,
    )
    if (refused) for (const { session } of ofOne) void session.close()
  }
}

/** The oldest transport: one event stream to the client, whose messages arrive by POST. */
export class SseSession implements Transport {
  readonly sessionId: string
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #endpoint: string
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null
  readonly #onEnd: () => void

  constructor(sessionId: string, endpoint: string, onEnd: () => void) {
    this.sessionId = sessionId
    this.#endpoint = endpoint
    this.#onEnd = onEnd
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

  /** Passes on a message that the client posted. */
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
