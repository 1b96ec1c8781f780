// What keeps a sender trusted: caps and warm-up, DMARC, how often one person is mailed, bounces and complaints, and what receivers say.

import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { authenticate } from 'mailauth'
import { sendingCounts } from '../db/tables/campaigns.ts'
import { workspaces } from '../db/tables/workspaces.ts'
import { write } from '../src/core/app.ts'
import { pauseAll } from '../src/features/campaigns/pause.ts'
import { countSending, loadAllowance } from '../src/features/campaigns/reputation/caps.ts'
import { promote } from '../src/features/campaigns/reputation/promote.ts'
import { noteBounce } from '../src/features/campaigns/reputation/reputation.ts'
import { checkStanding } from '../src/features/sending/domains/checks.ts'
import { findDomain } from '../src/features/sending/domains/keys.ts'
import { smtpTransport } from '../src/mail/smtp-transport.ts'
import { changeSettings } from '../src/people/campaign-settings.ts'
import { getWorkspace } from '../src/people/workspaces.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { draft, drafted, listOf, statsOf, trust } from './support/campaign.ts'
import { nameServer } from './support/dns.ts'
import { startSink } from './support/smtp-sink.ts'

const level = async (t: TestApp) => (await getWorkspace(t.app, t.workspace.id)).trustLevel

async function send(t: TestApp, id: string): Promise<Json> {
  const sent = await t.post(`/v1/campaigns/${id}/send`, {}, 200)
  await t.settle()
  return sent
}

describe('trust caps', () => {
  test('who is over the cap stays queued until the day has passed; nobody is dropped', async () => {
    await using t = await testApp()
    const { list } = await listOf(t, 25)
    await write(t.app, (tx) => changeSettings(tx, t.workspace.id, { dailyCap: 10 }))
    const id = await draft(t, list)
    const { capRemaining, forecast } = await t.post(`/v1/campaigns/${id}/send`, { dryRun: true }, 200)
    expect([capRemaining, forecast]).toEqual([10, 'finishes in 2 days at the cap set'])
    await send(t, id)
    expect(await statsOf(t, id)).toEqual({ status: 'sending', audience: 25, queued: 15, sent: 10 })
    const { nextSendAt } = await t.get(`/v1/campaigns/${id}`, 200)
    expect(nextSendAt).toBe('2026-01-16T12:10:00.000Z')
    await t.advance('24h')
    expect(await statsOf(t, id)).toMatchObject({ sent: 10 })
    await t.advance('10m')
    expect(await statsOf(t, id)).toMatchObject({ status: 'sending', sent: 20, queued: 5 })
    await t.advance('1445m')
    await t.advance('10m')
    expect(await statsOf(t, id)).toEqual({ status: 'sent', audience: 25, sent: 25 })
  })

  test('every campaign of the workspace counts, and only what left', async () => {
    await using t = await testApp()
    const [one, other] = [await listOf(t, 6), await listOf(t, 6, { first: 100 })]
    await write(t.app, (tx) => changeSettings(tx, t.workspace.id, { dailyCap: 8 }))
    await write(t.app, (tx) => tx.db.run(`UPDATE contacts SET subscribed = 0 WHERE email = 'r0@example.net'`))
    await send(t, await draft(t, one.list))
    const second = await draft(t, other.list)
    await send(t, second)
    expect(await statsOf(t, second)).toMatchObject({ sent: 3, queued: 3 })
  })

  test('M0 reaches the people of the workspace and nobody else', async () => {
    await using t = await testApp()
    const { id } = await drafted(t, 3)
    await trust(t, 'M0')
    await write(t.app, (tx) =>
      tx.db.run(
        `UPDATE contacts SET email = 'Owner@acme.test', email_key = 'owner@acme.test' WHERE email = 'r1@example.net'`,
      ),
    )
    const { warnings } = await send(t, id)
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'sandbox' }))
    expect((await t.sent()).map(({ to }) => to)).toEqual(['Owner@acme.test'])
    expect(await statsOf(t, id)).toMatchObject({ sent: 1, failed: 2 })
  })

  test('a new domain warms up: 50 recipients, then 100, then 250', async () => {
    await using t = await testApp()
    const { list } = await listOf(t, 180)
    await t.patch('/v1/campaign-settings', { warmUp: true }, 200, { as: 'session' })
    const id = await draft(t, list)
    await send(t, id)
    expect(await statsOf(t, id)).toMatchObject({ sent: 50, queued: 130 })
    await t.advance('24h')
    await t.advance('10m')
    expect(await statsOf(t, id)).toMatchObject({ sent: 150, queued: 30 })
  })

  test('a domain warms up to the end: twice as much each day, until the level is what limits it', async () => {
    await using t = await testApp()
    const settings = await write(t.app, (tx) => changeSettings(tx, t.workspace.id, { warmUp: true }))
    const sending = { workspaceId: t.workspace.id, domain: 'acme.test' }
    const days: [cap: number, by: string][] = []
    for (const cap of [50, 100, 250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 20_000]) {
      const now = t.clock.now()
      const allowed = await loadAllowance(t.app, t.workspace, { settings, domain: sending.domain, now })
      days.push([allowed.cap, allowed.by])
      expect(allowed.remaining).toBe(cap)
      await write(t.app, (tx) => countSending(tx, sending, { reserved: cap }))
      // The day is over once its last mail has left the window, ten minutes later.
      t.clock.advance(24 * 3_600_000 + 600_000)
    }
    const ramp = [50, 100, 250, 500, 1_000, 2_000, 4_000, 8_000, 16_000].map((cap) => [cap, 'warm_up'])
    expect(days).toEqual([...ramp, [20_000, 'level']] as typeof days)
  })

  test('an operator raises the level or the cap, and what waits goes on', async () => {
    await using t = await testApp()
    const { list } = await listOf(t, 4)
    await write(t.app, (tx) => changeSettings(tx, t.workspace.id, { dailyCap: 1 }))
    const id = await draft(t, list)
    await send(t, id)
    const { wakeHeldBack } = await import('../src/features/campaigns/lifecycle.ts')
    await write(t.app, async (tx) => {
      await changeSettings(tx, t.workspace.id, { dailyCap: null })
      await wakeHeldBack(tx, t.workspace.id)
    })
    await t.settle()
    expect(await statsOf(t, id)).toMatchObject({ status: 'sent', sent: 4 })
  })
})

