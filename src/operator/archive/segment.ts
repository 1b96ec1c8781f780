// The files of an archive: their names, and the form of a segment: a readable head, then the commits, compressed and sealed. The head
// contains the digest of the previous segment, so none can be changed, left out or exchanged. Several consecutive segments may be merged
// into one (merge.ts).

import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import { AppError } from '../../kit/error.ts'
import { systemRandom } from '../../kit/random.ts'

/** Beside the thread, which reads the log on meanwhile. */
const compress = promisify(zstdCompress)

const cipher = 'aes-256-gcm'
const tagBytes = 16
const nonceBytes = 12
/** Pages that change again and again are found again within it. */
const compression = {
  params: {
    [constants.ZSTD_c_compressionLevel]: 1,
    [constants.ZSTD_c_windowLog]: 24,
    [constants.ZSTD_c_enableLongDistanceMatching]: 1,
  },
}

export interface Head {
  version: 1
  generation: number
  /** Counted from 1 in its generation. */
  number: number
  /** The SHA-256 of the segment before; empty for the first. */
  previous: string
  /** Counted from 1 in its generation. */
  firstCommit: number
  commits: number
  /** What is in it was committed after this time, */
  after: number
  /** and before this one (both in ms). */
  until: number
  pageSize: number
  /** Of one that was merged from several: */
  merged?: Merged
}

interface Merged {
  /** The number of the last one in it, */
  last: number
  /** and its SHA-256, which the next one names. */
  digest: string
  /** In hex; others are sealed by their number. */
  nonce: string
  /** What was committed one after the other, each with the last version of its pages. */
  parts: Part[]
}

export interface Part {
  commits: number
  /** As in a head. */
  after: number
  until: number
  pages: number
}

export function mergedNonce(): string {
  return Buffer.from(systemRandom.bytes(nonceBytes)).toString('hex')
}

export async function writeSegment(head: Head, frames: Buffer, key: Buffer): Promise<Buffer> {
  const packed = await compress(frames, compression)
  const text = Buffer.from(JSON.stringify(head))
  const start = Buffer.alloc(4)
  start.writeUInt32BE(text.length)
  const sealing = createCipheriv(cipher, key, segmentNonce(head))
  sealing.setAAD(text)
  const sealed = [sealing.update(packed), sealing.final()]
  return Buffer.concat([start, text, ...sealed, sealing.getAuthTag()])
}

/** What is in the archive is not what was put there. */
export class Damaged extends AppError {
  constructor(message: string) {
    super('conflict', message)
  }
}

/** `digest`: what the next one names. Throws Damaged when it is, or not what its name says. */
export function readSegment(name: string, bytes: Buffer, key: Buffer): { head: Head; frames: Buffer; digest: string } {
  try {
    const length = bytes.readUInt32BE(0)
    const text = bytes.subarray(4, 4 + length)
    const head = JSON.parse(text.toString()) as Head
    if (segmentName(head.generation, head.number, head.merged?.last) !== name)
      throw new Error('it has the name of another')
    const opening = createDecipheriv(cipher, key, segmentNonce(head))
    opening.setAAD(text)
    opening.setAuthTag(bytes.subarray(-tagBytes))
    const packed = opening.update(bytes.subarray(4 + length, -tagBytes))
    opening.final()
    return { head, frames: Bun.zstdDecompressSync(packed), digest: head.merged?.digest ?? segmentDigest(bytes) }
  } catch (error) {
    throw new Damaged(`${name} is damaged: ${error instanceof Error ? error.message : error}`)
  }
}

export function segmentDigest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Each generation has a key of its own, so a number is used once; what is merged may be so a second time, after a crash. */
function segmentNonce({ number, merged }: Head): Buffer {
  if (merged !== undefined) return Buffer.from(merged.nonce, 'hex')
  const nonce = Buffer.alloc(nonceBytes)
  nonce.writeUInt32BE(number, 8)
  return nonce
}

const wide = (number: number, digits: number) => String(number).padStart(digits, '0')

export const startPrefix = 'start-'
export const basePrefix = 'base-'
export const headPrefix = 'head-'
export const segmentsPrefix = 'segment-'

export function startName(generation: number): string {
  return `${startPrefix}${wide(generation, 6)}`
}

/** Of a file of an archive. */
export function readGeneration(name: string): number {
  return Number(name.split('-')[1])
}

export function segmentPrefix(generation: number): string {
  return `${segmentsPrefix}${wide(generation, 6)}-`
}

/** With `last` it is what those from `number` to `last` were merged into. */
export function segmentName(generation: number, number: number, last?: number): string {
  const name = `${segmentPrefix(generation)}${wide(number, 10)}`
  return last === undefined ? name : `${name}-${wide(last, 10)}`
}

export interface SegmentName {
  name: string
  first: number
  last: number
}

/** Null when it is none. */
export function parseSegment(name: string): SegmentName | null {
  const [, first, last = first] = /^segment-\d{6}-(\d{10})(?:-(\d{10}))?$/.exec(name) ?? []
  return first === undefined ? null : { name, first: Number(first), last: Number(last) }
}

/** A copy of the database, to which segments from `firstSegment` on are applied; whole after commit `validFrom`, which was there at `time`. */
export interface Base {
  generation: number
  firstSegment: number
  validFrom: number
  /** In ms. */
  time: number
}

export function baseName({ generation, firstSegment, validFrom, time }: Base): string {
  return `${basePrefix}${wide(generation, 6)}-${wide(firstSegment, 10)}-${wide(validFrom, 12)}-${wide(time, 13)}`
}

/** Null when it is none. */
export function parseBase(name: string): Base | null {
  const [, generation, firstSegment, validFrom, time] = /^base-(\d{6})-(\d{10})-(\d{12})-(\d{13})$/.exec(name) ?? []
  if (time === undefined) return null
  return {
    generation: Number(generation),
    firstSegment: Number(firstSegment),
    validFrom: Number(validFrom),
    time: Number(time),
  }
}

/** How far a generation has come: all segments up to `segment` are there, and all that was committed before `time` is in them. */
export interface Reached {
  generation: number
  segment: number
  commit: number
  /** In ms. */
  time: number
}

export function reachedName({ generation, segment, commit, time }: Reached): string {
  return `${headPrefix}${wide(generation, 6)}-${wide(segment, 10)}-${wide(commit, 12)}-${wide(time, 13)}`
}

export function parseReached(name: string): Reached | null {
  const [, generation, segment, commit, time] = /^head-(\d{6})-(\d{10})-(\d{12})-(\d{13})$/.exec(name) ?? []
  if (time === undefined) return null
  return { generation: Number(generation), segment: Number(segment), commit: Number(commit), time: Number(time) }
}
