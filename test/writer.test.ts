// The single writer: groups, neighbours, readers, and a database that is locked, full or too new.

import { Database as SQLite } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { notInArray, sql } from 'drizzle-orm'
import { readAcknowledged } from '../db/commit-count.ts'
import { openDatabase } from '../db/open.ts'
import { installation } from '../db/tables/workspaces.ts'
import { type App, type Tx, write } from '../src/core/app.ts'
import { idName } from '../src/core/installation-id.ts'
import { checkName } from '../src/core/secret-check.ts'
import { AppError } from '../src/kit/error.ts'
import { remoteDatabase } from './support/database.ts'
import { engine } from './support/engine.ts'

const put = (tx: Tx, name: string, value = 'x') => tx.db.insert(installation).values({ name, value, updatedAt: tx.now })
/** Of the rows that a test wrote. */
/** Of every installation. */
const made = [checkName, idName]
const names = async (app: App) =>
  (await app.db.select().from(installation).where(notInArray(installation.name, made))).map(({ name }) => name).sort()
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  )

test.skipIf(remoteDatabase)(
  'only what a power cut leaves is counted as acknowledged, beside the database',
  async () => {
    await using t = await engine()
    const path = join(t.app.config.dataDir, 'commits')
    t.app.database.commits?.countBeside(path)
    await write(t.app, (tx) => put(tx, 'first'))
    const acknowledged = readAcknowledged(path) ?? 0
    await t.app.database.writer.write(
      async (db, now) => void (await db.insert(installation).values({ name: 'second', value: 'x', updatedAt: now })),
      'volatile',
    )
    // Nothing to commit, so nothing is synced.
    await write(t.app, async () => {})
    expect(readAcknowledged(path)).toBe(acknowledged)
    await write(t.app, (tx) => put(tx, 'third'))
    expect(readAcknowledged(path)).toBe(acknowledged + 2)
  },
)

describe('group commit', () => {
  test('a unit that throws undoes itself and none of its neighbours', async () => {
    await using t = await engine()
    const results = await Promise.allSettled(
      Array.from({ length: 100 }, (_, i) =>
        write(t.app, async (tx) => {
          await put(tx, `n${String(i).padStart(3, '0')}`)
          if (i % 10 === 3) throw new Error(`unit ${i}`)
          return i
        }),
      ),
    )
    const failed = results.flatMap((result, i) => (result.status === 'rejected' ? [i] : []))
    expect(failed).toEqual([3, 13, 23, 33, 43, 53, 63, 73, 83, 93])
    expect(results[4]).toEqual({ status: 'fulfilled', value: 4 })
    expect(await names(t.app)).toHaveLength(90)
  })

  test('a unit refused by a unique index spoils nothing', async () => {
    await using t = await engine()
    const results = await Promise.allSettled(['a', 'b', 'a', 'c'].map((name) => write(t.app, (tx) => put(tx, name))))
    const [first, b, second, c] = results.map(({ status }) => status)
    expect([b, c]).toEqual(['fulfilled', 'fulfilled'])
    expect([first, second].sort()).toEqual(['fulfilled', 'rejected'])
    // On a server the unit that is refused runs again by itself, beside the others: either of the two may come first.
    if (!remoteDatabase) expect(first).toBe('fulfilled')
    expect(await names(t.app)).toEqual(['a', 'b', 'c'])
  })

  test('units run in the order they came, each seeing the ones before it', async () => {
    await using t = await engine()
    const seen = await Promise.all(
      Array.from({ length: 70 }, (_, i) =>
        write(t.app, async (tx) => {
          await put(tx, `n${i}`)
          return (
            await tx.db.all<{ n: number }>(
              sql`SELECT count(*) AS n FROM installation WHERE name NOT IN (${checkName}, ${idName})`,
            )
          )[0]?.n
        }),
      ),
    )
    expect(seen).toEqual(Array.from({ length: 70 }, (_, i) => i + 1))
  })

  test('a reader never sees half a group', async () => {
    await using t = await engine()
    const counts = new Set<number>()
    const look = async () => counts.add((await names(t.app)).length)
    await Promise.all(
      Array.from({ length: 64 }, (_, i) =>
        write(t.app, async (tx) => {
          await put(tx, `n${i}`)
          await look()
        }),
      ),
    )
    await look()
    expect([...counts]).toEqual([0, 64])
  })

  test('the time of a transaction is the clock of the app', async () => {
    await using t = await engine()
    expect(await write(t.app, (tx) => tx.now)).toEqual(t.clock.now())
  })
})

