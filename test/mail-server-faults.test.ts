// A mail server that refuses us, or everything: nobody is suppressed, nothing ends, the owner can see why, and all is delivered once
// the server is mended. Through a real SMTP server that misbehaves.

import { describe, expect, test } from 'bun:test'
import type { SMTPServerOptions } from 'smtp-server'
import { suppressions } from '../db/tables/contacts.ts'
import { outboxJobs } from '../db/tables/outbox.ts'
import { createApp } from '../src/core/app.ts'
import { restoreHolds } from '../src/core/outbox/sending-faults.ts'
import { type FaultCause, faultCauses } from '../src/mail/fault-cause.ts'
import { rules } from '../src/operator/attention/rules.ts'
import { behind } from './support/ailing-server.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { draft, join, listOf, statsOf } from './support/campaign.ts'
import { certificateFor, selfSigned } from './support/certificate.ts'
import { remoteDatabase } from './support/database.ts'
import { startRelay } from './support/relay.ts'
import { type SinkStage, startSink } from './support/smtp-sink.ts'

const people = 200
/** Several, for what one of them says alone is its own matter (test/receiving-domains.test.ts). */
const domains = ['example.net', 'example.org', 'example.com', 'example.edu']
const perDomain = people / domains.length
const recipients = Array.from({ length: people }, (_, n) => `r${n}@${domains[n % domains.length]}`)

async function send(t: TestApp, email: string): Promise<void> {
  await t.mail({ email })
  await t.settle()
}

async function sendCampaign(t: TestApp): Promise<string> {
  const { list } = await listOf(t, 0)
  for (let n = 0; n < perDomain; n++)
    for (const [at, domain] of domains.entries()) await join(t, list, 1, { domain, first: n * domains.length + at })
  const id = await draft(t, list)
  await t.post(`/v1/campaigns/${id}/send`, {}, 200)
  await t.settle()
  return id
}

const faultsOf = async (t: TestApp) => (await t.get('/v1/sending-faults', 200)).data
const suppressed = async (t: TestApp) => (await t.app.db.select().from(suppressions)).length

