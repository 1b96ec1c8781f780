// Base64 as JSON carries files (RFC 4648, section 4), decoded strictly: padded, without white space, and the only way to write its bytes.

import type { Pace } from './turn.ts'

/** Base64 characters decoded at once; a multiple of 4. */
const sliceChars = 1024 * 1024
/** Bytes that are written as `sliceChars`. */
const sliceBytes = (sliceChars / 4) * 3

/** Of a text that ends with its padding, if it has any. */
export function decodedLength(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  return Math.floor(((base64.length - padding) * 3) / 4)
}

export type Decoded = 'decoded' | 'malformed' | 'not canonical'

/** Writes what a text says into `data`, which has its decoded length. */
export async function decodeBase64(base64: string, data: Buffer, pace: Pace = () => undefined): Promise<Decoded> {
  let length = 0
  for (let at = 0; at < base64.length; at += sliceChars) {
    await pace()
    const slice = base64.slice(at, at + sliceChars)
    const written = data.write(slice, length, 'base64')
    // The decoder skips what is not base64, stops at padding, and takes the two characters of base64url (RFC 4648, section 5).
    const isWhole = slice.length % 4 === 0 && written === decodedLength(slice)
    if (!isWhole || slice.includes('-') || slice.includes('_')) return 'malformed'
    length += written
  }
  const lastQuantum = data.subarray(data.length - (data.length % 3 || Math.min(3, data.length)))
  return lastQuantum.toString('base64') === base64.slice(-4) ? 'decoded' : 'not canonical'
}

/** What decodeBase64() has read, slice by slice. */
export function* base64Slices(data: Buffer): Generator<string> {
  for (let at = 0; at < data.length; at += sliceBytes) yield data.toString('base64', at, at + sliceBytes)
}
