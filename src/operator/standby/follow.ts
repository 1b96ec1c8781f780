// Follows an archive: takes the newest base, and writes each segment over its pages as soon as it is there. What was applied and is on the
// disk is noted, and applying a segment twice changes nothing, so a crash costs one segment. Nobody opens the copy meanwhile.

import { Database as SQLite } from 'bun:sqlite'
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../../core/config.ts'
import { secretName, secretPath } from '../../core/installation.ts'
import { minute, second } from '../../kit/duration.ts'
import type { Store } from '../../kit/store/store.ts'
import {
  type Archived,
  apply,
  type Cursor,
  cursorAt,
  fetchSegment,
  listArchive,
  openBase,
  readSegments,
  stepsOf,
} from '../archive/restore.ts'
import {
  type Base,
  basePrefix,
  Damaged,
  parseBase,
  readGeneration,
  readSegment,
  segmentName,
  startPrefix,
} from '../archive/segment.ts'
import { databaseName } from '../backup/backup.ts'
import type { Keys } from '../backup/pack.ts'
import { inTemporary } from '../backup/plain-copy.ts'
import { copyPath, type Followed, readState, writeState } from './state.ts'

/** How often it is asked whether the server began another generation, */
const lookEveryMs = 10 * second
/** and whether segments were merged meanwhile, which is known by a list of them all. */
const listEveryMs = 10 * minute
/** A segment is on the disk before more than so many follow it. */
const segmentsPerSync = 64

export class Follower {
  readonly #store: Store
  readonly #config: Config
  readonly #keys: Keys
  #followed: Followed | null
  #lookedAt = Number.NEGATIVE_INFINITY
  #listedAt = Number.NEGATIVE_INFINITY
  /** The newest generation has no base yet: what is committed in it cannot be followed. */
  #waits = false
  /** By performance.now(): what the archive had then is in the copy. */
  #wholeAt: number | null = null

  constructor(store: Store, config: Config, keys: Keys) {
    this.#store = store
    this.#config = config
    this.#keys = keys
    this.#followed = existsSync(copyPath(config)) ? (readState(config)?.followed ?? null) : null
  }

  /** How far it is behind the archive; null before it had anything. */
  get lagMs(): number | null {
    return this.#wholeAt === null ? null : performance.now() - this.#wholeAt
  }

  /** What it has may be served, as far as the archive goes. */
  get isReady(): boolean {
    return this.#wholeAt !== null && !this.#waits
  }

  get waitsForBase(): boolean {
    return this.#waits
  }

  get generation(): number | null {
    return this.#followed?.base.generation ?? null
  }

