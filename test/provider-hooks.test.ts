// What providers report over HTTP, as somebody sends it who has learnt an address or caught a report: of another topic, once more, or
// with other words under the same signature.

import { describe, expect, test } from 'bun:test'
import { createSign, generateKeyPairSync } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { minute } from '../src/kit/duration.ts'
import { type TestApp, testApp } from './support/app.ts'
import { sentCampaign } from './support/campaign.ts'
import { fromSns, hook, post, signedByMailgun, sns, topicArn } from './support/provider-reports.ts'

/** Mails that were sent, their ids. */
const statusOf = async (t: TestApp, id: string | undefined) => (await t.get(`/v1/activity/${id}`, 200)).status

const bounceOf = (messageId: string | undefined) =>
  JSON.stringify({
    notificationType: 'Bounce',
    bounce: { bounceType: 'Permanent', bounceSubType: 'General' },
    mail: { commonHeaders: { messageId: `<${messageId}@acme.test>` } },
  })

function fromMailgun(t: TestApp, messageId: string | undefined, { token = 'a1b2', at = t.clock.now() } = {}) {
  const message = { headers: { 'message-id': `${messageId}@acme.test` } }
  return signedByMailgun({ event: 'failed', severity: 'permanent', reason: 'bounce', message }, { token, at })
}

