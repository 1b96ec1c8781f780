// One of many who cannot be dealt with, whatever the reason, holds nobody else up: they are set aside, told, and tried again.

import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { write } from '../src/core/app.ts'
import { checkInvariants } from '../src/core/outbox/invariants.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { path, publish, runsOf, subjects, tell, templates, welcoming } from './support/sequences.ts'

const start = { event: 'signup' }
const day = { amount: 1, unit: 'd' }
const [ada, bob, eve] = ['ada@example.net', 'bob@example.net', 'eve@example.net']
const everybody = [ada, bob, eve]
const waiting = { start, steps: [{ id: 'wait', type: 'wait', for: day }] }

/** What no code of ours writes: as a disk, or a repair by hand, may leave it. */
const spoil = (t: TestApp, email: string, properties = '{') =>
  write(t.app, (tx) => tx.db.run(sql`UPDATE contacts SET properties = ${properties} WHERE email = ${email}`))
const mend = (t: TestApp, email: string) => spoil(t, email, '{}')

const statesOf = async (t: TestApp, id: string) =>
  (await runsOf(t, id)).map(({ email, state }) => [email, state]).sort()

async function asideOf(t: TestApp): Promise<Json[]> {
  const { data } = await t.get('/v1/attention', 200)
  return data.filter(({ code }: Json) => code.endsWith('_set_aside'))
}

test('a signal that cannot be taken is set aside, in its order, and the others go on', async () => {
  await using t = await testApp()
  const { id } = await publish(t, { ...waiting, exits: [{ event: 'left' }], reEntry: { mode: 'afterExit' } })
  for (const name of ['signup', 'left', 'signup']) for (const email of everybody) await tell(t, name, { email })
  await spoil(t, bob)
  await t.settle()
  const ofOthers = [
    [ada, 'exited'],
    [ada, 'waiting'],
    [eve, 'exited'],
    [eve, 'waiting'],
  ]
  expect(await statesOf(t, id)).toEqual(ofOthers)
  const [aside] = await asideOf(t)
  expect(aside).toMatchObject({ code: 'signals_set_aside', detail: expect.stringContaining('1 contact, as con_') })
  expect(await checkInvariants(t.app)).toEqual([])
  // What comes now waits behind it.
  await mend(t, bob)
  for (const email of [bob, ada]) await tell(t, 'left', { email })
  await spoil(t, bob)
  await t.advance('10m')
  expect((await statesOf(t, id)).filter(([email]) => email === bob)).toEqual([])
  expect((await statesOf(t, id))[1]).toEqual([ada, 'exited'])
  await mend(t, bob)
  await t.advance('10m')
  expect((await statesOf(t, id)).filter(([email]) => email === bob)).toEqual([
    [bob, 'exited'],
    [bob, 'exited'],
  ])
  expect(await asideOf(t)).toEqual([])
})

test('who may have left is mailed only once that is known', async () => {
  await using t = await testApp()
  await templates(t)
  const { id } = await publish(t, {
    ...welcoming,
    exits: [{ event: 'left', filter: [{ property: 'sure', operator: 'equals', value: true }] }],
  })
  for (const email of everybody) await tell(t, 'signup', { email })
  await t.settle()
  await tell(t, 'left', { email: bob, eventProperties: { sure: true } })
  await tell(t, 'left', { email: eve, eventProperties: { sure: false } })
  const stored = await write(t.app, (tx) =>
    tx.db.all<{ id: string; properties: string }>(sql`SELECT id, properties FROM events WHERE name = 'left'`),
  )
  await write(t.app, (tx) => tx.db.run(sql`UPDATE events SET properties = '{' WHERE name = 'left'`))
  await t.advance('3d')
  expect(await subjects(t)).toEqual(['hello', 'hello', 'hello', 'tips'])
  expect(await statesOf(t, id)).toEqual([
    [ada, 'completed'],
    [bob, 'sending'],
    [eve, 'sending'],
  ])
  for (const { id, properties } of stored)
    await write(t.app, (tx) => tx.db.run(sql`UPDATE events SET properties = ${properties} WHERE id = ${id}`))
  await t.advance('10m')
  await t.advance('10m')
  expect(await subjects(t)).toEqual(['hello', 'hello', 'hello', 'tips', 'tips'])
  expect(await statesOf(t, id)).toEqual([
    [ada, 'completed'],
    [bob, 'exited'],
    [eve, 'completed'],
  ])
})

