// Limits of rate on a libSQL server count for all processes together: two real ones take, as fast as they can and evenly, at one and at both.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { rateBuckets } from '../db/tables/workspaces.ts'
import { createLimiter } from '../src/core/http/limiter.ts'
import { keyOf } from '../src/core/http/rate-limit.ts'
import { createSharedLimiter, tokensAhead } from '../src/core/http/shared-limit.ts'
import { linesOf } from '../tools/process.ts'
import { testApp } from './support/app.ts'
import { freshDatabaseUrl, remoteDatabase } from './support/database.ts'
import { databaseLink } from './support/database-link.ts'
import type { Load, Taken } from './support/limit-taker.ts'
import { freshDirectory } from './support/place.ts'
import { servedBy } from './support/served.ts'
import { type Sqld, startSqld } from './support/sqld.ts'

const rateOf = (perSecond: number) => ({ burst: perSecond, perSecond })

describe.skipIf(!remoteDatabase)('two processes', () => {
  const seconds = 2
  let server: Sqld
  let takers: Awaited<ReturnType<typeof startTaker>>[]
  let cases = 0

  beforeAll(async () => {
    server = await startSqld()
    const url = await server.freshUrl({ withTables: true })
    takers = [await startTaker(url), await startTaker(url)]
  })
  afterAll(async () => {
    for (const taker of takers) await taker.end()
    server.stop()
  })

  /** So many asks a second, shared by the processes as said. */
  async function load(perSecond: number, asksPerSecond: number, parts: number[]) {
    const key = `case${++cases}`
    const rate = rateOf(perSecond)
    const loads = parts.map((part) => ({ key, rate, seconds, asksPerSecond: asksPerSecond * part }))
    const taken = await Promise.all(
      loads.map((one, n) => takers[n]?.take(one) ?? Promise.reject(new Error('no taker'))),
    )
    const sum = (name: 'asked' | 'allowed' | 'writes') => taken.reduce((total, one) => total + one[name], 0)
    const lasted = (Math.max(...taken.map((one) => one.ended)) - Math.min(...taken.map((one) => one.began))) / 1_000
    return { asked: sum('asked'), allowed: sum('allowed'), writes: sum('writes'), lasted }
  }

  /** A full bucket, what time adds, and what each process may take before it has told; one by itself knows all. */
  const mostOf = (perSecond: number, lasted: number, processes: number) =>
    perSecond + perSecond * lasted + (processes === 1 ? 0 : processes * tokensAhead(rateOf(perSecond)))

  for (const perSecond of [2, 20, 1_000])
    for (const [how, parts] of [
      ['balanced', [0.5, 0.5]],
      ['all at one', [1]],
      ['three quarters at one', [0.75, 0.25]],
    ] as const) {
      test(`${perSecond} a second, asked ten times as much, ${how}`, async () => {
        const { asked, allowed, writes, lasted } = await load(perSecond, perSecond * 10, [...parts])
        expect(asked).toBeGreaterThanOrEqual(perSecond * 10 * seconds)
        expect(allowed).toBeLessThanOrEqual(mostOf(perSecond, lasted, parts.length))
        expect(allowed).toBeGreaterThanOrEqual(Math.floor(perSecond + perSecond * seconds * 0.5))
        // Each tells of a fortieth of the limit or more; of a small limit each token, and once for each that another one got.
        const most = Math.min(perSecond * 3, 44) * (lasted + 1) + 2 * parts.length
        expect(writes).toBeLessThanOrEqual(most)
        process.stdout.write(
          `${perSecond}/s, tenfold, ${how}: ${allowed} of ${asked} in ${lasted} s, ${writes} writes\n`,
        )
      })

      test(`${perSecond} a second, asked nine tenths of it, ${how}: nothing is refused`, async () => {
        const { asked, allowed } = await load(perSecond, perSecond * 0.9, [...parts])
        expect(allowed).toBe(asked)
      })
    }
})

