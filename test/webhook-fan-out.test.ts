// An event for many endpoints: its call writes one job, whose steps tell each endpoint once, whatever happens in between.

import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { write } from '../src/core/app.ts'
import { publish } from '../src/features/webhooks/publish.ts'
import { type Json, session, type TestApp } from './support/app.ts'
import { create, deliveries, path, say, someone, start } from './support/webhook-endpoints.ts'
import { webhookSink } from './support/webhook-sink.ts'

const many = 70

async function createMany(t: TestApp, url: string, count = many): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push((await create(t, `${url}${n}`, { eventFilters: ['contact.created'] })).id)
  return ids
}

const written = async (t: TestApp): Promise<number> => {
  const [row] = await t.app.db.all<{ count: number }>(sql`SELECT count(*) AS count FROM webhook_deliveries`)
  return row?.count ?? 0
}
const jobs = async (t: TestApp): Promise<Json[]> =>
  await t.app.db.all(
    sql`SELECT kind, state, last_code AS code, parent_id IS NOT NULL AS follows FROM outbox_jobs WHERE lane = 'fan_out' ORDER BY id`,
  )

test('a call writes one job for many endpoints, and each is told once of the same event', async () => {
  await using t = await start()
  await using sink = webhookSink()
  const ids = await createMany(t, sink.url)
  const deaf = await create(t, `${sink.url}deaf`, { eventFilters: ['contact.deleted'] })
  await t.patch(`${path}/${ids[40]}`, { status: 'disabled' }, 200, session)
  const { id: contactId } = await t.post('/v1/contacts/create', { email: 'ada@example.net' }, 200)
  expect([await written(t), await jobs(t)]).toEqual([
    0,
    [{ kind: 'fan-out-event', state: 'pending', code: null, follows: 0 }],
  ])
  const late = await create(t, `${sink.url}late`, { eventFilters: ['contact.created'] })
  await t.settle()
  expect(new Set(sink.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(sink.received).toHaveLength(many - 1)
  expect(sink.received.every(({ body }) => JSON.parse(body).contactIdentity.id === contactId)).toBe(true)
  for (const [at, id] of ids.entries())
    expect((await deliveries(t, id)).map(({ state }) => state)).toEqual([at === 40 ? 'skipped' : 'delivered'])
  for (const { id } of [late, { id: deaf.id }]) expect(await deliveries(t, id)).toEqual([])
  expect((await jobs(t)).map(({ state, follows }) => [state, follows])).toEqual([
    ['done', 0],
    ['done', 1],
    ['done', 1],
  ])
})

test('few endpoints have their deliveries with the answer of the call', async () => {
  await using t = await start()
  await using sink = webhookSink()
  const ids = await createMany(t, sink.url, 16)
  await say(t)
  expect([await written(t), await jobs(t)]).toEqual([16, []])
  for (const id of ids) expect((await deliveries(t, id)).map(({ state }) => state)).toEqual(['pending'])
})

test('whoever is deleted before their turn gets none, nor does anybody when the event was deleted', async () => {
  await using t = await start()
  await using sink = webhookSink()
  const ids = await createMany(t, sink.url, 20)
  await say(t)
  await t.delete(`${path}/${ids[3]}`, undefined, 200, session)
  await t.settle()
  expect([sink.received.length, await written(t)]).toEqual([19, 19])
  await say(t)
  await write(t.app, (tx) =>
    tx.db.run(sql`DELETE FROM webhook_events WHERE sequence = (SELECT max(sequence) FROM webhook_events)`),
  )
  await t.settle()
  expect([sink.received.length, (await jobs(t)).at(-1)]).toMatchObject([19, { state: 'cancelled', code: 'event_gone' }])
})

test('a workspace with few endpoints does not wait for one with many', async () => {
  await using t = await start()
  await using sink = webhookSink()
  await createMany(t, sink.url)
  const other = await t.stranger()
  const { id } = await write(t.app, async (tx) => {
    const { createEndpoint } = await import('../src/features/webhooks/endpoints.ts')
    return await createEndpoint(tx, other.workspace.id, { url: `${sink.url}few`, status: 'active' })
  })
  await write(t.app, async (tx) => {
    for (let n = 0; n < 5; n++) await publish(tx, t.workspace.id, 'contact.created', someone)
    await publish(tx, other.workspace.id, 'contact.created', someone)
  })
  const [mine] = await t.app.db.all<{ state: string }>(
    sql`SELECT state FROM webhook_deliveries WHERE endpoint_id = ${id}`,
  )
  expect(mine?.state).toBe('pending')
  await t.settle()
  expect(sink.received).toHaveLength(5 * many + 1)
})
