// The headers of a JPEG (ITU-T T.81, B.1), with the way up that a camera wrote into it (Exif 2.32, 4.6.4).

import type { Size } from './size.ts'

const endOfPicture = 0xd9
const startOfData = 0xda
const cameraData = 0xe1
/** Among the frame headers, and none. */
const otherwise = [0xc4, 0xc8, 0xcc]

export function readJpeg(bytes: Buffer): Size | null {
  let isOnItsSide = false
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1] ?? 0
    // Filling.
    if (marker === 0xff) {
      at++
      continue
    }
    if (marker === startOfData || marker === endOfPicture) return null
    const length = bytes.readUInt16BE(at + 2)
    const data = bytes.subarray(at + 4, at + 2 + length)
    if (length < 2 || data.length < length - 2) return null
    if (marker === cameraData) isOnItsSide ||= orientation(data) > 4
    if (marker >= 0xc0 && marker <= 0xcf && !otherwise.includes(marker)) {
      if (data.length < 5) return null
      const [height, width] = [data.readUInt16BE(1), data.readUInt16BE(3)]
      return isOnItsSide ? { width: height, height: width, frames: 1 } : { width, height, frames: 1 }
    }
    at += 2 + length
  }
  return null
}

const exif = 'Exif\0\0'
const orientationTag = 0x0112
const entryBytes = 12

/** 1 to 8; from 5 on, width and height change places. */
function orientation(data: Buffer): number {
  if (data.toString('latin1', 0, exif.length) !== exif) return 1
  const tiff = data.subarray(exif.length)
  if (tiff.length < 8) return 1
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const word = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const first = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (first + 2 > tiff.length) return 1
  for (let index = 0, at = first + 2; index < word(first) && at + entryBytes <= tiff.length; index++, at += entryBytes)
    if (word(at) === orientationTag) return word(at + 8)
  return 1
}
