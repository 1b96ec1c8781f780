// Bounces and complaints: reports to the bounce address of a message and over HTTP from providers, and that forged ones change nothing.

import { describe, expect, test } from 'bun:test'
import { createHmac, createSign, generateKeyPairSync } from 'node:crypto'
import { noteReport } from '../src/features/campaigns/feedback.ts'
import { messageAddress } from '../src/features/sending/activity/message-address.ts'
import { takeMessageMail } from '../src/features/sending/feedback/bounces.ts'
import { readBounceReport } from '../src/mail/bounce-report.ts'
import { toRawMail } from '../src/mail/raw-mail.ts'
import { smtpTransport } from '../src/mail/smtp-transport.ts'
import { type TestApp, testApp } from './support/app.ts'
import { draft, drafted, sendCampaign, sentCampaign, statsOf } from './support/campaign.ts'
import { startSink } from './support/smtp-sink.ts'

const environment = { INBOUND_DOMAIN: 'in.acme.test' }

function dsn(status: string, action = 'failed', diagnostic = 'smtp; 550 5.1.1 no such user'): Buffer {
  return Buffer.from(
    [
      'From: MAILER-DAEMON@mx.example',
      'Subject: Undelivered Mail Returned to Sender',
      'MIME-Version: 1.0',
      'Content-Type: multipart/report; report-type=delivery-status;',
      '\tboundary="AAA"',
      '',
      '--AAA',
      'Content-Type: text/plain',
      '',
      'I am sorry.',
      '--AAA',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.example',
      '',
      'Final-Recipient: rfc822; somebody@else.example',
      `Action: ${action}`,
      `Status: ${status}`,
      `Diagnostic-Code: ${diagnostic}`,
      '--AAA--',
      '',
    ].join('\r\n'),
  )
}

const abuse = Buffer.from(
  'Content-Type: multipart/report; report-type=feedback-report; boundary="B"\r\n\r\n--B\r\nContent-Type: message/feedback-report\r\n\r\nFeedback-Type: abuse\r\nVersion: 1\r\n--B--\r\n',
)

/** A confirmation, a mail of a rule, and a transactional one, each sent. */
async function otherMails(t: TestApp): Promise<void> {
  await t.template()
  const { sourceId } = await t.form('double', { type: 'form' })
  await t.post('/v1/contact-subscriptions/opt-in', { email: 'new@example.net', sourceId }, 202)
  const rule = { eventName: 'bought', action: 'send_template', templateId: 'hello', delay: { amount: 0, unit: 'm' } }
  await t.post('/v1/event-rules', { ...rule, enabled: true }, 201)
  await t.contact({ email: 'buyer@example.net', subscribed: true })
  await t.post('/v1/events/send', { email: 'buyer@example.net', eventName: 'bought' }, 200)
  await t.mail()
  await t.settle()
}

async function take(t: TestApp, address: string, raw: Buffer): Promise<boolean> {
  return takeMessageMail(t.app, address, await toRawMail([raw]), noteReport)
}

