// Restores a database as of a commit or a time from an archive, and checks an archive. A point that the archive cannot show whole is refused,
// with the nearest ones: nothing that was acknowledged before the point is missing from what is restored.

import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { frameHeaderBytes } from '../../../db/log-keeper.ts'
import { secretName } from '../../core/installation.ts'
import { AppError } from '../../kit/error.ts'
import { steadily } from '../../kit/steady-file.ts'
import { readWhole, type Store } from '../../kit/store/store.ts'
import { databaseName, fetchFile, refuseFull } from '../backup/backup.ts'
import { findFaults } from '../backup/check.ts'
import { type Keys, unpack } from '../backup/pack.ts'
import { inTemporary } from '../backup/plain-copy.ts'
import {
  type Base,
  baseName,
  basePrefix,
  Damaged,
  type Head,
  headPrefix,
  parseBase,
  parseReached,
  parseSegment,
  type Reached,
  readGeneration,
  readSegment,
  type SegmentName,
  segmentName,
  segmentPrefix,
  segmentsPrefix,
  startPrefix,
} from './segment.ts'

export const keyName = 'archive.key'
/** In a base: its name. Without it a copy could be put in the place of another. */
export const baseStatement = 'archive.base'

export type Point = 'latest' | Date | { generation: number; commit: number }

export interface Archived {
  bases: Base[]
  /** One of each generation of which it is known. */
  reached: Reached[]
  /** Generations that began, and have no base: what was committed in them cannot be restored. */
  baseless: number[]
}

export interface Restored {
  generation: number
  commit: number
  /** What was committed before is in it. */
  asOf: Date
  hasSecret: boolean
}

export async function listArchive(store: Store): Promise<Archived> {
  const [starts, segments, heads] = await Promise.all([
    store.list(startPrefix),
    store.list(segmentsPrefix),
    store.list(headPrefix),
  ])
  // Last, or a base that is set meanwhile would be missed beside its segments.
  const bases = (await store.list(basePrefix)).flatMap((name) => parseBase(name) ?? [])
  const based = new Set(bases.map(({ generation }) => generation))
  const begun = new Set([...starts, ...segments, ...heads].map(readGeneration))
  return {
    bases,
    reached: furthest([...heads.flatMap((name) => parseReached(name) ?? []), ...bases.map(reachedBy)]),
    baseless: [...begun].filter((generation) => !based.has(generation)).sort((one, other) => one - other),
  }
}

/** A base is set when all is there that it needs to be whole. */
function reachedBy({ generation, firstSegment, validFrom, time }: Base): Reached {
  return { generation, segment: firstSegment - 1, commit: validFrom, time }
}

function furthest(all: Reached[]): Reached[] {
  const known = new Map<number, Reached>()
  for (const one of all) {
    const other = known.get(one.generation)
    if (other === undefined || one.time > other.time)
      known.set(one.generation, { ...one, segment: Math.max(one.segment, other?.segment ?? 0) })
    else other.segment = Math.max(one.segment, other.segment)
  }
  return [...known.values()]
}

/** Restores into `folder`, which must not exist yet or be empty: checked, or not at all. */
export async function restoreAt(store: Store, point: Point, folder: string, keys: Keys): Promise<Restored> {
  refuseFull(folder)
  const archived = await listArchive(store)
  const base = baseFor(point, archived, store)
  return await inTemporary(folder, async (work) => {
    const key = await openBase(store, base, work, keys)
    const restored = await applySegments(store, { base, key, point, archived }, join(work, databaseName))
    const [fault, ...others] = await findFaults(join(work, databaseName), null)
    if (fault !== undefined)
      throw new AppError('conflict', `the restored database has ${others.length + 1} faults: ${fault}`)
    for (const name of [databaseName, secretName])
      if (existsSync(join(work, name))) renameSync(join(work, name), join(folder, name))
    return { ...restored, hasSecret: existsSync(join(folder, secretName)) }
  })
}

export interface Checked {
  bases: number
  segments: number
  baseless: number[]
  latest: Restored
}

/** Reads all that is there, and restores the last commit to a temporary place. Throws what is wrong first. */
export async function checkArchive(store: Store, temporary: string, keys: Keys): Promise<Checked> {
  const archived = await listArchive(store)
  const segments = new Set<string>()
  const generations = Map.groupBy(archived.bases, ({ generation }) => generation)
  for (const bases of generations.values())
    for (const [index, base] of bases.entries())
      await inTemporary(temporary, async (work) => {
        const key = await openBase(store, base, work, keys)
        // What follows the first one is all that is there.
        if (index > 0) return
        for await (const { number } of readSegments(store, base, key, archived))
          segments.add(segmentName(base.generation, number))
      })
  const latest = await inTemporary(temporary, (work) => restoreAt(store, 'latest', join(work, 'restored'), keys))
  return { bases: archived.bases.length, segments: segments.size, baseless: archived.baseless, latest }
}

