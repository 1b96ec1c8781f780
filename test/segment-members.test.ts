// Who is in a segment is kept as contacts, lists, events and mails of campaigns change, and as time passes: against what the filter says of
// everybody, after every few changes.

import { describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { campaignRecipients, campaigns, trackedMails } from '../db/tables/campaigns.ts'
import { contacts } from '../db/tables/contacts.ts'
import { events } from '../db/tables/events.ts'
import { subscriptionStates, subscriptions } from '../db/tables/lists.ts'
import { messages } from '../db/tables/messages.ts'
import { outboxJobs } from '../db/tables/outbox.ts'
import {
  deletedSegments,
  segmentMarks,
  segmentMembers,
  segmentMoments,
  segments,
  segmentTopics,
} from '../db/tables/segments.ts'
import { type Tx, write } from '../src/core/app.ts'
import { declareProperties } from '../src/features/contacts/properties.ts'
import { segmentSql } from '../src/features/contacts/segments/compile.ts'
import { readFilter, textColumns } from '../src/features/contacts/segments/filter.ts'
import { createSegment, deleteSegment, updateSegment } from '../src/features/contacts/segments/segments.ts'
import { keepKey, keepPolicy } from '../src/features/contacts/segments/wake.ts'
import { firstId } from '../src/kit/id.ts'
import { count } from '../src/people/totals.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { sentCampaign } from './support/campaign.ts'
import { anyFilter, names, plans, types } from './support/segment-filters.ts'

const dayMs = 86_400_000
const people = Array.from({ length: 14 }, (_, n) => `con_${String(n).padStart(2, '0')}`)

/** Draws one of a list. */
type Draw = <T>(list: readonly T[]) => T

type Change = (tx: Tx, workspaceId: string, draw: Draw) => Promise<unknown>

const ages = [0, 1, 0.5 * dayMs, dayMs, 3.999 * dayMs, 4 * dayMs, 34 * dayMs, 400 * dayMs]
const ago = (tx: Tx, draw: Draw) => new Date(tx.now.getTime() - draw(ages))
/** As a caller may date it. */
const agoOrLater = (tx: Tx, draw: Draw) => new Date(tx.now.getTime() - draw([...ages, -2 * dayMs]))

const fieldsOf = (tx: Tx, draw: Draw) => ({
  firstName: draw([null, ...names]),
  subscribed: draw([true, false]),
  properties: {
    ...draw([{}, { plan: draw(plans) }]),
    ...draw([{}, { seats: draw([0, 1, 2.5, -3]) }]),
    ...draw([{}, { vip: draw([true, false]) }]),
    ...draw([{}, { since: agoOrLater(tx, draw).toISOString() }, { since: 'soon' }]),
  },
  updatedAt: tx.now,
})

/** Everything that may change what a filter says of somebody, as rows: whoever writes them, it is noticed. */
const changes: Record<string, Change> = {
  async 'somebody comes, or is changed'(tx, workspaceId, draw) {
    const id = draw(people)
    const email = `${id}@${draw(['one.example', 'two.example'])}`
    const address = { email, emailKey: email.toLowerCase() }
    const row = { id, workspaceId, ...address, createdAt: tx.now, ...fieldsOf(tx, draw) }
    const set = draw([fieldsOf(tx, draw), address, { userId: id, updatedAt: tx.now }, row])
    await tx.db.insert(contacts).values(row).onConflictDoUpdate({ target: contacts.id, set })
  },
  async 'somebody is deleted'(tx, _, draw) {
    await tx.db.delete(contacts).where(eq(contacts.id, draw(people)))
  },
  async 'a subscription'(tx, workspaceId, draw) {
    const [contactId, mailingListId] = [draw(people), draw(['lst_a', 'lst_b'])]
    const change = { status: draw(subscriptionStates), updatedAt: tx.now }
    const row = { id: `sub_${contactId}${mailingListId}`, workspaceId, contactId, mailingListId, createdAt: tx.now }
    await tx.db
      .insert(subscriptions)
      .values({ ...row, ...change })
      .onConflictDoUpdate({ target: subscriptions.id, set: change })
  },
  async 'a subscription goes'(tx, _, draw) {
    await tx.db.delete(subscriptions).where(eq(subscriptions.contactId, draw(people)))
  },
  async 'an event'(tx, workspaceId, draw) {
    const id = tx.random.uuidv7(tx.now)
    const about = {
      name: draw(['login', 'bought', 'other']),
      contactId: draw(people),
      occurredAt: agoOrLater(tx, draw),
    }
    await tx.db.insert(events).values({ id, workspaceId, properties: {}, origin: 'api', createdAt: tx.now, ...about })
  },
  async 'events go'(tx, _, draw) {
    await tx.db.delete(events).where(eq(events.contactId, draw(people)))
  },
  async 'a mail of a campaign'(tx, workspaceId, draw) {
    const [contactId, campaignId] = [draw(people), draw(['cmp_x', 'cmp_y'])]
    const messageId = `${campaignId} ${contactId}`
    await tx.db
      .insert(messages)
      .values({
        ...{
          id: messageId,
          workspaceId,
          kind: 'campaign',
          status: 'sent',
          email: '',
          contactId,
          campaignId,
          subject: '',
        },
        ...{ locale: 'en', fromEmail: '', variables: {}, messageIdHeader: '', createdAt: tx.now, updatedAt: tx.now },
      })
      .onConflictDoNothing()
    const set = { state: draw(['sending', 'sent', 'sent', 'bounced'] as const), updatedAt: ago(tx, draw) }
    await tx.db
      .insert(campaignRecipients)
      .values({ campaignId, contactId, messageId, ...set })
      .onConflictDoUpdate({ target: [campaignRecipients.campaignId, campaignRecipients.contactId], set })
  },
  async 'a mail is opened'(tx, _, draw) {
    const messageId = `${draw(['cmp_x', 'cmp_y'])} ${draw(people)}`
    const set = draw([{ openedAt: ago(tx, draw) }, { clickedAt: ago(tx, draw) }])
    await tx.db
      .insert(trackedMails)
      .values({ messageId, ...set })
      .onConflictDoUpdate({ target: trackedMails.messageId, set })
  },
  async 'what was opened is forgotten'(tx, _, draw) {
    await tx.db.delete(trackedMails).where(eq(trackedMails.messageId, `${draw(['cmp_x', 'cmp_y'])} ${draw(people)}`))
  },
}

async function addCampaigns(tx: Tx, workspaceId: string): Promise<void> {
  for (const id of ['cmp_x', 'cmp_y'])
    await tx.db.insert(campaigns).values({
      ...{ id, workspaceId, name: id, status: 'failed', subject: '', previewText: '', mailingListId: 'lst_a' },
      ...{ locale: 'en', ignoreGuardrail: false, snapshotCursor: '', fillCursor: '' },
      ...{ createdAt: tx.now, updatedAt: tx.now },
    })
}

/** What is kept of each segment, and what its filter says of everybody now. */
async function compare(t: TestApp): Promise<number> {
  let members = 0
  for (const segment of await t.app.db.select().from(segments)) {
    const holds = segmentSql(segment.filter, t.clock.now())
    const wanted = await t.app.db.all<{ id: string }>(
      sql`SELECT id FROM contacts AS c WHERE workspace_id = ${t.workspace.id} AND ${holds} ORDER BY id`,
    )
    const rows = await t.app.db.select().from(segmentMembers).where(eq(segmentMembers.segmentId, segment.id))
    const kept = rows.map(({ contactId }) => contactId).sort()
    expect([segment.filter, kept]).toEqual([segment.filter, wanted.map(({ id }) => id)])
    expect([segment.members, segment.building]).toEqual([kept.length, null])
    members += kept.length
  }
  const known = (await t.app.db.select().from(segments)).map(({ id }) => id)
  const orphans = (table: typeof segmentMembers | typeof segmentMoments) =>
    t.app.db
      .select()
      .from(table)
      .where(sql`segment_id NOT IN (SELECT value FROM json_each(${JSON.stringify(known)}))`)
  expect([await orphans(segmentMembers), await orphans(segmentMoments)]).toEqual([[], []])
  expect(await t.app.db.select().from(segmentMarks)).toEqual([])
  return members
}

/** A job that is due within a second is not brought forward by a change. */
async function follow(t: TestApp): Promise<void> {
  await t.settle()
  if ((await t.app.db.select().from(segmentMarks).limit(1)).length > 0) await t.advance('1s')
}

/** When time moves somebody next, or a while from now. */
async function nextStop(t: TestApp, draw: Draw): Promise<Date> {
  const [next] = await t.app.db.all<{ at: number | null }>(sql`SELECT min(at) AS at FROM segment_moments`)
  const now = t.clock.now().getTime()
  const steps = [1, dayMs / 24, dayMs, 2.5 * dayMs, 40 * dayMs].map((ms) => now + ms)
  return new Date(Math.max(now, draw([...steps, next?.at ?? now, (next?.at ?? now) - 1])))
}

/** Any list of choices, drawn from the same way again with the same seed. */
function drawing(seed: number): Draw {
  let state = seed
  return (list) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return list[(state >>> 8) % list.length] as (typeof list)[number]
  }
}

