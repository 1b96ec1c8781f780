// Follows an archive: takes the newest base, and writes each segment over its pages as soon as it is there. What was applied and is on the
// disk is noted, and applying a segment twice changes nothing, so a crash costs one segment. Each segment is held against the digest of the
// one before it; once a day the whole copy is checked, too, and stands still so long.

import { closeSync, existsSync, fsyncSync, openSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../../core/config.ts'
import { secretName, secretPath } from '../../core/installation.ts'
import { systemClock } from '../../kit/clock.ts'
import { day, hour, minute, second } from '../../kit/duration.ts'
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
import { checkCopy } from './copy-check.ts'
import { copyPath, type Followed, readState, writeState } from './state.ts'

/** How often it is asked whether the server began another generation, */
const lookEveryMs = 10 * second
/** and whether segments were merged meanwhile, which is known by a list of them all. */
const listEveryMs = 10 * minute
/** And whether the copy is whole. */
const checkEveryMs = day
/** One that could not be made is tried again. */
const checkAgainMs = hour
/** How much of its lease a take-over may spend on a check that may not come to its end. */
const lastCheckMs = 8 * second
/** A segment is on the disk before more than so many follow it. */
const segmentsPerSync = 64

interface Check {
  isRunning: boolean
  isStopped: boolean
  /** As checkCopy() says. */
  done: Promise<string | null>
  stop(): void
}

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
  /** Nothing is written to the copy until it is null. */
  #check: Check | null = null
  #checkBegunAt = Number.NEGATIVE_INFINITY

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

  /** The whole copy is being checked, and stays as it is. */
  get isChecking(): boolean {
    return this.#check !== null
  }

  /** Takes what has come. Throws Damaged, and what the store says. */
  async step(): Promise<void> {
    if (this.#check?.isRunning) return
    await this.#endCheck()
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
    const isDue = Math.abs(systemClock.now().getTime() - (followed.checkedAt ?? 0)) > checkEveryMs
    if (isDue && began - this.#checkBegunAt > checkAgainMs) this.#beginCheck()
  }

  /**
   * The last step, when nobody writes to the archive any more: all that is known to be in it must be there. Throws like step(). Returns null when
   * the copy was checked once more; else why not: it was whole at checkedAt, and what came since is known by its digests.
   */
  async finish(): Promise<string | null> {
    this.stopChecking()
    await this.#endCheck()
    await this.#look()
    const followed = this.#followed
    if (followed === null || this.#waits) throw new Damaged('the newest generation of the archive has no base')
    const { reached } = await listArchive(this.#store)
    const path = copyPath(this.#config)
    await this.#catchUp(followed, path, reached)
    return await checkCopy(this.#config, path, AbortSignal.timeout(lastCheckMs))
  }

  stopChecking(): void {
    this.#check?.stop()
  }

  get checkedAt(): Date | null {
    const at = this.#followed?.checkedAt
    return at === undefined ? null : new Date(at)
  }

  #beginCheck(): void {
    this.#checkBegunAt = performance.now()
    const end = new AbortController()
    const done = checkCopy(this.#config, copyPath(this.#config), end.signal)
    const stop = () => {
      check.isStopped = true
      end.abort()
    }
    const check: Check = { isRunning: true, isStopped: false, done, stop }
    const ended = () => {
      check.isRunning = false
    }
    done.then(ended, ended)
    this.#check = check
  }

  /** Throws Damaged, and an Error when it was not stopped and is not known all the same. */
  async #endCheck(): Promise<void> {
    const check = this.#check
    if (check === null) return
    const why = await check.done.finally(() => {
      this.#check = null
    })
    if (why !== null && !check.isStopped) throw unchecked(why)
    if (why !== null || this.#followed === null) return
    this.#followed = { ...this.#followed, checkedAt: systemClock.now().getTime() }
    writeState(this.#config, { followed: this.#followed })
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
      const why = await checkCopy(this.#config, copy)
      if (why !== null) throw unchecked(why)
      const checked = { ...followed, checkedAt: systemClock.now().getTime() }
      if (existsSync(join(work, secretName))) renameSync(join(work, secretName), secretPath(this.#config))
      renameSync(copy, path)
      writeState(this.#config, { followed: checked })
      this.#followed = checked
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

function unchecked(why: string): Error {
  return new Error(`the copy could not be checked: ${why}`)
}
