// Contacts, listed and searched page by page.

import { describe, expect, test } from 'bun:test'
import { insertRows } from '../db/bulk.ts'
import { contacts } from '../db/tables/contacts.ts'
import { write } from '../src/core/app.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { makeList } from './support/lists.ts'

const path = '/v1/contacts'

const update = (t: TestApp, body: object): Promise<Json> => t.put(`${path}/update`, body, 200)
const emailsOf = ({ data }: Json) => data.map(({ email }: Json) => email)

describe('lists and searches', () => {
  async function people(t: TestApp, count: number): Promise<string[]> {
    const emails: string[] = []
    for (let n = 0; n < count; n++) {
      const email = `p${String(n).padStart(2, '0')}@example.net`
      emails.push(email)
      await t.contact({ email, seats: n % 3, subscribed: n % 4 !== 0 })
    }
    return emails
  }

  async function allPages(t: TestApp, query: string): Promise<{ emails: string[]; totals: number[] }> {
    const emails: string[] = []
    const totals: number[] = []
    for (let next: string | null = `${path}?perPage=3${query}`; next !== null; ) {
      const page: Json = await t.get(next, 200)
      emails.push(...emailsOf(page))
      totals.push(page.pagination.totalResults)
      const address: string | null = page.pagination.nextPage
      next = address === null ? null : address.slice(address.indexOf('/v1/'))
    }
    return { emails, totals }
  }

  test('every search gives each contact once, page by page, with its total', async () => {
    await using t = await testApp()
    const all = await people(t, 11)
    const listId = await makeList(t)
    for (const email of all.slice(0, 7)) await update(t, { email, mailingLists: { [listId]: true } })
    const newest = [...all].reverse()
    const pick = (keep: (n: number) => boolean, from = newest) => from.filter((email) => keep(all.indexOf(email)))
    const searches: [query: string, expected: string[]][] = [
      ['', newest],
      ['&email=P0', pick((n) => n < 10, all)],
      ['&email=p05@example.net', ['p05@example.net']],
      ['&email=p%25', []],
      ['&property=seats&value=1', pick((n) => n % 3 === 1)],
      ['&property=seats&value=1.0', pick((n) => n % 3 === 1)],
      ['&property=seats&value=9', []],
      ['&property=unknown&value=9', []],
      [`&listId=${listId}`, pick((n) => n < 7)],
      [`&listId=${listId}&state=unsubscribed`, []],
      ['&state=subscribed', pick((n) => n % 4 !== 0)],
      ['&state=unsubscribed', pick((n) => n % 4 === 0)],
      ['&state=pending', []],
      ['&q=P0', pick((n) => n < 10)],
      ['&q=@EXAMPLE.net%20p03', ['p03@example.net']],
      ['&q=%25', []],
      [`&q=p&listId=${listId}`, pick((n) => n < 7)],
      [`&q=p&listId=${listId}&state=unsubscribed`, []],
      ['&q=p0&state=subscribed', pick((n) => n % 4 !== 0 && n < 10)],
      ['&property=seats&value=1&state=unsubscribed', pick((n) => n % 3 === 1 && n % 4 === 0)],
      [`&property=seats&value=1&listId=${listId}&q=p0`, pick((n) => n % 3 === 1 && n < 7)],
    ]
    for (const [query, expected] of searches) {
      const { emails, totals } = await allPages(t, query)
      expect(emails, query).toEqual(expected)
      // A search counts what it has found so far.
      expect(totals.at(-1), query).toBe(expected.length)
      if (!query.includes('q=') && !query.includes('1&'))
        expect(new Set(totals), query).toEqual(new Set([expected.length]))
    }
  })

  test('a text finds parts of addresses, names and ids, in any case, and one request walks past 100,000 at most', async () => {
    await using t = await testApp()
    const first = { firstName: 'Ünal', lastName: 'O’Neil [x]_%', userId: 'Shop-7' }
    await t.contact({ email: 'a@example.net', ...first })
    await t.contact({ email: 'other@example.com', firstName: 'Unal', userId: 'ShopX7' })
    const find = async (q: string) => {
      const { emails } = await allPages(t, `&q=${encodeURIComponent(q)}`)
      return emails.map((email) => email.split('@')[0])
    }
    const texts: [q: string, found: string[]][] = [
      ['ünal', ['a']],
      ['ÜN o’n', ['a']],
      ['Nal', ['other', 'a']],
      ['hop-7', ['a']],
      ['A@eX', ['a']],
      ['@example.com', ['other']],
      ['[x]', ['a']],
      ['_%', ['a']],
      ['%', ['a']],
      ['*', []],
      ['é*', []],
    ]
    for (const [q, found] of texts) expect(await find(q), q).toEqual(found)

    const now = t.clock.now()
    const crowd = Array.from({ length: 100_000 }, (_, n) => {
      const email = `crowd${n}@example.org`
      const id = `con_${String(n).padStart(32, 'f')}`
      const of = { workspaceId: t.workspace.id, subscribed: true, properties: {}, createdAt: now, updatedAt: now }
      const empty = { userId: null, firstName: null, lastName: null, source: null, userGroup: null, locale: null }
      return { id, email, emailKey: email, ...of, ...empty, timezone: null, optInStatus: null, madeBySourceId: null }
    })
    for (let at = 0; at < crowd.length; at += 5_000)
      await write(t.app, (tx) => insertRows(tx.db, contacts, crowd.slice(at, at + 5_000)))
    const none = await t.get(`${path}?q=shop-7`, 200)
    expect([none.data, none.pagination.totalResults]).toEqual([[], 0])
    const then = await t.get(none.pagination.nextPage.replace(/^.*(?=\/v1)/, ''), 200)
    expect(emailsOf(then)).toEqual(['a@example.net'])
    expect(then.pagination).toMatchObject({ totalResults: 1, nextCursor: null })
  })

  test('who is suppressed and who is in a segment is searched together with the rest', async () => {
    await using t = await testApp()
    const all = await people(t, 11)
    const listId = await makeList(t)
    for (const email of all.slice(0, 7)) await update(t, { email, mailingLists: { [listId]: true } })
    for (const email of [all[2], all[4], all[9]]) await t.post('/v1/suppressions', { email }, 201)
    const filter = { field: 'seats', op: 'gte', value: 1 }
    const { id: segmentId } = await t.post('/v1/segments', { name: 'Seated', filter }, 201)
    const names = async (query: string) =>
      (await allPages(t, query)).emails.map((email) => Number(email.slice(1, 3))).reverse()
    expect(await names('&suppressed=true')).toEqual([2, 4, 9])
    expect(await names('&suppressed=false&q=p0')).toEqual([0, 1, 3, 5, 6, 7, 8])
    expect(await names(`&suppressed=true&listId=${listId}`)).toEqual([2, 4])
    expect(await names(`&segmentId=${segmentId}`)).toEqual([1, 2, 4, 5, 7, 8, 10])
    expect(await names(`&segmentId=${segmentId}&listId=${listId}&suppressed=true&q=p`)).toEqual([2, 4])
  })

  test('what cannot be searched is refused', async () => {
    await using t = await testApp()
    await people(t, 3)
    const { pagination } = await t.get(`${path}?perPage=1&email=p`, 200)
    const queries: [query: string, status: number][] = [
      ['email=p&state=subscribed', 422],
      ['email=p&q=p', 422],
      ['q=p&value=1', 422],
      ['q=p&state=active', 422],
      ['q=p&listId=lst_x', 422],
      ['segmentId=seg_x', 422],
      ['suppressed=maybe', 422],
      [`q=${'a+'.repeat(9)}`, 422],
      [`q=p&cursor=${pagination.nextCursor}`, 400],
      ['property=seats', 422],
      ['value=1', 422],
      ['state=active', 422],
      ['state=asleep', 422],
      ['listId=lst_x', 422],
      [`cursor=${pagination.nextCursor}`, 400],
      ['cursor=p00@example.net', 400],
      ['perPage=0', 422],
    ]
    for (const [query, status] of queries) {
      const reply = await t.unchanged(() => t.request('GET', `${path}?${query}`))
      expect(reply.status, query).toBe(status)
    }
  })
})
