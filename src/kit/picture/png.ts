// The headers of a PNG (https://www.w3.org/TR/png-3/).

import type { Size } from './size.ts'

const signatureBytes = 8
/** Length and type before the data, a checksum after it. */
const headBytes = 8
const tailBytes = 4

export function readPng(bytes: Buffer): Size | null {
  let size: Size | null = null
  for (let at = signatureBytes; at + headBytes <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + headBytes)
    const data = at + headBytes
    if (data + length + tailBytes > bytes.length) return null
    if (type === 'IHDR' && length >= 8)
      size = { width: bytes.readUInt32BE(data), height: bytes.readUInt32BE(data + 4), frames: 1 }
    if (size === null) return null
    if (type === 'acTL' && length >= 4) size.frames = Math.max(1, bytes.readUInt32BE(data))
    if (type === 'IEND') return size
    at = data + length + tailBytes
  }
  return null
}
