// The revisions of templates and campaigns: who wrote what when, how two differ, and restoring one.

import { expect, test } from 'bun:test'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { drafted } from './support/campaign.ts'
import { longestBlock, maxBlockMs } from './support/loop-monitor.ts'
import { mcpClient } from './support/mcp.ts'
import { applyChanges } from './support/tree-patch.ts'

const says = (...texts: string[]) => texts.map((text) => ({ type: 'text', text }))
const path = '/v1/transactional/hello'

/** Ids of the revisions, oldest first. */
async function idsOf(t: TestApp, at: string, query = ''): Promise<string[]> {
  const { data } = await t.get(`${at}/revisions${query}`, 200)
  return data.map(({ id }: Json) => id).reverse()
}

test('a template keeps who wrote what when, in which locale, and what is sent now; a test mail is none of it', async () => {
  await using t = await testApp()
  await t.template({ subject: 'One', content: says('One') })
  await t.advance('1h')
  const { id: keyId, apiKey } = await t.post('/v1/api-keys', { name: 'other', scopes: ['full'] }, 201)
  await t.put(`${path}/content/de`, { content: says('Eins'), subject: 'Eins' }, 200, { as: { apiKey } })
  await t.put('/v1/transactional/update', { id: 'hello', subject: 'Two' }, 200, { as: { apiKey } })
  await t.post(`${path}/test`, { emails: ['owner@acme.test'] }, 200)
  const { data, pagination } = await t.get(`${path}/revisions?perPage=2`, 200)
  expect(data).toMatchObject([
    {
      locale: 'en',
      subject: 'Two',
      author: { kind: 'api_key', id: keyId, name: 'other' },
      isCurrent: true,
      createdAt: '2026-01-15T13:00:00.000Z',
    },
    { locale: 'de', subject: 'Eins', author: { kind: 'api_key', id: keyId, name: 'other' }, isCurrent: true },
  ])
  expect(pagination.totalResults).toBe(3)
  const rest = await t.get(`${path}/revisions?perPage=2&cursor=${pagination.nextCursor}`, 200)
  expect(rest.data).toMatchObject([{ subject: 'One', isCurrent: false, createdAt: '2026-01-15T12:00:00.000Z' }])
  expect(rest.data[0].author).toMatchObject({ kind: 'api_key', name: 'tests' })
  expect(await idsOf(t, path, '?locale=DE')).toEqual([data[1].id])
  const one = await t.get(`${path}/revisions/${rest.data[0].id}`, 200)
  expect(one).toMatchObject({ content: says('One'), settings: { fromName: null, replyTo: null } })
  // A revision is found under its own template only.
  await t.template({ id: 'other', name: 'O', subject: 'O', content: says('O') })
  for (const end of ['', '/diff']) await t.get(`/v1/transactional/other/revisions/${one.id}${end}`, 404)
  const [others = ''] = await idsOf(t, '/v1/transactional/other')
  await t.get(`${path}/revisions/${one.id}/diff?from=${others}`, 404)
})

test('the difference between any two revisions, or one and what is not stored, makes the one of the other', async () => {
  await using t = await testApp()
  const first = [...says('Hello {{name}}', 'Stays'), { type: 'button', text: 'Go', href: 'https://a.example' }]
  await t.template({ subject: 'Hi there', content: first })
  const second = [first[2], ...says('Hello dear {{city|you}}', 'Stays', 'New')]
  await t.put('/v1/transactional/update', { id: 'hello', subject: 'Hi you', fromName: 'Ada', content: second }, 200)
  const [one = '', two = ''] = await idsOf(t, path)
  const found = await t.get(`${path}/revisions/${two}/diff`, 200)
  expect(await t.get(`${path}/revisions/${two}/diff?from=${one}`, 200)).toEqual(found)
  expect(found).toMatchObject({
    from: { id: one },
    to: { id: two, isCurrent: true },
    subject: [
      { kind: 'same', text: 'Hi ' },
      { kind: 'removed', text: 'there' },
      { kind: 'added', text: 'you' },
    ],
    previewText: null,
    settings: [{ name: 'fromName', from: null, to: 'Ada' }],
    variables: { added: ['city'], removed: ['name'] },
  })
  expect(found.content.map(({ op }: Json) => op)).toEqual(['moved', 'changed', 'added'])
  expect(applyChanges(first, found.content)).toEqual(second as typeof first)
  const back = await t.get(`${path}/revisions/${one}/diff?from=${two}`, 200)
  expect(applyChanges(second as typeof first, back.content)).toEqual(first)
  // The first adds all that it says.
  const begun = await t.get(`${path}/revisions/${one}/diff`, 200)
  expect(begun).toMatchObject({ from: null, variables: { added: ['name'], removed: [] } })
  expect(applyChanges([], begun.content)).toEqual(first)
  const unsaved = { content: [...second, { type: 'image', src: 'https://a.example/x.png' }], subject: 'Hi you' }
  const draftOf = await t.unchanged(() => t.post(`${path}/revisions/${two}/diff`, unsaved, 200))
  expect(draftOf).toMatchObject({ to: null, subject: null, content: [{ op: 'added', path: 'content[4]' }] })
  expect(draftOf.warnings).toMatchObject([{ code: 'missing_alt' }])
  await t.post(`${path}/revisions/${two}/diff`, { content: [{ type: 'raw' }] }, 422)
})