/** How many were in segments, after each of so many rounds. */
async function live(t: TestApp, rounds: number, seed: number): Promise<number> {
  const draw = drawing(seed)
  const workspaceId = t.workspace.id
  const filters = fc.sample(anyFilter, { seed, numRuns: 400 }).map((one) => readFilter(one, types))
  await write(t.app, async (tx) => {
    await addCampaigns(tx, workspaceId)
    await declareProperties(
      tx,
      workspaceId,
      Array.from(types, ([name, type]) => ({ name, type })),
    )
  })
  const ids: string[] = []
  let members = 0
  for (let round = 0; round < rounds; round++) {
    await write(t.app, async (tx) => {
      const filter = draw(filters)
      if (ids.length < 8) ids.push((await createSegment(tx, workspaceId, { name: 'S', filter })).id)
      else if (draw([true, false, false])) await updateSegment(tx, workspaceId, draw(ids), { filter })
      else if (draw([true, false, false, false])) await deleteSegment(tx, workspaceId, ids.shift() ?? '')
    })
    if (draw([true, false])) await t.settle()
    for (let n = draw([1, 3, 20]); n > 0; n--)
      await write(t.app, (tx) => draw(Object.values(changes))(tx, workspaceId, draw))
    await follow(t)
    members += await compare(t)
    t.clock.set(await nextStop(t, draw))
    await follow(t)
    members += await compare(t)
  }
  return members
}