function baseFor(point: Point, archived: Archived, { where }: Store): Base {
  const { bases, baseless } = archived
  const fits = (base: Base) => {
    if (point === 'latest') return true
    if (point instanceof Date) return base.time <= point.getTime()
    return base.generation === point.generation && base.validFrom <= point.commit
  }
  const base = bases.filter(fits).at(-1)
  const newest = baseless.at(-1) ?? 0
  if (point === 'latest' && newest > (base?.generation ?? 0)) throw withoutBase(archived, newest)
  if (base !== undefined) return base
  const [first] = bases
  if (first === undefined) throw new AppError('not_found', `there is no archive in ${where}`)
  throw new AppError(
    'not_found',
    `the archive does not contain that; it begins with ${commitName(first.generation, first.validFrom)} at ${new Date(first.time).toISOString()}`,
  )
}

/** Copies what is in it into `work`. Returns the key of its generation. */
export async function openBase(store: Store, base: Base, work: string, keys: Keys): Promise<Buffer> {
  const name = baseName(base)
  const file = await fetchFile({ store, name }, work)
  await unpack(file.path, work, keys, { known: file.known, mustBeSealed: true })
  const statement = join(work, baseStatement)
  // Those of earlier versions do not say it.
  const said = existsSync(statement) ? readFileSync(statement, 'utf8').trim() : name
  if (said !== name) throw new AppError('conflict', `${file.known} is ${said}, under another name`)
  return Buffer.from(readFileSync(join(work, keyName), 'utf8').trim(), 'hex')
}

/** What was committed, with its frames; of what was merged, only its end can be restored. */
export interface Step extends Pick<Head, 'number' | 'firstCommit' | 'commits' | 'after' | 'until' | 'pageSize'> {
  frames: Buffer
  isMerged: boolean
}

/** Up to where segments were read: the next one, the digest that it names, and the commit after the last one. */
export interface Cursor {
  segment: number
  digest: string
  commit: number
}

export function cursorAt({ firstSegment }: Base): Cursor {
  return { segment: firstSegment, digest: '', commit: 0 }
}

/** How many files are on their way from the store while one is read. */
const filesAhead = 8

/** What follows a base, in order: nothing is missing, changed or exchanged, up to what is known to have been reached. */
export async function* readSegments(
  store: Store,
  base: Base,
  key: Buffer,
  archived: Pick<Archived, 'reached'>,
  from = cursorAt(base),
): AsyncGenerator<Step & { cursor: Cursor }> {
  const { generation } = base
  let { segment: expected, digest, commit: nextCommit } = from
  const reached = archived.reached.find((one) => one.generation === generation)?.segment ?? 0
  let { files, last } = await listFrom(store, generation, expected)
  const coming: Promise<Buffer | null>[] = []
  for (let at = 0; at < files.length; at++) {
    for (const { name } of files.slice(at + coming.length, at + filesAhead)) {
      const bytes = fetchSegment(store, name)
      // A restore that ends before it does not need it.
      bytes.catch(() => {})
      coming.push(bytes)
    }
    const [file, bytes] = [files[at], await coming.shift()]
    if (file === undefined || bytes === undefined) break
    if (bytes === null) {
      // While this was read it was merged, with others.
      const now = await listFrom(store, generation, expected)
      if (now.files[0] === undefined || now.files[0].name === file.name) break
      await Promise.allSettled(coming.splice(0))
      ;({ files, last } = now)
      at = -1
      continue
    }
    const { head, frames, digest: own } = readSegment(file.name, bytes, key)
    // What was merged meanwhile may begin before what is wanted of it.
    const isNext = head.number === expected && (digest === '' || head.previous === digest)
    if (!isNext && (digest === '' || head.number === expected))
      throw new Damaged(`${file.name} does not follow the one before it`)
    expected = file.last + 1
    digest = own
    const before = nextCommit
    nextCommit = head.firstCommit + head.commits
    const cursor = { segment: expected, digest, commit: nextCommit }
    for (const step of stepsOf(head, frames)) if (step.firstCommit + step.commits > before) yield { ...step, cursor }
  }
  // What is written meanwhile follows, and is missed by nobody.
  if (expected <= Math.max(reached, last)) throw new Damaged(`${segmentName(generation, expected)} is missing`)
}

