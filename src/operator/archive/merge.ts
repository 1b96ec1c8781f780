// Merges segments that are older than what is kept commit by commit: of each ten seconds the last version of each page stays, and an hour
// lies in one file (or in several of some 16 MB). What was merged is deleted only after what replaces it was read back from the store.

import { writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { frameHeaderBytes } from '../../../db/log-keeper.ts'
import { hour, second } from '../../kit/duration.ts'
import { AppError, failureText } from '../../kit/error.ts'
import { privateFile } from '../../kit/private-file.ts'
import { readWhole, type Store } from '../../kit/store/store.ts'
import { type Head, mergedNonce, type Part, type Reached, readSegment, segmentName, writeSegment } from './segment.ts'

/** What was committed within it is one state that can be restored. */
const partMs = 10 * second
/** A part ends early, */
const maxPartPages = 16_384
/** and so does a file. */
const fileBytes = 16_777_216

/** What is merged together was committed within it. */
const runMs = hour

export interface Run {
  generation: number
  first: number
  last: number
}

/** What a generation has in the store and did not merge yet. */
export class StoredSegments {
  readonly #store: Store
  readonly #key: Buffer
  readonly #folder: string
  readonly #longest: number
  readonly #failed: (why: string) => void
  /** The last one still grows. */
  readonly #runs: (Run & { after: number; until: number })[] = []
  #isBusy = false
  #isHalted = false

  /** `spool`: a folder for what is on its way. A run is no longer than what is kept as it is. */
  constructor(
    store: Store,
    key: Buffer,
    { spool, exactMs }: { spool: string; exactMs: number },
    failed: (why: string) => void,
  ) {
    this.#store = store
    this.#key = key
    this.#failed = failed
    this.#folder = spool
    this.#longest = Math.min(runMs, Math.max(second, exactMs))
  }

  /** The next segment. `isFirst` of a base: what is before it lies in other files. */
  note({ generation, segment, time }: Reached, isFirst: boolean): void {
    const open = this.#runs.at(-1)
    if (open !== undefined && !isFirst && time - open.after <= this.#longest) [open.last, open.until] = [segment, time]
    else this.#runs.push({ generation, first: segment, last: segment, after: open?.until ?? time, until: time })
  }

  /** Merges commits from before that time (in ms). A failure is reported, and tried again with the next call. */
  async mergeBefore(time: number): Promise<void> {
    if (this.#isBusy) return
    this.#isBusy = true
    try {
      for (let run = this.#runs[0]; this.#runs.length > 1 && run && run.until < time; run = this.#runs[0]) {
        await mergeSegments(this.#store, run, this.#key, this.#folder).catch(toldUnlessGone)
        if (this.#isHalted) return
        this.#runs.shift()
      }
    } catch (error) {
      this.#failed(failureText(error))
    } finally {
      this.#isBusy = false
    }
  }

  halt(): void {
    this.#isHalted = true
  }
}

/** What is too old to be kept may be gone already. */
function toldUnlessGone(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'not_found')) throw error
}

/** What was merged is no longer in `run` then, also when it throws: `not_found` when one of them is gone. */
export async function mergeSegments(store: Store, run: Run, key: Buffer, folder: string): Promise<void> {
  let open: Merger | null = null
  const close = async () => {
    if (open !== null) run.first = (await replace(store, open, key, folder)) + 1
    open = null
  }
  for (let number = run.first; number <= run.last; number++) {
    const name = segmentName(run.generation, number)
    const { head, frames, digest } = readSegment(name, await readWhole(store, name), key)
    if (open !== null && !open.takes(head)) await close()
    open ??= new Merger(head)
    open.add(head, frames, digest)
  }
  await close()
}

/** Returns the number of the last one in it. */
async function replace(store: Store, merger: Merger, key: Buffer, folder: string): Promise<number> {
  const { head, frames } = merger.end()
  const { generation, number, merged } = head
  const last = merged?.last ?? number
  const name = segmentName(generation, number, last)
  const path = join(folder, `${name}.part`)
  try {
    writeFileSync(path, await writeSegment(head, frames, key), { mode: privateFile })
    // What has the name is of this server too, from an attempt of which it did not hear the end; or it does not open.
    await store.put(name, path)
  } finally {
    await rm(path, { force: true })
  }
  readSegment(name, await readWhole(store, name), key)
  for (let old = number; old <= last; old++) await store.delete(segmentName(generation, old))
  return last
}

/** Of one file. */
class Merger {
  readonly #first: Head
  #last: Head
  #digest = ''
  readonly #parts: Part[] = []
  readonly #done: Buffer[] = []
  #doneBytes = 0
  /** The last versions of the pages of the part that is open, each with its header. */
  #pages = new Map<number, Buffer>()
  #part: Part | null = null
  /** How long the database is, in pages. */
  #length = 0

  constructor(head: Head) {
    this.#first = head
    this.#last = head
  }

  takes({ pageSize, until }: Head): boolean {
    if (pageSize !== this.#first.pageSize) return false
    return this.#doneBytes < fileBytes || (this.#part !== null && until - this.#part.after <= partMs)
  }

  add(head: Head, frames: Buffer, digest: string): void {
    if (this.#digest !== '' && head.previous !== this.#digest)
      throw new AppError('conflict', `${segmentName(head.generation, head.number)} does not follow the one before it`)
    const isFull = this.#pages.size >= maxPartPages
    if (this.#part !== null && (isFull || head.until - this.#part.after > partMs)) this.#endPart()
    this.#part ??= { commits: 0, after: head.after, until: head.until, pages: 0 }
    this.#part.commits += head.commits
    this.#part.until = head.until
    const frameBytes = frameHeaderBytes + head.pageSize
    for (let at = 0; at < frames.length; at += frameBytes) {
      this.#pages.set(frames.readUInt32BE(at), Buffer.from(frames.subarray(at, at + frameBytes)))
      this.#length = frames.readUInt32BE(at + 4) || this.#length
    }
    this.#last = head
    this.#digest = digest
  }

  end(): { head: Head; frames: Buffer } {
    this.#endPart()
    const parts = this.#parts
    const merged = { last: this.#last.number, digest: this.#digest, nonce: mergedNonce(), parts }
    const commits = parts.reduce((sum, part) => sum + part.commits, 0)
    return { head: { ...this.#first, commits, until: this.#last.until, merged }, frames: Buffer.concat(this.#done) }
  }

  #endPart(): void {
    if (this.#part === null) return
    // What lies behind the end of the database was cut off.
    const kept = [...this.#pages].filter(([page]) => page <= this.#length).sort(([one], [other]) => one - other)
    for (const [index, [, frame]] of kept.entries()) {
      // Of a header only the number of the page is of use, and at the end of a transaction the length.
      frame.fill(0, 4, frameHeaderBytes)
      if (index === kept.length - 1) frame.writeUInt32BE(this.#length, 4)
      this.#done.push(frame)
      this.#doneBytes += frame.length
    }
    this.#parts.push({ ...this.#part, pages: kept.length })
    this.#pages = new Map()
    this.#part = null
  }
}
