// Segments: who is in one is what the same conditions say in plain TypeScript; a filter of anybody is bounded; a campaign goes to those
// of its list who are in its segment when it begins.

import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { campaignRecipients, campaigns, trackedMails } from '../db/tables/campaigns.ts'
import { contacts } from '../db/tables/contacts.ts'
import { events } from '../db/tables/events.ts'
import { subscriptionStates, subscriptions } from '../db/tables/lists.ts'
import type { SegmentFilter } from '../db/tables/segments.ts'
import { write } from '../src/core/app.ts'
import { addToCounts } from '../src/features/campaigns/ledger.ts'
import { storeValues } from '../src/features/contacts/properties.ts'
import { readFilter } from '../src/features/contacts/segments/filter.ts'
import { membersAfter } from '../src/features/contacts/segments/members.ts'
import { type Json, type RequestOptions, type TestApp, testApp } from './support/app.ts'
import { draft, join, listOf, sendCampaign, statsOf } from './support/campaign.ts'
import { remoteDatabase } from './support/database.ts'
import { mcpClient } from './support/mcp.ts'
import { statementsOf, walksOf, wideOf } from './support/query-plans.ts'
import { anyFilter, names, plans, types } from './support/segment-filters.ts'

const dayMs = 86_400_000
const people = 60

type Row = typeof contacts.$inferInsert

/** Everything of the world that a filter can ask about, drawn from small sets, so that filters meet something. */
async function world(t: TestApp) {
  const workspaceId = t.workspace.id
  const now = t.clock.now()
  const ago = (days: number) => new Date(now.getTime() - days * dayMs)
  const pick = <T>(list: readonly T[], n: number) => list[n % list.length] as T
  const rows = Array.from({ length: people }, (_, n): Row => {
    const email = `P${n}@${pick(['one.example', 'Two.example', 'three.example'], n)}`
    const properties = {
      ...(n % 3 ? { plan: pick(plans, n * 7) } : {}),
      ...(n % 4 ? { seats: pick([0, 1, 2.5, -3, 100], n) } : {}),
      ...(n % 5 ? { vip: n % 2 === 0 } : {}),
      ...(n % 2 ? { since: ago(pick([1, 5, 40, 400], n * 3)).toISOString() } : {}),
    }
    const made = { createdAt: ago(n), updatedAt: now, subscribed: n % 3 !== 1, properties }
    const firstName = n % 4 === 3 ? null : pick(names, n)
    return {
      id: `con_${String(n).padStart(3, '0')}`,
      workspaceId,
      email,
      emailKey: email.toLowerCase(),
      firstName,
      userId: `u${n}`,
      ...made,
    }
  })
  const onLists = rows.flatMap(({ id }, n) =>
    ['lst_a', 'lst_b'].slice(0, n % 3).map((mailingListId, at) => ({
      id: `sub_${n}_${at}`,
      workspaceId,
      contactId: id,
      mailingListId,
      status: pick(subscriptionStates, n + at),
      createdAt: now,
      updatedAt: now,
    })),
  )
  const seen = rows.flatMap(({ id }, n) =>
    Array.from({ length: n % 4 }, (_, at) => ({
      id: `evt_${n}_${at}`,
      workspaceId,
      name: pick(['login', 'bought'], n + at),
      contactId: id,
      properties: {},
      origin: 'api' as const,
      callerEventId: null,
      occurredAt: ago(pick([0, 3, 30, 90], n + at)),
      createdAt: now,
    })),
  )
  const got = rows.flatMap(({ id }, n) =>
    ['cmp_x', 'cmp_y'].slice(0, n % 3).map((campaignId, at) => ({
      campaignId,
      contactId: id,
      state: pick(['sent', 'bounced'] as const, n * 2 + at),
      reason: null,
      messageId: `msg_${n}_${at}`,
      updatedAt: ago(pick([2, 20, 200], n)),
    })),
  )
  const opened = got.flatMap(({ messageId }, n) =>
    n % 2 ? [] : [{ messageId, openedAt: ago(pick([1, 15], n)), clickedAt: n % 4 ? null : ago(pick([1, 10], n)) }],
  )
  await write(t.app, async (tx) => {
    await tx.db.insert(contacts).values(rows)
    for (const row of rows) await storeValues(tx, row, {}, row.properties)
    await tx.db.insert(subscriptions).values(onLists)
    await tx.db.insert(events).values(seen)
    await tx.db.insert(campaignRecipients).values(got)
    await tx.db.insert(trackedMails).values(opened)
    for (const id of ['cmp_x', 'cmp_y']) {
      await tx.db.insert(campaigns).values({
        id,
        workspaceId,
        name: id,
        status: 'failed',
        subject: '',
        previewText: '',
        mailingListId: 'lst_a',
        locale: 'en',
        ignoreGuardrail: false,
        snapshotCursor: '',
        fillCursor: '',
        createdAt: now,
        updatedAt: now,
      })
      const many = (state: string) => got.filter((one) => one.campaignId === id && one.state === state).length
      await addToCounts(tx, id, { sent: many('sent'), bounced: many('bounced') })
    }
  })
  return { now, rows, onLists, seen, got, opened: new Map(opened.map((one) => [one.messageId, one])) }
}