describe('how often one person is mailed', () => {
  test('once in 16 hours and four times in seven days, over all campaigns; transactional mail does not count', async () => {
    await using t = await testApp()
    const { list } = await listOf(t, 1)
    const outcomes: string[] = []
    for (const pause of ['1h', '15h', '17h', '17h', '17h', '140h']) {
      const id = await draft(t, list)
      await send(t, id)
      const { stats } = await t.get(`/v1/campaigns/${id}`, 200)
      outcomes.push(stats.sent ? 'sent' : stats.rate_guardrail ? 'too often' : '?')
      await t.advance(pause)
    }
    expect(outcomes).toEqual(['sent', 'too often', 'sent', 'sent', 'sent', 'too often'])
    await send(t, await draft(t, list))
    expect((await t.sent()).length).toBe(5)
  })

  test('two campaigns at once do not both get through', async () => {
    await using t = await testApp()
    const { list } = await listOf(t, 20)
    const ids = [await draft(t, list), await draft(t, list)]
    for (const id of ids) await t.post(`/v1/campaigns/${id}/send`, {}, 200)
    await t.settle()
    const [one, other] = [await statsOf(t, ids[0] ?? ''), await statsOf(t, ids[1] ?? '')]
    expect((one.sent ?? 0) + (other.sent ?? 0)).toBe(20)
    expect((one.rate_guardrail ?? 0) + (other.rate_guardrail ?? 0)).toBe(20)
    expect((await t.sent()).length).toBe(20)
  })

  test('a signed-in member may set it aside for one campaign', async () => {
    await using t = await testApp()
    const { list } = await listOf(t, 2)
    await send(t, await draft(t, list))
    const id = await draft(t, list)
    await t.patch(`/v1/campaigns/${id}`, { ignoreGuardrail: true }, 403)
    await t.patch(`/v1/campaigns/${id}`, { ignoreGuardrail: true }, 200, { as: 'session' })
    await send(t, id)
    expect(await statsOf(t, id)).toMatchObject({ sent: 2 })
  })
})