/** From the one that has segment `first` on, each with the one after it, as far as there is none missing; and the last of all. */
async function listFrom(
  store: Store,
  generation: number,
  first: number,
): Promise<{ files: SegmentName[]; last: number }> {
  const all = (await store.list(segmentPrefix(generation))).flatMap((name) => parseSegment(name) ?? [])
  // What was merged comes after what it was merged from, which may not be deleted yet.
  const starting = new Map(all.filter(({ last }) => last >= first).map((file) => [Math.max(file.first, first), file]))
  const files: SegmentName[] = []
  for (let file = starting.get(first); file !== undefined; file = starting.get(file.last + 1)) files.push(file)
  return { files, last: all.reduce((most, file) => Math.max(most, file.last), 0) }
}

/** Null when it is not there (any more). */
export async function fetchSegment(store: Store, name: string): Promise<Buffer | null> {
  try {
    return await readWhole(store, name)
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  }
}

export function* stepsOf(head: Head, frames: Buffer): Generator<Step> {
  const { number, firstCommit, pageSize, merged } = head
  if (merged === undefined) return yield { ...head, frames, isMerged: false }
  let [commit, from] = [firstCommit, 0]
  for (const { commits, after, until, pages } of merged.parts) {
    const end = from + pages * (frameHeaderBytes + pageSize)
    const own = { number, firstCommit: commit, commits, after, until, pageSize }
    yield { ...own, frames: frames.subarray(from, end), isMerged: true }
    commit += commits
    from = end
  }
}

interface Applying {
  base: Base
  key: Buffer
  point: Point
  archived: Archived
}

/** Brings the copy to the point. Throws when the archive lacks a commit before it. */
async function applySegments(
  store: Store,
  { base, key, point, archived }: Applying,
  path: string,
): Promise<Omit<Restored, 'hasSecret'>> {
  const file = openSync(path, 'r+')
  const wrote = steadily(file)
  const at = point instanceof Date ? point.getTime() : null
  const wanted = point === 'latest' || point instanceof Date ? Number.POSITIVE_INFINITY : point.commit
  let [commit, after, until, isWhole] = [0, 0, 0, point === 'latest']
  try {
    for await (const step of readSegments(store, base, key, archived)) {
      if (at !== null && step.after >= at) {
        isWhole = true
        break
      }
      const next = step.firstCommit + step.commits - 1
      if (step.isMerged && wanted < next) throw merged(base.generation, step.firstCommit - 1, next)
      const applied = apply(file, step, wanted - step.firstCommit + 1)
      wrote(step.frames.length)
      commit = step.isMerged ? next : step.firstCommit - 1 + applied
      after = step.after
      until = step.until
      isWhole ||= commit === wanted || (at !== null && until >= at)
      if (commit === wanted) break
    }
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  const reached = archived.reached.find(({ generation }) => generation === base.generation)
  if (at !== null && reached !== undefined && reached.commit === commit && reached.time >= at) isWhole = true
  const { generation } = base
  if (commit < base.validFrom || !isWhole)
    throw tooLate(archived, { generation, commit, time: Math.max(until, reached?.time ?? 0) })
  return { generation, commit, asOf: new Date(at ?? (point === 'latest' ? until : after)) }
}

/** Writes the last version of each page of at most so many transactions. Returns how many there were. */
export function apply(file: number, { frames, pageSize }: Step, most: number): number {
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

function withoutBase({ bases, reached }: Archived, generation: number): AppError {
  const before = bases.at(-1)
  const known = reached.find((one) => one.generation === before?.generation)
  const nearest =
    known === undefined
      ? ''
      : `; before it, the archive is complete until ${commitName(known.generation, known.commit)} at ${new Date(known.time).toISOString()}, which --at restores`
  return new AppError(
    'conflict',
    `the archive is incomplete: the base of generation ${generation} is missing. Either a server that has just started is still copying its database, or it ended before the copy was complete, or the base was removed${nearest}`,
  )
}

function tooLate({ bases }: Archived, { generation, commit, time }: Omit<Reached, 'segment'>): AppError {
  const next = bases.find((base) => base.generation > generation)
  const after =
    next === undefined
      ? ''
      : `; the next complete state is ${commitName(next.generation, next.validFrom)} at ${new Date(next.time).toISOString()}`
  return new AppError(
    'conflict',
    `the archive is not complete up to that time: it is complete until ${commitName(generation, commit)} at ${new Date(time).toISOString()}${after}`,
  )
}

function merged(generation: number, before: number, next: number): AppError {
  return new AppError(
    'conflict',
    `commits that old were merged: the archive can restore ${commitName(generation, before)} or ${commitName(generation, next)}, and nothing in between`,
  )
}

/** How people name a commit: `13.4711`. */
export function commitName(generation: number, commit: number): string {
  return `${generation}.${commit}`
}
