// The log of the database starts over only after its reader had all of it, and the reader may look at it at any moment.

import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { putInstallationValue } from '../db/installation-value.ts'
import type { LogReader } from '../db/log-keeper.ts'
import { openDatabase } from '../db/open.ts'
import { systemClock } from '../src/kit/clock.ts'
import { WalReader } from '../src/operator/archive/wal-reader.ts'
import { remoteDatabase } from './support/database.ts'
import { freshDirectory } from './support/place.ts'

type End = [rest: Buffer, from: number]

interface Ways {
  /** What the reader says that it has. */
  answer?: (frames: number) => number | null
  /** Brings the end of a log to the reader. */
  bring?: (wal: WalReader, end: End) => void
}

async function kept({ answer = (frames) => frames, bring = (wal, end) => void wal.end(...end) }: Ways = {}) {
  const url = `file:${join(freshDirectory(), 'paquebot.db')}`
  const database = await openDatabase({ url, clock: systemClock })
  const seen = { turns: 0, lost: [] as string[] }
  const { log } = database
  if (log === null) throw new Error('a file has a log')
  let n = 0
  const fill = () =>
    database.writer.write((db, now) => putInstallationValue({ db, now }, `k${n++ % 50}`, 'x'.repeat(400_000)))
  await fill()
  const wal = new WalReader(log.path)
  const readOn = () => {
    while (wal.read() !== null);
  }
  const reader: LogReader = {
    async read() {
      readOn()
      return answer(wal.frames)
    },
    turned(rest, from) {
      seen.turns++
      bring(wal, [Buffer.from(rest.buffer), from])
    },
    lost: (why) => void seen.lost.push(why),
  }
  // The last commit may have been the one that emptied the log: then after another one.
  if (!log.keep(reader)) {
    await fill()
    expect(log.keep(reader)).toBe(true)
  }
  return {
    seen,
    wal,
    fill,
    readOn,
    async fillUntil(isEnough: () => boolean) {
      while (!isEnough() && seen.lost.length === 0) {
        await fill()
        readOn()
      }
    },
    async [Symbol.asyncDispose]() {
      wal.close()
      await database.close()
    },
  }
}

describe.skipIf(remoteDatabase)('a kept log', () => {
  test('starts over again and again, and its reader, which looks whenever it likes, misses nothing', async () => {
    await using one = await kept()
    await one.fillUntil(() => one.seen.turns === 4)
    expect(one.seen).toEqual({ turns: 4, lost: [] })
  })

  test('goes on while its reader has no time, and starts over later', async () => {
    let asked = 0
    await using one = await kept({ answer: (frames) => (asked++ < 3 ? null : frames) })
    await one.fillUntil(() => one.seen.turns === 1)
    expect(one.seen.lost).toEqual([])
    expect(asked).toBeGreaterThan(3)
  })

  test('is given up, and that is said, when its reader has more than there is', async () => {
    await using one = await kept({ answer: (frames) => frames + 1_000 })
    await one.fillUntil(() => one.seen.turns === 1)
    expect(one.seen).toEqual({ turns: 0, lost: ['the log has fewer frames than were read or counted'] })
  })

  test('ends with what its reader had not read; until that comes, the reader does not go on with the next one', async () => {
    const ends: End[] = []
    await using one = await kept({ bring: (_, end) => ends.push(end), answer: (frames) => frames - 20 })
    const { wal, fill, readOn } = one
    while (ends.length === 0) await fill()
    const [[rest, from] = [Buffer.alloc(0), 0]] = ends
    const had = wal.frames
    await fill()
    readOn()
    expect([wal.waits, wal.frames]).toEqual([true, had])
    expect(() => wal.end(rest, had + 1)).toThrow('does not follow')
    const flipped = Buffer.from(rest)
    flipped.writeUInt8(flipped.readUInt8(rest.length - 1) ^ 255, rest.length - 1)
    expect(() => wal.end(flipped, from)).toThrow(/the log has \d+ frames, and \d+ were read/)
    const missed = wal.end(rest, from)
    expect(missed?.commits).toBeGreaterThan(0)
    readOn()
    expect([wal.waits, wal.frames > 0, wal.frames < had]).toEqual([false, true, true])
  })
})