describe('the domain of the sender', () => {
  async function published(t: TestApp, names: Map<string, unknown>) {
    const { dnsRecords } = await t.post('/v1/sending-domains', { domain: 'news.example' }, 201)
    for (const { name, value } of dnsRecords) names.set(name, [value])
    return dnsRecords as { name: string; value: string }[]
  }

  test('from M2 on it must sign with a published key and have a DMARC record (M15)', async () => {
    await using dns = await nameServer()
    await using t = await testApp({ dns: dns.resolver })
    const { list } = await listOf(t, 2)
    const records = await published(t, dns.names)
    const id = await draft(t, list, { fromEmail: 'hello@news.example' })
    const house = await draft(t, list)
    await trust(t, 'M2')
    expect(await t.unchanged(() => t.post(`/v1/campaigns/${house}/send`, {}, 403))).toMatchObject({
      code: 'dmarc_required',
    })
    for (const { name } of records.filter(({ name }) => /r\._domainkey|^_dmarc/.test(name))) {
      const value = dns.names.get(name) ?? []
      dns.names.delete(name)
      if (name.includes('_domainkey')) dns.names.delete(name.replace('r._', 'e._'))
      const reply = await t.post(`/v1/campaigns/${id}/send`, {}, 403)
      expect(reply.code, name).toBe('dmarc_required')
      for (const { name: one, value } of records) dns.names.set(one, [value])
      dns.names.set(name, value as string[])
      t.clock.advance(3_600_000)
    }
    await send(t, id)
    expect(await statsOf(t, id)).toMatchObject({ status: 'sent', sent: 2 })
    // As a receiver judges it: both signatures good, aligned with From, and covering the way out.
    const raw = (await t.sent())[0]?.raw ?? ''
    const trusted = { ip: '192.0.2.1', helo: 'mx.news.example', sender: 'hello@news.example', trustReceived: false }
    const resolver = async (name: string, type: string) => {
      const found = dns.names.get(name)
      if (type === 'TXT' && Array.isArray(found)) return found.map((text) => [text])
      throw Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' })
    }
    const { dkim, dmarc } = await authenticate(raw, { ...trusted, resolver })
    expect(dkim.results.map(({ status }) => status.result)).toEqual(['pass', 'pass'])
    expect(dmarc).toMatchObject({ status: { result: 'pass' } })
    expect(dkim.results.every(({ signingHeaders }) => /list-unsubscribe-post/i.test(signingHeaders?.keys ?? ''))).toBe(
      true,
    )
  })

  test('REST shows what the DNS says of a domain, and asks when told to', async () => {
    await using dns = await nameServer()
    await using t = await testApp({ dns: dns.resolver })
    const { id, status } = await t.post('/v1/sending-domains', { domain: 'shop.example' }, 201)
    expect(status).toBe('pending')
    const verify = () => t.post(`/v1/sending-domains/${id}/verify`, {}, 200)
    expect(await verify()).toMatchObject({ status: 'failed', dkim: 'missing', spf: 'missing', dmarc: 'missing' })
    for (const { name, value } of (await verify()).dnsRecords) dns.names.set(name, [value])
    expect(await verify()).toMatchObject({ status: 'verified', dkim: 'ok', spf: 'ok', dmarc: 'ok', detail: null })
    const { data } = await t.get('/v1/sending-domains', 200)
    expect(data).toMatchObject([{ domain: 'shop.example', status: 'verified' }])
  })

  test('a policy of the organisation counts; another key, two SPF records and a broken policy do not', async () => {
    await using dns = await nameServer()
    await using t = await testApp({ dns: dns.resolver })
    const { dnsRecords } = await t.post('/v1/sending-domains', { domain: 'mail.news.example' }, 201)
    for (const { name, value } of dnsRecords) if (name.includes('_domainkey')) dns.names.set(name, [value])
    dns.names.set('_dmarc.news.example', ['v=DMARC1; p=reject; rua=mailto:d@news.example'])
    dns.names.set('mail.news.example', ['v=spf1 -all', 'v=spf1 +all', 'unrelated'])
    const domain = await findDomain(t.app, t.workspace.id, 'mail.news.example')
    if (!domain) throw new Error('no domain')
    expect((await checkStanding(t.app, domain, 0)).check).toMatchObject({
      dkim: 'ok',
      spf: 'wrong',
      dmarc: 'ok',
      dmarcPolicy: 'reject',
    })
    dns.names.set('_dmarc.mail.news.example', ['v=DMARC1; p=sometimes'])
    for (const { name } of dnsRecords) if (name.includes('_domainkey')) dns.names.set(name, ['v=DKIM1; k=rsa; p=AAAA'])
    expect((await checkStanding(t.app, domain, 0)).check).toMatchObject({ dkim: 'wrong', dmarc: 'wrong' })
  })

  test('the last good answer holds for a day while the name servers fail, and an answer is asked for once an hour', async () => {
    await using dns = await nameServer()
    await using t = await testApp({ dns: dns.resolver })
    await published(t, dns.names)
    const domain = await findDomain(t.app, t.workspace.id, 'news.example')
    if (!domain) throw new Error('no domain')
    expect(await checkStanding(t.app, domain)).toMatchObject({ dkim: true, dmarc: true })
    const asked = dns.asked.length
    t.clock.advance(3_599_000)
    await checkStanding(t.app, domain)
    expect(dns.asked.length).toBe(asked)
    for (const name of dns.names.keys()) dns.names.set(name, 'servfail')
    t.clock.advance(22 * 3_600_000)
    expect(await checkStanding(t.app, domain)).toMatchObject({ dkim: true, dmarc: true, check: { dkim: 'unknown' } })
    t.clock.advance(3 * 3_600_000)
    expect(await checkStanding(t.app, domain)).toMatchObject({ dkim: false, dmarc: false })
    dns.names.clear()
    t.clock.advance(3_600_000)
    expect(await checkStanding(t.app, domain)).toMatchObject({ dkim: false, check: { dkim: 'missing' } })
  }, 240_000)
})