describe('a campaign', () => {
  /** Whoever sends: the relay takes nothing from us. Else it knew whose mail it refuses. */
  const ills: [stage: SinkStage, said: string, about: string, scope?: 'relay'][] = [
    ['banner', '554 5.7.1 no service for you', 'relay', 'relay'],
    ['auth', '535 5.7.8 authentication failed', 'relay', 'relay'],
    ['mail', '530 5.7.0 authentication required', 'relay', 'relay'],
    ['mail', '454 4.7.0 Daily sending quota exceeded', 'relay'],
    ['rcpt', '554 5.7.1 <%>: Relay access denied', 'relay'],
    ['rcpt', '550 relay not permitted', 'relay'],
    ['dot', '550 5.7.26 this mail is unauthenticated', 'sender'],
    // Said of everybody, it is not believed of anybody.
    ['rcpt', '550 5.1.1 <%>: no such user', 'address'],
    ['rcpt', '550 unknown', 'address'],
    ['dot', '554 5.7.1 message refused', 'message'],
    ['rcpt', '552 5.2.2 mailbox full', 'mailbox'],
  ]
  for (const [stage, said, about, scope = 'workspace'] of ills) {
    test(`${people} mails and "${said}" at ${stage}: none ended, nobody suppressed, all delivered when it is mended`, async () => {
      await using p = await behind((asked, to) => (asked === stage ? said.replace('%', to) : undefined))
      const id = await sendCampaign(p.t)
      for (let hours = 0; hours < 30; hours += 6) await p.t.advance('6h')
      const { status, sent, failed, bounced } = await statsOf(p.t, id)
      expect({ status, sent, failed, bounced }).toEqual({
        status: 'sending',
        sent: undefined,
        failed: undefined,
        bounced: undefined,
      })
      expect(await suppressed(p.t)).toBe(0)
      const [fault] = await faultsOf(p.t)
      expect(fault).toMatchObject({ about, scope })
      expect(fault.reply).toStartWith(said.slice(0, 3))
      expect(fault.heldUntil).not.toBeNull()
      expect(p.t.logged.join()).toContain('mail is held')

      p.mend()
      for (let minutes = 0; minutes < 90; minutes += 15) await p.t.advance('15m')
      expect(await statsOf(p.t, id)).toMatchObject({ status: 'sent', sent: people })
      expect(p.sink.received.map(({ to }) => to.join()).toSorted()).toEqual(recipients.toSorted())
      expect((await faultsOf(p.t)).filter(({ heldUntil }: { heldUntil: unknown }) => heldUntil !== null)).toEqual([])
      expect(await suppressed(p.t)).toBe(0)
    }, 240_000)
  }

  test('held mail is tried with one mail at a time, ever less often', async () => {
    let tries = 0
    await using counted = await behind((stage) => {
      if (stage === 'rcpt') tries++
      return stage === 'rcpt' ? '550 relay not permitted' : undefined
    })
    await sendCampaign(counted.t)
    const first = tries
    // As many as are on their way at once: beside a server twice as many.
    expect(first).toBeLessThanOrEqual(remoteDatabase ? 200 : 100)
    const perTry: number[] = []
    for (let minutes = 0; minutes < 60; minutes++) {
      const before = tries
      await counted.t.advance('1m')
      perTry.push(tries - before)
    }
    expect(Math.max(...perTry)).toBeLessThanOrEqual(2)
    expect(tries - first).toBeLessThanOrEqual(12)
    expect(tries - first).toBeGreaterThanOrEqual(5)
  }, 240_000)

  test('addresses that do not exist still bounce, beside others that do', async () => {
    await using p = await behind((stage, to) =>
      stage === 'rcpt' && /^r\d*[05]@/.test(to) ? `550 5.1.1 <${to}>: no such user` : undefined,
    )
    const id = await sendCampaign(p.t)
    for (let hours = 0; hours < 6; hours++) await p.t.advance('1h')
    const { bounced, status, pauseReason: _, ...rest } = await statsOf(p.t, id)
    // A fifth of a list is too much: the stop rule for bounces comes first.
    expect(status).toBe('paused')
    expect(bounced).toBeGreaterThan(4)
    expect(rest.failed).toBeUndefined()
    expect(await suppressed(p.t)).toBe(bounced)
    expect(await faultsOf(p.t)).toEqual([])
  }, 240_000)
})