describe('whoever changes what, and whenever time passes, who is in a segment is who its filter means', () => {
  for (const [seed, from] of [
    [1, '2026-01-15T12:00:00Z'],
    [2, '2028-02-27T23:00:00Z'],
    [3, '2027-12-31T23:59:59.999Z'],
  ] as const)
    test(`from ${from} on`, async () => {
      await using t = await testApp()
      t.clock.set(new Date(from))
      try {
        expect(await live(t, 120, seed)).toBeGreaterThan(1_000)
      } finally {
        // It has no counts, which is wrong of a ledger.
        await write(t.app, (tx) => tx.db.delete(campaignRecipients))
      }
    }, 120_000)
})

test('a change of any one field is noticed, by the segment that asks about it', async () => {
  await using t = await testApp()
  const becomes: [field: string, value: string | boolean | number, set: Partial<typeof contacts.$inferInsert>][] = [
    ['email', 'new@one.example', { email: 'new@one.example' }],
    ['domain', 'two.example', { emailKey: 'new@two.example' }],
    ...(['userId', 'firstName', 'lastName', 'source', 'userGroup', 'locale', 'timezone'] as const).map(
      (field): (typeof becomes)[number] => [field, 'x', { [field]: 'x' }],
    ),
    ['subscribed', true, { subscribed: true }],
    ['plan', 'pro', { properties: { plan: 'pro' } }],
    ['seats', 1, { properties: { plan: 'pro', seats: 1 } }],
    ['vip', true, { properties: { plan: 'pro', seats: 1, vip: true } }],
  ]
  expect(becomes.map(([field]) => field)).toContainValues(Object.keys(textColumns))
  await t.contact({ email: 'old@one.example', subscribed: false })
  for (const [field, value] of becomes) await save(t, { field, op: 'eq', value }, field)
  await t.settle()
  for (const [at, [, , set]] of becomes.entries()) {
    await write(t.app, (tx) => tx.db.update(contacts).set(set))
    await t.settle()
    const sizes = (await t.get('/v1/segments?perPage=50', 200)).data.map((one: Json) => one.contacts)
    expect(sizes).toEqual(becomes.map((_, place) => (place <= at ? 1 : 0)))
  }
})

