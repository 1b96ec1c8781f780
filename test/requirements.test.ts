// What Gmail, Yahoo and Microsoft require of a sender: met, not met or not known, with the reply or the figures that say so.

import { describe, expect, test } from 'bun:test'
import { domainChecks } from '../db/tables/campaigns.ts'
import { figures } from '../db/tables/figures.ts'
import { write } from '../src/core/app.ts'
import { enqueue } from '../src/core/outbox/enqueue.ts'
import { noteReport } from '../src/features/campaigns/feedback.ts'
import { messageAddress } from '../src/features/sending/activity/message-address.ts'
import { takeMessageMail } from '../src/features/sending/feedback/bounces.ts'
import { watchRequirements } from '../src/features/sending/reports/requirements.ts'
import { toRawMail } from '../src/mail/raw-mail.ts'
import { receiverGroup } from '../src/mail/receiver-groups.ts'
import { brokenRequirement } from '../src/mail/requirements.ts'
import { smtpTransport } from '../src/mail/smtp-transport.ts'
import { vouchFor } from '../src/people/domain-owners.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { startSink } from './support/smtp-sink.ts'

test('a receiver is known by the suffix of its MX, else by its domain, else it is its own', () => {
  const groups: [domain: string, mx: string | null, group: string][] = [
    ['gmail.com', null, 'google'],
    ['GoogleMail.com', null, 'google'],
    ['acme.example', 'aspmx.l.google.com.', 'google'],
    ['acme.example', 'acme-example.mail.protection.outlook.com', 'microsoft'],
    ['acme.example', 'acme-example.p-v1.mx.microsoft', 'microsoft'],
    ['hotmail.de', null, 'microsoft'],
    ['aol.com', 'mta5.am0.yahoodns.net', 'yahoo'],
    ['me.com', 'mx01.mail.icloud.com', 'apple'],
    ['web.de', null, 'gmx'],
    ['orange.fr', 'smtp-in.orange.fr', 'orange'],
    ['gmail.com', 'mx.evil.example', 'mx.evil.example'],
    ['acme.example', 'mx.notgoogle.com', 'mx.notgoogle.com'],
    ['acme.example', null, 'acme.example'],
  ]
  for (const [domain, mx, group] of groups) expect(receiverGroup({ domain, mx }), `${domain} ${mx}`).toBe(group)
})

test('a refusal names the requirement that is broken; one of another receiver, or about something else, names none', () => {
  const replies: [domain: string, reply: string, broken: string | null][] = [
    [
      'gmail.com',
      '550-5.7.26 This mail has been blocked because the sender is unauthenticated.',
      'google authentication',
    ],
    [
      'gmail.com',
      "550-5.7.26 Unauthenticated email from news.example is not accepted due to domain's DMARC policy.",
      'google alignment',
    ],
    ['gmail.com', '550-5.7.25 The IP address sending this message does not have a PTR record setup', 'google ptr'],
    ['gmail.com', '421-4.7.23 The sending IP address does not have a PTR record', 'google ptr'],
    ['gmail.com', '550-5.7.28 an unusual rate of unsolicited mail', 'google complaints'],
    ['gmail.com', '421-4.7.28 an unusual rate of unsolicited mail', 'google complaints'],
    ['gmail.com', '550-5.7.29 This message was not sent over a TLS connection.', 'google tls'],
    ['gmail.com', '421-4.7.30 DKIM check did not pass', 'google authentication'],
    ['gmail.com', '421-4.7.32 From: is not aligned', 'google alignment'],
    ['gmail.com', '421-4.7.0 detected an unusual rate of unsolicited mail', 'google complaints'],
    ['company.example', '550-5.7.26 unauthenticated x1-20020a si 1 gsmtp', 'google authentication'],
    [
      'outlook.com',
      '550 5.7.515 Access denied, sending domain news.example does not meet the required authentication level',
      'microsoft authentication',
    ],
    [
      'hotmail.com',
      '421 4.7.650 The mail server [192.0.2.1] has been temporarily rate limited',
      'microsoft complaints',
    ],
    ['yahoo.com', '554 5.7.9 Message not accepted for policy reasons.', 'yahoo authentication'],
    [
      'aol.com',
      '421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to user complaints',
      'yahoo complaints',
    ],
    ['gmail.com', '550-5.1.1 The email account that you tried to reach does not exist', null],
    ['gmail.com', '452-4.2.2 The recipient is over quota', null],
    ['else.example', '550 5.7.26 unauthenticated', null],
    ['gmail.com', '', null],
  ]
  for (const [domain, reply, broken] of replies) {
    const found = brokenRequirement(domain, reply)
    expect(found && `${found.receiver} ${found.requirement}`, reply).toBe(broken)
  }
})

