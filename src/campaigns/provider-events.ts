// What sending providers report over HTTP, made into fates of messages. Each provider signs in its own way; what is not signed as it
// should be is nobody's report. Pure: the keys are given, and nothing is fetched, a certificate least of all.

import { createHmac, createVerify, timingSafeEqual, X509Certificate } from 'node:crypto'
import { parseForeignJson } from '../http/json.ts'
import { minute } from '../lib/duration.ts'
import type { Fate } from './bounces.ts'

export const providers = ['ses', 'postmark', 'mailgun', 'sendgrid'] as const
export type Provider = (typeof providers)[number]

export interface ProviderRequest {
  body: string
  headers: Headers
  /** Mailgun: the signing key. SendGrid: the public key, base64. SES: the certificate of SNS, PEM. Postmark: none, the address is secret. */
  verifyWith: string | null
  now: Date
}

export interface ProviderEvent {
  messageId: string
  fate: Fate
}

/** A signature is good for so long, both ways. */
const toleranceMs = 15 * minute

/** Null when it is not signed by the provider; else what it says of messages of ours. */
export function readProviderEvents(provider: Provider, request: ProviderRequest): ProviderEvent[] | null {
  const payload = parse(request.body)
  if (payload === null || !isSigned[provider](payload, request)) return null
  return readers[provider](payload)
}

type Json = Record<string, unknown>

const isSigned: Record<Provider, (payload: unknown, request: ProviderRequest) => boolean> = {
  postmark: () => true,
  mailgun(payload, { verifyWith, now }) {
    const { timestamp, token, signature } = texts(member(payload, 'signature'), ['timestamp', 'token', 'signature'])
    if (verifyWith === null || !isRecent(Number(timestamp) * 1_000, now)) return false
    return equal(
      createHmac('sha256', verifyWith)
        .update(timestamp + token)
        .digest('hex'),
      signature,
    )
  },
  sendgrid(_, { body, headers, verifyWith, now }) {
    const signature = headers.get('x-twilio-email-event-webhook-signature') ?? ''
    const timestamp = headers.get('x-twilio-email-event-webhook-timestamp') ?? ''
    if (verifyWith === null || !isRecent(Number(timestamp) * 1_000, now)) return false
    const key = `-----BEGIN PUBLIC KEY-----\n${verifyWith}\n-----END PUBLIC KEY-----`
    return verifies('sha256', timestamp + body, key, signature)
  },
  ses(payload, { verifyWith, now }) {
    const fields = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
    const given = texts(payload, [...fields, 'Signature', 'SignatureVersion'])
    if (verifyWith === null || given.Type !== 'Notification' || !isRecent(Date.parse(given.Timestamp ?? ''), now))
      return false
    const signed = fields.flatMap((name) => (given[name] ? [`${name}\n${given[name]}\n`] : [])).join('')
    const hash = given.SignatureVersion === '2' ? 'sha256' : 'sha1'
    return verifies(hash, signed, certificateKey(verifyWith), given.Signature ?? '')
  },
}

const readers: Record<Provider, (payload: unknown) => ProviderEvent[]> = {
  postmark(payload) {
    const { RecordType, Type, Details, Description } = texts(payload, ['RecordType', 'Type', 'Details', 'Description'])
    const ids = messageIds(member(payload, 'MessageID'), member(member(payload, 'Metadata'), 'message_id'))
    const detail = Details || Description || null
    if (RecordType === 'SpamComplaint') return ids.map((id) => event(id, { fate: 'complaint', detail }))
    if (RecordType === 'Delivery') return ids.map((id) => event(id, { fate: 'delivered' }))
    if (RecordType !== 'Bounce') return []
    const fate = Type === 'HardBounce' || Type === 'BadEmailAddress' ? 'hard' : 'soft'
    return ids.map((id) => event(id, { fate, code: Type ?? 'Bounce', detail }))
  },
  mailgun(payload) {
    const data = member(payload, 'event-data')
    const { event: what, severity, reason } = texts(data, ['event', 'severity', 'reason'])
    const ids = messageIds(member(member(member(data, 'message'), 'headers'), 'message-id'))
    const detail = texts(member(data, 'delivery-status'), ['message']).message || reason || null
    if (what === 'complained') return ids.map((id) => event(id, { fate: 'complaint', detail }))
    if (what === 'delivered') return ids.map((id) => event(id, { fate: 'delivered' }))
    if (what !== 'failed') return []
    const hard = severity === 'permanent' && reason === 'bounce'
    return ids.map((id) => event(id, { fate: hard ? 'hard' : 'soft', code: severity ?? 'failed', detail }))
  },
  sendgrid: (payload) =>
    (Array.isArray(payload) ? payload : []).flatMap((one: unknown) => {
      const { event: what, type, reason, status } = texts(one, ['event', 'type', 'reason', 'status'])
      const ids = messageIds(member(one, 'smtp-id'))
      if (what === 'spamreport') return ids.map((id) => event(id, { fate: 'complaint', detail: null }))
      if (what === 'delivered') return ids.map((id) => event(id, { fate: 'delivered' }))
      if (what !== 'bounce') return []
      const hard = type !== 'blocked' && (status ?? '').startsWith('5')
      return ids.map((id) =>
        event(id, { fate: hard ? 'hard' : 'soft', code: status || 'bounce', detail: reason || null }),
      )
    }),
  ses(payload) {
    const message = parse(texts(payload, ['Message']).Message ?? '')
    const { notificationType, eventType } = texts(message, ['notificationType', 'eventType'])
    const mail = member(message, 'mail')
    const headers = member(mail, 'headers')
    const named = (Array.isArray(headers) ? headers : []).filter((one: unknown) =>
      /^message-id$/i.test(texts(one, ['name']).name ?? ''),
    )
    const ids = messageIds(
      member(member(mail, 'commonHeaders'), 'messageId'),
      ...named.map((one: unknown) => member(one, 'value')),
    )
    const what = notificationType || eventType
    if (what === 'Complaint') return ids.map((id) => event(id, { fate: 'complaint', detail: null }))
    if (what === 'Delivery') return ids.map((id) => event(id, { fate: 'delivered' }))
    if (what !== 'Bounce') return []
    const { bounceType, bounceSubType } = texts(member(message, 'bounce'), ['bounceType', 'bounceSubType'])
    return ids.map((id) =>
      event(id, {
        fate: bounceType === 'Permanent' ? 'hard' : 'soft',
        code: bounceType ?? '',
        detail: bounceSubType || null,
      }),
    )
  },
}

function event(messageId: string, fate: Fate): ProviderEvent {
  return { messageId, fate }
}

/** `<msg_…@example.com>` or `msg_…`: our Message-ID is the id of the message at the sender's domain. */
function messageIds(...candidates: unknown[]): string[] {
  const found = candidates.flatMap((one) =>
    typeof one === 'string' ? (/\b(msg_[0-9a-f]{32})\b/.exec(one)?.[1] ?? []) : [],
  )
  return [...new Set(found)]
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Json)[name] : undefined
}

/** Those members that are strings or numbers, as strings; '' for the others. */
function texts<const N extends string>(value: unknown, names: N[]): Record<N, string> {
  const entries = names.map((name) => {
    const found = member(value, name)
    return [name, typeof found === 'string' ? found : typeof found === 'number' ? String(found) : '']
  })
  return Object.fromEntries(entries) as Record<N, string>
}

function parse(text: string): unknown {
  try {
    return parseForeignJson(text)
  } catch {
    return null
  }
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