/** So many contacts, every tenth on the plan pro. */
async function crowd(t: TestApp, size: number): Promise<void> {
  await write(t.app, async (tx) => {
    await tx.db.run(sql`INSERT INTO contacts (id, workspace_id, email, email_key, subscribed, properties, created_at, updated_at)
      SELECT printf('con_%05d', value), ${t.workspace.id}, 'p' || value || '@example.net', 'p' || value || '@example.net', 1,
        CASE value % 10 WHEN 0 THEN '{"plan":"pro"}' ELSE '{}' END, ${tx.now.getTime()}, ${tx.now.getTime()}
      FROM json_each(${JSON.stringify(Array.from({ length: size }, (_, n) => n + 1))})`)
    await tx.db.run(sql`INSERT INTO contact_values (workspace_id, name, value, contact_id)
      SELECT workspace_id, 'plan', 'pro', id FROM contacts WHERE properties ->> 'plan' = 'pro' ON CONFLICT DO NOTHING`)
    await count(tx, t.workspace.id, 'contacts', size)
  })
}

const pro = { field: 'plan', op: 'eq', value: 'pro' }
const save = async (t: TestApp, filter: object, name = 'Pro'): Promise<string> =>
  (await t.post('/v1/segments', { name, filter }, 201)).id
const emailsIn = async (t: TestApp, id: string): Promise<string[]> =>
  (await t.get(`/v1/segments/${id}/contacts`, 200)).data.map(({ email }: Json) => email)
/** What was told of segments, in order: `joined ada@example.net`. */
const told = async (t: TestApp): Promise<string[]> =>
  (await t.get('/v1/event-feed?perPage=100', 200)).data
    .filter(({ type }: Json) => type.startsWith('segment.'))
    .map(({ type, payload }: Json) => `${type.replace('segment.', '')} ${payload.data.contactIdentity.email}`)

