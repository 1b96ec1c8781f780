// The headers of a WebP (https://developers.google.com/speed/webp/docs/riff_container).

import type { Size } from './size.ts'

const firstChunk = 12
const headBytes = 8

export function readWebp(bytes: Buffer): Size | null {
  if (bytes.length < firstChunk + headBytes || bytes.readUInt32LE(4) + headBytes > bytes.length) return null
  let size: Size | null = null
  let frames = 0
  for (let at = firstChunk; at + headBytes <= bytes.length; ) {
    const type = bytes.toString('latin1', at, at + 4)
    const length = bytes.readUInt32LE(at + 4)
    const data = bytes.subarray(at + headBytes, at + headBytes + length)
    if (data.length < length) return null
    size ??= sizeOf(type, data)
    if (size === null) return null
    if (type === 'ANMF') frames++
    at += headBytes + length + (length % 2)
  }
  return size && { ...size, frames: Math.max(1, frames) }
}

/** What the first chunk says, whichever of the three it is. */
function sizeOf(type: string, data: Buffer): Size | null {
  if (data.length < 10) return null
  if (type === 'VP8X') return { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1, frames: 1 }
  if (type === 'VP8 ' && data.readUIntBE(3, 3) === 0x9d012a)
    return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff, frames: 1 }
  if (type !== 'VP8L' || data[0] !== 0x2f) return null
  const bits = data.readUInt32LE(1)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, frames: 1 }
}
