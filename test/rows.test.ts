// Lists of rows in one statement: what is given is what is stored, whatever a column holds, on a file and on a libSQL server.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { and, eq, sql } from 'drizzle-orm'
import { blob, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import fc from 'fast-check'
import type { Db } from '../db/handle.ts'
import { prepared } from '../db/prepared.ts'
import { insertSelect, orNull, toRows, unmappedValue } from '../db/rows.ts'
import { at, flag, json } from '../db/tables/columns.ts'
import { type Tx, write } from '../src/core/app.ts'
import { type Engine, engine } from './support/engine.ts'

const samples = sqliteTable(
  'samples',
  {
    owner: text('owner').notNull(),
    number: integer('number').notNull(),
    state: text('state').$type<'open' | 'shut'>().notNull().default('open'),
    words: text('words'),
    ratio: real('ratio'),
    seenAt: at('seen_at').notNull(),
    isKnown: flag('is_known'),
    data: json<Record<string, string>>('data'),
    bytes: blob('bytes', { mode: 'buffer' }),
  },
  (table) => [primaryKey({ columns: [table.owner, table.number] })],
)
type Sample = typeof samples.$inferSelect

// Not in the order of the table: names decide, and nothing else.
const whole = toRows({
  bytes: samples.bytes,
  data: samples.data,
  isKnown: samples.isKnown,
  seenAt: samples.seenAt,
  ratio: samples.ratio,
  words: samples.words,
  state: samples.state,
  number: samples.number,
  owner: samples.owner,
})
const insertWhole = prepared((db: Db) => whole.insertInto(db, samples, whole.each).prepare())
const addWhole = whole.adding(samples, whole.each)

let t: Engine
beforeAll(async () => {
  t = await engine()
  await write(t.app, (tx) =>
    tx.db.run(
      sql`CREATE TABLE samples (owner TEXT NOT NULL, number INTEGER NOT NULL, state TEXT NOT NULL DEFAULT 'open', words TEXT,
        ratio REAL, seen_at INTEGER NOT NULL, is_known INTEGER, data TEXT, bytes BLOB, PRIMARY KEY (owner, number))`,
    ),
  )
})
afterAll(() => t[Symbol.asyncDispose]())

/** In an empty table; returns what is in it then. */
async function inEmpty(change: (tx: Tx) => unknown): Promise<Sample[]> {
  await write(t.app, async (tx) => {
    await tx.db.delete(samples)
    await change(tx)
  })
  return await t.app.db.select().from(samples).orderBy(samples.owner, samples.number)
}

const sample = (number: number, more: Partial<Sample> = {}): Sample => ({
  owner: 'ada',
  number,
  state: 'open',
  words: null,
  ratio: null,
  seenAt: new Date(1_000),
  isKnown: null,
  data: null,
  bytes: null,
  ...more,
})

test('a row is stored as a plain INSERT stores it, whatever it holds', async () => {
  const words = fc.string({ unit: 'binary', maxLength: 40 })
  const row = fc.record({
    state: fc.constantFrom('open' as const, 'shut' as const),
    words: fc.option(fc.oneof(words, fc.constantFrom('', '\0', 'a\0b', '1', 'null', 'true', '[1]', '{"a":1}', `'"\\`))),
    // As text a number of many digits may come back one bit off: the SQLite of a libSQL server does not round as exactly.
    ratio: fc.option(fc.integer({ min: -(2 ** 20), max: 2 ** 20 }).map((n) => n / 64)),
    seenAt: fc.date({ min: new Date(0), max: new Date(8e15), noInvalidDate: true }),
    isKnown: fc.option(fc.boolean()),
    data: fc.option(fc.dictionary(words, words, { maxKeys: 3, noNullPrototype: true })),
    bytes: fc.option(fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes))),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 50 }), async (rows) => {
      const given = rows.map((one, number) => ({ owner: 'ada', number, ...one }))
      const expected = await inEmpty((tx) => tx.db.insert(samples).values(given))
      expect(await inEmpty((tx) => insertWhole(tx.db).run(whole.given(given)))).toEqual(expected)
      expect(await inEmpty((tx) => addWhole(tx.db, given))).toEqual(expected)
    }),
    { numRuns: 40 },
  )
})

const fewRows = toRows({ number: samples.number }, { owner: samples.owner, now: samples.seenAt })
const insertFew = prepared((db: Db) => {
  const { each, shared } = fewRows
  const next = sql`(SELECT coalesce(max(number), 0) FROM samples WHERE owner = ${shared.owner}) + ${each.number}`
  return fewRows
    .insertInto(db, samples, { owner: shared.owner, number: next, seenAt: shared.now, isKnown: true, data: { a: 'b' } })
    .prepare()
})

test('a column has what the row says of it: from the list, for all rows, worked out, or its default', async () => {
  const now = new Date(5_000)
  const stored = await inEmpty(async (tx) => {
    await insertFew(tx.db).run(fewRows.given([{ number: 1 }, { number: 3 }], { owner: 'ada', now }))
    await insertFew(tx.db).run(fewRows.given([{ number: 1 }], { owner: 'ada', now }))
  })
  const same = { seenAt: now, isKnown: true, data: { a: 'b' } }
  expect(stored).toEqual([sample(1, same), sample(3, same), sample(4, same)])
})

const addFew = fewRows.adding(samples, {
  ...fewRows.each,
  owner: fewRows.shared.owner,
  seenAt: fewRows.shared.now,
  isKnown: true,
  data: { a: 'b' },
})

