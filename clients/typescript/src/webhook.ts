// Whether a webhook comes from the server: Standard Webhooks 1.0.0 over WebCrypto.

import type { webhooks } from './generated/schema.ts'

/** An event as a webhook endpoint receives it; `type` says which event it is. */
export type WebhookEvent = {
  [E in keyof webhooks]: webhooks[E] extends { post: { requestBody: { content: { 'application/json': infer B } } } }
    ? B
    : never
}[keyof webhooks]

export interface VerifyOptions {
  /** How far its timestamp may be in the past or in the future. Default: five minutes. */
  toleranceSeconds?: number
  /** The current time. Default: the clock of this machine. */
  now?: Date
}

export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

type WebhookHeaders = Headers | Record<string, string | string[] | undefined>

/**
 * Verifies a webhook and returns its event. `payload` is the raw body. Throws WebhookVerificationError unless one of the signatures was made
 * with `secret` (`whsec_…`; a list of several while it is being rotated) and the timestamp is at most five minutes off.
 */
export async function verifyWebhook(
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = 300, now = new Date() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const id = header(headers, 'webhook-id')
  const timestamp = header(headers, 'webhook-timestamp')
  const signatures = header(headers, 'webhook-signature')
    .split(' ')
    .flatMap((one) => (one.startsWith('v1,') ? [bytesOf(one.slice(3))] : []))
  const seconds = Number(timestamp)
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now.getTime() / 1_000 - seconds) > toleranceSeconds)
    throw new WebhookVerificationError('webhook-timestamp is too far in the past or in the future')
  const encoder = new TextEncoder()
  const body = typeof payload === 'string' ? encoder.encode(payload) : payload
  const signed = joined(encoder.encode(`${id}.${timestamp}.`), body)
  for (const one of typeof secret === 'string' ? [secret] : secret) {
    const raw = bytesOf(one.replace(/^whsec_/, ''))
    if (raw === null) throw new TypeError('the secret must be whsec_ followed by base64')
    const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    for (const signature of signatures)
      if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed)))
        return JSON.parse(new TextDecoder().decode(body))
  }
  throw new WebhookVerificationError('no signature matches')
}

function header(headers: WebhookHeaders, name: string): string {
  const found =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  const value = Array.isArray(found) ? found[0] : found
  if (!value) throw new WebhookVerificationError(`${name} is missing`)
  return value
}

/** Null if it is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
  } catch {
    return null
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}