describe('a segment is built', () => {
  test('page by page; what is asked meanwhile is answered from the contacts, and it goes on where it was stopped', async () => {
    await using t = await testApp()
    await crowd(t, 2_500)
    const id = await save(t, pro)
    const view = async () => await t.get(`/v1/segments/${id}`, 200)
    expect(await view()).toMatchObject({ state: 'building', builtPercent: 0, contacts: null })
    // One who cannot be looked at, nor set aside.
    const tables = ['segment_members', 'segment_marks']
    for (const table of tables)
      await write(t.app, (tx) =>
        tx.db.run(
          sql.raw(
            `CREATE TRIGGER broken_${table} BEFORE INSERT ON ${table} WHEN NEW.contact_id = 'con_01500' BEGIN SELECT RAISE(ABORT, 'broken'); END`,
          ),
        ),
      )
    await t.settle()
    expect(await view()).toMatchObject({ state: 'building', builtPercent: 59, contacts: null })
    const total = async (query = '') =>
      (await t.get(`/v1/segments/${id}/contacts${query}`, 200)).pagination.totalResults
    expect([await total(), (await t.get(`/v1/contacts?segmentId=${id}&perPage=5`, 200)).data.length]).toEqual([250, 5])
    for (const table of tables) await write(t.app, (tx) => tx.db.run(sql.raw(`DROP TRIGGER broken_${table}`)))
    await t.advance('1h')
    expect(await view()).toMatchObject({ state: 'ready', builtPercent: 100, contacts: 250 })
    expect([await total(), await total('?perPage=1')]).toEqual([250, 250])
    await compare(t)
  })

  test('again by a new filter, and not by a new name; a deleted one leaves nothing', async () => {
    await using t = await testApp()
    await crowd(t, 3_000)
    const id = await save(t, pro)
    await t.settle()
    await t.patch(`/v1/segments/${id}`, { name: 'Professionals' }, 200)
    expect(await t.get(`/v1/segments/${id}`, 200)).toMatchObject({ state: 'ready', contacts: 300 })
    await t.patch(`/v1/segments/${id}`, { filter: { not: pro } }, 200)
    expect(await t.get(`/v1/segments/${id}`, 200)).toMatchObject({ state: 'building', contacts: null })
    expect((await emailsIn(t, id))[0]).toBe('p1@example.net')
    await t.settle()
    expect(await t.get(`/v1/segments/${id}`, 200)).toMatchObject({ state: 'ready', contacts: 2_700 })
    await t.delete(`/v1/segments/${id}`, undefined, 200)
    await t.settle()
    for (const table of [segmentMembers, segmentMoments, segmentTopics, segmentMarks, deletedSegments])
      expect(await t.app.db.select().from(table)).toEqual([])
  })

  test('contacts are listed by it with the exact number, alone and with what else is asked', async () => {
    await using t = await testApp()
    await crowd(t, 200)
    const id = await save(t, pro)
    await t.settle()
    const list = async (query: string) => {
      const { data, pagination } = await t.get(`/v1/contacts?segmentId=${id}${query}`, 200)
      return [data.map(({ email }: Json) => email), pagination.totalResults, pagination.nextCursor !== null]
    }
    expect(await list('&perPage=2')).toEqual([['p200@example.net', 'p190@example.net'], 20, true])
    expect(await list('&q=p10')).toEqual([['p100@example.net', 'p10@example.net'], 2, false])
  })
})

describe('who joins and who leaves is told', () => {
  test('but neither who was there when it was made, nor who is deleted', async () => {
    await using t = await testApp()
    await t.endpoint({ url: 'https://example.net/hook', status: 'active' })
    for (const [name, plan] of [
      ['ada', 'pro'],
      ['ben', 'free'],
    ])
      await t.contact({ email: `${name}@example.net`, plan })
    const id = await save(t, pro)
    await t.settle()
    expect(await told(t)).toEqual([])
    await t.put('/v1/contacts/update', { email: 'ben@example.net', plan: 'pro' }, 200)
    await t.settle()
    expect(await told(t)).toEqual(['joined ben@example.net'])
    const [event] = (await t.get('/v1/event-feed', 200)).data.filter(({ type }: Json) => type === 'segment.joined')
    expect(event.payload.data.segment).toEqual({ id, name: 'Pro' })
    await t.put('/v1/contacts/update', { email: 'ben@example.net', plan: 'free' }, 200)
    await t.post('/v1/contacts/delete', { email: 'ada@example.net' }, 200)
    await t.settle()
    expect(await told(t)).toEqual(['joined ben@example.net', 'left ben@example.net'])
    expect(await t.get(`/v1/segments/${id}`, 200)).toMatchObject({ contacts: 0 })
    await t.patch(`/v1/segments/${id}`, { filter: { not: pro } }, 200)
    await t.settle()
    expect((await told(t)).at(-1)).toBe('joined ben@example.net')
  })

  test('when time moves somebody, at that time', async () => {
    await using t = await testApp()
    await t.endpoint({ url: 'https://example.net/hook', status: 'active' })
    await t.contact()
    await save(t, { not: { event: 'login', withinDays: 30 } }, 'Gone quiet')
    await t.settle()
    await t.post('/v1/events/send', { email: 'ada@example.net', eventName: 'login' }, 200)
    await t.settle()
    expect(await told(t)).toEqual(['left ada@example.net'])
    await t.advance('30d')
    expect(await told(t)).toEqual(['left ada@example.net'])
    t.clock.advance(1)
    await t.settle()
    expect(await told(t)).toEqual(['left ada@example.net', 'joined ada@example.net'])
  })

  test('and stands in the export of a person, of whom nothing is left once they are erased', async () => {
    await using t = await testApp()
    const { id: contactId } = await t.contact({ plan: 'pro' })
    const segmentId = await save(t, { any: [pro, { field: 'createdAt', op: 'withinDays', value: 9 }] })
    await t.settle()
    const since = t.clock.now().toISOString()
    const { segments: inThese } = await t.get(`/v1/contacts/${contactId}/export`, 200)
    expect(inThese).toEqual([{ segmentId, name: 'Pro', since }])
    await t.delete(`/v1/contacts/${contactId}/data`, undefined, 200)
    await t.settle()
    for (const table of [segmentMembers, segmentMoments, segmentMarks])
      expect(await t.app.db.select().from(table)).toEqual([])
    await compare(t)
  })
})