  /** Takes what has come. Throws Damaged, and what the store says. */
  async step(): Promise<void> {
    const began = performance.now()
    if (began - this.#lookedAt > lookEveryMs) {
      await this.#look()
      // One that waits asks each time.
      if (!this.#waits && this.#followed !== null) this.#lookedAt = began
    }
    const followed = this.#followed
    if (followed === null) return
    if (began - this.#listedAt > listEveryMs) {
      await this.#catchUp(followed, copyPath(this.#config), [])
      this.#listedAt = began
    } else await this.#takeNext(followed)
    if (!this.#waits) this.#wholeAt = began
  }

  /** The last step, when nobody writes to the archive any more: all that is known to be in it must be there. Throws like step(). */
  async finish(): Promise<void> {
    await this.#look()
    const followed = this.#followed
    if (followed === null || this.#waits) throw new Damaged('the newest generation of the archive has no base')
    const { reached } = await listArchive(this.#store)
    const path = copyPath(this.#config)
    await this.#catchUp(followed, path, reached)
    check(path)
  }

  async #look(): Promise<void> {
    const newest = (await this.#store.list(startPrefix)).at(-1)
    if (newest === undefined) return
    const generation = readGeneration(newest)
    if (this.#followed?.base.generation === generation) {
      this.#waits = false
      return
    }
    const bases = (await this.#store.list(basePrefix)).flatMap((name) => parseBase(name) ?? [])
    const base = bases.filter((one) => one.generation === generation).at(-1)
    this.#waits = base === undefined
    // Meanwhile the end of the former one, which a server may have left after its last base.
    const first = base ?? (this.#followed === null ? bases.at(-1) : undefined)
    if (first !== undefined) await this.#begin(first)
  }

  /** The former copy stays until this one is whole. */
  async #begin(base: Base): Promise<void> {
    const path = copyPath(this.#config)
    await inTemporary(dirname(path), async (work) => {
      const key = await openBase(this.#store, base, work, this.#keys)
      const copy = join(work, databaseName)
      const begun: Followed = { base, key: key.toString('hex'), cursor: cursorAt(base) }
      const followed = await this.#catchUp(begun, copy, [])
      if (base.validFrom > 0 && followed.cursor.commit <= base.validFrom) {
        this.#waits = true
        return
      }
      check(copy)
      if (existsSync(join(work, secretName))) renameSync(join(work, secretName), secretPath(this.#config))
      renameSync(copy, path)
      writeState(this.#config, { followed })
      this.#followed = followed
    })
  }

  /** By the names that there are, as what was merged has another. */
  async #catchUp(followed: Followed, path: string, reached: Archived['reached']): Promise<Followed> {
    const { base, key } = followed
    const file = openSync(path, 'r+')
    let cursor = followed.cursor
    try {
      const segments = readSegments(this.#store, base, Buffer.from(key, 'hex'), { reached }, cursor)
      for await (const step of segments) {
        apply(file, step, Number.POSITIVE_INFINITY)
        // All steps of a file end at the same place, so only when the file is left is it behind us.
        cursor = step.cursor
      }
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    return this.#note(followed, cursor, path)
  }

  /** By its name: a list of all that there are costs more each second. */
  async #takeNext(followed: Followed): Promise<void> {
    const path = copyPath(this.#config)
    const { base, key } = followed
    const file = openSync(path, 'r+')
    let { segment, digest, commit } = followed.cursor
    const from = segment
    try {
      for (; segment - from < segmentsPerSync; segment++) {
        const name = segmentName(base.generation, segment)
        const bytes = await fetchSegment(this.#store, name)
        if (bytes === null) break
        const { head, frames, digest: own } = readSegment(name, bytes, Buffer.from(key, 'hex'))
        if (digest !== '' && head.previous !== digest) throw new Damaged(`${name} does not follow the one before it`)
        for (const step of stepsOf(head, frames)) apply(file, step, Number.POSITIVE_INFINITY)
        digest = own
        commit = head.firstCommit + head.commits
      }
      if (segment > from) fsyncSync(file)
    } finally {
      closeSync(file)
    }
    if (segment > from) this.#note(followed, { segment, digest, commit }, path)
    if (segment - from === segmentsPerSync) await this.#takeNext(this.#followed ?? followed)
  }

  #note(followed: Followed, cursor: Cursor, path: string): Followed {
    const next = { ...followed, cursor }
    if (path !== copyPath(this.#config)) return next
    this.#followed = next
    if (cursor.segment !== followed.cursor.segment) writeState(this.#config, { followed: next })
    return next
  }
}

/** Throws Damaged when SQLite finds that pages do not fit together. */
function check(path: string): void {
  {
    using file = new SQLite(path, { readwrite: true, create: false })
    const found = file.query<{ quick_check: string }, []>('PRAGMA quick_check(3)').all()
    const damaged = found.map((row) => row.quick_check).filter((line) => line !== 'ok')
    if (damaged.length > 0) throw new Damaged(`the copy is damaged: ${damaged.join('; ')}`)
  }
  // SQLite leaves them where a reader was the last one.
  for (const beside of ['-wal', '-shm']) rmSync(path + beside, { force: true })
}