describe('what receivers say', () => {
  test('421 and 4.7.x make a domain wait, longer each time; other domains go on', async () => {
    let busy = true
    await using sink = startSink({
      answer: (stage, _, { to }) =>
        stage === 'dot' && busy && to.endsWith('@slow.example') ? '451 4.7.1 try again later' : undefined,
    })
    await using t = await testApp({ mailer: smtpTransport({ url: `${sink.url}?maxConnections=1` }) })
    const { list } = await listOf(t, 5, { domain: 'slow.example' })
    const { join } = await import('./support/campaign.ts')
    await join(t, list, 5, { first: 50 })
    const id = await draft(t, list)
    await send(t, id)
    expect(await statsOf(t, id)).toMatchObject({ status: 'sending', sent: 5, delayed: 5 })
    const why = await t.get(`/v1/campaigns/${id}/recipients?state=delayed`, 200)
    const { checks } = await t.get(`/v1/campaigns/${id}/recipients/${why.data[0].contactId}`, 200)
    expect(checks.at(-1)).toMatchObject({ check: 'throttle', ok: false })
    busy = false
    await t.advance('30s')
    expect(await statsOf(t, id)).toMatchObject({ sent: 5 })
    await t.advance('40s')
    // It begins with one a second.
    for (let n = 0; n < 5; n++) await t.advance('10s')
    expect(await statsOf(t, id)).toEqual({ status: 'sent', audience: 10, sent: 10 })
  })

  test('a greylisted recipient holds none but itself, however often that is said; five put off in a row hold the domain', async () => {
    const tried = new Map<string, number>()
    let reply = '451 4.7.1 Greylisted, try again in 60 seconds'
    await using sink = startSink({
      answer(stage, _, { to }) {
        if (stage !== 'rcpt' || !to.endsWith('@grey.example')) return undefined
        tried.set(to, (tried.get(to) ?? 0) + 1)
        return (tried.get(to) ?? 0) > 1 ? undefined : reply
      },
    })
    await using t = await testApp({ mailer: smtpTransport({ url: `${sink.url}?maxConnections=1` }) })
    const { list } = await listOf(t, 12, { domain: 'grey.example' })
    const id = await draft(t, list)
    await send(t, id)
    expect(tried.size).toBe(12)
    const waiting = async () =>
      (await t.get('/v1/receivers', 200)).data
        .filter(({ suspendedUntil }: Json) => suspendedUntil !== null)
        .map(({ receiver }: Json) => receiver)
    expect(await waiting()).toEqual([])
    await t.advance('90s')
    expect(await statsOf(t, id)).toEqual({ status: 'sent', audience: 12, sent: 12 })

    tried.clear()
    // Nothing was taken lately.
    await t.advance('5s')
    reply = '451 4.7.1 too many messages from your network'
    const again = await draft(t, (await listOf(t, 12, { domain: 'grey.example', first: 20 })).list)
    await send(t, again)
    expect(await waiting()).toEqual(['grey.example'])
    expect(await statsOf(t, again)).toMatchObject({ status: 'sending', delayed: 12 })
    await t.advance('6m')
    for (let n = 0; n < 36; n++) await t.advance('10s')
    expect(await statsOf(t, again)).toEqual({ status: 'sent', audience: 12, sent: 12 })
  })

  test('a server that does not know the address: bounced, suppressed, off the cap', async () => {
    await using sink = startSink({
      answer: (stage, _, { to }) => (stage === 'rcpt' && to.startsWith('r1@') ? '550 5.1.1 no such user' : undefined),
    })
    await using t = await testApp({ mailer: smtpTransport({ url: sink.url }) })
    const { id, list } = await drafted(t, 3)
    await send(t, id)
    expect(await statsOf(t, id)).toEqual({ status: 'sent', audience: 3, sent: 2, bounced: 1 })
    const [counts] = await t.app.db.select().from(sendingCounts)
    expect(counts).toMatchObject({ reserved: 2, sent: 3, bounced: 1 })
    expect((await t.get('/v1/suppressions', 200)).data).toMatchObject([{ reason: 'hardBounce' }])
    const again = await draft(t, list)
    const { skipped } = await t.post(`/v1/campaigns/${again}/send`, { dryRun: true }, 200)
    expect(skipped).toEqual({ rate_guardrail: 2 })
  })

  test('a lost reply to the final dot is uncertain, never sent again by itself', async () => {
    await using sink = startSink({ answer: (stage, nth) => (stage === 'dot' && nth === 0 ? 'cut' : undefined) })
    await using t = await testApp({ mailer: smtpTransport({ url: `${sink.url}?maxConnections=1` }) })
    const { id } = await drafted(t, 3)
    await send(t, id)
    expect(await statsOf(t, id)).toEqual({ status: 'sent', audience: 3, sent: 2, uncertain: 1 })
    await t.advance('48h')
    expect(sink.count()).toBe(3)
  })

  const sending = (t: TestApp) => ({ workspaceId: t.workspace.id, domain: 'news.example' })

  test('5 % of bounces pause the campaigns and tell the owners; 10 % or complaints cost the level', async () => {
    await using t = await testApp()
    const { id } = await drafted(t, 2)
    await write(t.app, (tx) => changeSettings(tx, t.workspace.id, { dailyCap: 1 }))
    await send(t, id)
    await write(t.app, (tx) => countSending(tx, sending(t), { sent: 99 }))
    for (let n = 0; n < 4; n++) await write(t.app, (tx) => noteBounce(tx, sending(t), 'bounced', pauseAll))
    expect(await t.get(`/v1/campaigns/${id}`, 200)).toMatchObject({ status: 'sending' })
    await write(t.app, (tx) => noteBounce(tx, sending(t), 'bounced', pauseAll))
    expect(await t.get(`/v1/campaigns/${id}`, 200)).toMatchObject({ status: 'paused', pauseReason: 'bounce_rate' })
    await t.settle()
    expect((await t.sent()).at(-1)).toMatchObject({
      to: 'owner@acme.test',
      raw: expect.stringContaining('campaigns are paused'),
    })
    expect(await level(t)).toBe('M1')
    await write(t.app, (tx) => noteBounce(tx, sending(t), 'complained', pauseAll))
    expect(await level(t)).toBe('M0')
  })

  test('clean weeks with enough mail earn the next level, and only with DMARC', async () => {
    await using dns = await nameServer()
    await using t = await testApp({ dns: dns.resolver })
    await trust(t, 'M1')
    const at = (days: number) => new Date(t.clock.now().getTime() + days * 86_400_000)
    const workspace = async () => {
      const [row] = await t.app.db.select().from(workspaces).where(eq(workspaces.id, t.workspace.id))
      if (!row) throw new Error('no workspace')
      return row
    }
    for (let days = 0; days < 8; days++)
      await write(t.app, (tx) => countSending(tx, { ...sending(t), at: at(days) }, { sent: 80, reserved: 80 }))
    t.clock.set(at(7.5))
    expect(await promote(t.app, await workspace())).toBeNull()
    const { dnsRecords } = await t.post('/v1/sending-domains', { domain: 'news.example' }, 201)
    for (const { name, value } of dnsRecords) dns.names.set(name, [value])
    expect(await promote(t.app, await workspace())).toBe('M2')
    expect(await promote(t.app, await workspace())).toBeNull()
  })
})
