// An installation at https://mail.house.example whose DNS a test writes, and link domains that are proved there.

import { linkDomains } from '../../db/tables/domains.ts'
import { write } from '../../src/core/app.ts'
import { enqueue } from '../../src/core/outbox/enqueue.ts'
import { minute } from '../../src/kit/duration.ts'
import { schedules } from '../../src/operator/jobs.ts'
import type { Reply, RequestOptions, TestApp, TestAppOptions } from './app.ts'
import { type Json, testApp } from './app.ts'
import { type NameServer, nameServer } from './dns.ts'

export const house = 'mail.house.example'
export const links = 'links.globex.example'
const address = '192.0.2.10'

export interface Stage extends AsyncDisposable {
  t: TestApp
  dns: NameServer
}

export async function stage(options: TestAppOptions = {}): Promise<Stage> {
  const dns = await nameServer()
  dns.names.set(house, { a: [address], aaaa: ['2001:db8::10'] })
  const environment = { BASE_URL: `https://${house}`, ...options.environment }
  const t = await testApp({ dns: dns.resolver, ...options, environment })
  return {
    t,
    dns,
    async [Symbol.asyncDispose]() {
      await t[Symbol.asyncDispose]()
      await dns[Symbol.asyncDispose]()
    },
  }
}

/** The owner in the dashboard. */
export const inPerson: RequestOptions = { as: 'session', headers: { origin: `https://${house}` } }

export const verifyPath = '/v1/workspace/link-domain/verify'
export const verify = (t: TestApp, options?: RequestOptions): Promise<Json> => t.post(verifyPath, {}, 200, options)

/** The workspace asks for the domain. Returns what it has to publish. */
export async function claim(t: TestApp, linkDomain: string | null, options?: RequestOptions): Promise<Json> {
  return (await t.patch('/v1/workspace', { linkDomain }, 200, options)).linkDomain
}

/** Publishes what it was told to; `only`: the records of these types. */
export function publishLink({ dns }: Stage, { dnsRecords }: Json, only = ['TXT', 'CNAME']): void {
  for (const { type, name, value } of dnsRecords.filter((one: Json) => only.includes(one.type)))
    dns.names.set(name, type === 'TXT' ? [...textsAt(dns, name), value] : { cname: value })
}

function textsAt(dns: NameServer, name: string): string[] {
  const there = dns.names.get(name)
  return Array.isArray(there) ? there : []
}

/** Asked for, published and verified. */
export async function proved(s: Stage, domain = links, options?: RequestOptions): Promise<void> {
  publishLink(s, await claim(s.t, domain, options))
  const { status } = await verify(s.t, options)
  if (status !== 'verified') throw new Error(`${domain} is ${status}`)
}

/** What is checked every ten minutes, so much later. */
export async function checkLater(t: TestApp, times = 1): Promise<void> {
  const scheduled = schedules.find(({ kind }) => kind.kind === 'check-link-domains')
  if (!scheduled) throw new Error('nothing is checked')
  for (let n = 0; n < times; n++) {
    t.clock.advance(10 * minute)
    await write(t.app, (tx) => enqueue(tx, scheduled.kind, { workspaceId: '', payload: {} }))
    await t.settle()
  }
}

/** For a domain that another workspace has proved. */
export async function askForTaken(t: TestApp): Promise<Reply> {
  const { id: workspaceId } = (await t.stranger('taken')).workspace
  const at = t.clock.now()
  const row = { workspaceId, domain: links, isCurrent: true, provenAt: at, createdAt: at }
  await write(t.app, (tx) => tx.db.insert(linkDomains).values(row))
  return await t.request('PATCH', '/v1/workspace', { linkDomain: links })
}

/** What a visitor gets at `host`: not of the API, whose document does not know these hosts. */
export async function visit(
  t: TestApp,
  host: string,
  path: string,
  { headers = {}, ...asked }: { method?: string; headers?: Record<string, string>; body?: string } = {},
) {
  const response = await fetch(t.url + path, { redirect: 'manual', headers: { host, ...headers }, ...asked })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

export type Visited = Awaited<ReturnType<typeof visit>>

/** The mail without the soft line breaks of quoted-printable. */
export const unfolded = (raw: string) => raw.replaceAll('=\r\n', '').replaceAll('=3D', '=')
