// A receiver of webhooks: a real server that keeps what came, exactly as it came, and answers as the test says.

export interface ReceivedWebhook {
  /** By lower-case name. */
  headers: Record<string, string>
  /** The bytes as text: what was signed. */
  body: string
}

export interface WebhookSink extends AsyncDisposable {
  url: string
  port: number
  received: ReceivedWebhook[]
  /** Types of what came, in order. */
  types(): string[]
  /** Resolves once so many have come. */
  whenReceived(count: number): Promise<void>
}

export type Answer = (webhook: ReceivedWebhook, count: number) => Response | Promise<Response>

/** `WEBHOOK_ALLOW_…` of an installation that may reach sinks. */
export const sinkEnvironment = { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', WEBHOOK_ALLOW_HTTP: 'on' }

export function webhookSink(answer: Answer = () => new Response('ok')): WebhookSink {
  const received: ReceivedWebhook[] = []
  const waiters: { count: number; resolve: () => void }[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const webhook = { headers: Object.fromEntries(request.headers), body: await request.text() }
      received.push(webhook)
      for (const waiter of waiters) if (received.length >= waiter.count) waiter.resolve()
      return answer(webhook, received.length)
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/`,
    port: server.port ?? 0,
    received,
    types: () => received.map(({ body }) => JSON.parse(body).type),
    whenReceived(count) {
      if (received.length >= count) return Promise.resolve()
      const { promise, resolve } = Promise.withResolvers<void>()
      waiters.push({ count, resolve })
      return promise
    },
    async [Symbol.asyncDispose]() {
      await server.stop(true)
    },
  }
}