test('a version that cannot be read holds up its own people alone', async () => {
  await using t = await testApp()
  const broken = await publish(t, { ...waiting, start: { event: 'broken' } })
  const sound = await publish(t, { ...waiting, exits: [{ event: 'left' }] })
  await tell(t, 'broken', { email: bob })
  await t.settle()
  // As an earlier version of this program might have stored it.
  await write(t.app, (tx) =>
    tx.db.run(
      sql`UPDATE sequence_versions SET definition = '{"start":{"event":"broken"},"steps":[]}' WHERE sequence_id = ${broken.id}`,
    ),
  )
  for (let n = 0; n < 30; n++) await tell(t, 'broken', { email: `n${n}@example.net` })
  for (const email of everybody) await tell(t, 'signup', { email })
  await tell(t, 'left', { email: ada })
  await t.settle()
  expect(await statesOf(t, sound.id)).toEqual([
    [ada, 'exited'],
    [eve, 'waiting'],
  ])
  expect(await asideOf(t)).toMatchObject([{ detail: expect.stringContaining('31 contacts, as con_') }])
})

test('R11: one who cannot be moved on fails, and the others go on at once', async () => {
  await using t = await testApp()
  const steps = [...waiting.steps, { id: 'say', type: 'webhook' }]
  const { id } = await publish(t, { start, steps })
  for (const email of everybody) await tell(t, 'signup', { email })
  await t.settle()
  await spoil(t, bob)
  await t.advance('1d')
  expect((await runsOf(t, id)).map(({ state }) => state)).toEqual(['completed', 'failed', 'completed'])
  await mend(t, bob)
  await t.post(`${path}/${id}/runs/${(await runsOf(t, id))[1]?.id}/retry`, {}, 200)
  await t.settle()
  expect((await runsOf(t, id)).map(({ state }) => state)).toEqual(['completed', 'completed', 'completed'])
})

test('where everybody fails, the sequence is paused before many have', async () => {
  await using t = await testApp()
  const { id } = await publish(t, waiting)
  const many = Array.from({ length: 60 }, (_, n) => `n${n}@example.net`)
  for (const email of many) await tell(t, 'signup', { email })
  await t.settle()
  for (const email of many) await spoil(t, email)
  await t.advance('1d')
  const { state, pauseReason, people } = await t.get(`${path}/${id}`, 200)
  expect([state, people.failed, people.waiting]).toEqual(['paused', 20, 40])
  expect(pauseReason).toStartWith('failed: ')
})

test('one of a segment who cannot begin is passed over', async () => {
  await using t = await testApp()
  const { id } = await publish(t, { ...waiting, start: null })
  for (const email of everybody) await t.contact({ email })
  const segment = await t.post('/v1/segments', { name: 'All', filter: { field: 'email', op: 'exists' } }, 201)
  await t.settle()
  await spoil(t, bob)
  await t.post(`${path}/${id}/enrol`, { segmentId: segment.id }, 200)
  await t.settle()
  expect((await t.get(`${path}/${id}/enrolments`, 200)).data).toMatchObject([
    { started: 2, skipped: 1, doneAt: expect.any(String) },
  ])
  expect(await statesOf(t, id)).toEqual([
    [ada, 'waiting'],
    [eve, 'waiting'],
  ])
})

test('one who cannot be moved to a new version fails, and the others are moved', async () => {
  await using t = await testApp()
  const { id } = await publish(t, waiting)
  for (const email of everybody) await tell(t, 'signup', { email })
  await t.settle()
  await spoil(t, bob)
  await t.patch(
    `${path}/${id}`,
    { definition: { start, steps: [{ id: 'week', type: 'wait', for: { amount: 7, unit: 'd' } }] } },
    200,
  )
  const steps = { wait: 'week' }
  const { contentHash } = await t.post(`${path}/${id}/moves`, { steps }, 200)
  await t.post(`${path}/${id}/publish`, { contentHash, steps }, 200)
  await t.settle()
  expect((await runsOf(t, id)).map(({ email, state, version }) => [email, state, version])).toEqual([
    [ada, 'waiting', 2],
    [bob, 'failed', 1],
    [eve, 'waiting', 2],
  ])
})

