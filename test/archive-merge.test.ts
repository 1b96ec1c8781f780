// What is old is merged in an archive: of each ten seconds one state stays, the same one, byte for byte.

import { beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { putInstallationValue } from '../db/installation-value.ts'
import { write } from '../src/core/app.ts'
import { FolderStore } from '../src/kit/store/folder.ts'
import { archiveState, startArchive } from '../src/operator/archive/archive.ts'
import { mergeSegments } from '../src/operator/archive/merge.ts'
import { baseStatement, checkArchive, keyName, type Point, restoreAt } from '../src/operator/archive/restore.ts'
import {
  type Head,
  parseSegment,
  readSegment,
  segmentDigest,
  segmentName,
  writeSegment,
} from '../src/operator/archive/segment.ts'
import { pack, unpack } from '../src/operator/backup/pack.ts'
import { testApp } from './support/app.ts'
import { remoteDatabase } from './support/database.ts'
import { freshDirectory } from './support/place.ts'

const identity = await generateX25519Identity()
const sealed = { BACKUP_RECIPIENT: await identityToRecipient(identity), ARCHIVE_INTERVAL_MS: '50' }
const names = (folder: string, start: string) => readdirSync(folder).filter((name) => name.startsWith(start))
const copyOf = (archive: string) => {
  const folder = join(freshDirectory(), 'archive')
  cpSync(archive, folder, { recursive: true })
  return folder
}

/** As if it had been written over a longer time: seconds become minutes. */
async function stretch(archive: string, key: Buffer): Promise<Head[]> {
  const segments = names(archive, 'segment-').sort()
  const heads: Head[] = []
  let [previous, begun] = ['', 0]
  for (const name of segments) {
    const { head, frames } = readSegment(name, readFileSync(join(archive, name)), key)
    begun ||= head.after
    const later = (time: number) => begun + (time - begun) * 60
    const own = { ...head, previous, after: later(head.after), until: later(head.until) }
    const bytes = await writeSegment(own, frames, key)
    writeFileSync(join(archive, name), bytes)
    previous = segmentDigest(bytes)
    heads.push(own)
  }
  // They say when it was so far.
  for (const name of names(archive, 'head-')) rmSync(join(archive, name))
  return heads
}

describe.skipIf(remoteDatabase)('what is old in an archive', () => {
  let exact: string
  let merged: string
  let key: Buffer
  let heads: Head[]
  /** The last commit of each state that stays. */
  let ends: number[]
  const last = () => heads.length

  async function restored(archive: string, point: Point): Promise<Buffer> {
    const folder = join(freshDirectory(), 'restored')
    await restoreAt(new FolderStore(archive), point, folder, { identity })
    return readFileSync(join(folder, 'paquebot.db'))
  }

  beforeAll(async () => {
    exact = join(freshDirectory(), 'archive')
    await using t = await testApp({ environment: { ...sealed, ARCHIVE_URL: exact } })
    const kept = startArchive(t.app)
    while (t.app.own(archiveState).coveredAt === null) await pause(20)
    for (let n = 0; n < 12; n++) {
      const count = names(exact, 'segment-').length
      // The database grows, and shrinks again.
      await write(t.app, (tx) => putInstallationValue(tx, `k${n % 3}`, `${n}`.repeat(n < 8 ? 40_000 : 10)))
      while (names(exact, 'segment-').length === count) await pause(5)
    }
    await kept?.stop(10_000)
    const work = freshDirectory()
    const [base = ''] = names(exact, 'base-')
    await unpack(join(exact, base), work, { identity }, { known: base, mustBeSealed: true })
    key = Buffer.from(readFileSync(join(work, keyName), 'utf8').trim(), 'hex')
    heads = await stretch(exact, key)
    merged = copyOf(exact)
    await mergeSegments(new FolderStore(merged), { generation: 1, first: 1, last: last() }, key, freshDirectory())
    const [name = ''] = names(merged, 'segment-')
    const parts = readSegment(name, readFileSync(join(merged, name)), key).head.merged?.parts ?? []
    let commit = 0
    ends = parts.map(({ commits }) => (commit += commits))
  })

  test('lies in one file instead of many, which is smaller than they', () => {
    expect(names(merged, 'segment-')).toEqual([segmentName(1, 1, last())])
    const bytes = (folder: string) =>
      names(folder, 'segment-').reduce((sum, name) => sum + readFileSync(join(folder, name)).length, 0)
    expect(bytes(merged)).toBeLessThan(bytes(exact))
    expect(ends.length).toBeGreaterThan(2)
    expect(ends.length).toBeLessThan(last())
  })

  test('shows the same at the end of each ten seconds, at each time, and at last', async () => {
    const [base] = names(exact, 'base-')
    const validFrom = Number(base?.split('-')[3])
    for (const commit of ends.filter((one) => one >= validFrom)) {
      const point = { generation: 1, commit }
      expect((await restored(merged, point)).equals(await restored(exact, point)), String(commit)).toBeTrue()
    }
    expect((await restored(merged, 'latest')).equals(await restored(exact, 'latest'))).toBeTrue()
    for (const { after, commits } of heads.slice(-5)) {
      expect(commits).toBeGreaterThan(0)
      // At a time there is all that was before, and at most what followed in ten seconds.
      const folder = join(freshDirectory(), 'restored')
      const then = await restoreAt(new FolderStore(merged), new Date(after + 1), folder, { identity })
      const former = await restoreAt(new FolderStore(exact), new Date(after + 1), `${folder}-exact`, { identity })
      expect(ends).toContain(then.commit)
      expect(then.commit).toBeGreaterThanOrEqual(former.commit)
    }
  })

  test('is refused between, with both states beside it', async () => {
    const at = ends.findIndex((end, index) => index > 0 && end - (ends[index - 1] ?? 0) > 1)
    expect(at).toBeGreaterThan(0)
    const [before = 0, next = 0] = [ends[at - 1], ends[at]]
    const [only = ''] = names(merged, 'base-')
    // Also what the base has already could be asked for: it is sealed anew, as one from the beginning.
    const [reachable, work] = [copyOf(merged), freshDirectory()]
    await unpack(join(merged, only), work, { identity }, { known: only, mustBeSealed: true })
    const earlier = only.replace(/^(base-\d+-\d+)-\d+/, `$1-${'0'.repeat(12)}`)
    writeFileSync(join(work, baseStatement), earlier)
    const files = readdirSync(work).map((name) => ({ type: 'file', source: join(work, name), target: name }) as const)
    rmSync(join(reachable, only))
    await pack(files, join(reachable, earlier), { recipient: sealed.BACKUP_RECIPIENT })
    await expect(restored(reachable, { generation: 1, commit: next - 1 })).rejects.toThrow(
      `the archive can restore 1.${before} or 1.${next}, and nothing in between`,
    )
  })

  test('is checked like the rest: each byte, what is missing, what comes after it', async () => {
    const check = (folder: string) => checkArchive(new FolderStore(folder), freshDirectory(), { identity })
    const half = copyOf(exact)
    const middle = Math.floor(last() / 2)
    await mergeSegments(new FolderStore(half), { generation: 1, first: 1, last: middle }, key, freshDirectory())
    expect((await check(half)).latest.commit).toBe((await check(exact)).latest.commit)
    const name = segmentName(1, 1, middle)
    const bytes = readFileSync(join(half, name))
    for (const part of [0.01, 0.2, 0.5, 0.99]) {
      const at = Math.floor(bytes.length * part)
      const flipped = Buffer.from(bytes)
      flipped.writeUInt8((flipped[at] ?? 0) ^ 1, at)
      writeFileSync(join(half, name), flipped)
      await expect(check(half), `at ${at}`).rejects.toThrow()
    }
    writeFileSync(join(half, name), bytes)
    rmSync(join(half, segmentName(1, middle + 1)))
    await expect(check(half)).rejects.toThrow('is missing')
    cpSync(join(exact, segmentName(1, middle + 1)), join(half, segmentName(1, middle + 1)))
    rmSync(join(half, name))
    await expect(check(half)).rejects.toThrow('is missing')
  })

  test('what was left by a crash before it could be deleted changes nothing', async () => {
    const both = copyOf(merged)
    for (const name of names(exact, 'segment-')) cpSync(join(exact, name), join(both, name))
    expect((await restored(both, 'latest')).equals(await restored(exact, 'latest'))).toBeTrue()
    await mergeSegments(new FolderStore(both), { generation: 1, first: 1, last: last() }, key, freshDirectory())
    expect(names(both, 'segment-')).toEqual(names(merged, 'segment-'))
    expect((await restored(both, 'latest')).equals(await restored(exact, 'latest'))).toBeTrue()
  })

  test('may be written on while it is read', async () => {
    const folder = copyOf(exact)
    const later = segmentName(1, last())
    rmSync(join(folder, later))
    class Growing extends FolderStore {
      override async *get(name: string) {
        if (name === segmentName(1, 5)) cpSync(join(exact, later), join(folder, later))
        yield* super.get(name)
      }
    }
    const checked = await checkArchive(new Growing(folder), freshDirectory(), { identity })
    expect([checked.segments, names(folder, 'segment-').length]).toEqual([last() - 1, last()])
  })

  test('may be merged while it is read', async () => {
    const folder = copyOf(exact)
    const run = { generation: 1, first: 1, last: last() }
    class Merging extends FolderStore {
      reads = 0
      override async *get(name: string) {
        if (parseSegment(name) !== null && ++this.reads === 10)
          await mergeSegments(new FolderStore(folder), run, key, freshDirectory())
        yield* super.get(name)
      }
    }
    const target = join(freshDirectory(), 'restored')
    const store = new Merging(folder)
    await restoreAt(store, 'latest', target, { identity })
    expect(store.reads).toBeGreaterThan(10)
    expect(names(folder, 'segment-').length).toBe(1)
    expect(readFileSync(join(target, 'paquebot.db')).equals(await restored(exact, 'latest'))).toBeTrue()
  })
})

test.skipIf(remoteDatabase)(
  'a server merges what is older than ARCHIVE_EXACT_HOURS, and keeps what follows as it is',
  async () => {
    const archive = join(freshDirectory(), 'archive')
    mkdirSync(archive)
    const environment = { ...sealed, ARCHIVE_URL: archive, ARCHIVE_EXACT_HOURS: '0' }
    await using t = await testApp({ environment })
    const kept = startArchive(t.app)
    const isMerged = () => names(archive, 'segment-').filter((name) => name.split('-').length === 4).length > 1
    const isBased = () => names(archive, 'base-').length > 0
    for (let n = 0; !isMerged() || !isBased(); n++) {
      await write(t.app, (tx) => putInstallationValue(tx, `k${n}`, 'x'))
      await pause(20)
    }
    await write(t.app, (tx) => putInstallationValue(tx, 'last', 'x'))
    await kept?.stop(10_000)
    expect(t.app.own(archiveState)).toMatchObject({ gaps: 0, fault: null })
    const checked = await checkArchive(new FolderStore(archive), freshDirectory(), { identity })
    expect(checked.latest.commit).toBeGreaterThan(checked.segments)
  },
)