interface Stage extends AsyncDisposable {
  t: TestApp
  id: string
  /** What the server says to each recipient; null = it takes the mail. */
  say(reply: string | null): void
  requirement(receiver: string, requirement: string): Promise<Json>
  broken(): Promise<Json[]>
  send(email: string): Promise<string>
}

async function stage(): Promise<Stage> {
  let said: string | null = null
  const sink = startSink({ answer: (stage) => (stage === 'rcpt' ? (said ?? undefined) : undefined) })
  const t = await testApp({
    mailer: smtpTransport({ url: sink.url }),
    environment: { INBOUND_DOMAIN: 'in.example.net', MAIL_FROM: 'News <hello@news.example>' },
  })
  await t.endpoint({ url: 'https://example.net/hook', status: 'active' })
  const { id } = await t.post('/v1/sending-domains', { domain: 'news.example' }, 201)
  await write(t.app, (tx) => vouchFor(tx, { workspaceId: t.workspace.id, domain: 'news.example' }))
  await t.template()
  return {
    t,
    id,
    say: (reply) => {
      said = reply
    },
    async requirement(receiver, requirement) {
      const { data } = await t.get(`/v1/sending-domains/${id}/requirements`, 200)
      return data.find((one: Json) => one.receiver === receiver && one.requirement === requirement)
    },
    async broken() {
      const { data } = await t.get('/v1/event-feed', 200)
      return data.filter(({ type }: Json) => type === 'requirement.broken').map(({ payload }: Json) => payload.data)
    },
    async send(email) {
      const { messageId } = await t.mail({ email })
      await t.settle()
      return messageId
    },
    async [Symbol.asyncDispose]() {
      await t[Symbol.asyncDispose]()
      await sink[Symbol.asyncDispose]()
    },
  }
}

