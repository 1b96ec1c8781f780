import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { idempotencyKeys, installation } from '../db/tables/workspaces.ts'
import { type App, type Tx, write } from '../src/core/app.ts'
import { deleteExpiredKeys, idempotent, type KeyedRequest, readIdempotencyKey } from '../src/core/http/idempotency.ts'
import { AppError } from '../src/kit/error.ts'
import { testApp } from './support/app.ts'

const request: KeyedRequest = { workspaceId: 'ws_1', route: 'POST /x', key: 'k-1', body: { a: 1, b: [{ c: 2, d: 3 }] } }

/** An effect that can be counted: a row with a name of its own. */
async function effect(tx: Tx): Promise<string> {
  const name = `effect-${tx.random.uuidv7(tx.now)}`
  await tx.db.insert(installation).values({ name, value: '', updatedAt: tx.now })
  return name
}

async function effects(app: App): Promise<number> {
  const rows = await app.db.select().from(installation).all()
  return rows.filter(({ name }) => name.startsWith('effect-')).length
}

const unit = async (tx: Tx) => ({ status: 201, response: { name: await effect(tx) } })

test('a repeat gets the stored answer and has no effect', async () => {
  await using t = await testApp()
  const first = await idempotent(t.app, request, async () => unit)
  expect(first).toMatchObject({ status: 201, replayed: false })
  const again = await t.unchanged(() => idempotent(t.app, request, async () => unit))
  expect(again).toEqual({ ...first, replayed: true })
})

test('the order of members makes no other body', async () => {
  await using t = await testApp()
  await idempotent(t.app, request, async () => unit)
  const { replayed } = await idempotent(t.app, { ...request, body: { b: [{ d: 3, c: 2 }], a: 1 } }, async () => unit)
  expect(replayed).toBe(true)
})

test('another body with the same key is refused', async () => {
  await using t = await testApp()
  await idempotent(t.app, request, async () => unit)
  const other = t.unchanged(() => idempotent(t.app, { ...request, body: { a: 2 } }, async () => unit))
  await expect(other).rejects.toMatchObject({ code: 'idempotency_key_mismatch' })
  await other.catch(() => {})
})

test('a key belongs to one workspace and one route', async () => {
  await using t = await testApp()
  await idempotent(t.app, request, async () => unit)
  await idempotent(t.app, { ...request, workspaceId: 'ws_2' }, async () => unit)
  await idempotent(t.app, { ...request, route: 'POST /y' }, async () => unit)
  expect(await effects(t.app)).toBe(3)
})

test('without a key every request has its effect', async () => {
  await using t = await testApp()
  await idempotent(t.app, { ...request, key: null }, async () => unit)
  await idempotent(t.app, { ...request, key: null }, async () => unit)
  expect(await effects(t.app)).toBe(2)
})

test('50 equal requests at once share one effect and one answer', async () => {
  await using t = await testApp()
  const answers = await Promise.all(Array.from({ length: 50 }, () => idempotent(t.app, request, async () => unit)))
  expect(new Set(answers.map(({ response }) => response.name)).size).toBe(1)
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1)
  expect(await effects(t.app)).toBe(1)
})

test('a refusal frees the key', async () => {
  await using t = await testApp()
  const refuse = async (tx: Tx) => {
    await effect(tx)
    throw new AppError('validation_failed', 'no')
  }
  await t.unchanged(() => idempotent(t.app, request, async () => refuse).catch(() => {}))
  expect(await idempotent(t.app, request, async () => unit)).toMatchObject({ replayed: false })
})

test('a failure frees the key, for it had no effect', async () => {
  await using t = await testApp()
  const fail = async (tx: Tx) => {
    await effect(tx)
    throw new Error('a bug')
  }
  await t.unchanged(() => idempotent(t.app, request, async () => fail).catch(() => {}))
  expect(await idempotent(t.app, request, async () => unit)).toMatchObject({ replayed: false })
})

test('a refusal that is logged is kept, with its members', async () => {
  await using t = await testApp()
  const refuse = async (tx: Tx) => ({
    refusal: new AppError('recipient_suppressed', 'suppressed', { extra: { messageId: await effect(tx) } }),
  })
  const attempt = () => idempotent(t.app, request, async () => refuse).catch((error: AppError) => error)
  const first = await attempt()
  const again = await t.unchanged(attempt)
  expect(first).toBeInstanceOf(AppError)
  expect(again).toMatchObject({
    code: 'recipient_suppressed',
    details: { extra: (first as AppError).details.extra, headers: { 'idempotency-replayed': 'true' } },
  })
})

test('while the first is still running, a repeat is told to come back', async () => {
  await using t = await testApp()
  const gate = Promise.withResolvers<void>()
  const slow = async (tx: Tx) => {
    const result = await unit(tx)
    await gate.promise
    return result
  }
  const first = idempotent(t.app, request, async () => slow)
  const repeat = await idempotent(t.app, request, async () => unit).catch((error: AppError) => error)
  expect(repeat).toMatchObject({ code: 'idempotency_key_in_use', details: { retryAfterSeconds: 1 } })
  gate.resolve()
  expect(await first).toMatchObject({ replayed: false })
  expect(await idempotent(t.app, request, async () => unit)).toMatchObject({ replayed: true })
})

test('a key is forgotten after seven days', async () => {
  await using t = await testApp()
  await idempotent(t.app, request, async () => unit)
  t.clock.advance(7 * 24 * 3_600_000 - 1)
  expect(await idempotent(t.app, request, async () => unit)).toMatchObject({ replayed: true })
  expect(await write(t.app, deleteExpiredKeys)).toBe(0)
  t.clock.advance(1)
  expect(await idempotent(t.app, { ...request, body: 'new' }, async () => unit)).toMatchObject({ replayed: false })
  t.clock.advance(7 * 24 * 3_600_000)
  expect(await write(t.app, deleteExpiredKeys)).toBe(1)
  expect(await t.app.db.select().from(idempotencyKeys).where(eq(idempotencyKeys.key, 'k-1')).all()).toEqual([])
})

test('the header has 1 to 256 printable ASCII characters', () => {
  const withKey = (key: string) => new Request('http://localhost/', { headers: { 'idempotency-key': key } })
  expect(readIdempotencyKey(new Request('http://localhost/'))).toBeNull()
  expect(readIdempotencyKey(withKey('a'.repeat(256)))).toHaveLength(256)
  for (const key of ['', 'a'.repeat(257), 'clé', 'a\tb']) expect(() => readIdempotencyKey(withKey(key)), key).toThrow()
})
