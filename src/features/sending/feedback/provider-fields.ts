// Reads fields of untrusted JSON: a field that is missing or of another type counts as empty.

import type { Feedback } from './bounces.ts'

type Json = Record<string, unknown>

export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Json)[name] : undefined
}

/** Those members that are strings or numbers, as strings; '' for the others. */
export function texts<const N extends string>(value: unknown, names: readonly N[]): Record<N, string> {
  const entries = names.map((name) => {
    const found = member(value, name)
    return [name, typeof found === 'string' ? found : typeof found === 'number' ? String(found) : '']
  })
  return Object.fromEntries(entries) as Record<N, string>
}

/** `<msg_…@example.com>` or `msg_…`: our Message-ID is the id of the message at the sender's domain. */
export function messageIds(...candidates: unknown[]): string[] {
  const found = candidates.flatMap((one) =>
    typeof one === 'string' ? (/\b(msg_[0-9a-f]{32})\b/.exec(one)?.[1] ?? []) : [],
  )
  return [...new Set(found)]
}

/** A code of a reply with the enhanced one that says why (RFC 3463), and what follows it. */
const replied = /\b[45]\d\d[ -][45]\.\d{1,3}\.\d{1,3}\b.*/s
/** Of what a provider repeats. */
const maxReplyChars = 2_000

/** What the server of the receiver said (`smtp; 550 5.7.26 …`), from the first of these that holds it; null if none does. */
export function smtpReply(...candidates: string[]): string | null {
  for (const text of candidates) {
    const found = replied.exec(text.slice(0, maxReplyChars))
    if (found) return found[0]
  }
  return null
}

/** Of each message that an entry names. */
export function toEvents(ids: string[], feedback: ProviderEvent['feedback'] | null): ProviderEvent[] {
  return feedback === null ? [] : ids.map((messageId) => ({ messageId, feedback }))
}

export interface ProviderEvent {
  messageId: string
  /** `unsubscribe`: they left at the provider. */
  feedback: Feedback | { kind: 'unsubscribe' }
}
