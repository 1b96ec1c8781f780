// What a list has sent, for anybody to read: which campaigns, as whom, in which language, and in a feed that other readers read.

import { expect, test } from 'bun:test'
import { feedReading } from '../src/features/campaigns/recurring/parse-feed.ts'
import { type TestApp, testApp } from './support/app.ts'
import { draft, join, listOf, sendCampaign } from './support/campaign.ts'

const nobody = { as: 'nobody' } as const
const read = (t: TestApp, path: string, headers: Record<string, string> = {}) =>
  t.request('GET', path, undefined, { ...nobody, headers })

async function openList(t: TestApp) {
  const { list } = await listOf(t, 2)
  await t.patch(`/v1/mailing-lists/${list.id}`, { hasPublicArchive: true, description: 'Once a <month>' }, 200)
  return list
}

async function sent(t: TestApp, list: Parameters<typeof draft>[1], fields: object = {}): Promise<string> {
  // One campaign mail per person in 16 hours, and four in a week.
  await t.advance('48h')
  const id = await draft(t, list, fields)
  await sendCampaign(t, id)
  return id
}

test('what was sent to all of the list is there, newest first, as somebody sees it whom we do not know', async () => {
  await using t = await testApp()
  const list = await openList(t)
  const path = `/archive/${list.id}`
  expect((await read(t, path)).text).toContain('Nothing has been sent yet.')
  const first = await sent(t, list, { subject: 'First for {{contact.firstName|you}}', previewText: 'A & B' })
  const second = await sent(t, list, { subject: 'Second' })
  await sent(t, list, {
    subject: 'For few',
    audienceFilter: [{ field: 'firstName', op: 'eq', value: 'Reader 1' }],
  })
  await draft(t, list, { subject: 'Not yet' })
  const page = await read(t, path)
  expect(page.status).toBe(200)
  expect(page.text).toContain('Once a &lt;month&gt;')
  expect(page.text).not.toContain('noindex')
  const subjects = [...page.text.matchAll(/<a href="[^"]+\/archive\/[^"]+\/(cmp_[^"]+)">([^<]+)</g)].map(
    ([, id, said]) => [id, said],
  )
  expect(subjects).toEqual([
    [second, 'Second'],
    [first, 'First for you'],
  ])
  const letter = await read(t, `${path}/${first}`)
  expect(letter.status).toBe(200)
  expect(letter.text).toContain('Hello there')
  expect(letter.text).not.toContain('Reader')
  // There is nobody to unsubscribe: these links lead to the archive.
  expect(letter.text).toContain(`${t.app.config.baseUrl}${path}"`)
  expect(letter.text).not.toContain('/u/')
  expect(letter.headers.get('content-security-policy')).toContain('sandbox')
})

test('the feed is read by a reader of feeds', async () => {
  await using t = await testApp()
  const list = await openList(t)
  const id = await sent(t, list, { subject: 'Quotes " and <b>', previewText: 'In short' })
  const feed = await read(t, `/archive/${list.id}/feed.xml`)
  expect(feed.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
  const url = `${t.app.config.baseUrl}/archive/${list.id}`
  const bytes = new TextEncoder().encode(feed.text)
  const parsed = await t.app.aside.run(feedReading, { bytes, url, contentType: 'application/atom+xml' }, bytes.length)
  expect(parsed).toMatchObject({
    feed: { title: 'News', items: [{ title: 'Quotes " and <b>', link: `${url}/${id}`, summary: 'In short' }] },
  })
})

test('each reads it in their language, where there is one', async () => {
  await using t = await testApp()
  const list = await openList(t)
  const id = await draft(t, list, { subject: 'Hello' })
  const content = [{ type: 'text', text: 'Guten Tag' }]
  await t.put(`/v1/campaigns/${id}/content/de`, { content, subject: 'Hallo' }, 200)
  await sendCampaign(t, id)
  const german = await read(t, `/archive/${list.id}`, { 'accept-language': 'de-AT,de;q=0.9' })
  expect(german.text).toContain('>Hallo<')
  expect(german.text).toContain('lang="de"')
  expect((await read(t, `/archive/${list.id}/${id}`, { 'accept-language': 'de' })).text).toContain('Guten Tag')
  expect((await read(t, `/archive/${list.id}`, { 'accept-language': 'ja' })).text).toContain('>Hello<')
})

test('more than a page: older ones are one link away, and none is left out', async () => {
  await using t = await testApp()
  const list = await openList(t)
  const first = await sent(t, list, { subject: 'S0' })
  const ids = [first]
  for (let n = 1; n < 53; n++) {
    await t.advance('48h')
    const id = await draft(t, list, { subject: `S${n}` })
    await sendCampaign(t, id)
    ids.push(id)
  }
  const seen: string[] = []
  let path: string | undefined = `/archive/${list.id}`
  while (path !== undefined) {
    const { text } = await read(t, path)
    seen.push(...[...text.matchAll(/\/archive\/[^"]+\/(cmp_[^"]+)"/g)].map(([, id = '']) => id))
    path = /href="[^"]*(\/archive\/[^"]+\?before=[^"]+)"/.exec(text)?.[1]
  }
  expect(seen).toEqual(ids.toReversed())
}, 240_000)

test('a list that is not open, an archived one, another list’s campaign: there is no such page', async () => {
  await using t = await testApp()
  const { list } = await listOf(t, 1)
  const closed = await sent(t, list)
  for (const path of [
    `/archive/${list.id}`,
    `/archive/${list.id}/feed.xml`,
    `/archive/${list.id}/${closed}`,
    '/archive/none',
  ])
    expect((await read(t, path)).status, path).toBe(404)
  const open = await openList(t)
  await join(t, open, 1)
  expect((await read(t, `/archive/${open.id}/${closed}`)).status).toBe(404)
  await t.patch(`/v1/mailing-lists/${open.id}`, { hasPublicArchive: false }, 200)
  expect((await read(t, `/archive/${open.id}`)).status).toBe(404)
})