describe('the requirements of a domain', () => {
  test('are broken by a refusal that says so, told once, and over a week after the last', async () => {
    await using s = await stage()
    const { t } = s
    expect(await s.requirement('google', 'ptr')).toMatchObject({ state: 'unknown', evidence: 'none', since: null })
    const reply = '550 5.7.25 The IP address sending this message does not have a PTR record'
    s.say(reply)
    const since = t.clock.now().toISOString()
    await s.send('ada@gmail.com')
    expect(await s.requirement('google', 'ptr')).toMatchObject({
      state: 'not_met',
      evidence: 'refusal',
      detail: reply,
      since,
    })
    expect(await s.requirement('yahoo', 'ptr')).toMatchObject({ state: 'unknown' })
    expect(await s.broken()).toEqual([
      { domain: { id: s.id, name: 'news.example' }, requirement: 'ptr', receivers: ['google'], evidence: reply },
    ])
    expect((await t.get('/v1/attention', 200)).data).toContainEqual(
      expect.objectContaining({ code: 'requirement_broken', detail: `google, ptr: ${reply}`, since }),
    )
    await t.advance('2h')
    expect(await s.broken()).toHaveLength(1)
    s.say(null)
    await t.advance('3d')
    expect(await s.requirement('google', 'ptr')).toMatchObject({ state: 'not_met', since })
    await t.advance('6d')
    expect(await s.requirement('google', 'ptr')).toMatchObject({ state: 'unknown', since: null })
    s.say(reply)
    await s.send('ada@gmail.com')
    expect(await s.broken()).toHaveLength(2)
  })

  test('are broken by a report to the bounce address as well, when a relay was refused later', async () => {
    await using s = await stage()
    const messageId = await s.send('ada@outlook.com')
    const reply =
      '550 5.7.515 Access denied, sending domain news.example does not meet the required authentication level.'
    const dsn = [
      'Content-Type: multipart/report; report-type=delivery-status; boundary=A',
      '',
      '--A',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.example',
      '',
      'Final-Recipient: rfc822; ada@outlook.com',
      'Action: failed',
      'Status: 5.7.515',
      `Diagnostic-Code: smtp; ${reply}`,
      '--A--',
      '',
    ].join('\r\n')
    const address = messageAddress(s.t.app, 'bounce', messageId) ?? ''
    await takeMessageMail(s.t.app, address, await toRawMail([Buffer.from(dsn)]), noteReport)
    expect(await s.requirement('microsoft', 'authentication')).toMatchObject({ state: 'not_met', detail: reply })
    expect(await s.broken()).toHaveLength(1)
    expect(await s.t.get(`/v1/activity/${messageId}`, 200)).toMatchObject({ status: 'sent' })
  })

  test('follow the DNS, and what broke is told by the daily look, once', async () => {
    await using s = await stage()
    const { t, id } = s
    expect(await s.requirement('yahoo', 'dmarc')).toMatchObject({ state: 'unknown' })
    expect(await s.requirement('yahoo', 'one_click')).toMatchObject({ state: 'met', evidence: 'built_in' })
    const good = {
      domainId: id,
      workspaceId: t.workspace.id,
      dkim: 'ok',
      spf: 'ok',
      dmarc: 'ok',
      ownership: 'ok',
    } as const
    const at = t.clock.now()
    const put = (change: object) =>
      write(t.app, async (tx) => {
        const row = { ...good, checkedAt: at, dkimGoodAt: at, dmarcGoodAt: at, ...change }
        await tx.db.insert(domainChecks).values(row).onConflictDoUpdate({ target: domainChecks.domainId, set: row })
      })
    const look = async () => {
      await write(t.app, (tx) => enqueue(tx, watchRequirements, { workspaceId: '', payload: {} }))
      await t.settle()
    }
    await put({})
    await look()
    for (const requirement of ['authentication', 'dmarc'])
      expect(await s.requirement('microsoft', requirement)).toMatchObject({ state: 'met', evidence: 'dns' })
    expect(await s.broken()).toEqual([])
    await put({ dmarc: 'missing', detail: '_dmarc.news.example has no DMARC record' })
    await look()
    await look()
    expect(await s.requirement('google', 'dmarc')).toMatchObject({
      state: 'not_met',
      evidence: 'dns',
      since: at.toISOString(),
    })
    expect(await s.broken()).toMatchObject([{ requirement: 'dmarc', receivers: ['google', 'yahoo', 'microsoft'] }])
    await put({})
    await look()
    expect(await s.requirement('google', 'dmarc')).toMatchObject({ state: 'met' })
    expect((await t.get('/v1/attention', 200)).data.map(({ code }: Json) => code)).not.toContain('requirement_broken')
  })

  test('count complaints of the mail of 30 days, and say what Gmail does not tell', async () => {
    await using s = await stage()
    const { t } = s
    const at = new Date(Math.floor(t.clock.now().getTime() / 86_400_000) * 86_400_000)
    const zero = {
      delivered: 0,
      bounced: 0,
      suppressed: 0,
      failed: 0,
      opened: 0,
      clicked: 0,
      machineOpened: 0,
      machineClicked: 0,
    }
    const row = {
      workspaceId: t.workspace.id,
      dimension: 'sender',
      bucket: 'day',
      at,
      value: 'news.example',
      ...zero,
    } as const
    const put = (complained: number, sent = 10_000) =>
      write(t.app, async (tx) => {
        const target = [figures.workspaceId, figures.dimension, figures.bucket, figures.at, figures.value]
        await tx.db
          .insert(figures)
          .values({ ...row, sent, complained })
          .onConflictDoUpdate({ target, set: { sent, complained } })
      })
    await put(2, 999)
    expect(await s.requirement('yahoo', 'complaints')).toMatchObject({ state: 'unknown', evidence: 'none' })
    await put(5)
    expect(await s.requirement('yahoo', 'complaints')).toMatchObject({ state: 'met', detail: '0.05 % of 10000' })
    expect(await s.requirement('google', 'complaints')).toMatchObject({ state: 'unknown', evidence: 'complaints' })
    await put(30)
    expect(await s.requirement('google', 'complaints')).toMatchObject({ state: 'not_met', detail: '0.30 % of 10000' })
  })

  test('of another workspace are not there', async () => {
    await using s = await stage()
    const { apiKey } = await s.t.stranger()
    await s.t.get(`/v1/sending-domains/${s.id}/requirements`, 404, { as: { apiKey } })
  })
})