describe('a report counts for the workspace it was made for, and once', () => {
  test('SES is heard on the topic of the workspace only', async () => {
    await using t = await testApp()
    const [first, second] = (await sentCampaign(t, 2)).messageIds
    const refused = await t.put('/v1/provider-hooks', { provider: 'ses', verifyWith: sns.cert }, 422, { as: 'session' })
    expect(refused.errors).toMatchObject([{ path: 'topicArn' }])
    for (const wrong of ['bounces', 'arn:aws:sqs:eu-west-1:123456789012:bounces', `${topicArn}\n`])
      await t.put('/v1/provider-hooks', { provider: 'ses', verifyWith: sns.cert, topicArn: wrong }, 422, {
        as: 'session',
      })
    await t.put('/v1/provider-hooks', { provider: 'postmark', topicArn }, 422, { as: 'session' })

    const path = await hook(t, { provider: 'ses', verifyWith: sns.cert, topicArn })
    for (const other of ['arn:aws:sns:eu-west-1:999999999999:bounces', `${topicArn}2`, topicArn.toUpperCase(), ''])
      await t.unchanged(() => post(t, path, fromSns(t, { TopicArn: other, Message: bounceOf(first) })))
    await t.unchanged(() => post(t, path, { ...fromSns(t, { Message: bounceOf(first) }), Message: bounceOf(second) }))
    const report = fromSns(t, { Message: bounceOf(first) })
    await post(t, path, report)
    expect(await statusOf(t, first)).toBe('bounced')
    await t.unchanged(() => post(t, path, report))
    expect(await statusOf(t, second)).toBe('sent')
  })

  test('the address that confirms the subscription is shown when it is of that topic and leads to SNS', async () => {
    await using t = await testApp()
    const path = await hook(t, { provider: 'ses', verifyWith: sns.cert, topicArn })
    const confirmUrl = `https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${topicArn}&Token=2336`
    const confirmation = { Type: 'SubscriptionConfirmation', Message: 'You have chosen …', Token: '2336' }
    const elsewhere = [
      { SubscribeURL: 'https://evil.example/?TopicArn=' },
      { SubscribeURL: 'https://sns.eu-west-1.amazonaws.com.evil.example/' },
      { SubscribeURL: confirmUrl.replace('https', 'http') },
      { SubscribeURL: confirmUrl.replace(topicArn, `${topicArn}2`) },
      { SubscribeURL: confirmUrl.replace('eu-west-1', 'us-east-1') },
      { SubscribeURL: confirmUrl.replace('https://', 'https://evil.example@') },
      { SubscribeURL: confirmUrl.replace('.com/', '.com:8443/') },
      { SubscribeURL: 'javascript:alert(1)' },
      { SubscribeURL: confirmUrl, TopicArn: 'arn:aws:sns:eu-west-1:999999999999:bounces' },
    ]
    for (const one of elsewhere) await t.unchanged(() => post(t, path, fromSns(t, { ...confirmation, ...one })))
    // On a notification this field is not signed.
    await t.unchanged(() => post(t, path, { ...fromSns(t, { Message: '{}' }), SubscribeURL: confirmUrl }))
    const unsigned = { ...fromSns(t, { ...confirmation, SubscribeURL: confirmUrl }), Signature: 'AAAA' }
    await t.unchanged(() => post(t, path, unsigned))

    const shown = async () => (await t.get('/v1/provider-hooks', 200, { as: 'session' })).data
    expect(await shown()).toMatchObject([{ provider: 'ses', topicArn, confirmUrl: null }])
    await post(t, path, fromSns(t, { ...confirmation, SubscribeURL: confirmUrl }))
    expect(await shown()).toMatchObject([{ provider: 'ses', topicArn, confirmUrl }])
    const { apiKey } = await t.stranger()
    expect((await t.request('GET', '/v1/provider-hooks', undefined, { as: { apiKey } })).status).toBe(401)
    // The first notification says that it is confirmed.
    await post(t, path, fromSns(t, { Message: '{}' }))
    expect(await shown()).toMatchObject([{ confirmUrl: null }])
  })

  test('a token of Mailgun counts once, whatever is said with it the second time', async () => {
    await using t = await testApp()
    const [first, second, third] = (await sentCampaign(t, 3)).messageIds
    const path = await hook(t, { provider: 'mailgun', verifyWith: 'key-1' })
    const report = fromMailgun(t, first)
    const forged = { ...fromMailgun(t, second), signature: report.signature }
    const together = await Promise.all(
      Array.from({ length: 8 }, () => t.request('POST', path, report, { as: 'nobody' })),
    )
    expect(together.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
    expect(await statusOf(t, first)).toBe('bounced')
    for (const again of [report, forged]) await t.unchanged(() => post(t, path, again))
    // Also after the address was made anew, and for as long as the signature is good; a time ahead of ours makes that longer.
    const ahead = fromMailgun(t, third, { token: 'ahead', at: new Date(t.clock.now().getTime() + 14 * minute) })
    const opened = { ...ahead, 'event-data': { ...ahead['event-data'], event: 'opened' } }
    const anew = await hook(t, { provider: 'mailgun', verifyWith: 'key-1' })
    await post(t, anew, opened)
    await t.advance('28m')
    for (const again of [report, forged, ahead]) await t.unchanged(() => post(t, anew, again))
    // The same signature, with its first characters told as the end of the time.
    const exponent = fromMailgun(t, first, { token: 'e0f9' })
    const { timestamp } = exponent.signature
    await post(t, anew, exponent)
    const moved = { ...exponent.signature, timestamp: `${timestamp}e0`, token: 'f9' }
    await t.unchanged(() => post(t, anew, { ...fromMailgun(t, second), signature: moved }))
    await post(t, anew, fromMailgun(t, third, { token: 'c3d4' }))
    expect(await statusOf(t, third)).toBe('bounced')
    expect(await statusOf(t, second)).toBe('sent')
  })

  test('tokens are forgotten when their signature is too old to count', async () => {
    await using t = await testApp()
    const path = await hook(t, { provider: 'mailgun', verifyWith: 'key-1' })
    for (const token of ['a', 'b', 'c'.repeat(100_000)]) await post(t, path, fromMailgun(t, 'none', { token }))
    const stored = () => t.app.db.all<{ size: number }>(sql`SELECT length(token_hash) AS size FROM provider_tokens`)
    expect(await stored()).toEqual([{ size: 64 }, { size: 64 }, { size: 64 }])
    await t.advance('14m')
    await t.cleanUp()
    expect(await stored()).toHaveLength(3)
    await t.advance('2m')
    await t.cleanUp()
    expect(await stored()).toEqual([])
  })

  test('a report of SendGrid or Postmark that comes again changes nothing', async () => {
    await using t = await testApp()
    const [first, second] = (await sentCampaign(t, 2)).messageIds
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const verifyWith = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
    const sendgrid = await hook(t, { provider: 'sendgrid', verifyWith })
    const body = JSON.stringify([
      { event: 'bounce', type: 'blocked', status: '4.2.2', 'smtp-id': `<${first}@acme.test>` },
    ])
    const now = String(Math.floor(t.clock.now().getTime() / 1_000))
    const signature = () =>
      createSign('sha256')
        .update(now + body)
        .sign(privateKey, 'base64')
    const headers = (signed: string) => ({
      'x-twilio-email-event-webhook-timestamp': now,
      'x-twilio-email-event-webhook-signature': signed,
    })
    // Forged: by another key, with the signature of nothing, with the border between time and report moved, or of another time.
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    const right = signature()
    const forgeries: [string, string, string][] = [
      [
        now,
        body,
        createSign('sha256')
          .update(now + body)
          .sign(stranger, 'base64'),
      ],
      [now, body, ''],
      [now, body.replace('4.2.2', '5.1.1'), right],
      [now.slice(0, -1), `${now.slice(-1)}${body}`, right],
      [`${now}[`, body.slice(1), right],
      [String(Number(now) + 1), body, right],
      ['', `${now}${body}`, right],
    ]
    for (const [time, report, signed] of forgeries)
      await t.unchanged(() =>
        post(t, sendgrid, report, { ...headers(signed), 'x-twilio-email-event-webhook-timestamp': time }),
      )
    await post(t, sendgrid, body, headers(right))
    expect(await statusOf(t, first)).toBe('bounced')
    // The provider may sign the same words anew, which makes another signature.
    for (let i = 0; i < 6; i++) await t.unchanged(() => post(t, sendgrid, body, headers(signature())))

    const postmark = await hook(t, { provider: 'postmark' })
    const soft = { RecordType: 'Bounce', Type: 'Transient', MessageID: second }
    await post(t, postmark, soft)
    for (let i = 0; i < 6; i++) await t.unchanged(() => post(t, postmark, soft))
    expect(await t.get('/v1/suppressions', 200)).toMatchObject({ data: [] })
  })
})
