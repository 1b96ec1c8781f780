// What reading costs as tables grow: every statement that a GET route makes is explained, and none may walk through a large table. The
// planner is given no statistics, so a plan is the same for ten rows and for a million.

import type { Database as SQLite } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { drafted, sendCampaign } from './support/campaign.ts'
import { remoteDatabase } from './support/database.ts'
import { statementsOf, walksOf } from './support/query-plans.ts'

const waiting = { id: 'wait', type: 'wait', for: { amount: 1, unit: 'd' } }

async function idsOf(t: TestApp): Promise<Record<string, string>> {
  await t.template()
  const { messageId } = await t.mail({ email: 'a@example.net' })
  const { id: campaignId, list, contacts } = await drafted(t, 3)
  await sendCampaign(t, campaignId)
  const contactId = contacts[0]?.id ?? ''
  const conditions = [
    { field: 'plan', op: 'ne', value: 'x' },
    { list: list.id },
    { event: 'x' },
    { campaign: 'clicked' },
  ]
  const filter = { all: conditions.map((not) => ({ not })) }
  const { id: segmentId } = await t.post('/v1/segments', { name: 'S', filter }, 201)
  const { id: blockId } = await t.post('/v1/blocks', { name: 'B', content: [{ type: 'text', text: 'B' }] }, 201)
  const { data } = await t.get('/v1/transactional/hello/revisions', 200)
  const ids = { messageId, campaignId, contactId, listId: list.id, segmentId, blockId, revisionId: data[0].id }
  return { ...ids, templateId: 'hello', locale: 'en' }
}

/** Every GET route, with what its parameters may be. */
async function addresses(t: TestApp, ids: Record<string, string>): Promise<string[]> {
  const { paths } = await t.get('/openapi.json', 200, { as: 'nobody' })
  return Object.entries<Json>(paths).flatMap(([path, item]) => {
    if (!item.get) return []
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'unknown')
    const parameters: Json[] = item.get.parameters ?? []
    const filters = parameters.filter((one) => one.in === 'query' && one.name !== 'perPage' && one.name !== 'cursor')
    // What waits for something looks, and waits no longer.
    const soon = parameters.some(({ name }) => name === 'timeoutMs') ? '&timeoutMs=1' : ''
    return [filled, ...filters.flatMap((one) => valuesOf(one).map((value) => `${filled}?${one.name}=${value}${soon}`))]
  })
}

const searches = [
  'to:a@example.net',
  'domain:example.net tag:a tag:b',
  'status:failed,bounced',
  'key:k',
  'hello after:1h',
].map(encodeURIComponent)

function valuesOf({ name, schema }: Json): string[] {
  const named: Record<string, string[]> = {
    email: ['a@example.net'],
    kind: ['deliver-message', 'retention'],
    q: searches,
  }
  const choices: Json[] = schema?.enum ?? (schema?.anyOf ?? []).map((one: Json) => one.const)
  const given = choices.filter((one) => typeof one === 'string')
  return given.length > 0 ? given : (named[name] ?? ['x'])
}

describe.skipIf(remoteDatabase)('reading', () => {
  test('people at a step of a sequence are found by it, however few of a million they are', async () => {
    await using t = await testApp()
    const { id } = await t.post('/v1/sequences', { name: 'Wait', definition: { steps: [waiting] } }, 201)
    const seen = statementsOf(t)
    await t.get(`/v1/sequences/${id}/runs?stepId=wait`, 200)
    const asked = [...seen].filter((one) => one.includes('step_id'))
    const client = Reflect.get(t.app.db, '$client') as SQLite
    const plans = asked.flatMap((one) => client.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${one}`).all())
    const byList = plans.filter(({ detail }) => /sequence_runs.*\(sequence_id=\?/.test(detail))
    expect(byList.length).toBeGreaterThan(0)
    for (const { detail } of byList) expect(detail).toContain('step_id=?')
  })

  test('a list has the order that is asked for from an index', async () => {
    await using t = await testApp()
    const { paths } = await t.get('/openapi.json', 200, { as: 'nobody' })
    const orders = Object.entries<Json>(paths).flatMap(([path, { get }]) => {
      const sort = get?.parameters?.find(({ name }: Json) => name === 'sort')
      return sort ? valuesOf(sort).map((one): [string, string] => [path, one]) : []
    })
    expect(orders.length).toBeGreaterThanOrEqual(20)
    for (const [path, sort] of orders) {
      const seen = statementsOf(t)
      await t.get(`${path}?sort=${sort}`, 200)
      const client = Reflect.get(t.app.db, '$client') as SQLite
      const explained = [...seen].flatMap((one) =>
        client.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${one}`).all(),
      )
      const sorted = explained.filter(({ detail }) => detail.includes('TEMP B-TREE'))
      expect(sorted, `${path} by ${sort}`).toEqual([])
      expect(seen.size).toBeGreaterThan(0)
    }
  })

  test('no statement of a GET route walks through a large table', async () => {
    await using t = await testApp()
    const ids = await idsOf(t)
    const seen = statementsOf(t)
    const walked = await addresses(t, ids)
    const statuses = new Map<number, number>()
    for (const address of walked)
      for (const as of ['key', 'session'] as const) {
        const { status } = await t.request('GET', address, undefined, { as })
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        expect(status, address).toBeLessThan(500)
      }
    expect(walked.length).toBeGreaterThan(60)
    expect(statuses.get(200)).toBeGreaterThan(60)
    expect(seen.size).toBeGreaterThan(60)
    // A bare parameter has its statement planned anew at each run (db/local.ts).
    expect([...seen].filter((one) => /(?<!\+)\?/.test(one))).toEqual([])
    const walks = [...seen].filter((one) => /^\s*(SELECT|WITH)/i.test(one)).flatMap((one) => walksOf(t, one))
    expect(walks.map(({ step, statement }) => `${step}: ${statement.replace(/\s+/g, ' ').slice(0, 300)}`)).toEqual([])
  }, 120_000)
})