test('rows are added with what is the same for all and with what a column has by itself; none is none', async () => {
  const now = new Date(5_000)
  const numbers = Array.from({ length: 43 }, (_, at) => at)
  const rows = numbers.map((number) => ({ number }))
  const stored = await inEmpty((tx) => addFew(tx.db, rows, { owner: 'ada', now }))
  expect(stored).toEqual(numbers.map((number) => sample(number, { seenAt: now, isKnown: true, data: { a: 'b' } })))
  expect(await inEmpty((tx) => addFew(tx.db, [], { owner: 'ada', now }))).toEqual([])
})

const upsertWhole = prepared((db: Db) =>
  whole
    .insertInto(db, samples, whole.each)
    .onConflictDoUpdate({ target: [samples.owner, samples.number], set: { words: sql`excluded.words` } })
    .returning({ number: samples.number })
    .prepare(),
)

test('a conflict changes the row that is there', async () => {
  let changed: { number: number }[] = []
  const stored = await inEmpty(async (tx) => {
    await insertWhole(tx.db).run(whole.given([sample(1, { words: 'old', ratio: 1.5 })]))
    changed = await upsertWhole(tx.db).all(
      whole.given([sample(1, { words: 'new', ratio: 2.5 }), sample(2, { words: 'other' })]),
    )
  })
  expect(stored).toEqual([sample(1, { words: 'new', ratio: 1.5 }), sample(2, { words: 'other' })])
  expect(changed).toEqual([{ number: 1 }, { number: 2 }])
})

const ends = toRows(
  { owner: samples.owner, number: samples.number, seenAt: orNull(samples.seenAt), add: unmappedValue<number>() },
  { state: samples.state },
)
const end = prepared((db: Db) => {
  const { each, shared, list } = ends
  return db
    .update(samples)
    .set({ state: shared.state, seenAt: sql`coalesce(${each.seenAt}, seen_at)`, ratio: sql`${each.add} / 2.0` })
    .from(list)
    .where(and(eq(samples.owner, each.owner), eq(samples.number, each.number)))
    .returning({ number: sql<number>`samples.number`.as('number') })
    .prepare()
})

test('an UPDATE changes the rows of the list, each as it is said there', async () => {
  const later = new Date(9_000)
  let changed: { number: number }[] = []
  const stored = await inEmpty(async (tx) => {
    await insertWhole(tx.db).run(whole.given([1, 2, 3].map((number) => sample(number))))
    const list = [
      { owner: 'ada', number: 1, seenAt: null, add: 3 },
      { owner: 'ada', number: 3, seenAt: later, add: 4 },
      { owner: 'eve', number: 2, seenAt: later, add: 5 },
    ]
    changed = await end(tx.db).all(ends.given(list, { state: 'shut' }))
  })
  const shut = { state: 'shut' as const }
  expect(stored).toEqual([
    sample(1, { ...shut, ratio: 1.5 }),
    sample(2),
    sample(3, { ...shut, ratio: 2, seenAt: later }),
  ])
  expect(changed.map(({ number }) => number).sort()).toEqual([1, 3])
})

const remove = prepared((db: Db) =>
  db
    .delete(samples)
    .where(sql`(owner, number) IN ${ends.pick('owner', 'number')} AND state = ${ends.shared.state}`)
    .prepare(),
)
const numbers = prepared((db: Db) =>
  db
    .select({ place: ends.number, number: sql<number | null>`samples.number` })
    .from(sql`${ends.list} LEFT JOIN samples ON owner = ${ends.each.owner} AND samples.number = ${ends.each.number}`)
    .prepare(),
)

test('a DELETE and a SELECT take the rows of the list', async () => {
  const list = [3, 7, 1].map((number) => ({ owner: 'ada', number, seenAt: null, add: 0 }))
  let found: { place: number; number: number | null }[] = []
  const stored = await inEmpty(async (tx) => {
    await insertWhole(tx.db).run(whole.given([1, 2, 3].map((number) => sample(number))))
    found = await numbers(tx.db).all(ends.given(list, { state: 'open' }))
    await remove(tx.db).run(ends.given(list, { state: 'open' }))
  })
  expect(stored).toEqual([sample(2)])
  expect(found.sort((one, other) => one.place - other.place).map(({ number }) => number)).toEqual([3, null, 1])
})

test('an INSERT takes what a SELECT finds', async () => {
  const stored = await inEmpty(async (tx) => {
    await insertWhole(tx.db).run(whole.given([1, 2, 3].map((number) => sample(number, { words: `w${number}` }))))
    const row = { words: sql`s.words`, number: sql`s.number`, owner: 'eve', seenAt: new Date(7_000) }
    await insertSelect(tx.db, samples, row, sql`samples s WHERE s.number > 1`)
  })
  expect(stored.slice(3)).toEqual(
    [2, 3].map((number) => sample(number, { owner: 'eve', words: `w${number}`, seenAt: new Date(7_000) })),
  )
})

test('an empty list changes nothing', async () => {
  expect(await inEmpty((tx) => insertWhole(tx.db).run(whole.given([])))).toEqual([])
})

test('a row without a column that must be given is an error of types', () => {
  const build = (db: Db) => {
    // @ts-expect-error: seenAt is not null and has no default.
    whole.insertInto(db, samples, { owner: 'ada', number: 1 })
    // @ts-expect-error: the list has no such value.
    whole.each.colour
    // @ts-expect-error: seenAt is missing.
    ends.given([{ owner: 'ada', number: 1, add: 1 }], { state: 'open' })
    // @ts-expect-error: a state is open or shut.
    ends.given([], { state: 'ajar' })
    // @ts-expect-error: what all rows have in common is missing.
    ends.given([])
  }
  expect(build).toBeFunction()
})
