// Pictures for tests: small ones of each kind, and PNGs of any size.

import { crc32, deflateSync } from 'node:zlib'

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

interface Wanted {
  width: number
  height: number
  /** Makes its bytes others. */
  note?: string
  /** Frames that it says it has. */
  frames?: number
  rgb?: [number, number, number]
  /** False: its headers without the pixels, to be looked at and not shown. */
  hasPixels?: boolean
  /** Filled up to this. */
  bytes?: number
}

export function png(wanted: Wanted): Buffer {
  const { width, height, note = '', frames, rgb = [29, 78, 216], hasPixels = true, bytes = 0 } = wanted
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const line = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, Buffer.from(rgb))])
  const moves = Buffer.alloc(8)
  moves.writeUInt32BE(frames ?? 0)
  const pixels = hasPixels ? deflateSync(Buffer.concat(Array.from({ length: height }, () => line))) : Buffer.alloc(0)
  const parts = [
    signature,
    chunk('IHDR', head),
    ...(frames === undefined ? [] : [chunk('acTL', moves)]),
    chunk('tEXt', Buffer.from(`Comment\0${note}`, 'latin1')),
    chunk('IDAT', pixels),
  ]
  const end = chunk('IEND', Buffer.alloc(0))
  const left = bytes - Buffer.concat([...parts, end]).length - 12
  return Buffer.concat([...parts, ...(left > 0 ? [chunk('fiLL', Buffer.alloc(left, note || 'x'))] : []), end])
}

const base64 = (text: string) => Buffer.from(text, 'base64')

/** One pixel, twice. */
export const movingGif = Buffer.concat([
  Buffer.from('GIF89a\x03\x00\x02\x00\x80\x00\x00', 'latin1'),
  Buffer.from([0, 0, 0, 255, 255, 255]),
  ...[0, 1].map(() => Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0])),
  Buffer.from([0x3b]),
])

export const gif = base64('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7')
export const webp = base64('UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAgA0JaQAA3AA/vuUAAA=')
export const losslessWebp = base64('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==')

/** Its headers, of any size; `turned`: a camera held upright. */
export function jpeg(width: number, height: number, { turned = false } = {}): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0])
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  const tiff = Buffer.from([0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0])
  const exif = Buffer.concat([Buffer.from([0xff, 0xe1, 0, 8 + tiff.length]), Buffer.from('Exif\0\0'), tiff])
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...(turned ? [exif] : []), frame, Buffer.from([0xff, 0xd9])])
}
