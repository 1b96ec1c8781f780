// Readers for the reports of Brevo, Mailjet, SparkPost and Resend, as each documents them, and for the generic signed report. Unknown
// kinds, and kinds that do not concern delivery, are ignored.

import { member, messageIds, type ProviderEvent, texts } from './provider-fields.ts'

type Reader = (payload: unknown) => ProviderEvent[]

type ProviderFeedback = ProviderEvent['feedback'] | null

export const moreReaders: Record<'brevo' | 'mailjet' | 'sparkpost' | 'resend' | 'generic', Reader> = {
  brevo(entry) {
    const { event, reason } = texts(entry, ['event', 'reason'])
    const ids = messageIds(member(entry, 'X-Mailin-custom'), member(entry, 'message-id'))
    return toEvents(ids, brevoSays(event.toLowerCase(), reason || null))
  },
  mailjet(entry) {
    const {
      event,
      error,
      error_related_to: about_,
      comment,
    } = texts(entry, ['event', 'error', 'error_related_to', 'comment'])
    const ids = messageIds(member(entry, 'CustomID'), member(entry, 'Payload'))
    const hard = member(entry, 'hard_bounce') === true && (about_ === 'recipient' || about_ === 'domain')
    return toEvents(ids, mailjetSays(event, { hard, code: error || event, detail: comment || error || null }))
  },
  sparkpost(entry) {
    const [found] = Object.values(asRecord(member(entry, 'msys')))
    const names = ['type', 'bounce_class', 'error_code', 'raw_reason', 'reason'] as const
    const { type, bounce_class: bounceClass, error_code: code, raw_reason: raw, reason } = texts(found, names)
    const ids = messageIds(member(member(found, 'rcpt_meta'), 'message_id'))
    const hard = hardClasses.has(bounceClass)
    return toEvents(ids, sparkpostSays(type, { hard, code: code || bounceClass, detail: raw || reason || null }))
  },
  resend(entry) {
    const data = member(entry, 'data')
    const headers = member(data, 'headers')
    const values = Array.isArray(headers)
      ? headers.slice(0, maxHeaders).map((one: unknown) => member(one, 'value'))
      : []
    const ids = messageIds(member(data, 'message_id'), ...values)
    const { type, subType, message } = texts(member(data, 'bounce'), ['type', 'subType', 'message'])
    const bounce = { hard: type === 'Permanent', code: type || 'bounce', detail: message || subType || null }
    return toEvents(ids, resendSays(texts(entry, ['type']).type, bounce))
  },
  generic(entry) {
    const events = member(entry, 'events')
    return Array.isArray(events) ? events.slice(0, maxEvents).flatMap(genericEvent) : genericEvent(entry)
  },
}

/** Of one report of the generic form. */
const maxEvents = 500
const maxHeaders = 200
/** Invalid recipient, no such address, and who is never to be mailed again. */
const hardClasses = new Set(['10', '30', '90'])

interface Bounce {
  hard: boolean
  code: string
  detail: string | null
}

const bounced = ({ hard, code, detail }: Bounce): ProviderFeedback => ({ kind: hard ? 'hard' : 'soft', code, detail })

function brevoSays(event: string, detail: string | null): ProviderFeedback {
  if (event === 'spam' || event === 'complaint') return { kind: 'complaint', detail }
  if (event === 'delivered') return { kind: 'delivered' }
  if (event === 'unsubscribed' || event === 'unsubscribe') return { kind: 'unsubscribe' }
  if (event === 'hard_bounce' || event === 'invalid_email') return bounced({ hard: true, code: event, detail })
  return event === 'soft_bounce' || event === 'blocked' ? bounced({ hard: false, code: event, detail }) : null
}

function mailjetSays(event: string, bounce: Bounce): ProviderFeedback {
  if (event === 'spam') return { kind: 'complaint', detail: null }
  if (event === 'sent') return { kind: 'delivered' }
  if (event === 'unsub') return { kind: 'unsubscribe' }
  return event === 'bounce' || event === 'blocked'
    ? bounced({ ...bounce, hard: event === 'bounce' && bounce.hard })
    : null
}

function sparkpostSays(type: string, bounce: Bounce): ProviderFeedback {
  if (type === 'spam_complaint') return { kind: 'complaint', detail: null }
  if (type === 'delivery') return { kind: 'delivered' }
  if (type === 'list_unsubscribe' || type === 'link_unsubscribe') return { kind: 'unsubscribe' }
  return type === 'bounce' || type === 'out_of_band' ? bounced(bounce) : null
}

function resendSays(type: string, bounce: Bounce): ProviderFeedback {
  if (type === 'email.complained') return { kind: 'complaint', detail: null }
  if (type === 'email.delivered') return { kind: 'delivered' }
  return type === 'email.bounced' ? bounced(bounce) : null
}

function genericEvent(entry: unknown): ProviderEvent[] {
  const { type, bounceType, code, detail } = texts(entry, ['type', 'bounceType', 'code', 'detail'])
  const ids = messageIds(member(entry, 'messageId'))
  const bounce = { hard: bounceType === 'hard', code: code || 'bounce', detail: detail || null }
  if (type === 'bounce') return toEvents(ids, bounceType === 'hard' || bounceType === 'soft' ? bounced(bounce) : null)
  if (type === 'complaint') return toEvents(ids, { kind: 'complaint', detail: detail || null })
  if (type === 'delivered') return toEvents(ids, { kind: 'delivered' })
  return toEvents(ids, type === 'unsubscribe' ? { kind: 'unsubscribe' } : null)
}

function toEvents(ids: string[], feedback: ProviderFeedback): ProviderEvent[] {
  return feedback === null ? [] : ids.map((messageId) => ({ messageId, feedback }))
}

function asRecord(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}