describe('the cause is named, with what to check', () => {
  const said: [stage: SinkStage, reply: string, cause: FaultCause, code: string][] = [
    ['banner', '554 no service', 'relaying', 'mail_server_fails'],
    ['auth', '535 5.7.8 authentication failed', 'sign_in', 'mail_server_fails'],
    ['mail', '530 5.7.0 Must issue a STARTTLS command first', 'tls', 'mail_server_fails'],
    ['mail', '550 5.7.1 sender rejected', 'sender', 'mail_refused'],
    // What the mail server has against us is not told as the receiver's, though it is said when one is named.
    ['rcpt', '550 5.4.5 Daily user sending limit exceeded', 'throttled', 'mail_server_fails'],
    ['rcpt', '452 4.5.3 Error: too many recipients', 'throttled', 'mail_server_fails'],
    ['rcpt', '450 4.7.1 Policy rejection: quota exceeded for sender', 'throttled', 'mail_server_fails'],
    ['rcpt', '554 5.7.1 Relay access denied', 'relaying', 'mail_server_fails'],
    ['rcpt', '454 4.7.1 Relay access denied', 'relaying', 'mail_server_fails'],
    ['rcpt', '550 5.7.1 Relaying denied', 'relaying', 'mail_server_fails'],
    ['dot', '535 5.7.8 account suspended', 'sign_in', 'mail_server_fails'],
    ['rcpt', '550 5.7.26 this mail is unauthenticated', 'sender', 'receiver_refuses'],
  ]
  for (const [stage, reply, cause, code] of said)
    test(`${reply} at ${stage}: ${cause}`, async () => {
      await using p = await behind((asked) => (asked === stage ? reply : undefined))
      expect(await toldOf(p.t)).toEqual({ cause, code })
      const { data } = await p.t.get('/v1/attention', 200)
      const item = data.find((one: Json) => one.code === code)
      const isOfReceiver = code === 'receiver_refuses'
      expect(item).toMatchObject({ detail: reply, cause: isOfReceiver ? null : cause })
      expect(item).toMatchObject(isOfReceiver ? rules.receiver_refuses : faultCauses[cause])
    })

  test('one matter of the mail server is told once, at however many domains it showed', async () => {
    await using p = await behind((asked) => (asked === 'rcpt' ? '554 5.7.1 Relay access denied' : undefined))
    const toldItems = async () =>
      (await p.t.get('/v1/attention', 200)).data.filter((one: Json) => one.area === 'sending')
    await send(p.t, 'ada@example.net')
    expect(await toldItems()).toMatchObject([{ code: 'mail_server_fails', thing: { name: 'example.net' } }])
    await send(p.t, 'ada@example.org')
    expect(await toldItems()).toMatchObject([{ code: 'mail_server_fails', thing: null }])
  })

  const { key, cert } = selfSigned()
  const old = certificateFor('localhost', { expired: true })
  const noTls = { hideSTARTTLS: true }
  const servers: [what: string, options: SMTPServerOptions, url: (port: number) => string][] = [
    ['a certificate that nobody signed, after STARTTLS', { key, cert }, (port) => `smtp://127.0.0.1:${port}`],
    ['one from the first byte', { key, cert, secure: true }, (port) => `smtps://127.0.0.1:${port}`],
    ['one that has expired', old, (port) => `smtp://localhost:${port}`],
    ['no TLS where it was to begin at once', noTls, (port) => `smtps://127.0.0.1:${port}`],
    ['no STARTTLS where it is required', noTls, (port) => `smtp://127.0.0.1:${port}?requireTLS=true`],
    [
      'no version of TLS in common',
      { key, cert, secure: true, minVersion: 'TLSv1', maxVersion: 'TLSv1.1' },
      (port) => `smtps://127.0.0.1:${port}?tls.rejectUnauthorized=false`,
    ],
  ]
  for (const [what, options, url] of servers)
    test(`of a real TLS server: ${what}`, async () => {
      await using server = await startRelay({ ...options, authOptional: true })
      await using t = await testApp({ environment: { SMTP_URL: url(server.port) } })
      await t.template()
      expect(await toldOf(t)).toEqual({ cause: 'tls', code: 'mail_server_fails' })
    })

  test('nothing listens at the port', async () => {
    const gone = startSink()
    gone.stop()
    await using t = await testApp({ environment: { SMTP_URL: gone.url } })
    await t.template()
    expect(await toldOf(t)).toEqual({ cause: 'not_reached', code: 'mail_server_fails' })
    const [fault] = await faultsOf(t)
    expect(fault.reply).toStartWith(`connect: nothing listens at 127.0.0.1:${gone.port}`)
    const [mail] = (await t.get('/v1/activity', 200)).data
    expect(mail.events.at(-1).detail).toContain(`nothing listens at 127.0.0.1:${gone.port}`)
  })

  async function toldOf(t: TestApp) {
    await send(t, 'ada@example.net')
    const [fault] = await faultsOf(t)
    const { data } = await t.get('/v1/attention', 200)
    const codes = data.map(({ code }: { code: string }) => code)
    return { cause: fault.cause, code: codes.find((one: string) => /^mail_|^receiver_/.test(one)) }
  }
})