test('a revision is restored as a new one, unless somebody was faster', async () => {
  await using t = await testApp()
  await t.template({ subject: 'One', content: says('One') })
  await t.put('/v1/transactional/update', { id: 'hello', subject: 'Two', content: says('Two') }, 200)
  const [one = '', two = ''] = await idsOf(t, path)
  const restore = `${path}/revisions/${one}/restore`
  const stale = await t.unchanged(() => t.post(restore, { expectedRevisionId: one }, 409))
  expect(stale.code).toBe('revision_mismatch')
  const restored = await t.post(restore, { expectedRevisionId: two }, 200, { as: 'session' })
  expect(restored).toMatchObject({ locale: 'en', subject: 'One', content: says('One') })
  expect(await t.get(path, 200)).toMatchObject({ subject: 'One' })
  const { data } = await t.get(`${path}/revisions`, 200)
  expect(data).toMatchObject([
    { id: restored.revisionId, isCurrent: true, author: { kind: 'person', id: t.user.id, name: 'owner@acme.test' } },
    { id: two },
    { id: one },
  ])
})

test('a campaign has revisions as well; to restore one makes it a draft, and one that has begun keeps what it says', async () => {
  await using t = await testApp()
  const { id } = await drafted(t, 1, { content: says('One'), subject: 'News' })
  const at = `/v1/campaigns/${id}`
  await t.put(`${at}/content/en`, { content: says('Two'), subject: 'More' }, 200, { as: 'session' })
  const [one = '', two = ''] = await idsOf(t, at)
  const stale = { content: says('Three'), expectedRevisionId: one }
  expect((await t.unchanged(() => t.put(`${at}/content/en`, stale, 409))).code).toBe('revision_mismatch')
  await t.patch(at, { fromName: 'Ada' }, 200)
  expect(await t.get(`${at}/revisions/${two}/diff`, 200)).toMatchObject({ content: [{ op: 'changed' }], settings: [] })
  const { contentHash } = await t.get(at, 200)
  await t.post(`${at}/approve`, { contentHash }, 200, { as: 'session' })
  await t.post(`${at}/revisions/${one}/restore`, { expectedRevisionId: two }, 200)
  expect(await t.get(at, 200)).toMatchObject({ status: 'draft', subject: 'News' })
  const [three = ''] = (await idsOf(t, at)).slice(2)
  expect((await t.get(`${at}/revisions/${three}/diff`, 200)).settings).toEqual([
    { name: 'fromName', from: null, to: 'Ada' },
  ])
  await t.post(`${at}/send`, {}, 200)
  await t.settle()
  await t.post(`${at}/revisions/${one}/restore`, {}, 409)
})

test('what an agent writes over MCP has its key for an author', async () => {
  await using t = await testApp()
  await using client = await mcpClient('2026-07-28 (stateless)', `${t.url}/mcp`, t.apiKey)
  const template = { id: 'hello', name: 'H', subject: 'One', content: says('One') }
  await client.callTool({ name: 'create_template', arguments: template })
  const { data } = await t.get(`${path}/revisions`, 200)
  expect(data).toMatchObject([{ subject: 'One', author: { kind: 'api_key', name: 'tests' } }])
})

/** Its answer is not looked at, for that would hold the loop as well. */
async function asked(t: TestApp, at: string, body: object): Promise<number> {
  const headers = { authorization: `Bearer ${t.apiKey}`, 'content-type': 'application/json' }
  const response = await fetch(t.url + at, { method: 'POST', headers, body: JSON.stringify(body) })
  await response.arrayBuffer()
  return response.status
}

test('the difference of the largest trees does not hold the loop', async () => {
  await using t = await testApp()
  // Nothing in it stays the same, nothing is like anything else, and everything could be.
  const largest = (word: string, size: number) =>
    says(
      ...Array.from({ length: 499 }, (_, n) =>
        Array.from({ length: size }, (_, at) => `${word}${(n * at) % 10}`).join(' '),
      ),
    )
  await t.template({ subject: 'One', content: largest('a', 55) })
  const [one = ''] = await idsOf(t, path)
  for (const [name, content] of [
    ['499 texts', largest('b', 55)],
    ['499 texts, in which half of the words stay', largest('a', 55).reverse()],
    ['one text of 90,000 signs', says('a.b '.repeat(22_000))],
  ] as const) {
    const { blockMs } = await longestBlock(`the difference of ${name}`, () =>
      asked(t, `${path}/revisions/${one}/diff`, { content }),
    )
    expect(blockMs).toBeLessThanOrEqual(maxBlockMs)
  }
})