type World = Awaited<ReturnType<typeof world>>

/** The same in plain TypeScript. */
function isIn(filter: SegmentFilter, contact: Row, w: World): boolean {
  const from = (days: number | undefined) => (days === undefined ? 0 : w.now.getTime() - days * dayMs)
  const enough = (times: number[], { withinDays, atLeast = 1 }: { withinDays?: number; atLeast?: number }) =>
    times.filter((at) => at >= from(withinDays)).length >= atLeast
  if ('all' in filter) return filter.all.every((one) => isIn(one, contact, w))
  if ('any' in filter) return filter.any.some((one) => isIn(one, contact, w))
  if ('not' in filter) return !isIn(filter.not, contact, w)
  if ('list' in filter)
    return w.onLists.some(
      (one) => one.contactId === contact.id && one.mailingListId === filter.list && one.status === filter.status,
    )
  if ('event' in filter) {
    const own = w.seen.filter((one) => one.contactId === contact.id && one.name === filter.event)
    return enough(
      own.map((one) => one.occurredAt.getTime()),
      filter,
    )
  }
  if ('campaign' in filter) {
    const own = w.got.filter(
      (one) =>
        one.contactId === contact.id && one.state === 'sent' && [undefined, one.campaignId].includes(filter.campaignId),
    )
    const at = {
      sent: (one: (typeof own)[number]) => one.updatedAt,
      opened: (one: (typeof own)[number]) => w.opened.get(one.messageId)?.openedAt,
      clicked: (one: (typeof own)[number]) => w.opened.get(one.messageId)?.clickedAt,
    }
    return enough(
      own.flatMap((one) => at[filter.campaign](one)?.getTime() ?? []),
      filter,
    )
  }
  const { field, op, value } = filter
  const own: Record<string, unknown> = {
    ...contact,
    ...contact.properties,
    domain: contact.emailKey.split('@')[1],
    createdAt: contact.createdAt.toISOString(),
  }
  const is = own[field] ?? null
  if (op === 'exists') return (is !== null) === (value !== false)
  if (op === 'ne') return is !== value
  if (is === null) return false
  if (op === 'withinDays') return typeof is === 'string' && Date.parse(is) >= from(Number(value))
  if (typeof is !== typeof value) return false
  if (op === 'contains') return ascii(String(is)).includes(ascii(String(value)))
  const order =
    typeof is === 'string' ? Buffer.compare(Buffer.from(is), Buffer.from(String(value))) : Number(is) - Number(value)
  return { eq: order === 0, gt: order > 0, gte: order >= 0, lt: order < 0, lte: order <= 0 }[op]
}

const ascii = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

