// A template over its languages: the variables of all of them, and when it becomes active.

import { expect, test } from 'bun:test'
import { testApp } from './support/app.ts'

const says = (...words: string[]) => words.map((text) => ({ type: 'text', text }))

test('variables are those of all locales, and each says in which it stands', async () => {
  await using t = await testApp()
  await t.template({ id: 'order', subject: 'Order {{number}}', content: says('{{first|you}} {{total}}') })
  const list = { type: 'list', itemsVariable: 'lines', items: ['{{item.name}}'] }
  const german = { subject: 'Bestellung', content: [...says('{{first}} {{iban}} {{contact.firstName}}'), list] }
  await t.put('/v1/transactional/order/content/de', german, 200)
  const one = await t.get('/v1/transactional/order', 200)
  expect(one.variables).toEqual(['number', 'first', 'total', 'iban', 'lines'])
  expect(one.autoResolvedVariables).toEqual(['contact.firstName'])
  expect(one.dataVariables).toEqual(one.variables)
  const described = Object.fromEntries(
    one.variableDescriptors.map((each: { name: string }) => [each.name, each]),
  ) as Record<string, { required: boolean; locales: string[]; data_type: string }>
  expect(described.number).toMatchObject({ locales: ['en'], required: true })
  expect(described.first).toMatchObject({ locales: ['en', 'de'], required: true })
  expect(described.lines).toMatchObject({ locales: ['de'], data_type: 'list' })
  expect((await t.get('/v1/transactional', 200)).data[0].variables).toEqual(one.variables)
  // What it lists can be sent in every locale, without a word of doubt.
  const dataVariables = { number: '1', first: 'Ada', total: '9', iban: 'DE1', lines: [{ name: 'Tea' }] }
  for (const locale of ['en', 'de']) {
    const sent = await t.mail({ email: 'a@example.net', templateId: 'order', locale, dataVariables })
    expect(sent.warnings ?? []).toEqual([])
  }
  expect(
    (await t.mail({ email: 'a@example.net', templateId: 'order', dataVariables: { ...dataVariables, stray: 1 } }))
      .warnings,
  ).toMatchObject([{ path: 'dataVariables.stray', code: 'unused_variable' }])
})

test('empty content is refused, on every way in', async () => {
  await using t = await testApp()
  const base = { id: 'empty', name: 'E', subject: 'E' }
  const empty = async (work: () => Promise<{ errors: unknown }>) =>
    expect((await t.unchanged(work)).errors).toMatchObject([{ path: 'content', code: 'empty_content' }])
  await empty(() => t.post('/v1/transactional/create', { ...base, content: [] }, 422))
  await t.template(base)
  await empty(() => t.put('/v1/transactional/update', { id: 'empty', content: [] }, 422))
  await empty(() => t.put('/v1/transactional/empty/content/en', { content: [] }, 422))
  await empty(() => t.put('/v1/transactional/empty/content/en', [], 422))
  const list = await t.mailingList()
  await empty(() => t.post('/v1/campaigns', { name: 'C', subject: 'C', mailingListId: list.id, content: [] }, 422))
})

test('a draft becomes active once its primary locale has content', async () => {
  await using t = await testApp()
  const statusOf = async (id: string) => (await t.get(`/v1/transactional/${id}`, 200)).status
  await t.post('/v1/transactional/create', { id: 'news', name: 'N', subject: 'N' }, 201)
  await t.put('/v1/transactional/news/content/de', { content: says('Hallo') }, 200)
  expect(await statusOf('news')).toBe('draft')
  expect((await t.get('/v1/transactional', 200)).data).toEqual([])
  expect(await t.put('/v1/transactional/update', { id: 'news', name: 'Newer' }, 200)).toMatchObject({
    status: 'draft',
    name: 'Newer',
  })
  await t.unchanged(() => t.put('/v1/transactional/update', { id: 'news', status: 'active' }, 422))
  await t.put('/v1/transactional/news/content/en', { content: says('Hello') }, 200)
  expect(await statusOf('news')).toBe('active')
  // Or its primary locale becomes one that has.
  await t.post('/v1/transactional/create', { id: 'other', name: 'O', subject: 'O' }, 201)
  await t.put('/v1/transactional/other/content/de', { content: says('Hallo') }, 200)
  await t.put('/v1/transactional/update', { id: 'other', primaryLocale: 'de' }, 200)
  expect(await statusOf('other')).toBe('active')
  // What somebody made a draft of stays one.
  await t.put('/v1/transactional/update', { id: 'other', status: 'draft' }, 200)
  await t.put('/v1/transactional/update', { id: 'other', content: says('Hallo nochmal') }, 200)
  expect(await statusOf('other')).toBe('draft')
})
