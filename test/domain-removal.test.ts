// A sending domain that is removed: its keys go, nothing is sent from it any more, and it can be added again.

import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { write } from '../src/core/app.ts'
import { vouchFor } from '../src/people/domain-owners.ts'
import { type TestApp, testApp } from './support/app.ts'
import { cli } from './support/cli.ts'
import { nameServer } from './support/dns.ts'
import { startSink } from './support/smtp-sink.ts'

interface Domain {
  id: string
  domain: string
  dnsRecords: { name: string; value: string }[]
}

const send = (t: TestApp, status: number, more: object = {}) =>
  t.post('/v1/transactional/send', { email: 'ada@example.net', templateId: 'hello', ...more }, status)

const held = (t: TestApp) =>
  t.app.db.all(
    sql`SELECT domain FROM sending_domains UNION ALL SELECT domain_id FROM domain_checks UNION ALL SELECT domain FROM domain_owners`,
  )

test('a removed domain leaves nothing behind, mail that waits is refused, and it can be added and verified again', async () => {
  await using sink = startSink()
  await using dns = await nameServer()
  const environment = { SMTP_URL: sink.url, MAIL_FROM: 'House <hello@house.example>' }
  await using t = await testApp({ dns: dns.resolver, environment })
  const verified = async (): Promise<Domain> => {
    const added: Domain = await t.post('/v1/sending-domains', { domain: 'news.example' }, 201)
    for (const { name, value } of added.dnsRecords) dns.names.set(name, [value])
    const found = await t.post(`/v1/sending-domains/${added.id}/verify`, undefined, 200)
    expect(found).toMatchObject({ status: 'verified', proof: 'dns' })
    return added
  }
  const { id } = await verified()
  await t.template({ fromEmail: 'july@news.example' })
  await send(t, 200)
  await t.settle()
  expect(sink.received).toHaveLength(1)

  const inAnHour = new Date(t.clock.now().getTime() + 3_600_000).toISOString()
  const { messageId } = await send(t, 200, { scheduledAt: inAnHour })
  const { apiKey } = await t.stranger()
  await t.unchanged(() => t.delete(`/v1/sending-domains/${id}`, undefined, 404, { as: { apiKey } }))
  await t.delete(`/v1/sending-domains/${id}`, undefined, 200)
  await t.unchanged(() => t.delete(`/v1/sending-domains/${id}`, undefined, 404))
  expect(await t.get('/v1/sending-domains', 200)).toEqual({ data: [] })
  expect(await held(t)).toEqual([])
  expect((await send(t, 403)).code).toBe('domain_not_verified')
  await t.advance('1h')
  expect(await t.get(`/v1/activity/${messageId}`, 200)).toMatchObject({ status: 'failed' })
  expect(sink.received).toHaveLength(1)

  expect((await verified()).id).not.toBe(id)
  await send(t, 200)
  await t.settle()
  expect(sink.received).toHaveLength(2)
})

test('what the operator gave stays usable when its keys are removed', async () => {
  await using sink = startSink()
  await using t = await testApp({ environment: { SMTP_URL: sink.url, MAIL_FROM: 'House <hello@house.example>' } })
  await write(t.app, (tx) => vouchFor(tx, { workspaceId: t.workspace.id, domain: 'news.example' }))
  const { id } = await t.post('/v1/sending-domains', { domain: 'news.example' }, 201)
  await t.template({ fromEmail: 'july@news.example' })
  await send(t, 200)
  await t.delete(`/v1/sending-domains/${id}`, undefined, 200)
  await t.settle()
  const mail = String(sink.received[0]?.raw ?? '')
  expect(mail).toContain('july@news.example')
  expect(mail).not.toContain('DKIM-Signature')
})

test('paquebot domain remove', async () => {
  using paquebot = await cli()
  await paquebot.run(['init', '--workspace', 'acme', '--email', 'ada@example.net', '--json'])
  const domain = (command: string) =>
    paquebot.run(['domain', command, '--workspace', 'acme', '--domain', 'News.example', '--json'])
  expect((await domain('add')).code).toBe(0)
  expect(await domain('remove')).toMatchObject({ code: 0, json: { success: true } })
  expect(await domain('remove')).toMatchObject({ code: 1, json: { code: 'not_found' } })
})