describe('a change that no segment asks about', () => {
  /** What stands in the tables of segments, and jobs of theirs. */
  const written = async (t: TestApp) => {
    const jobs = sql`SELECT count(*) AS n FROM outbox_jobs WHERE kind = ${keepPolicy.kind} AND state = 'pending'`
    const [waiting] = await t.app.db.all<{ n: number }>(jobs)
    return [(await t.app.db.select().from(segmentMarks)).length, waiting?.n]
  }

  test('writes nothing for them: mails of a campaign and events, without a segment and beside one', async () => {
    await using t = await testApp()
    await sentCampaign(t, 3)
    await t.post('/v1/events/send', { email: 'ada@example.net', eventName: 'login' }, 200)
    expect(await written(t)).toEqual([0, 0])
    await save(t, { any: [pro, { event: 'bought' }] })
    await t.settle()
    await sentCampaign(t, 2)
    await t.post('/v1/events/send', { email: 'ada@example.net', eventName: 'login' }, 200)
    await t.put('/v1/contacts/update', { email: 'ada@example.net', firstName: 'Ada', seats: 3 }, 200)
    expect(await written(t)).toEqual([0, 0])
    await t.post('/v1/events/send', { email: 'ada@example.net', eventName: 'bought' }, 200)
    expect(await written(t)).toEqual([1, 1])
  })

  test('is none of another workspace', async () => {
    await using t = await testApp()
    const { apiKey } = await t.stranger()
    await save(t, { event: 'login' })
    await t.settle()
    const headers = { authorization: `Bearer ${apiKey}` }
    const event = { email: 'ada@example.net', eventName: 'login' }
    await t.request('POST', '/v1/events/send', event, { as: 'nobody', headers })
    expect(await written(t)).toEqual([0, 0])
  })
})

test('the job that a change asks for is of its kind, and due when the change was made', async () => {
  await using t = await testApp()
  await save(t, pro)
  await t.settle()
  t.clock.advance(1_000)
  await t.contact({ plan: 'pro' })
  const [job] = await t.app.db.select().from(outboxJobs).where(eq(outboxJobs.state, 'pending'))
  const { kind, lane, attemptsMax } = keepPolicy
  expect(job).toMatchObject({ kind, lane, attemptsMax, dedupeKey: keepKey, dueAt: t.clock.now(), payload: {} })
  expect(job?.id).toMatch(/^job_[0-9a-f]{12}7[0-9a-f]{3}8[0-9a-f]{15}$/)
  expect(job?.id.slice(0, 16)).toBe(firstId('job', t.clock.now()))
})