describe.skipIf(remoteDatabase)('faults of the file', () => {
  test('a lock held by another process is waited for, and the process stays awake meanwhile', async () => {
    await using t = await engine()
    const other = new SQLite(join(t.directory, 'paquebot.db'))
    other.run('BEGIN IMMEDIATE')
    const writing = write(t.app, (tx) => put(tx, 'after the lock'))
    // The event loop turns while the writer waits: this timer is what lets go of the lock.
    setTimeout(() => other.run('COMMIT'), 60)
    await writing
    other.close()
    expect(await names(t.app)).toEqual(['after the lock'])
  })

  test('a lock that does not end is 503 after five seconds, nothing is written, and the next write works', async () => {
    await using t = await engine()
    const other = new SQLite(join(t.directory, 'paquebot.db'))
    other.run('BEGIN IMMEDIATE')
    expect(await refusal(write(t.app, (tx) => put(tx, 'refused')))).toBe('database_unavailable')
    other.run('COMMIT')
    other.close()
    await write(t.app, (tx) => put(tx, 'accepted'))
    expect(await names(t.app)).toEqual(['accepted'])
  })

  test('a full disk is 503 for the whole group, and the database is healthy once there is room', async () => {
    await using t = await engine()
    const pages = (await write(t.app, (tx) => tx.db.values<[number]>(sql`PRAGMA page_count`)))[0]?.[0] ?? 0
    await write(t.app, (tx) => tx.db.values(sql.raw(`PRAGMA max_page_count = ${pages}`)))
    const large = 'x'.repeat(100_000)
    const outcomes = await Promise.all(['a', 'b'].map((name) => refusal(write(t.app, (tx) => put(tx, name, large)))))
    expect(outcomes).toEqual(['database_unavailable', 'database_unavailable'])
    expect(await names(t.app)).toEqual([])
    await write(t.app, (tx) => tx.db.values(sql`PRAGMA max_page_count = 1000000`))
    await write(t.app, (tx) => put(tx, 'room again', large))
    expect(await names(t.app)).toEqual(['room again'])
  })
})

describe('migrations', () => {
  test('R15: a database of a newer version is refused, by the name of what it holds', async () => {
    await using t = await engine()
    await write(t.app, (tx) => tx.db.run(sql`INSERT INTO migrations (name, applied_at) VALUES ('9999_future', 0)`))
    const { databaseUrl: url } = t.app.config
    await expect(openDatabase({ url, clock: t.clock })).rejects.toThrow('9999_future')
    await write(t.app, (tx) => tx.db.run(sql`DELETE FROM migrations WHERE name = '9999_future'`))
  })

  test('opening a database that is up to date changes nothing', async () => {
    await using t = await engine()
    const before = await t.app.db.all(sql`SELECT * FROM migrations`)
    const again = await openDatabase({ url: t.app.config.databaseUrl, clock: t.clock })
    await again.close()
    expect(await t.app.db.all(sql`SELECT * FROM migrations`)).toEqual(before)
  })
})

test.skipIf(remoteDatabase)(
  'a database that is closed leaves no file open, however many queries it answered',
  async () => {
    const t = await engine()
    for (let n = 0; n < 50; n++) {
      await write(t.app, (tx) => put(tx, `n${n}`))
      await t.app.db.all(sql.raw(`SELECT ${n} FROM installation`))
    }
    await t[Symbol.asyncDispose]()
    const ours = readdirSync('/proc/self/fd').filter((descriptor) => targetOf(descriptor)?.startsWith(t.directory))
    expect(ours).toEqual([])
  },
)

/** Null for one that was closed meanwhile. */
function targetOf(descriptor: string): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    return null
  }
}