test('contacts in zones that are none, with properties as long as they may be, go on like others', async () => {
  await using t = await testApp()
  await templates(t)
  const key = '{{event.cart}}'
  const steps = [{ id: 'nine', type: 'wait', for: day, at: '09:00' }, ...welcoming.steps]
  const { id } = await publish(t, { start, steps, reEntry: { mode: 'never', key } })
  const long = 'x'.repeat(10_000)
  const eventProperties = { cart: long, a: long, b: long, c: long, d: long, e: long }
  for (const email of everybody) await tell(t, 'signup', { email, eventProperties })
  await write(t.app, (tx) => tx.db.run(sql`UPDATE contacts SET timezone = 'Mars/Phobos' WHERE email = ${bob}`))
  await write(t.app, (tx) => tx.db.run(sql`UPDATE contacts SET timezone = ${'x'.repeat(9_999)} WHERE email = ${eve}`))
  await t.settle()
  for (let days = 0; days < 6; days++) await t.advance('1d')
  expect((await runsOf(t, id)).map(({ state }) => state)).toEqual(['completed', 'completed', 'completed'])
  expect(await asideOf(t)).toEqual([])
})

test('a contact, and a segment, that cannot be looked at leave the other segments as they should be', async () => {
  await using t = await testApp()
  const segment = (name: string, field: string, value: string) =>
    t.post('/v1/segments', { name, filter: { field, op: 'eq', value } }, 201)
  await t.post('/api/v1/contacts/properties', { name: 'plan', type: 'string' }, 200)
  await t.contact({ email: bob })
  const pro = await segment('Pro', 'plan', 'pro')
  const broken = await segment('Broken', 'plan', 'pro')
  const named = await segment('Named', 'firstName', 'Ann')
  await t.advance('1s')
  await write(t.app, (tx) =>
    tx.db.run(
      sql`UPDATE segments SET filter = ${JSON.stringify({ all: [{ field: 'plan', op: 'eq', value: 'pro' }, { not: null }] })} WHERE id = ${broken.id}`,
    ),
  )
  const members = async ({ id }: Json) =>
    (await t.get(`/v1/segments/${id}/contacts`, 200)).data.map(({ email }: Json) => email).sort()
  for (const email of [ada, eve]) await t.contact({ email, plan: 'pro', firstName: 'Ann' })
  await t.advance('1s')
  await t.advance('1s')
  expect([await members(pro), await members(named)]).toEqual([
    [ada, eve],
    [ada, eve],
  ])
  expect(await asideOf(t)).toMatchObject([
    { code: 'contacts_set_aside', detail: expect.stringContaining('2 contacts') },
  ])
  expect(await checkInvariants(t.app)).toEqual([])
  await write(t.app, (tx) =>
    tx.db.run(
      sql`UPDATE segments SET filter = ${JSON.stringify({ field: 'plan', op: 'eq', value: 'pro' })} WHERE id = ${broken.id}`,
    ),
  )
  await t.advance('1h')
  expect(await members(broken)).toEqual([ada, eve])
  expect(await asideOf(t)).toEqual([])
})

test('a segment is built without one who cannot be looked at', async () => {
  await using t = await testApp()
  await t.post('/api/v1/contacts/properties', { name: 'plan', type: 'string' }, 200)
  const contacts = await Promise.all(everybody.map((email) => t.contact({ email, plan: 'pro' })))
  const run = (statement: string) => write(t.app, (tx) => tx.db.run(sql.raw(statement)))
  await run(`CREATE TRIGGER broken BEFORE INSERT ON segment_members WHEN NEW.contact_id = '${contacts[1]?.id}'
    BEGIN SELECT RAISE(ABORT, 'broken'); END`)
  const { id } = await t.post('/v1/segments', { name: 'Pro', filter: { field: 'plan', op: 'eq', value: 'pro' } }, 201)
  await t.settle()
  expect(await t.get(`/v1/segments/${id}`, 200)).toMatchObject({ state: 'ready', contacts: 2 })
  await run('DROP TRIGGER broken')
  await t.advance('1h')
  expect(await t.get(`/v1/segments/${id}`, 200)).toMatchObject({ contacts: 3 })
})