describe('reports to the bounce address', () => {
  test('mail of every kind leaves with its bounce address, and a bounce of it suppresses', async () => {
    await using t = await testApp({ environment })
    await otherMails(t)
    const { data } = await t.get('/v1/activity', 200)
    const kinds = data.map(({ kind }: { kind: string }) => kind)
    expect(kinds.toSorted()).toEqual(['confirmation', 'rule', 'transactional'])
    const addresses = data.map(({ messageId }: { messageId: string }) => messageAddress(t.app, 'bounce', messageId))
    expect((await t.sent()).map(({ from }) => from).toSorted()).toEqual(addresses.toSorted())
    for (const { from, to } of await t.sent()) {
      expect(await take(t, from, dsn('5.1.1'))).toBe(true)
      const status = await t.get(`/v1/contacts/suppression-status?email=${to}`, 200)
      expect(status, to).toMatchObject({ isSuppressed: true, reason: 'hardBounce' })
    }
  })

  test('without INBOUND_DOMAIN the envelope has the sender, whose domain is the owner’s', async () => {
    await using t = await testApp()
    await otherMails(t)
    const froms = (await t.sent()).map(({ from }) => from)
    expect(froms).toEqual(Array.from({ length: 3 }, () => 'paquebot@paquebot.localhost'))
  })

  test('a report about a mail that is still tried leaves the outcome to its delivery, which ends the campaign', async () => {
    let busy = true
    await using sink = startSink({
      answer: (stage) => (stage === 'dot' && busy ? '451 4.3.0 try again later' : undefined),
    })
    await using t = await testApp({ environment, mailer: smtpTransport({ url: sink.url }) })
    const { id } = await drafted(t, 1)
    await sendCampaign(t, id)
    expect(await statsOf(t, id)).toMatchObject({ status: 'sending', delayed: 1 })
    const { data } = await t.get(`/v1/campaigns/${id}/recipients`, 200)
    const address = messageAddress(t.app, 'bounce', data[0].messageId) ?? ''
    expect(await take(t, address, dsn('4.2.2', 'failed', 'smtp; 452 4.2.2 mailbox full'))).toBe(true)
    expect(await statsOf(t, id)).toMatchObject({ status: 'sending', delayed: 1 })
    busy = false
    await t.advance('1h')
    expect(await statsOf(t, id)).toEqual({ status: 'sent', audience: 1, sent: 1 })
  })

  test('a hard bounce suppresses, takes off the list and ends the recipient as bounced; once', async () => {
    await using t = await testApp({ environment })
    const { id, list, messageIds } = await sentCampaign(t, 3)
    const bounce = messageAddress(t.app, 'bounce', messageIds[0] ?? '')
    const mail = (await t.sent()).find(({ from }) => from === bounce)
    expect(mail).toBeDefined()
    expect(mail?.from.split('@')[0]?.length).toBeLessThanOrEqual(64)
    expect(await take(t, mail?.from ?? '', dsn('5.1.1'))).toBe(true)
    expect(await statsOf(t, id)).toMatchObject({ sent: 2, bounced: 1 })
    const activity = await t.get(`/v1/activity/${messageIds[0]}`, 200)
    expect(activity).toMatchObject({ status: 'bounced' })
    expect(activity.events.at(-1)).toMatchObject({ code: '5.1.1', detail: '550 5.1.1 no such user' })
    const again = await draft(t, list)
    expect((await t.post(`/v1/campaigns/${again}/send`, { dryRun: true }, 200)).recipients).toBe(0)
    await t.unchanged(() => take(t, mail?.from ?? '', dsn('5.1.1')))
  })

  test('a complaint suppresses for good; delays, policy refusals and chatter change nothing', async () => {
    await using t = await testApp({ environment })
    const { id, messageIds } = await sentCampaign(t, 3)
    const address = (n: number) => messageAddress(t.app, 'bounce', messageIds[n] ?? '') ?? ''
    await t.unchanged(async () => {
      expect(await take(t, address(0), dsn('4.4.1', 'delayed'))).toBe(false)
      expect(await take(t, address(0), dsn('5.7.1'))).toBe(false)
      expect(await take(t, address(0), Buffer.from('Subject: Out of office\r\n\r\nBack on Monday.'))).toBe(false)
    })
    expect(await take(t, address(1), abuse)).toBe(true)
    expect((await t.get(`/v1/campaigns/${id}`, 200)).stats).toMatchObject({ sent: 3, complained: 1 })
    expect(await t.get(`/v1/activity/${messageIds[1]}`, 200)).toMatchObject({ status: 'complained' })
  })

  test('a report about us is no bounce of the recipient, whatever its status says', async () => {
    await using t = await testApp({ environment })
    const { messageIds } = await sentCampaign(t, 3)
    const address = messageAddress(t.app, 'bounce', messageIds[0] ?? '') ?? ''
    const aboutUs = [
      dsn('5.1.8', 'failed', 'smtp; 550 5.1.8 bad sender'),
      dsn('5.1.1', 'failed', 'smtp; 554 5.7.1 <somebody@else.example>: Relay access denied'),
      dsn('5.1.0', 'failed', 'smtp; 550 5.7.26 this mail is unauthenticated'),
      dsn('5.2.1', 'failed', 'smtp; 550 Client host [192.0.2.1] blocked using zen.spamhaus.org'),
    ]
    await t.unchanged(async () => {
      for (const report of aboutUs) expect(await take(t, address, report)).toBe(false)
    })
  })

  test('forged ones are ignored', async () => {
    await using t = await testApp({ environment })
    const { messageIds } = await sentCampaign(t, 3)
    const [one = '', other = ''] = messageIds.map((messageId) => messageAddress(t.app, 'bounce', messageId) ?? '')
    const forged = [
      one.replace(/-.*@/, '-00000000000000000000@'),
      `${one.slice(0, 35)}${other.slice(35)}`,
      one.replace('in.acme.test', 'in.other.test'),
      one.replace('b+', 'b+0'),
      'postmaster@in.acme.test',
      '',
      '@',
    ]
    for (const address of forged.filter((address) => address !== one && address !== other))
      await t.unchanged(async () => expect(await take(t, address, dsn('5.1.1')), address).toBe(false))
  })

  test('whatever is sent as a report is read without harm', () => {
    const hostile = [
      '',
      '\0'.repeat(10_000),
      `Content-Type: multipart/report; boundary="x"\r\n\r\n${'--x\r\n'.repeat(100_000)}`,
      'a: '.repeat(100_000),
    ]
    for (const text of hostile) expect(readBounceReport(Buffer.from(text))).toBeNull()
  })
})

