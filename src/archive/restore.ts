// Restores a database as of a commit or a time from an archive, and checks an archive. A point that the archive cannot show whole is refused,
// with the nearest ones: nothing that was acknowledged before the point is missing from what is restored.

import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { frameHeaderBytes } from '../../db/log-keeper.ts'
import { makePrivateFolder } from '../../db/private-file.ts'
import { databaseName, fetchFile, inTemporary, refuseFull } from '../backup/backup.ts'
import { findFaults } from '../backup/check.ts'
import { type Keys, unpack } from '../backup/pack.ts'
import { secretName } from '../installation.ts'
import { AppError } from '../lib/error.ts'
import type { Store } from '../store/store.ts'
import {
  type Base,
  baseName,
  basePrefix,
  digestOf,
  type Head,
  headPrefix,
  parseBase,
  parseReached,
  type Reached,
  readSegment,
  segmentName,
  segmentPrefix,
} from './segment.ts'

export const keyName = 'archive.key'

export type Point = 'latest' | Date | { generation: number; commit: number }

export interface Archived {
  bases: Base[]
  reached: Reached[]
}

export interface Restored {
  generation: number
  commit: number
  /** What was committed before is in it. */
  asOf: Date
  hasSecret: boolean
}

export async function listArchive(store: Store): Promise<Archived> {
  const [bases, heads] = await Promise.all([store.list(basePrefix), store.list(headPrefix)])
  return {
    bases: bases.flatMap((name) => parseBase(name) ?? []),
    reached: heads.flatMap((name) => parseReached(name) ?? []),
  }
}

/** Restores into `folder`, which must not exist yet or be empty: checked, or not at all. */
export async function restoreAt(store: Store, point: Point, folder: string, keys: Keys): Promise<Restored> {
  refuseFull(folder)
  const archived = await listArchive(store)
  const base = baseFor(point, archived.bases, store)
  makePrivateFolder(folder)
  return await inTemporary(folder, async (work) => {
    const key = await openBase(store, base, work, keys)
    const restored = await applySegments(store, { base, key, point, archived }, join(work, databaseName))
    const [fault, ...others] = await findFaults(join(work, databaseName), null)
    if (fault !== undefined)
      throw new AppError('conflict', `what was restored has ${others.length + 1} faults: ${fault}`)
    for (const name of [databaseName, secretName])
      if (existsSync(join(work, name))) renameSync(join(work, name), join(folder, name))
    return { ...restored, hasSecret: existsSync(join(folder, secretName)) }
  })
}

export interface Checked {
  bases: number
  segments: number
  latest: Restored
}

/** Reads all that is there, and restores the last commit to a temporary place. Throws what is wrong first. */
export async function checkArchive(store: Store, temporary: string, keys: Keys): Promise<Checked> {
  const archived = await listArchive(store)
  makePrivateFolder(temporary)
  let segments = 0
  const generations = Map.groupBy(archived.bases, ({ generation }) => generation)
  for (const bases of generations.values())
    for (const [index, base] of bases.entries())
      await inTemporary(temporary, async (work) => {
        const key = await openBase(store, base, work, keys)
        // What follows the first one is all that is there.
        if (index > 0) return
        for await (const _ of readSegments(store, base, key, archived)) segments++
      })
  const latest = await inTemporary(temporary, (work) => restoreAt(store, 'latest', join(work, 'restored'), keys))
  return { bases: archived.bases.length, segments, latest }
}

function baseFor(point: Point, bases: Base[], { where }: Store): Base {
  const fits = (base: Base) => {
    if (point === 'latest') return true
    if (point instanceof Date) return base.time <= point.getTime()
    return base.generation === point.generation && base.validFrom <= point.commit
  }
  const base = bases.filter(fits).at(-1)
  if (base !== undefined) return base
  const [first] = bases
  if (first === undefined) throw new AppError('not_found', `there is no archive in ${where}`)
  throw new AppError(
    'not_found',
    `the archive does not show that; it begins with ${named(first.generation, first.validFrom)} at ${new Date(first.time).toISOString()}`,
  )
}

/** Copies what is in it into `work`. Returns the key of its generation. */
async function openBase(store: Store, base: Base, work: string, keys: Keys): Promise<Buffer> {
  const name = baseName(base)
  const file = await fetchFile({ store, name }, work)
  await unpack(file.path, work, keys, file.known)
  return Buffer.from(readFileSync(join(work, keyName), 'utf8').trim(), 'hex')
}

