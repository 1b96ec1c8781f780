// The signature of inbound payment events: `t=<seconds>,v1=<hex HMAC-SHA256 of "t.body">`; several v1 are allowed, other schemes ignored.
// The time may be neither too far in the past nor too far in the future.

import { timingSafeEqual } from 'node:crypto'

const toleranceSeconds = 300
/** A provider signs with one secret, or with two while rotating them. */
const maxSignatures = 10
const maxHeaderLength = 2_000
const hexDigest = /^[0-9a-f]{64}$/
const wholeSeconds = /^\d{1,12}$/

export interface Presented {
  timestamp: number
  /** The v1 signatures, decoded. */
  signatures: Buffer[]
}

/** Null when the header is malformed. */
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

/** True when one of the signatures fits exactly these bytes, and the time is close to `nowSeconds`. */
export function isSigned(
  { timestamp, signatures }: Presented,
  { secret, body, nowSeconds }: { secret: string; body: Uint8Array; nowSeconds: number },
): boolean {
  const right = new Bun.CryptoHasher('sha256', secret).update(`${timestamp}.`).update(body).digest()
  // All are compared, so that timing does not reveal which one matched.
  const matching = signatures.filter((signature) => timingSafeEqual(signature, right))
  return matching.length > 0 && Math.abs(nowSeconds - timestamp) <= toleranceSeconds
}