test('the members of a segment are those for whom the filter holds, for 1,000 filters', async () => {
  await using t = await testApp()
  const w = await world(t)
  let [met, runs] = [0, 0]
  await fc.assert(
    fc.asyncProperty(anyFilter, async (given) => {
      const filter = readFilter(given, types)
      const found = await membersAfter(t.app, { workspaceId: t.workspace.id, filter, now: w.now }, { limit: people })
      const wanted = w.rows.filter((contact) => isIn(filter, contact, w))
      expect(found.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id))
      runs++
      if (wanted.length > 0 && wanted.length < people) met++
    }),
    { numRuns: 1_000, seed: 14, endOnFailure: true },
  )
  // Most filters tell some from others.
  expect(met).toBeGreaterThan(runs / 3)
})

describe('over the API', () => {
  test('a segment is saved, changed, read, listed, previewed and deleted', async () => {
    await using t = await testApp()
    for (const [n, plan] of ['pro', 'pro', 'free', 'pro'].entries())
      await t.contact({ email: `r${n}@example.net`, plan })
    const filter = {
      all: [
        { field: 'plan', op: 'eq', value: 'pro' },
        { field: 'createdAt', op: 'withinDays', value: 7 },
      ],
    }
    const { id } = await t.post('/v1/segments', { name: 'Pro', filter }, 201)
    expect(await t.get(`/v1/segments/${id}`, 200)).toMatchObject({ id, name: 'Pro', filter })
    const preview = await t.post('/v1/segments/preview', { filter }, 200)
    expect(preview).toMatchObject({ contacts: 3, exact: true })
    expect(preview.data.map(({ email }: Json) => email)).toEqual(['r0@example.net', 'r1@example.net', 'r3@example.net'])
    const first = await t.get(`/v1/segments/${id}/contacts?perPage=2`, 200)
    expect([first.data.length, first.pagination.totalResults]).toEqual([2, 3])
    const second = await t.get(`/v1/segments/${id}/contacts?perPage=2&cursor=${first.pagination.nextCursor}`, 200)
    expect([second.data.map(({ email }: Json) => email), second.pagination.nextCursor]).toEqual([
      ['r3@example.net'],
      null,
    ])
    await t.patch(`/v1/segments/${id}`, { filter: { not: filter } }, 200)
    expect((await t.get(`/v1/segments/${id}/contacts`, 200)).data.map(({ email }: Json) => email)).toEqual([
      'r2@example.net',
    ])
    expect((await t.get('/v1/segments', 200)).data).toMatchObject([{ id, name: 'Pro' }])
    await t.delete(`/v1/segments/${id}`, undefined, 200)
    await t.get(`/v1/segments/${id}`, 404)
  })

  test('a filter that cannot be is refused, naming its place and the limit, and nothing is saved', async () => {
    await using t = await testApp()
    await t.contact({ plan: 'pro', seats: 3 })
    const leaf = { field: 'plan', op: 'eq', value: 'x' }
    const deep = Array.from({ length: 5 }).reduce<object>((not) => ({ not }), leaf)
    const refusals: [filter: unknown, path: string, words: string][] = [
      [null, 'filter', 'must be an object'],
      [{}, 'filter', 'must have one of all, any, not'],
      [{ all: [] }, 'filter.all', '1 to 50'],
      [{ any: Array.from({ length: 50 }, () => leaf) }, 'filter.any[49]', 'more than 50'],
      [deep, 'filter.not.not.not.not.not', '5 levels'],
      [
        { all: [leaf, { field: "plan') OR 1=1 --", op: 'eq', value: 'x' }] },
        'filter.all[1].field',
        'no field or property',
      ],
      [{ ...leaf, op: '= 1 OR 1' }, 'filter.op', 'must be one of eq'],
      [{ ...leaf, value: 'x'.repeat(501) }, 'filter.value', '500 characters'],
      [{ ...leaf, value: 3 }, 'filter.value', 'text'],
      [{ ...leaf, field: 'seats', op: 'contains', value: 3 }, 'filter.op', 'not for a number'],
      [{ ...leaf, all: [leaf] }, 'filter.field', 'does not belong'],
      [{ field: 'subscribed', op: 'gt', value: true }, 'filter.op', 'not for a boolean'],
      [{ field: 'createdAt', op: 'gt', value: 'yesterday' }, 'filter.value', '2027-01-15'],
      [{ event: 'login', withinDays: 0.5 }, 'filter.withinDays', '1 to 3650'],
      [{ event: 'login', atLeast: 1e9 }, 'filter.atLeast', '1 to 1000'],
      [{ campaign: 'read' }, 'filter.campaign', 'sent, opened, clicked'],
      [{ list: 'lst_a', status: 'x' }, 'filter.status', 'must be one of'],
      [{ field: '__proto__', op: 'exists' }, 'filter.field', 'no field or property'],
    ]
    await t.unchanged(async () => {
      for (const [filter, path, words] of refusals) {
        const { errors, detail } = await t.post('/v1/segments', { name: 'Bad', filter }, 422)
        expect([path, errors[0].path, detail.includes(words)]).toEqual([path, path, true])
      }
    })
  })

  test('a campaign goes to those of its list who are in its segment when it begins; consent is still asked for', async () => {
    await using t = await testApp()
    const { list } = await listOf(t, 4)
    await t.put('/v1/contacts/update', { email: 'r0@example.net', plan: 'pro' }, 200)
    for (const n of [1, 2]) await t.put('/v1/contacts/update', { email: `r${n}@example.net`, plan: 'pro' }, 200)
    await t.put('/v1/contacts/update', { email: 'r2@example.net', subscribed: false }, 200)
    await t.contact({ email: 'stranger@example.net', plan: 'pro' })
    const { id: segmentId } = await t.post(
      '/v1/segments',
      { name: 'Pro', filter: { field: 'plan', op: 'eq', value: 'free' } },
      201,
    )
    const id = await draft(t, list, { segmentId })
    const { contentHash } = await t.get(`/v1/campaigns/${id}`, 200)
    await t.patch(`/v1/segments/${segmentId}`, { filter: { field: 'plan', op: 'eq', value: 'pro' } }, 200)
    const changed = await t.get(`/v1/campaigns/${id}`, 200)
    expect([changed.segmentId, changed.contentHash === contentHash]).toEqual([segmentId, false])
    await t.delete(`/v1/segments/${segmentId}`, undefined, 409)
    expect(await t.post(`/v1/campaigns/${id}/send`, { dryRun: true }, 200)).toMatchObject({
      recipients: 2,
      skipped: { unsubscribed: 1 },
    })
    await sendCampaign(t, id)
    expect(await statsOf(t, id)).toEqual({ status: 'sent', audience: 3, sent: 2, unsubscribed: 1 })
    expect((await t.sent()).map(({ to }: Json) => to).sort()).toEqual(['r0@example.net', 'r1@example.net'])
    await t.delete(`/v1/segments/${segmentId}`, undefined, 200)
    await t.post('/v1/campaigns', { name: 'C', subject: 'C', mailingListId: list.id, segmentId }, 422)
    await join(t, list, 1, { first: 9 })
  })
})

