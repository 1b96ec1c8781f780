// The world as mail meets it without a relay: a name server, servers of receivers at addresses of loopback, all on one port, and the product
// that sends to them (`mx://`). Nothing leaves the machine.

import { allowedCidrs } from '../../src/kit/outbound/url.ts'
import { mxTransport } from '../../src/mail/mx/mx-transport.ts'
import { type TestApp, type TestAppOptions, testApp } from './app.ts'
import { type NameServer, nameServer, type Records } from './dns.ts'
import { type Sink, type SinkOptions, startSink } from './smtp-sink.ts'

export interface Receivers extends AsyncDisposable {
  t: TestApp
  dns: NameServer
  /** Of all servers. */
  port: number
  /** A server at `127.0.0.…`, by that number. */
  serve(number: number, options?: SinkOptions): Sink
  /** The records of a domain whose servers are these, in this order. */
  domain(name: string, ...numbers: number[]): void
  name(name: string, records: string[] | Records | 'servfail' | 'silent'): void
  /** Sends a mail to each; the ids of the messages. */
  send(...emails: string[]): Promise<string[]>
  message(id: string): Promise<{ status: string; code: string | null; detail: string | null }>
}

/** A server that says nothing is waited for that long. */
const timeouts = { connectMs: 500, greetingMs: 500, commandMs: 500, dataMs: 500, finalReplyMs: 500 }
const ourName = 'mail.paquebot.test'

export async function receivers(
  options: TestAppOptions & { port?: number; query?: string; patience?: Partial<typeof timeouts> } = {},
): Promise<Receivers> {
  const { port = freePort(), query = '', patience = {}, environment = {}, ...others } = options
  const dns = await nameServer()
  const url = `mx://${ourName}?port=${port}${query}`
  const settings = { SMTP_URL: url, WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,::1', ...environment }
  const mailer = mxTransport({
    url,
    ports: () => t.app,
    clock: { now: () => t.app.clock.now(), virtual: true },
    allowed: allowedCidrs({ webhookAllowCidrs: settings.WEBHOOK_ALLOW_CIDRS.split(',') }),
    timeouts: { ...timeouts, ...patience },
  })
  const t: TestApp = await testApp({ environment: settings, dns: dns.resolver, mailer, ...others })
  await t.template({})
  const sinks: Sink[] = []
  return {
    t,
    dns,
    port,
    serve(number, sinkOptions = {}) {
      const hostname = `127.0.0.${number}`
      const sink = startSink({ ...sinkOptions, hostname, port })
      dns.names.set(hostOf(number), { a: [hostname] })
      sinks.push(sink)
      return sink
    },
    domain(name, ...numbers) {
      dns.names.set(name, { mx: numbers.map((number, at) => `${(at + 1) * 10} ${hostOf(number)}`) })
    },
    name(name, records) {
      dns.names.set(name, records)
    },
    async send(...emails) {
      const ids: string[] = []
      for (const email of emails) ids.push((await t.mail({ email })).messageId)
      return ids
    },
    async message(id) {
      const { status, events } = await t.get(`/v1/activity/${id}`, 200)
      const { code = null, detail = null } = events.at(-1)
      return { status, code, detail }
    },
    async [Symbol.asyncDispose]() {
      await t[Symbol.asyncDispose]()
      await mailer.close()
      for (const sink of sinks) sink.stop()
      await dns[Symbol.asyncDispose]()
    },
  }
}

/** As it is called in MX records. */
export function hostOf(number: number): string {
  return `mx${number}.receivers.example`
}

/** At every address of loopback, as far as is known. */
function freePort(): number {
  const probe = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const { port } = probe
  probe.stop(true)
  return port
}
