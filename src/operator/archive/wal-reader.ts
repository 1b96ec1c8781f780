// Reads the write-ahead log of SQLite while it is written: whole transactions only, each frame held against its salt and its checksum
// (https://sqlite.org/fileformat2.html#walformat). Whoever starts the log over brings what was not read of it.

import { closeSync, openSync, readSync } from 'node:fs'
import { frameHeaderBytes, logHeaderBytes as headerBytes } from '../../../db/log-keeper.ts'

/** Checksums in the order of bytes of the machines that we run on. */
const littleEndian = 0x377f0682
const usualRead = 1_048_576

export interface Frames {
  /** As they are in the log, each with its header. */
  bytes: Buffer
  pageSize: number
  commits: number
}

interface Header {
  pageSize: number
  salt1: number
  salt2: number
  sum: [number, number]
}

export class LogLost extends Error {}

export class WalReader {
  readonly #file: number
  readonly #usual = new ArrayBuffer(usualRead)
  #header: Header | null = null
  /** Frames of this log that were read. */
  #frames = 0
  #sum: [number, number] = [0, 0]
  /** This log was read to its end: instead of more of it, the next one may follow. */
  #mayFollow = false
  #waits = false

  constructor(path: string) {
    this.#file = openSync(path, 'r')
  }

  /** Of this log, that were read so far. */
  get frames(): number {
    return this.#mayFollow ? 0 : this.#frames
  }

  /** The next log has begun, and the rest of this one was not read yet. */
  get waits(): boolean {
    return this.#waits
  }

  /** Takes the end of this log, from frame `from` on, of which some may be known. Returns what was not. */
  end(bytes: Buffer, from: number): Frames | null {
    const header = this.#header
    if (header === null || this.#frames < from) throw new LogLost('what was brought of the log does not follow')
    const frameBytes = header.pageSize + frameHeaderBytes
    const taken = this.#take(bytes.subarray((this.#frames - from) * frameBytes), header)
    const whole = from + bytes.length / frameBytes
    if (this.#frames < whole) throw new LogLost(`the log has ${whole} frames, and ${this.#frames} were read`)
    this.#mayFollow = this.#frames === whole
    return taken
  }

  /** Up to 1 MB of what follows, or the next transaction; null when nothing does. Throws LogLost when something may have been missed. */
  read(): Frames | null {
    const found = this.#readHeader()
    if (this.#isOf(found)) this.#waits = false
    else this.#follow(found)
    if (found === null || this.#waits) return null
    for (let size = usualRead; ; size *= 4) {
      const bytes = this.#bytesFrom(headerBytes + this.#frames * (found.pageSize + frameHeaderBytes), size)
      const taken = this.#take(bytes, found)
      if (taken !== null) return taken
      if (bytes.length < size) break
    }
    // By now the next log may have begun, and be as long as this one.
    this.#waits = !this.#mayFollow && !this.#isOf(this.#readHeader())
    return null
  }

  close(): void {
    closeSync(this.#file)
  }

  #isOf(found: Header | null): boolean {
    return found !== null && found.salt1 === this.#header?.salt1 && found.salt2 === this.#header.salt2
  }

  #follow(found: Header | null): void {
    if (found !== null && this.#header !== null && found.salt1 !== (this.#header.salt1 + 1) >>> 0)
      throw new LogLost('the log started over before it was read')
    this.#waits = this.#header !== null && !this.#mayFollow
    if (found === null || this.#waits) return
    this.#header = found
    this.#frames = 0
    this.#sum = found.sum
    this.#mayFollow = false
  }

  /** Null while there is none, or while it is being written. */
  #readHeader(): Header | null {
    const bytes = this.#bytesFrom(0, headerBytes)
    if (bytes.length < headerBytes) return null
    if (bytes.readUInt32BE(0) !== littleEndian) throw new LogLost('the log is of a machine with another order of bytes')
    const sum = added(words(bytes), 0, 24, [0, 0])
    if (sum[0] !== bytes.readInt32BE(24) || sum[1] !== bytes.readInt32BE(28)) return null
    return { pageSize: bytes.readUInt32BE(8), salt1: bytes.readUInt32BE(16), salt2: bytes.readUInt32BE(20), sum }
  }

  /** The whole transactions at the beginning of `bytes`. */
  #take(bytes: Buffer, { pageSize, salt1, salt2 }: Header): Frames | null {
    const frameBytes = pageSize + frameHeaderBytes
    const all = words(bytes)
    let sum = this.#sum
    let [end, commits] = [0, 0]
    for (let at = 0; at + frameBytes <= bytes.length; at += frameBytes) {
      if (bytes.readUInt32BE(at + 8) !== salt1 || bytes.readUInt32BE(at + 12) !== salt2) break
      sum = added(all, at + frameHeaderBytes, frameBytes - frameHeaderBytes, added(all, at, 8, sum))
      if (sum[0] !== bytes.readInt32BE(at + 16) || sum[1] !== bytes.readInt32BE(at + 20)) break
      if (bytes.readUInt32BE(at + 4) === 0) continue
      end = at + frameBytes
      commits++
      this.#sum = sum
    }
    if (end === 0) return null
    this.#frames += end / frameBytes
    this.#mayFollow = false
    return { bytes: Buffer.from(bytes.subarray(0, end)), pageSize, commits }
  }

  #bytesFrom(position: number, size: number): Buffer {
    const bytes = Buffer.from(size <= usualRead ? this.#usual : new ArrayBuffer(size))
    return bytes.subarray(0, readSync(this.#file, bytes, 0, size, position))
  }
}

function words(bytes: Buffer): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2)
}

/** The checksum `sum`, continued over so many bytes. */
function added(all: Int32Array, from: number, bytes: number, [first, second]: [number, number]): [number, number] {
  let [s1, s2] = [first, second]
  for (let at = from >> 2; at < (from + bytes) >> 2; at += 2) {
    s1 = (s1 + (all[at] ?? 0) + s2) | 0
    s2 = (s2 + (all[at + 1] ?? 0) + s1) | 0
  }
  return [s1, s2]
}
