// The signature of inbound payment events: `t=<seconds>,v1=<hex HMAC-SHA256 of "t.body">`, several v1 allowed, other schemes ignored. The
// tolerance has two sides: a time far in the future is as wrong as one long past.

import { timingSafeEqual } from 'node:crypto'

const toleranceSeconds = 300
/** A provider signs with one secret, or with two while they are rolled. */
const maxSignatures = 10
const maxHeaderLength = 2_000
const hexDigest = /^[0-9a-f]{64}$/
const wholeSeconds = /^\d{1,12}$/

export interface Presented {
  timestamp: number
  /** Of scheme v1, decoded. */
  signatures: Buffer[]
}

/** Null when the header is not written as it should be. */
export function readSignature(header: string): Presented | null {
  if (header.length > maxHeaderLength) return null
  const items = header.split(',').map((item) => item.trim().split('='))
  const valuesOf = (name: string) => items.flatMap(([key, value = '']) => (key === name ? [value] : []))
  const [time, ...more] = valuesOf('t')
  const signatures = valuesOf('v1').filter((value) => hexDigest.test(value))
  if (time === undefined || more.length > 0 || !wholeSeconds.test(time)) return null
  if (signatures.length === 0 || signatures.length > maxSignatures) return null
  return { timestamp: Number(time), signatures: signatures.map((hex) => Buffer.from(hex, 'hex')) }
}

/** True when one of the signatures is right for these very bytes, and the time is near `nowSeconds`. */
export function isSigned(
  { timestamp, signatures }: Presented,
  { secret, body, nowSeconds }: { secret: string; body: Uint8Array; nowSeconds: number },
): boolean {
  const right = new Bun.CryptoHasher('sha256', secret).update(`${timestamp}.`).update(body).digest()
  // All are compared, so that the time taken does not tell which one was right.
  const matching = signatures.filter((signature) => timingSafeEqual(signature, right))
  return matching.length > 0 && Math.abs(nowSeconds - timestamp) <= toleranceSeconds
}
