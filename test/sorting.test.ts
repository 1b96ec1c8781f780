// Lists in an order that is asked for: whole whatever the page, the same backwards, with a cursor that is good for its order alone.

import { describe, expect, test } from 'bun:test'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { drafted, sendCampaign } from './support/campaign.ts'

const names = ['beta', 'Alpha', 'gamma', 'alpha', 'Beta "and" more']
const emails = ['cleo@example.net', 'ada@example.org', 'ben@example.com', 'ada@example.com']

/** Every list that can be sorted, by what, and what a row has of it. */
const lists: Record<string, Record<string, (row: Json) => string | number>> = {
  '/v1/contacts': { createdAt: idOf, email: ({ email }) => email },
  '/v1/contacts?q=example': { createdAt: idOf },
  '/v1/contacts?state=subscribed': { createdAt: idOf },
  '/v1/contacts?email=ada': { email: ({ email }) => email },
  '/v1/campaigns': { createdAt: idOf, startedAt: ({ startedAt }) => startedAt ?? '' },
  '/v1/transactional': { createdAt: timeOf, updatedAt: ({ updatedAt }) => updatedAt, name: nameOf },
  '/v1/activity': { createdAt: ({ messageId }) => messageId },
  '/v1/suppressions': { createdAt: timeOf, email: ({ email }) => email ?? '' },
  '/v1/mailing-lists': { createdAt: idOf, name: nameOf },
  '/v1/segments': { createdAt: idOf, name: nameOf },
}

function idOf({ id }: Json): string {
  return id
}

function timeOf({ createdAt }: Json): string {
  return createdAt
}

function nameOf({ name }: Json): string {
  return name.toLowerCase()
}

/** Some of each, none in the order of its name. */
async function filled(): Promise<TestApp> {
  const t = await testApp()
  for (const email of emails) {
    await t.contact({ email, subscribed: true })
    await t.post('/v1/suppressions', { email: `no-${email}` }, 201)
    await t.advance('1m')
  }
  for (const name of names) {
    await t.post('/v1/transactional/create', { name, subject: 'S', content: [{ type: 'text', text: 'T' }] }, 201)
    await t.post('/v1/mailing-lists', { name }, 201)
    await t.post('/v1/segments', { name, filter: { all: [{ field: 'plan', op: 'eq', value: 'x' }] } }, 201)
    await t.advance('1m')
  }
  await t.put('/v1/transactional/update', { id: 'gamma', subject: 'Changed' }, 200)
  const { id, list } = await drafted(t, 2)
  for (const name of ['B', 'C'])
    await t.post(
      '/v1/campaigns',
      { name, subject: 'S', mailingListId: list.id, content: [{ type: 'text', text: 'T' }] },
      201,
    )
  await sendCampaign(t, id)
  await t.advance('1h')
  await t.template()
  for (const email of emails) await t.mail({ email })
  return t
}

const withQuery = (path: string, query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`

async function walk(t: TestApp, path: string, sort: string): Promise<Json[]> {
  const rows: Json[] = []
  for (let cursor = ''; ; ) {
    const page = await t.get(withQuery(path, `sort=${sort}&perPage=2${cursor && `&cursor=${cursor}`}`), 200)
    expect(page.data.length).toBeLessThanOrEqual(2)
    rows.push(...page.data)
    if (page.pagination.nextCursor === null) return rows
    cursor = page.pagination.nextCursor
  }
}

describe('a list that is sorted', () => {
  test('has every row once, in order, on pages of two, and the same backwards', async () => {
    await using t = await filled()
    for (const [path, sorts] of Object.entries(lists))
      for (const [sort, of] of Object.entries(sorts)) {
        const up = await walk(t, path, sort)
        const down = await walk(t, path, `-${sort}`)
        expect(up.length, `${path} by ${sort}`).toBeGreaterThanOrEqual(2)
        expect(up.map(of), `${path} by ${sort}`).toEqual(up.map(of).toSorted(compare))
        expect(down, `${path} by ${sort}`).toEqual(up.toReversed())
        expect(new Set(up.map((row) => JSON.stringify(row))).size).toBe(up.length)
      }
  })

  test('has its first order without a word', async () => {
    await using t = await filled()
    const first = { '/v1/mailing-lists': 'createdAt', '/v1/segments': 'createdAt', '/v1/contacts?email=ada': 'email' }
    for (const path of Object.keys(lists)) {
      const sort = new Map(Object.entries(first)).get(path) ?? '-createdAt'
      const { data } = await t.get(path, 200)
      expect((await t.get(withQuery(path, `sort=${sort}`), 200)).data, path).toEqual(data)
    }
  })

  test('takes no cursor of another order', async () => {
    await using t = await filled()
    for (const [path, sorts] of Object.entries(lists)) {
      const all = Object.keys(sorts).flatMap((sort) => [sort, `-${sort}`])
      for (const sort of all) {
        const { pagination } = await t.get(withQuery(path, `sort=${sort}&perPage=1`), 200)
        for (const other of all.filter((one) => one !== sort)) {
          const query = `sort=${other}&perPage=1&cursor=${pagination.nextCursor}`
          const refused = await t.get(withQuery(path, query), 400)
          expect([path, sort, other, refused.code]).toEqual([path, sort, other, 'invalid_cursor'])
        }
      }
    }
  })

  test('names the field and what may be asked for', async () => {
    await using t = await testApp()
    const refused = await t.get('/v1/campaigns?sort=opened', 422)
    const text = JSON.stringify(refused)
    for (const word of ['sort', 'createdAt', '-createdAt', 'startedAt', '-startedAt']) expect(text).toContain(word)
    for (const path of [
      '/v1/contacts?q=a&sort=email',
      '/v1/contacts?state=subscribed&sort=-email',
      '/v1/contacts?email=a&sort=createdAt',
      '/v1/activity?q=a&sort=createdAt',
    ])
      expect(JSON.stringify(await t.get(path, 422))).toContain('sort')
  })

  test('by address has those that were erased first', async () => {
    await using t = await testApp()
    for (const email of emails) await t.post('/v1/suppressions', { email }, 201)
    const { id } = await t.contact({ email: 'ben@example.com' })
    await t.delete(`/v1/contacts/${id}/data`, undefined, 200)
    const rows = await walk(t, '/v1/suppressions', 'email')
    expect(rows.map(({ email }) => email)).toEqual([null, 'ada@example.com', 'ada@example.org', 'cleo@example.net'])
  })
})

function compare(one: string | number, other: string | number): number {
  return one < other ? -1 : Number(one > other)
}
