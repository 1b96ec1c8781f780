// What a picture is: its kind, its size, whether it moves. Its bytes decide, never its name; nothing is decompressed, so a picture that
// would fill the memory of whoever shows it is refused by its headers.

import { readGif } from './gif.ts'
import { readJpeg } from './jpeg.ts'
import { readPng } from './png.ts'
import type { Size } from './size.ts'
import { readWebp } from './webp.ts'

export const pictureKinds = ['png', 'jpeg', 'webp', 'gif'] as const
export type PictureKind = (typeof pictureKinds)[number]

export interface Picture extends Size {
  kind: PictureKind
}

const maxSide = 16_384
const maxPixels = 50_000_000
/** Of all frames together. */
const maxMovingPixels = 1_000_000_000

/** Reads the headers of one kind; null: it ends, or is nonsense, before they do. */
type ReadSize = (bytes: Buffer) => Size | null

const kinds: Record<PictureKind, { isOne: (bytes: Buffer) => boolean; read: ReadSize }> = {
  png: { isOne: (bytes) => starts(bytes, '\x89PNG\r\n\x1a\n'), read: readPng },
  jpeg: { isOne: (bytes) => starts(bytes, '\xff\xd8\xff'), read: readJpeg },
  webp: { isOne: (bytes) => starts(bytes, 'RIFF') && bytes.toString('latin1', 8, 12) === 'WEBP', read: readWebp },
  gif: { isOne: (bytes) => starts(bytes, 'GIF87a') || starts(bytes, 'GIF89a'), read: readGif },
}

/** What is wrong with it, in the words of a refusal. */
export type Fault = { fault: 'kind' | 'damaged' | 'size'; message: string }

export function readPicture(bytes: Buffer): Picture | Fault {
  const kind = pictureKinds.find((one) => kinds[one].isOne(bytes))
  if (kind === undefined) return { fault: 'kind', message: whyNoKind(bytes) }
  const size = kinds[kind].read(bytes)
  if (size === null) return { fault: 'damaged', message: `the ${nameOf(kind)} is damaged or not whole` }
  const message = whyTooLarge(size)
  return message === null ? { kind, ...size } : { fault: 'size', message }
}

function whyTooLarge({ width, height, frames }: Size): string | null {
  const pixels = width * height
  if (pixels === 0) return 'the picture has no pixels'
  const shown = `${width} × ${height}`
  if (width > maxSide || height > maxSide) return `the picture has ${shown} pixels; a side may have at most ${maxSide}`
  if (pixels > maxPixels) return `the picture has ${shown} pixels; at most ${maxPixels / 1_000_000} million are allowed`
  if (frames > 1 && pixels * frames > maxMovingPixels)
    return `the ${frames} frames of ${shown} pixels have more than ${maxMovingPixels / 1_000_000} million together`
  return null
}

/** An SVG may begin with a declaration, comments or white space. */
const svg = /^(?:\ufeff|\s|<\?xml[^>]*>|<!--.*?-->|<!DOCTYPE[^>]*>)*<svg[\s>]/is
const whatToSend = 'send PNG, JPEG, WebP or GIF'
const lookedAt = 4_096

function whyNoKind(bytes: Buffer): string {
  if (bytes.length === 0) return `the body is empty: ${whatToSend}`
  if (svg.test(bytes.toString('utf8', 0, lookedAt)))
    return `SVG is refused: it may hold scripts, and most mail readers do not show it; ${whatToSend}`
  return `the bytes are no picture that mail readers show: ${whatToSend}`
}

function nameOf(kind: PictureKind): string {
  return kind === 'webp' ? 'WebP' : kind.toUpperCase()
}

function starts(bytes: Buffer, text: string): boolean {
  return bytes.toString('latin1', 0, text.length) === text
}
