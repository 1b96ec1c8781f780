// The log of the database starts over only after its reader had all of it, and the reader may look at it at any moment.

import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { putInstallationValue } from '../db/installation-value.ts'
import type { LogReader } from '../db/log-keeper.ts'
import { openDatabase } from '../db/open.ts'
import { WalReader } from '../src/archive/wal-reader.ts'
import { systemClock } from '../src/lib/clock.ts'
import { remoteDatabase } from './support/database.ts'
import { freshDirectory } from './support/place.ts'

async function kept(answer: (frames: number) => number | null = (frames) => frames) {
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
    async drain(isLast) {
      readOn()
      const answered = answer(wal.frames)
      if (isLast && answered !== null) wal.allowNext()
      return answered
    },
    turned: () => void seen.turns++,
    lost: (why) => void seen.lost.push(why),
  }
  expect(log.keep(reader)).toBe(true)
  return {
    seen,
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
  test('starts over again and again, and its reader, which nobody tells, misses nothing', async () => {
    await using one = await kept()
    await one.fillUntil(() => one.seen.turns === 4)
    expect(one.seen).toEqual({ turns: 4, lost: [] })
  })

  test('goes on while its reader has no time, and starts over later', async () => {
    let asked = 0
    await using one = await kept((frames) => (asked++ < 3 ? null : frames))
    await one.fillUntil(() => one.seen.turns === 1)
    expect(one.seen.lost).toEqual([])
    expect(asked).toBeGreaterThan(3)
  })

  test('is given up, and that is said, when something in it was not read', async () => {
    await using one = await kept((frames) => frames - 1)
    await one.fillUntil(() => one.seen.turns === 1)
    expect(one.seen).toEqual({ turns: 0, lost: [expect.stringMatching(/the log has \d+ frames, and \d+ were read/)] })
  })
})
