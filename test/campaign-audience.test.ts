// Who would get a campaign and who not, by name: the dry run’s own rule, page by page, and nothing is written.

import { expect, test } from 'bun:test'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { draft, join, listOf } from './support/campaign.ts'

const namesOf = async (t: TestApp, id: string, query = '') => {
  const { data } = await t.unchanged(() => t.get(`/v1/campaigns/${id}/audience${query}`, 200))
  return data.map(({ email, outcome, reason }: Json) => [email, outcome, reason])
}

test('the names are those that the dry run counts, each with the reason that a send would give', async () => {
  await using t = await testApp()
  const { list } = await listOf(t, 3)
  await t.post('/v1/suppressions', { email: 'r0@example.net' }, 201)
  await t.put('/v1/contacts/update', { email: 'r1@example.net', subscribed: false }, 200)
  const id = await draft(t, list)
  const all = await namesOf(t, id)
  expect(all).toEqual([
    ['r0@example.net', 'suppressed', 'manual'],
    ['r1@example.net', 'unsubscribed', expect.any(String)],
    ['r2@example.net', 'recipients', null],
  ])
  for (const outcome of ['suppressed', 'recipients'])
    expect(await namesOf(t, id, `?outcome=${outcome}`)).toEqual(all.filter((one: string[]) => one[1] === outcome))
  expect(await namesOf(t, id, '?outcome=failed')).toEqual([])
  const { recipients, skipped } = await t.post(`/v1/campaigns/${id}/send`, { dryRun: true }, 200)
  expect({ recipients, ...skipped }).toEqual({ recipients: 1, suppressed: 1, unsubscribed: 1 })
  await t.get('/v1/campaigns/cmp_none/audience', 404)
})

test('who has not confirmed comes after those on the list, and a page goes on where the last one ended', async () => {
  await using t = await testApp()
  const { list } = await listOf(t, 2)
  const source = await t.post('/v1/subscription-sources', { name: 'Form', mailingListIds: [list.id] }, 201)
  await t.patch(`/v1/mailing-lists/${list.id}`, { optIn: 'double' }, 200)
  await t.post('/v1/contact-subscriptions/opt-in', { email: 'late@example.net', sourceId: source.id }, 202)
  await t.patch(`/v1/mailing-lists/${list.id}`, { optIn: 'single' }, 200)
  await join(t, list, 1, { first: 2 })
  const id = await draft(t, list)
  const names: string[] = []
  const totals: number[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Json = await t.get(
      `/v1/campaigns/${id}/audience?perPage=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      200,
    )
    names.push(...page.data.map(({ email }: Json) => email.split('@')[0]))
    totals.push(page.pagination.totalResults)
    cursor = page.pagination.nextCursor
  }
  expect(names).toEqual(['r0', 'r1', 'r2', 'late'])
  expect(totals.at(-1)).toBe(4)
  expect(await namesOf(t, id, '?outcome=unconfirmed')).toEqual([['late@example.net', 'unconfirmed', 'pending']])
})
