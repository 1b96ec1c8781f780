// The pictures that a source of HTML or MJML has in itself (`data:` addresses), which hardly any mail reader shows: each gets the address that it has
// as a picture of the library. They are stored by the save that shows them (keep.ts), so that whoever only looks stores nothing.

import type { App } from '../../../core/app.ts'
import type { Issue } from '../../../kit/error.ts'
import { readPicture } from '../../../kit/picture/read.ts'
import { maxPictureBytes } from '../../../kit/picture/size.ts'
import { mediaPath } from './schema.ts'
import { mediaKey } from './upload.ts'

export interface EmbeddedPicture {
  key: string
  /** Where it will be loaded from. */
  url: string
  /** As it stood in the source. */
  given: string
  bytes: Buffer
  /** Where it stood: what comes behind `end` of the written source stood so many characters further on. */
  shifts: { end: number; by: number }[]
}

export interface TakenOut {
  /** With the address of each picture in its place; one that is refused stays. */
  source: string
  pictures: EmbeddedPicture[]
  /** Of each that is refused, why. */
  issues: Issue[]
}

/** Different ones, of a source. */
const maxPictures = 50
const path = 'content.source'

/** Where a source names a picture: an attribute, or `url()` in a style. With quotes it may be in several lines. */
const places =
  /(\b(?:src|background|background-url)\s{0,9}=\s{0,9}|\burl\(\s{0,9})(?:("|'|&quot;|&#39;)(\s*data:image\/[^"'&<>()]+)\2|(data:image\/[^\s"'&<>()]+))/gi

export function takeOutPictures({ config }: App, workspaceId: string, source: string): TakenOut {
  const taken = new Map<string, EmbeddedPicture | null>()
  const issues: Issue[] = []
  const take = (given: string): EmbeddedPicture | null => {
    const read = taken.size < maxPictures ? readEmbedded(given) : { fault: `a mail may have at most ${maxPictures}` }
    if (!('fault' in read)) {
      const key = mediaKey(workspaceId, read.bytes)
      return { key, url: config.baseUrl + mediaPath({ key, kind: read.kind }), given, bytes: read.bytes, shifts: [] }
    }
    const message = `The picture within the mail that begins with ${given.slice(0, 40)} is left out: ${read.fault}.`
    if (taken.size <= maxPictures) issues.push({ path, code: 'picture_refused', message })
    return null
  }
  let shorter = 0
  const written = source.replace(
    places,
    (whole: string, before: string, quote = '', quoted = '', bare = '', at = 0) => {
      const given = (quoted || bare).trim()
      const picture = taken.getOrInsertComputed(given, take)
      if (picture === null) return whole
      const named = before + quote + picture.url + quote
      const by = whole.length - named.length
      picture.shifts.push({ end: at - shorter + named.length, by })
      shorter += by
      return named
    },
  )
  return { source: written, pictures: [...taken.values()].filter((one) => one !== null), issues }
}

/** What pictures may add to a mail that is looked at: one that is named more often than this allows stays an address. */
const maxShownChars = 4_000_000

/** For who looks at a mail that is not saved: its pictures are nowhere yet, and its places are those of the source that was given. */
export function showEmbedded(html: string, pictures: EmbeddedPicture[]): string {
  const shiftAt = createShiftFinder(pictures.flatMap((one) => one.shifts))
  const given = (at: string) => Number(at) + shiftAt(Number(at))
  const placed = html.replace(placeMark, (_, begin: string, from: string, to: string) => {
    return `${begin}${given(from)}-${given(to)}-->`
  })
  let left = maxShownChars
  return pictures.reduce((shown, { url, given }) => {
    const address = given.replace(/\s/g, '')
    return shown.replaceAll(url, () => {
      left -= address.length
      return left < 0 ? url : address
    })
  }, placed)
}

/** How many characters further on in the given source a place of the written one stood. */
function createShiftFinder(shifts: EmbeddedPicture['shifts']): (at: number) => number {
  let sum = 0
  const passed = shifts
    .toSorted((one, other) => one.end - other.end)
    .map(({ end, by }) => {
      sum += by
      return { end, sum }
    })
  return (at) => {
    let [low, high] = [0, passed.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((passed[middle]?.end ?? 0) <= at) low = middle + 1
      else high = middle
    }
    return passed[low - 1]?.sum ?? 0
  }
}

/** As marks.ts and own-html/places.ts write it. */
const placeMark = /(<!--\/?content@)(\d+)-(\d+)-->/g

function readEmbedded(given: string) {
  const comma = given.indexOf(',')
  if (comma < 0) return { fault: 'it has no bytes' }
  const data = given.slice(comma + 1).replace(/%([0-9a-f]{2})|\s+/gi, (_, hex = '') => {
    return hex === '' ? '' : String.fromCharCode(Number.parseInt(hex, 16))
  })
  const isBase64 = /;base64$/i.test(given.slice(0, comma).trimEnd())
  if (isBase64 && !/^[\w+/-]*={0,2}$/.test(data)) return { fault: 'it is no base64' }
  const bytes = Buffer.from(data, isBase64 ? 'base64' : 'latin1')
  if (bytes.length > maxPictureBytes) return { fault: 'it has more than 10 MB' }
  const picture = readPicture(bytes)
  return 'fault' in picture ? { fault: picture.message } : { kind: picture.kind, bytes }
}