test('an agent tries a filter, saves it, and finds it again', async () => {
  await using t = await testApp()
  for (const n of [1, 2, 3]) await t.contact({ email: `p${n}@example.net`, firstName: `P${n}` })
  await using client = await mcpClient('2026-07-28 (stateless)', `${t.url}/mcp`, t.apiKey)
  const call = async (name: string, args: object): Promise<Json> =>
    await client.callTool({ name, arguments: { ...args } })
  const filter = { not: { field: 'firstName', op: 'eq', value: 'P2' } }
  const tried = await call('preview_segment', { filter })
  const found = [{ email: 'p1@example.net' }, { email: 'p3@example.net' }]
  expect(tried.structuredContent).toMatchObject({ contacts: 2, exact: true, data: found })
  const wrong = await call('preview_segment', { filter: { field: 'firstName', op: 'near' } })
  expect(JSON.parse(wrong.content[0].text)).toMatchObject({ code: 'validation_failed' })
  const { structuredContent: made } = await call('create_segment', { name: 'Others', filter })
  const listed = { data: [{ id: made.id, name: 'Others', filter }], pagination: { totalResults: 1 } }
  expect((await call('list_segments', {})).structuredContent).toMatchObject(listed)
  expect(await t.get(`/v1/segments/${made.id}`, 200)).toMatchObject({ name: 'Others', filter })
})

