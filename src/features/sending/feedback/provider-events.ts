// Reads the HTTP reports of sending providers as delivery feedback. A report without a valid signature is ignored.

import type { App } from '../../../core/app.ts'
import { readJson } from '../../../kit/json.ts'
import { createPace } from '../../../kit/turn.ts'
import { member, messageIds, type ProviderEvent, smtpReply, texts, toEvents } from './provider-fields.ts'
import { moreReaders } from './provider-readers.ts'
import {
  findConfirmUrl,
  type Provider,
  type ProviderRequest,
  readSignature,
  type SignedToken,
} from './provider-signatures.ts'

export interface ProviderReport {
  events: ProviderEvent[]
  /** The report counts only when this was not signed before. */
  token: SignedToken | null
  /** SES: where the subscription is confirmed that SNS asks about. */
  confirmUrl: string | null
}

/** Null when it is not signed by the provider; else what it says of messages of ours. Lets others have their turn. */
export async function readProviderReport(
  app: App,
  provider: Provider,
  request: ProviderRequest,
): Promise<ProviderReport | null> {
  const pace = createPace()
  const payload = await parse(app, request.body)
  if (payload === null) return null
  await pace()
  const signed = readSignature[provider](payload, request)
  if (signed === null) return null
  await pace()
  const { Type, SubscribeURL, Message } = texts(payload, ['Type', 'SubscribeURL', 'Message'])
  if (provider === 'ses' && Type === 'SubscriptionConfirmation')
    return { events: [], token: null, confirmUrl: findConfirmUrl(SubscribeURL, request.topicArn) }
  const content = provider === 'ses' ? await parse(app, Message ?? '') : payload
  await pace()
  const entries: unknown[] = Array.isArray(content) ? content : [content]
  return { events: await readEvents(provider, entries), token: signed.token, confirmUrl: null }
}

async function readEvents(provider: Provider, entries: unknown[]): Promise<ProviderEvent[]> {
  const pace = createPace()
  const events: ProviderEvent[] = []
  for (const entry of entries) {
    events.push(...readers[provider](entry))
    await pace()
  }
  return events
}

/** Of the headers of a mail these are looked at for its Message-ID. */
const maxHeaders = 1_000

/** What one entry of a report says. */
const readers: Record<Provider, (payload: unknown) => ProviderEvent[]> = {
  ...moreReaders,
  postmark(payload) {
    const { RecordType, Type, Details, Description } = texts(payload, ['RecordType', 'Type', 'Details', 'Description'])
    const ids = messageIds(member(payload, 'MessageID'), member(member(payload, 'Metadata'), 'message_id'))
    const detail = Details || Description || null
    if (RecordType === 'SpamComplaint') return toEvents(ids, { kind: 'complaint', detail })
    if (RecordType === 'Delivery') return toEvents(ids, { kind: 'delivered' })
    if (RecordType !== 'Bounce') return []
    const kind = Type === 'HardBounce' || Type === 'BadEmailAddress' ? 'hard' : 'soft'
    return toEvents(ids, { kind, code: Type ?? 'Bounce', detail, reply: smtpReply(Details, Description) })
  },
  mailgun(payload) {
    const data = member(payload, 'event-data')
    const { event: what, severity, reason } = texts(data, ['event', 'severity', 'reason'])
    const ids = messageIds(member(member(member(data, 'message'), 'headers'), 'message-id'))
    const { code, message } = texts(member(data, 'delivery-status'), ['code', 'message'])
    const detail = message || reason || null
    if (what === 'complained') return toEvents(ids, { kind: 'complaint', detail })
    if (what === 'delivered') return toEvents(ids, { kind: 'delivered' })
    if (what !== 'failed') return []
    const hard = severity === 'permanent' && reason === 'bounce'
    const reply = smtpReply(message, `${code} ${message}`)
    return toEvents(ids, { kind: hard ? 'hard' : 'soft', code: severity ?? 'failed', detail, reply })
  },
  sendgrid(entry) {
    const { event: what, type, reason, status } = texts(entry, ['event', 'type', 'reason', 'status'])
    const ids = messageIds(member(entry, 'smtp-id'))
    if (what === 'spamreport') return toEvents(ids, { kind: 'complaint', detail: null })
    if (what === 'delivered') return toEvents(ids, { kind: 'delivered' })
    if (what !== 'bounce') return []
    const hard = type !== 'blocked' && (status ?? '').startsWith('5')
    const bounce = { code: status || 'bounce', detail: reason || null, reply: smtpReply(reason) }
    return toEvents(ids, { kind: hard ? 'hard' : 'soft', ...bounce })
  },
  ses(message) {
    const { notificationType, eventType } = texts(message, ['notificationType', 'eventType'])
    const mail = member(message, 'mail')
    const headers = member(mail, 'headers')
    const named = (Array.isArray(headers) ? headers.slice(0, maxHeaders) : []).filter((one: unknown) =>
      /^message-id$/i.test(texts(one, ['name']).name ?? ''),
    )
    const ids = messageIds(
      member(member(mail, 'commonHeaders'), 'messageId'),
      ...named.map((one: unknown) => member(one, 'value')),
    )
    const what = notificationType || eventType
    if (what === 'Complaint') return toEvents(ids, { kind: 'complaint', detail: null })
    if (what === 'Delivery') return toEvents(ids, { kind: 'delivered' })
    if (what !== 'Bounce') return []
    const bounce = member(message, 'bounce')
    const { bounceType, bounceSubType } = texts(bounce, ['bounceType', 'bounceSubType'])
    const people = member(bounce, 'bouncedRecipients')
    // Each of our mails has one recipient.
    const { diagnosticCode } = texts(Array.isArray(people) ? people[0] : null, ['diagnosticCode'])
    return toEvents(ids, {
      kind: bounceType === 'Permanent' ? 'hard' : 'soft',
      code: bounceType ?? '',
      detail: bounceSubType || null,
      reply: smtpReply(diagnosticCode),
    })
  },
}

async function parse({ aside }: App, text: string): Promise<unknown> {
  try {
    return await readJson(aside, text, 'foreign')
  } catch {
    return null
  }
}
