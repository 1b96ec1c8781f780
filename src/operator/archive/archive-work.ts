// The thread that keeps one generation of the archive: reads the log each second, writes what was committed as a segment into the spool,
// and brings the spool to the store, in order. Whatever makes a gap possible ends the generation; the main thread begins another one.

import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '../../kit/clock.ts'
import { minute, second } from '../../kit/duration.ts'
import { privateFile, privateFolder } from '../../kit/private-file.ts'
import { systemRandom } from '../../kit/random.ts'
import { syncBytes } from '../../kit/store/folder.ts'
import { openStore } from '../../kit/store/open.ts'
import type { Store } from '../../kit/store/store.ts'
import type { Beginning, FromArchive, ToArchive } from './archive-messages.ts'
import { StoredSegments } from './merge.ts'
import {
  type Base,
  baseName,
  type Reached,
  reachedName,
  segmentDigest,
  segmentName,
  segmentsPrefix,
  startName,
  startPrefix,
  writeSegment,
} from './segment.ts'
import { type Frames, LogLost, WalReader } from './wal-reader.ts'

const lookForOthersMs = 30 * second
const lookForOldMs = minute
const retryMs = 2 * second
const soonMs = 50
/** The end of a log is on its way when the next one begins. */
const endMs = 10 * second
const part = '.part'
/** A segment is made of so much, */
const segmentBytes = 16_777_216
/** and the log is not read further while so much of it waits in memory. */
const maxReadBytes = 67_108_864

let generation: Generation | null = null

self.addEventListener('message', ({ data }: MessageEvent<ToArchive>) => {
  if (data.kind === 'begin') void begin(data.beginning).catch((error) => lost(error))
  else void generation?.hear(data).catch((error) => lost(error))
})

function post(message: FromArchive): void {
  self.postMessage(message)
}

function lost(error: unknown, isForeign = false): void {
  generation?.halt()
  generation = null
  post({ kind: 'lost', why: error instanceof Error ? error.message : String(error), isForeign })
}

async function begin(beginning: Beginning): Promise<void> {
  const store = openStore(beginning.place, beginning.s3, beginning.spool)
  mkdirSync(beginning.spool, { recursive: true, mode: privateFolder })
  const starts = await store.list(startPrefix)
  const number = Number(starts.at(-1)?.slice(startPrefix.length) ?? 0) + 1
  const key = Buffer.from(systemRandom.bytes(32))
  const stored = await putText(store, startName(number), beginning.spool, beginning.mark)
  if (stored === 'taken') return lost('another server began at the same moment', true)
  generation = new Generation(beginning, store, number, key)
  post({ kind: 'begun', generation: number, key })
}

async function putText(store: Store, name: string, folder: string, text: string): Promise<'stored' | 'taken'> {
  const path = join(folder, `${name}${part}`)
  writeFileSync(path, text, { mode: privateFile })
  try {
    return await store.put(name, path)
  } finally {
    rmSync(path, { force: true })
  }
}

class Generation {
  readonly #settings: Beginning
  readonly #store: Store
  readonly #number: number
  readonly #key: Buffer
  readonly #log: WalReader
  readonly #timers: ReturnType<typeof setInterval>[]
  /** Of the last segment. */
  #segment = 0
  #commit = 0
  #previous = ''
  /** What was committed before is in memory, or in a segment. */
  #lookedAt = systemClock.now().getTime()
  /** What was read, and is in no segment yet. */
  #read: (Frames & { after: number; until: number })[] = []
  /** Files of the spool in the order in which they go, with what is reached when they are there. */
  #waiting: { name: string; bytes: number; reached: Reached | null }[] = []
  #reached: Reached | null = null
  #told: Reached | null = null
  #epoch: number
  #base: Omit<Base, 'validFrom' | 'time'>
  /** What is packed. */
  #copied: Promise<Base> | null = null
  /** Until all is spooled that the next base has: nothing is read meanwhile. */
  #basing: Promise<void> | null = null
  #waitsSince: number | null = null
  #fault: string | null = null
  #spooling: Promise<void> | null = null
  #uploading: Promise<void> | null = null
  readonly #stored: StoredSegments
  #halted = false

