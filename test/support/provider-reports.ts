// What sending providers post to their addresses here, signed as each of them signs.

import { expect } from 'bun:test'
import { createHmac, createSign, generateKeyPairSync } from 'node:crypto'
import { signingKey, signWebhook } from '../../src/kit/signature.ts'
import type { TestApp } from './app.ts'
import { certificateFor } from './certificate.ts'

export const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
export const topicArn = 'arn:aws:sns:eu-west-1:123456789012:bounces'
export const sns = certificateFor('sns.amazonaws.com')

/** The path of a new address for the reports of a provider. */
export async function hook(t: TestApp, body: object): Promise<string> {
  const { url } = await t.put('/v1/provider-hooks', body, 200, { as: 'session' })
  return new URL(url).pathname
}

export async function post(t: TestApp, path: string, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const { status } = await t.request('POST', path, text, { as: 'nobody', headers })
  expect(status).toBe(200)
}

/** As SNS signs (docs.aws.amazon.com/sns, "Verifying the signatures of Amazon SNS messages"). */
export function fromSns(t: TestApp, fields: Record<string, string>) {
  const message: Record<string, string> = {
    MessageId: '165545c9-2a5c-472c-8df2-7ff2be2b3b1b',
    Timestamp: t.clock.now().toISOString(),
    TopicArn: topicArn,
    Type: 'Notification',
    ...fields,
  }
  const names =
    message['Type'] === 'Notification'
      ? ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
      : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
  const signed = names.flatMap((name) => (message[name] ? [`${name}\n${message[name]}\n`] : [])).join('')
  const Signature = createSign('sha256').update(signed).sign(sns.key, 'base64')
  return { ...message, SignatureVersion: '2', Signature, SigningCertURL: 'https://sns.eu-west-1.amazonaws.com/x.pem' }
}

/** By the key `key-1`. */
export function signedByMailgun(data: object, { token = 'a1b2', at }: { token?: string; at: Date }) {
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const signature = createHmac('sha256', 'key-1')
    .update(timestamp + token)
    .digest('hex')
  return { signature: { timestamp, token, signature }, 'event-data': data }
}

/** The key to enter, and the headers of a report. */
export function sendgridSigner() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const verifyWith = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  return {
    verifyWith,
    headersOf(t: TestApp, body: unknown) {
      const now = String(Math.floor(t.clock.now().getTime() / 1_000))
      return {
        'x-twilio-email-event-webhook-timestamp': now,
        'x-twilio-email-event-webhook-signature': createSign('sha256')
          .update(now + JSON.stringify(body))
          .sign(privateKey, 'base64'),
      }
    },
  }
}

/** The headers of a Standard Webhook. */
export function signed(t: TestApp, body: unknown, prefix: string, key = secret): Record<string, string> {
  const timestamp = Math.floor(t.clock.now().getTime() / 1_000)
  const signature = signWebhook([signingKey(key)], { id: 'evt_1', timestamp, body: JSON.stringify(body) })
  return {
    [`${prefix}-id`]: 'evt_1',
    [`${prefix}-timestamp`]: String(timestamp),
    [`${prefix}-signature`]: `v1,xx ${signature}`,
  }
}