test.skipIf(!remoteDatabase).each([20, 100])(
  'the answers of two servers never promise more than may be taken of %p a second',
  async (perSecond) => {
    await using both = await servedBy(2, { API_RATE_LIMIT: String(perSecond) })
    const whole = perSecond + 2 * tokensAhead(rateOf(perSecond))
    const ask = (n: number) => both.request(both.urls[n % 2] ?? '', 'GET', '/v1/api-key')
    /** The most that there may be: a full bucket at first, then what time adds. */
    let most = whole
    let at = Date.now()
    const refill = () => {
      const now = Date.now()
      most += ((now - at) / 1_000) * perSecond
      at = now
    }
    const allowed = (answers: { status: number }[]) => answers.filter(({ status }) => status === 200).length
    for (let n = 0; n < perSecond * 2; n++) {
      refill()
      most = Math.min(whole, most)
      // Now and then both are asked at the same time: each answers for the moment in which it took.
      const answers = await Promise.all(n % 5 === 0 ? [ask(n), ask(n + 1), ask(n + 2)] : [ask(n)])
      refill()
      for (const { status, headers } of answers) {
        expect([200, 429]).toContain(status)
        expect(headers.get('ratelimit-limit')).toBe(String(perSecond))
        const remaining = Number(headers.get('ratelimit-remaining'))
        expect(remaining).toBeLessThanOrEqual(status === 200 ? most - 1 : 0)
      }
      most -= allowed(answers)
    }
    const flood = await Promise.all(Array.from({ length: perSecond * 4 }, (_, n) => ask(n)))
    refill()
    expect(allowed(flood)).toBeLessThanOrEqual(most)
    expect(allowed(flood)).toBeLessThan(flood.length)
  },
)

describe('one process', () => {
  const key = keyOf.id('test', 'one')

  test.skipIf(!remoteDatabase)(
    'is not held up by what it may take ahead, and writes nothing for who asks little',
    async () => {
      await using t = await testApp()
      const limiter = createLimiter(t.app, rateOf(100))
      const { units } = t.app.database.writer.committed
      for (let n = 0; n < 40; n++) {
        expect(limiter.take(key)).toMatchObject({ allowed: true })
        // A twentieth of the limit.
        t.clock.advance(200)
      }
      expect(t.app.database.writer.committed.units).toBe(units)
    },
  )

  test.skipIf(!remoteDatabase)('counts what another has taken, to the token of a small limit', async () => {
    await using t = await testApp({ alone: false })
    const [here, there] = [createLimiter(t.app, rateOf(3)), createSharedLimiter(t.app, rateOf(3))]
    const allowed: boolean[] = []
    for (const limiter of [here, there, here, there, here]) allowed.push((await limiter.take(key)).allowed)
    expect(allowed).toEqual([true, true, true, false, false])
    t.clock.advance(334)
    const [one, other] = [await there.take(key), await here.take(key)]
    expect([one.allowed, other.allowed, other.remaining]).toEqual([true, false, 0])
    expect(other.retryAfterSeconds).toBeCloseTo(1 / 3, 1)
  })

  test.skipIf(!remoteDatabase)('counts alone while the server is away', async () => {
    await using link = databaseLink(await freshDatabaseUrl('', { withTables: true }))
    await using t = await testApp({ environment: { DATABASE_URL: link.url } })
    const small = createLimiter(t.app, rateOf(3))
    link.lose(() => true)
    const alone = []
    for (let n = 0; n < 5; n++) alone.push((await small.take(key)).allowed)
    expect(alone).toEqual([true, true, true, false, false])
    link.lose(() => false)
    t.clock.advance(1_000)
    const other = createSharedLimiter(t.app, rateOf(3))
    const both = []
    for (const limiter of [small, other, small, other]) both.push((await limiter.take(key)).allowed)
    expect(both).toEqual([true, true, true, false])
  })

  test.skipIf(remoteDatabase)('asks a file nothing', async () => {
    await using t = await testApp({ environment: { API_RATE_LIMIT: '5' } })
    const limiter = createLimiter(t.app, rateOf(5))
    const { units } = t.app.database.writer.committed
    const answers = Array.from({ length: 50 }, () => limiter.take(key))
    expect(answers.filter((one) => !(one instanceof Promise) && one.allowed)).toHaveLength(5)
    expect(t.app.database.writer.committed.units).toBe(units)
    const statuses = []
    for (let n = 0; n < 7; n++) statuses.push((await t.request('GET', '/v1/api-key')).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
    expect(await t.app.db.select().from(rateBuckets)).toEqual([])
  })
})

async function startTaker(url: string) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'support/limit-taker.ts')], {
    env: {
      ...process.env,
      DATA_DIR: freshDirectory(),
      DATABASE_URL: url,
      SECRET_KEY: 'of the tests, which share it, and which is long enough',
      LOG_LEVEL: 'error',
    },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const lines = linesOf(child.stdout)
  await lines.next()
  return {
    async take(load: Load): Promise<Taken> {
      child.stdin.write(`${JSON.stringify(load)}\n`)
      await child.stdin.flush()
      return JSON.parse((await lines.next()).value ?? '')
    },
    async end() {
      child.stdin.end()
      await child.exited
    },
  }
}
