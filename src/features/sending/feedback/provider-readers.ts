// Readers for the reports of Brevo, Mailjet, SparkPost and Resend, as each documents them, and for the generic signed report. Unknown
// kinds, and kinds that do not concern delivery, are ignored.

import { member, messageIds, type ProviderEvent, smtpReply, texts, toEvents } from './provider-fields.ts'

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
    const reply = smtpReply(comment, error)
    return toEvents(ids, mailjetSays(event, { hard, code: error || event, detail: comment || error || null, reply }))
  },
  sparkpost(entry) {
    const [found] = Object.values(asRecord(member(entry, 'msys')))
    const names = ['type', 'bounce_class', 'error_code', 'raw_reason', 'reason'] as const
    const { type, bounce_class: bounceClass, error_code: code, raw_reason: raw, reason } = texts(found, names)
    const ids = messageIds(member(member(found, 'rcpt_meta'), 'message_id'))
    const hard = hardClasses.has(bounceClass)
    const reply = smtpReply(raw, reason, `${code} ${raw}`)
    return toEvents(ids, sparkpostSays(type, { hard, code: code || bounceClass, detail: raw || reason || null, reply }))
  },
  resend(entry) {
    const data = member(entry, 'data')
    const headers = member(data, 'headers')
    const values = Array.isArray(headers)
      ? headers.slice(0, maxHeaders).map((one: unknown) => member(one, 'value'))
      : []
    const ids = messageIds(member(data, 'message_id'), ...values)
    const { type, subType, message } = texts(member(data, 'bounce'), ['type', 'subType', 'message'])
    const said = member(member(data, 'bounce'), 'diagnosticCode')
    const [diagnostic] = Array.isArray(said) ? said : [said]
    const reply = smtpReply(typeof diagnostic === 'string' ? diagnostic : '', message)
    const bounce = { hard: type === 'Permanent', code: type || 'bounce', detail: message || subType || null, reply }
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
  reply: string | null
}

const bounced = ({ hard, ...bounce }: Bounce): ProviderFeedback => ({ kind: hard ? 'hard' : 'soft', ...bounce })

function brevoSays(event: string, detail: string | null): ProviderFeedback {
  if (event === 'spam' || event === 'complaint') return { kind: 'complaint', detail }
  if (event === 'delivered') return { kind: 'delivered' }
  if (event === 'unsubscribed' || event === 'unsubscribe') return { kind: 'unsubscribe' }
  const bounce = { code: event, detail, reply: smtpReply(detail ?? '') }
  if (event === 'hard_bounce' || event === 'invalid_email') return bounced({ hard: true, ...bounce })
  return event === 'soft_bounce' || event === 'blocked' ? bounced({ hard: false, ...bounce }) : null
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
  const reply = smtpReply(detail, `${code} ${detail}`)
  const bounce = { hard: bounceType === 'hard', code: code || 'bounce', detail: detail || null, reply }
  if (type === 'bounce') return toEvents(ids, bounceType === 'hard' || bounceType === 'soft' ? bounced(bounce) : null)
  if (type === 'complaint') return toEvents(ids, { kind: 'complaint', detail: detail || null })
  if (type === 'delivered') return toEvents(ids, { kind: 'delivered' })
  return toEvents(ids, type === 'unsubscribe' ? { kind: 'unsubscribe' } : null)
}

function asRecord(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}