/** Those that follow a base, in order: none is missing, changed or exchanged, up to what is known to have been reached. */
async function* readSegments(
  store: Store,
  base: Base,
  key: Buffer,
  archived: Archived,
): AsyncGenerator<{ head: Head; frames: Buffer }> {
  const first = segmentName(base.generation, base.firstSegment)
  const names = (await store.list(segmentPrefix(base.generation))).filter((name) => name >= first)
  let expected = base.firstSegment
  let before: { digest: string; nextCommit: number } | null = null
  for (const name of names) {
    if (name !== segmentName(base.generation, expected)) break
    const bytes = Buffer.concat(await Array.fromAsync(store.get(name)))
    const { head, frames } = readSegment(name, bytes, key)
    if (before !== null && (head.previous !== before.digest || head.firstCommit !== before.nextCommit))
      throw new AppError('conflict', `${name} does not follow the one before it`)
    yield { head, frames }
    before = { digest: digestOf(bytes), nextCommit: head.firstCommit + head.commits }
    expected++
  }
  const reached = archived.reached.findLast(({ generation }) => generation === base.generation)?.segment ?? 0
  const last = Math.max(reached, Number(names.at(-1)?.slice(-10) ?? 0))
  if (expected <= last) throw new AppError('conflict', `${segmentName(base.generation, expected)} is missing`)
}

interface Applying {
  base: Base
  key: Buffer
  point: Point
  archived: Archived
}

/** Brings the copy to the point. Throws when the archive cannot tell all that was committed before it. */
async function applySegments(
  store: Store,
  { base, key, point, archived }: Applying,
  path: string,
): Promise<Omit<Restored, 'hasSecret'>> {
  const file = openSync(path, 'r+')
  const at = point instanceof Date ? point.getTime() : null
  const wanted = point === 'latest' || point instanceof Date ? Number.POSITIVE_INFINITY : point.commit
  let [commit, after, until, isWhole] = [0, 0, 0, point === 'latest']
  try {
    for await (const { head, frames } of readSegments(store, base, key, archived)) {
      if (at !== null && head.after >= at) {
        isWhole = true
        break
      }
      commit = head.firstCommit - 1 + apply(file, frames, head, wanted - head.firstCommit + 1)
      after = head.after
      until = head.until
      isWhole ||= commit === wanted || (at !== null && until >= at)
      if (commit === wanted) break
    }
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  const reached = archived.reached.findLast(({ generation }) => generation === base.generation)
  if (at !== null && reached !== undefined && reached.commit === commit && reached.time >= at) isWhole = true
  const { generation } = base
  if (commit < base.validFrom || !isWhole)
    throw tooLate(archived, { generation, commit, time: Math.max(until, reached?.time ?? 0) })
  return { generation, commit, asOf: new Date(at ?? (point === 'latest' ? until : after)) }
}

/** Writes the last version of each page of at most so many transactions. Returns how many there were. */
function apply(file: number, frames: Buffer, { pageSize }: Head, most: number): number {
  const latest = new Map<number, number>()
  let [commits, pages] = [0, 0]
  for (let offset = 0; offset < frames.length && commits < most; offset += frameHeaderBytes + pageSize) {
    latest.set(frames.readUInt32BE(offset), offset + frameHeaderBytes)
    pages = frames.readUInt32BE(offset + 4)
    if (pages > 0) commits++
  }
  for (const [page, offset] of latest) writeSync(file, frames, offset, pageSize, (page - 1) * pageSize)
  if (commits > 0) ftruncateSync(file, pages * pageSize)
  return commits
}

function tooLate({ bases }: Archived, { generation, commit, time }: Omit<Reached, 'segment'>): AppError {
  const next = bases.find((base) => base.generation > generation)
  const after =
    next === undefined
      ? ''
      : `; the next whole state is ${named(next.generation, next.validFrom)} at ${new Date(next.time).toISOString()}`
  return new AppError(
    'conflict',
    `the archive cannot tell all that was committed before that: it is whole until ${named(generation, commit)} at ${new Date(time).toISOString()}${after}`,
  )
}

/** How people name a commit: `13.4711`. */
export function named(generation: number, commit: number): string {
  return `${generation}.${commit}`
}
