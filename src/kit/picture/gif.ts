// The headers of a GIF, and how many frames it has (https://www.w3.org/Graphics/GIF/spec-gif89a.txt).

import type { Size } from './size.ts'

const headBytes = 13
const frameBytes = 10
const extension = 0x21
const frame = 0x2c
const end = 0x3b

export function readGif(bytes: Buffer): Size | null {
  if (bytes.length < headBytes) return null
  const size = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8), frames: 0 }
  for (let at = headBytes + coloursBytes(bytes[10]); at < bytes.length; ) {
    const block = bytes[at]
    if (block === end) return size.frames === 0 ? null : size
    if (block === extension) at = afterParts(bytes, at + 2)
    else if (block === frame && at + frameBytes <= bytes.length) {
      size.frames++
      // Readers make room for a frame that is larger than the picture.
      size.width = Math.max(size.width, bytes.readUInt16LE(at + 1) + bytes.readUInt16LE(at + 5))
      size.height = Math.max(size.height, bytes.readUInt16LE(at + 3) + bytes.readUInt16LE(at + 7))
      at = afterParts(bytes, at + frameBytes + coloursBytes(bytes[at + 9]) + 1)
    } else return null
  }
  return null
}

function coloursBytes(flags = 0): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}

/** Data comes in parts of at most 255 bytes, the last of which is empty. */
function afterParts(bytes: Buffer, from: number): number {
  let at = from
  for (let length = bytes[at]; length; length = bytes[at]) at += length + 1
  return at + 1
}