describe('a rare match among more contacts than are counted', () => {
  // The last slice may end beyond the limit.
  const many = 25_000

  /** The last three are on the plan `rare`; of every third the event was seen. */
  async function crowd(t: TestApp): Promise<void> {
    const now = t.clock.now().getTime()
    await write(t.app, async (tx) => {
      await tx.db.run(
        sql`INSERT INTO contacts (id, workspace_id, email, email_key, subscribed, properties, created_at, updated_at)
          WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${many})
          SELECT printf('con_%06d', n), ${t.workspace.id}, 'c' || n || '@example.net', 'c' || n || '@example.net', 1,
            iif(n > ${many - 3}, '{"plan":"rare"}', '{"plan":"free"}'), ${now}, ${now} FROM n`,
      )
      await tx.db.run(
        sql`INSERT INTO contact_values (workspace_id, name, value, contact_id) SELECT workspace_id, 'plan', properties ->> 'plan', id FROM contacts`,
      )
      await tx.db.run(
        sql`INSERT INTO counters (workspace_id, name, value) VALUES (${t.workspace.id}, 'contacts', ${many}) ON CONFLICT DO UPDATE SET value = excluded.value`,
      )
    })
  }

  test('is looked up and counted to the last; one that no index tells of is reckoned', async () => {
    await using t = await testApp()
    await crowd(t)
    const lastEmail = `c${many}@example.net`
    await t.post('/v1/events/send', { email: lastEmail, eventName: 'won' }, 200)
    const rare = { field: 'plan', op: 'eq', value: 'rare' }
    const preview = (filter: object) => t.post('/v1/segments/preview', { filter }, 200)
    expect(await preview(rare)).toMatchObject({ contacts: 3, exact: true })
    expect((await preview({ all: [{ field: 'plan', op: 'ne', value: 'x' }, { event: 'won' }] })).data).toMatchObject([
      { email: lastEmail },
    ])
    expect(await preview({ any: [rare, { event: 'won' }] })).toMatchObject({ contacts: 3, exact: true })
    expect(await preview({ field: 'plan', op: 'eq', value: 'free' })).toMatchObject({ exact: false })
    expect(await preview({ not: rare })).toMatchObject({ exact: false })
  })

  test.skipIf(remoteDatabase)('goes through no contacts', async () => {
    await using t = await testApp()
    await crowd(t)
    const rare = { field: 'plan', op: 'eq', value: 'rare' }
    const read = async (filter: object) => {
      const seen = statementsOf(t)
      await t.post('/v1/segments/preview', { filter }, 200)
      const planned = [...seen].filter((one) => /^\s*(SELECT|WITH)/i.test(one))
      return planned.flatMap((one) => [...walksOf(t, one), ...wideOf(t, one)]).map(({ table }) => table)
    }
    expect(await read(rare)).not.toContain('contacts')
    expect(await read({ not: rare })).toContain('contacts')
  })

  test('is of this workspace, also when a list of another is named', async () => {
    await using t = await testApp()
    const { apiKey } = await t.stranger()
    const as: RequestOptions = { as: { apiKey } }
    const list = await t.post('/v1/mailing-lists', { name: 'Theirs' }, 201, as)
    const { id } = await t.contact({ email: 'theirs@example.net', mailingLists: { [list.id]: true } }, as)
    const { data } = await t.get('/v1/contacts?perPage=10', 200, as)
    expect(data.map((one: Json) => one.id)).toEqual([id])
    const preview = await t.post('/v1/segments/preview', { filter: { list: list.id, status: 'active' } }, 200)
    expect(preview).toMatchObject({ contacts: 0, data: [] })
  })
})