describe('reports of providers', () => {
  async function hook(t: TestApp, provider: string, verifyWith?: string): Promise<string> {
    const { url } = await t
      .request('PUT', '/v1/provider-hooks', { provider, verifyWith }, { as: 'session' })
      .then(({ body }) => body)
    return new URL(url).pathname
  }
  const post = (t: TestApp, path: string, body: string, headers = {}) =>
    t.request('POST', path, body, { as: 'nobody', headers })

  test('Mailgun and SendGrid count with a good signature only, Postmark with its secret address', async () => {
    await using t = await testApp()
    const { id, messageIds } = await sentCampaign(t, 3)
    const [a, b, c] = messageIds
    const now = String(Math.floor(t.clock.now().getTime() / 1_000))

    const mailgun = await hook(t, 'mailgun', 'key-1')
    const signed = (key: string, timestamp = now) => ({
      timestamp,
      token: 'tok',
      signature: createHmac('sha256', key).update(`${timestamp}tok`).digest('hex'),
    })
    const failed = {
      event: 'failed',
      severity: 'permanent',
      reason: 'bounce',
      message: { headers: { 'message-id': `${a}@acme.test` } },
    }
    const mailgunBody = (signature: object) => JSON.stringify({ signature, 'event-data': failed })
    await t.unchanged(() => post(t, mailgun, mailgunBody(signed('key-2'))))
    await t.unchanged(() => post(t, mailgun, mailgunBody(signed('key-1', '1700000000'))))
    await t.unchanged(() => post(t, mailgun.replace(/.$/, 'x'), mailgunBody(signed('key-1'))))
    // X16: as many characters as the right one, and more bytes.
    const multibyte = { ...signed('key-1'), signature: 'é'.repeat(64) }
    expect((await t.unchanged(() => post(t, mailgun, mailgunBody(multibyte)))).status).toBe(200)
    expect((await post(t, mailgun, mailgunBody(signed('key-1')))).status).toBe(200)

    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const sendgrid = await hook(t, 'sendgrid', publicKey.export({ type: 'spki', format: 'der' }).toString('base64'))
    const report = JSON.stringify([{ event: 'spamreport', 'smtp-id': `<${b}@acme.test>` }])
    const sign = (text: string) => createSign('sha256').update(text).sign(privateKey, 'base64')
    const headers = (text: string) => ({
      'x-twilio-email-event-webhook-timestamp': now,
      'x-twilio-email-event-webhook-signature': sign(now + text),
    })
    await t.unchanged(() => post(t, sendgrid, report, headers('[]')))
    await post(t, sendgrid, report, headers(report))

    const postmark = await hook(t, 'postmark')
    await t.unchanged(() => post(t, postmark, 'no json'))
    await post(t, postmark, JSON.stringify({ RecordType: 'Delivery', MessageID: c }))
    expect((await t.get(`/v1/campaigns/${id}`, 200)).stats).toMatchObject({ sent: 2, bounced: 1, complained: 1 })
    expect(await t.get(`/v1/activity/${c}`, 200)).toMatchObject({ status: 'delivered' })
    expect((await t.request('PUT', '/v1/provider-hooks', { provider: 'ses' }, { as: 'session' })).status).toBe(422)
  })

  test('a report about a message of another workspace changes nothing', async () => {
    await using t = await testApp()
    const { messageIds } = await sentCampaign(t, 3)
    const { workspace } = await t.stranger()
    const { url } = await t
      .request('PUT', '/v1/provider-hooks', { provider: 'postmark' }, { as: 'session' })
      .then(({ body }) => body)
    const { write } = await import('../src/core/app.ts')
    await write(t.app, (tx) => tx.db.run(`UPDATE provider_hooks SET workspace_id = '${workspace.id}'`))
    await t.unchanged(() =>
      post(t, new URL(url).pathname, JSON.stringify({ RecordType: 'SpamComplaint', MessageID: messageIds[0] })),
    )
  })
})