  constructor(settings: Beginning, store: Store, number: number, key: Buffer) {
    this.#settings = settings
    this.#store = store
    this.#number = number
    this.#key = key
    this.#epoch = settings.epoch
    this.#log = new WalReader(settings.logPath)
    this.#base = { generation: number, firstSegment: 1 }
    this.#stored = new StoredSegments(store, key, settings, (why) => post({ kind: 'unmerged', why }))
    for (const name of readdirSync(settings.spool).sort()) {
      const path = join(settings.spool, name)
      if (name.startsWith(segmentsPrefix) && !name.endsWith(part))
        this.#waiting.push({ name, bytes: statSync(path).size, reached: null })
      else rmSync(path, { force: true, recursive: true })
    }
    const guarded = (work: () => Promise<unknown>) => () => void work().catch((error) => lost(error))
    this.#timers = [
      setInterval(
        guarded(() => this.#look()),
        settings.everyMs,
      ),
      setInterval(
        guarded(() => this.#lookForOthers()),
        lookForOthersMs,
      ),
      setInterval(
        guarded(() => this.#stored.mergeBefore(systemClock.now().getTime() - settings.exactMs)),
        Math.max(second, Math.min(lookForOldMs, settings.exactMs)),
      ),
    ]
  }

  async hear(message: Exclude<ToArchive, { kind: 'begin' }>): Promise<void> {
    if (message.kind === 'read') await this.#answer(message.id)
    else if (message.kind === 'turned') await this.#end(message)
    else if (message.kind === 'epoch') this.#epoch = message.epoch
    else if (message.kind === 'copied') await this.#nameBase()
    else if (message.kind === 'base') await this.#putBase(message.path)
    else await this.#finish()
  }

  halt(): void {
    this.#halted = true
    for (const timer of this.#timers) clearInterval(timer)
    this.#stored.halt()
    this.#log.close()
  }

  /** Unless there is too much, it is only in memory then. */
  async #answer(id: number): Promise<void> {
    for (this.#readLog(); this.#readBytes() > maxReadBytes; this.#readLog()) await this.#spool()
    if (!this.#halted) post({ kind: 'read', id, frames: this.#log.frames })
  }

  async #end({ rest, from, basing }: Extract<ToArchive, { kind: 'turned' }>): Promise<void> {
    this.#take(this.#log.end(Buffer.from(rest.buffer), from))
    if (!basing) return
    this.#basing = this.#spool().then(() => {
      this.#base = { generation: this.#number, firstSegment: this.#segment + 1 }
      this.#basing = null
    })
    await this.#basing
  }

  /** True when all that was committed before this call is read. */
  #readLog(): boolean {
    if (this.#halted || this.#basing !== null) return false
    // The clock may be set back.
    const until = Math.max(this.#lookedAt, systemClock.now().getTime())
    while (this.#readBytes() <= maxReadBytes) {
      if (this.#take(this.#log.read())) continue
      if (!this.#isAtEnd()) return false
      // Only the last one ends with all that was committed before.
      const last = this.#read.at(-1)
      if (last !== undefined) last.until = until
      this.#lookedAt = until
      return true
    }
    return false
  }

  #take(found: Frames | null): boolean {
    if (found !== null) this.#read.push({ ...found, after: this.#lookedAt, until: this.#lookedAt })
    return found !== null
  }

  /** False while something was committed that could not be read yet. */
  #isAtEnd(): boolean {
    this.#waitsSince = this.#log.waits ? (this.#waitsSince ?? performance.now()) : null
    if (this.#waitsSince !== null && performance.now() - this.#waitsSince > endMs)
      throw new LogLost('the log started over before it was read')
    return this.#waitsSince === null
  }

  #readBytes(): number {
    return this.#read.reduce((sum, { bytes }) => sum + bytes.length, 0)
  }

  async #look(): Promise<void> {
    this.#readLog()
    await this.#spool()
    const isAllThere = this.#waiting.length === 0 && this.#read.length === 0 && this.#spooling === null
    if (isAllThere && this.#segment > 0) this.#reached = this.#here()
    void this.#upload().catch((error) => lost(error))
    this.#tell()
  }

  /** What was read before this call is in the spool after it. */
  async #spool(): Promise<void> {
    const last = this.#read.at(-1)
    while (last !== undefined && this.#read.includes(last) && !this.#halted) {
      this.#spooling ??= this.#spoolNext().finally(() => {
        this.#spooling = null
      })
      await this.#spooling
    }
    await this.#spooling
  }

  async #spoolNext(): Promise<void> {
    const [first] = this.#read
    if (first === undefined) return
    let [bytes, count] = [0, 0]
    for (const { bytes: more, pageSize } of this.#read) {
      if (count > 0 && (bytes + more.length > segmentBytes || pageSize !== first.pageSize)) break
      bytes += more.length
      count++
    }
    const parts = this.#read.splice(0, count)
    const head = {
      version: 1 as const,
      generation: this.#number,
      number: ++this.#segment,
      previous: this.#previous,
      firstCommit: this.#commit + 1,
      commits: parts.reduce((sum, { commits }) => sum + commits, 0),
      after: first.after,
      until: parts.at(-1)?.until ?? first.until,
      pageSize: first.pageSize,
    }
    this.#commit += head.commits
    const sealed = await writeSegment(head, Buffer.concat(parts.map((one) => one.bytes)), this.#key)
    this.#previous = segmentDigest(sealed)
    const reached = { generation: this.#number, segment: head.number, commit: this.#commit, time: head.until }
    await this.#keep(segmentName(this.#number, head.number), sealed, reached)
  }

  #here(): Reached {
    return { generation: this.#number, segment: this.#segment, commit: this.#commit, time: this.#lookedAt }
  }

  async #keep(name: string, bytes: Buffer, reached: Reached): Promise<void> {
    const path = join(this.#settings.spool, name)
    writeFileSync(path + part, bytes, { mode: privateFile })
    await syncBytes(path + part)
    renameSync(path + part, path)
    this.#waiting.push({ name, bytes: bytes.length, reached })
    // Now: where segments take longer than the interval, no look ends before a pause of those who write.
    void this.#upload()
      .then(() => this.#tell())
      .catch((error) => lost(error))
    // What a former generation left is brought away, and counts no more.
    const own = this.#waiting.filter(({ reached }) => reached !== null)
    if (own.reduce((sum, { bytes }) => sum + bytes, 0) > this.#settings.maxSpoolBytes)
      throw new Error('the spool is full: the store accepts nothing')
  }

  #spoolBytes(): number {
    return this.#waiting.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** One after the other: in the store there is never a segment without those before it. */
  #upload(): Promise<void> {
    this.#uploading ??= this.#uploadWaiting().finally(() => {
      this.#uploading = null
    })
    return this.#uploading
  }

  async #uploadWaiting(): Promise<void> {
    for (let next = this.#waiting[0]; next !== undefined && !this.#halted; next = this.#waiting[0]) {
      const path = join(this.#settings.spool, next.name)
      const outcome = await this.#store.put(next.name, path).catch((error) => {
        this.#fault = error instanceof Error ? error.message : String(error)
        return null
      })
      if (outcome === null) return void (await pause(retryMs))
      if (outcome === 'taken') return lost(`another server wrote ${next.name}`, true)
      this.#fault = null
      rmSync(path, { force: true })
      this.#waiting.shift()
      if (next.reached === null) continue
      this.#stored.note(next.reached, next.reached.segment === this.#base.firstSegment)
      this.#reached = next.reached
    }
  }

  #tell(): void {
    const coveredAt = this.#reached?.time ?? 0
    post({ kind: 'progress', coveredAt, spoolBytes: this.#spoolBytes(), fault: this.#fault })
  }

  /** Whoever began later writes to this archive now. Then how far this one has come is written down. */
  async #lookForOthers(): Promise<void> {
    const starts = await this.#store.list(startPrefix).catch(() => [])
    if (starts.some((name) => name > startName(this.#number))) return lost('another server keeps this archive', true)
    await this.#writeReached().catch(() => {})
  }

  /** So that segments that are taken from the end are missed, too; with the epoch, which a database that is put back does not reach. */
  async #writeReached(): Promise<void> {
    const [reached, told] = [this.#reached, this.#told]
    if (reached === null || this.#halted || reached.time === told?.time) return
    await putText(this.#store, reachedName(reached), this.#settings.spool, String(this.#epoch))
    this.#told = reached
    if (told) await this.#store.delete(reachedName(told))
  }

  /** The database was copied: what the copy may have of the log is before this. */
  async #nameBase(): Promise<void> {
    const named = async () => {
      await this.#basing
      const base = this.#base
      while (!this.#readLog() && !this.#halted) {
        await this.#spool()
        await pause(soonMs)
      }
      const time = this.#lookedAt
      await this.#spool()
      return { ...base, validFrom: this.#commit, time }
    }
    this.#copied = named()
    post({ kind: 'named', base: baseName(await this.#copied) })
  }

  /** `path`: the copy, packed and sealed. */
  async #putBase(path: string): Promise<void> {
    const whole = await this.#copied
    if (whole === null) throw new Error('a base was packed before it was copied')
    // A base of which something is missing would be taken for the newest that there is.
    while ((this.#reached?.commit ?? 0) < whole.validFrom && !this.#halted) {
      await this.#upload()
      await pause(soonMs)
    }
    for (;;) {
      if (this.#halted) return
      const outcome = await this.#store.put(baseName(whole), path).catch((error) => {
        this.#fault = error instanceof Error ? error.message : String(error)
        return null
      })
      if (outcome !== null) break
      await pause(retryMs)
    }
    rmSync(path, { force: true })
    await this.#writeReached().catch(() => {})
    post({ kind: 'based', time: whole.time })
    this.#tell()
  }

  /** Brings what is left to the store, as long as that takes it. */
  async #finish(): Promise<void> {
    await this.#basing
    await this.#look()
    while (this.#read.length > 0 && !this.#halted) await this.#spool()
    while (this.#waiting.length > 0 && !this.#halted) await this.#upload()
    if (this.#segment > 0) this.#reached = this.#here()
    await this.#writeReached().catch(() => {})
    this.halt()
    post({ kind: 'ended' })
  }
}
