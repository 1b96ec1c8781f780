// Signatures of outbound webhooks: Standard Webhooks 1.0.0, symmetric. The key is the text after `whsec_` decoded from base64, not the text
// itself.

import type { IdSource } from './id.ts'

const prefix = 'whsec_'
/** The specification asks for 24 to 64 bytes. */
const keyBytes = 32

export interface Signed {
  /** Without a ".", because the signed parts are joined with dots. */
  id: string
  /** Whole seconds since 1970. */
  timestamp: number
  /** The body exactly as it is sent. */
  body: string
}

/** `whsec_` and 256 random bits in base64. */
export function newSigningSecret(source: IdSource): string {
  return prefix + Buffer.from(source.random.bytes(keyBytes)).toString('base64')
}

/** Whether a secret that somebody else chose is as the specification asks. */
export function isSigningSecret(text: string): boolean {
  const { length } = signingKey(text)
  return /^whsec_[A-Za-z0-9+/]+={0,2}$/.test(text) && length >= 24 && length <= 64
}

/** The bytes that sign. */
export function signingKey(secret: string): Buffer {
  return Buffer.from(secret.slice(prefix.length), 'base64')
}

/** The value of Webhook-Signature: one signature for each key, separated by spaces. */
export function signWebhook(keys: Uint8Array[], { id, timestamp, body }: Signed): string {
  const signatures = keys.map((key) =>
    new Bun.CryptoHasher('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64'),
  )
  return signatures.map((signature) => `v1,${signature}`).join(' ')
}
