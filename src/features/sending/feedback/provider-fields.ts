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

export interface ProviderEvent {
  messageId: string
  /** `unsubscribe`: they left at the provider. */
  feedback: Feedback | { kind: 'unsubscribe' }
}