describe('single mails', () => {
  test('wait for nobody once somebody asks: one goes first while they are held, the others when it was taken', async () => {
    let tries = 0
    await using p = await behind((stage) => {
      if (stage === 'rcpt') tries++
      return stage === 'rcpt' ? '550 relay not permitted' : undefined
    })
    const later = await p.t.mail({ email: 'later@example.net', scheduledAt: '2027-01-01T00:00:00Z' })
    for (let n = 0; n < 12; n++) await send(p.t, `r${n}@${domains[n % domains.length]}`)
    const held = async () => (await faultsOf(p.t)).find(({ domain }: Json) => domain === null)?.heldUntil
    const tryAgain = async () => {
      const { mails } = await p.t.post('/v1/sending-faults/try-again', undefined, 200)
      await p.t.settle()
      return mails
    }
    const firstWait = Date.parse(await held()) - p.t.clock.now().getTime()
    const before = tries
    expect(await tryAgain()).toBeGreaterThan(0)
    expect(tries).toBe(before + 1)
    // Asking again does not make the next wait longer.
    expect(Date.parse(await held()) - p.t.clock.now().getTime()).toBe(firstWait)
    p.mend()
    await tryAgain()
    expect(p.sink.received).toHaveLength(12)
    expect(await faultsOf(p.t)).toEqual([])
    expect(await p.t.get(`/v1/activity/${later.messageId}`, 200)).toMatchObject({ status: 'queued' })
    expect((await p.t.get('/v1/attention', 200)).data.map(({ code }: Json) => code)).not.toContain('mail_held')
  })

  test('530 and its like never end a mail, however long it takes', async () => {
    await using p = await behind((stage) => (stage === 'mail' ? '530 5.7.0 authentication required' : undefined))
    const { messageId } = await p.t.mail()
    for (let n = 0; n < 40; n++) await p.t.advance('6h')
    expect(await p.t.get(`/v1/activity/${messageId}`, 200)).toMatchObject({ status: 'delayed' })
    const [job] = await p.t.app.db.select().from(outboxJobs)
    expect(job?.state).toBe('pending')
    expect(await faultsOf(p.t)).toMatchObject([{ about: 'relay', reply: '530 5.7.0 authentication required' }])
    p.mend()
    await p.t.advance('75m')
    expect(await p.t.get(`/v1/activity/${messageId}`, 200)).toMatchObject({ status: 'sent' })
    expect(await faultsOf(p.t)).toEqual([])
  }, 240_000)

  test('what one workspace is refused for holds no other workspace', async () => {
    await using p = await behind((stage, to) =>
      stage === 'rcpt' && to !== 'bob@example.org' ? '550 5.7.1 Relaying denied' : undefined,
    )
    await sendCampaign(p.t)
    const other = await p.t.stranger()
    await p.t.template({}, { as: other })
    await p.t.mail({ email: 'bob@example.org' }, { as: other })
    await p.t.settle()
    expect(p.sink.received.map(({ to }) => to.join())).toEqual(['bob@example.org'])
    expect((await p.t.get('/v1/sending-faults', 200, { as: other })).data).toEqual([])
  }, 240_000)

  test('a hold outlives the process, readyz and metrics tell of it', async () => {
    await using p = await behind((stage) => (stage === 'auth' ? '535 5.7.8 authentication failed' : undefined))
    await sendCampaign(p.t)
    const nobody = { as: 'nobody' } as const
    expect((await p.t.request('GET', '/readyz', undefined, nobody)).body.checks.sending).toBe('held')
    expect((await p.t.request('GET', '/metrics', undefined, nobody)).text).toContain(
      'paquebot_sending_faults{held="true"} 1',
    )
    const later = await createApp(p.t.app.config, { clock: p.t.clock })
    await restoreHolds(later)
    expect(later.mailer.capacity({ workspaceId: p.t.workspace.id, isUrgent: true }, () => {})).toBe(0)
    p.t.clock.advance(3_600_000)
    expect(later.mailer.capacity({ workspaceId: p.t.workspace.id, isUrgent: true }, () => {})).toBe(1)
    await later.close()
  }, 240_000)
})
