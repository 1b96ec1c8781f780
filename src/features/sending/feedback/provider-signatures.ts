// Verifies that a report was signed by its provider, for this workspace, and recently. Pure: keys are passed in, and nothing is fetched, in
// particular no certificate.

import { createHmac, createVerify, timingSafeEqual, X509Certificate } from 'node:crypto'
import { minute } from '../../../kit/duration.ts'
import { signingKey, signWebhook } from '../../../kit/signature.ts'
import { member, texts } from './provider-fields.ts'

export const providers = [
  'ses',
  'postmark',
  'mailgun',
  'sendgrid',
  'brevo',
  'mailjet',
  'sparkpost',
  'resend',
  'generic',
] as const
export type Provider = (typeof providers)[number]

/** They sign nothing: the address is the secret. */
export const unsigned: Provider[] = ['postmark', 'brevo', 'mailjet', 'sparkpost']

export interface ProviderRequest {
  body: string
  headers: Headers
  /**
   * Mailgun: the signing key. SendGrid: the public key, base64. SES: the certificate of SNS, PEM. Resend and
   * generic: the secret `whsec_…`. The others: none, the address is secret.
   */
  verifyWith: string | null
  /** SES: the only topic that counts. SNS signs for every account alike. */
  topicArn: string | null
  now: Date
}

/** Null when it is not signed. `token`: null where nothing is signed; what was signed counts once. */
export type Signed = { token: SignedToken | null } | null

export interface SignedToken {
  /** What was signed; of a signature itself there may be many that fit. */
  text: string
  /** False: it was signed in place of the report, so anything can be said with it. */
  coversReport: boolean
  /** From then on the signature is too old. */
  expiresAt: Date
}

/** A signature is good for so long, both ways. */
const toleranceMs = 15 * minute

const byAddress: Signed = { token: null }

/** Signed as a whole, at a time of the signer. */
const whole = (text: string, at: number): Signed => ({
  token: { text, coversReport: true, expiresAt: new Date(at + toleranceMs) },
})

export const readSignature: Record<Provider, (payload: unknown, request: ProviderRequest) => Signed> = {
  postmark: () => byAddress,
  brevo: () => byAddress,
  mailjet: () => byAddress,
  sparkpost: () => byAddress,
  resend: (_, request) => standardSignature(request, 'svix'),
  generic: (_, request) => standardSignature(request, 'webhook'),
  mailgun(payload, { verifyWith, now }) {
    const { timestamp, token, signature } = texts(member(payload, 'signature'), ['timestamp', 'token', 'signature'])
    const at = Number(timestamp) * 1_000
    if (verifyWith === null || !isRecent(at, now)) return null
    // Both as one, as they are signed: where the time ends and the token begins is not.
    const text = timestamp + token
    const right = createHmac('sha256', verifyWith).update(text).digest('hex')
    const expiresAt = new Date(at + toleranceMs)
    return equal(right, signature) ? { token: { text, coversReport: false, expiresAt } } : null
  },
  sendgrid(_, { body, headers, verifyWith, now }) {
    const signature = headers.get('x-twilio-email-event-webhook-signature') ?? ''
    const timestamp = headers.get('x-twilio-email-event-webhook-timestamp') ?? ''
    const at = Number(timestamp) * 1_000
    if (verifyWith === null || !isRecent(at, now)) return null
    const key = `-----BEGIN PUBLIC KEY-----\n${verifyWith}\n-----END PUBLIC KEY-----`
    return verifies('sha256', timestamp + body, key, signature) ? whole(timestamp + body, at) : null
  },
  ses(payload, { verifyWith, topicArn, now }) {
    const { Type, Timestamp, TopicArn, Signature, SignatureVersion } = texts(payload, snsFields)
    const fields = signedBySns.get(Type)
    if (verifyWith === null || topicArn === null || TopicArn !== topicArn || !fields) return null
    const at = Date.parse(Timestamp)
    if (!isRecent(at, now)) return null
    const given = texts(payload, fields)
    const signed = fields.flatMap((name) => (given[name] ? [`${name}\n${given[name]}\n`] : [])).join('')
    const hash = SignatureVersion === '2' ? 'sha256' : 'sha1'
    return verifies(hash, signed, certificateKey(verifyWith), Signature) ? whole(signed, at) : null
  },
}

/** Standard Webhooks 1.0.0, and Svix, which it comes from, under other names. */
function standardSignature({ body, headers, verifyWith, now }: ProviderRequest, prefix: 'svix' | 'webhook'): Signed {
  const [id, time, given] = ['id', 'timestamp', 'signature'].map((name) => headers.get(`${prefix}-${name}`) ?? '')
  const timestamp = Number(time)
  if (verifyWith === null || !id || !given || !isRecent(timestamp * 1_000, now)) return null
  const right = signWebhook([signingKey(verifyWith)], { id, timestamp, body })
  // Without the time, which is that of the attempt.
  return given.split(' ').some((one) => equal(right, one)) ? whole(`${id}.${body}`, timestamp * 1_000) : null
}

const snsFields = ['Type', 'Timestamp', 'TopicArn', 'Signature', 'SignatureVersion'] as const

/** docs.aws.amazon.com/sns, "Verifying the signatures of Amazon SNS messages". */
const signedBySns = new Map([
  ['Notification', ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']],
  ['SubscriptionConfirmation', ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']],
])

/** A topic as SNS names it: partition, region, account, name. One with `.fifo` reports to no address on the web. */
export const topicPattern = '^arn:aws[a-z-]{0,20}:sns:[a-z0-9-]{1,40}:[0-9]{12}:[A-Za-z0-9_-]{1,256}$'

/** The address of SNS at which a subscription to this topic is confirmed; null for any other address. */
export function findConfirmUrl(text: string, topicArn: string | null): string | null {
  const region = topicArn?.split(':')[3]
  const hosts = [`sns.${region}.amazonaws.com`, `sns.${region}.amazonaws.com.cn`]
  const url = URL.parse(text)
  const isOfSns = url !== null && hosts.some((host) => url.href.startsWith(`https://${host}/`))
  return isOfSns && url.searchParams.get('TopicArn') === topicArn ? url.href : null
}

function isRecent(at: number, now: Date): boolean {
  return Math.abs(now.getTime() - at) <= toleranceMs
}

function equal(one: string, other: string): boolean {
  const [bytes, others] = [Buffer.from(one), Buffer.from(other)]
  return bytes.length === others.length && timingSafeEqual(bytes, others)
}

/** A key or signature that cannot be read is a wrong one. */
function verifies(hash: string, data: string, key: string, signature: string): boolean {
  try {
    return createVerify(hash).update(data).verify(key, signature, 'base64')
  } catch {
    return false
  }
}

function certificateKey(pem: string): string {
  try {
    return new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'pem' }).toString()
  } catch {
    return ''
  }
}
