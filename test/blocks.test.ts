// Blocks: content that is written once and used again. All that uses one says what it says, and what was sent or approved stays what it was.

import { describe, expect, test } from 'bun:test'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { draft, listOf } from './support/campaign.ts'

const text = (words: string) => ({ type: 'text', text: words })
const use = (blockId: string) => ({ type: 'block', blockId })
const address = (words: string) => [text(words), { type: 'footer' }]

const make = async (t: TestApp, content: Json[] = address('1 Quay'), more: object = {}): Promise<string> =>
  (await t.post('/v1/blocks', { name: 'Imprint', content, ...more }, 201)).id
const contentOf = async (t: TestApp, id: string, locale = 'en'): Promise<Json> =>
  (await t.get(`/v1/transactional/${id}/content/${locale}`, 200)).content

/** What the last mail says, as text. */
async function mailOf(t: TestApp, templateId: string, more: object = {}): Promise<string> {
  await t.mail({ templateId, ...more })
  await t.settle()
  return (await t.sent()).at(-1)?.raw ?? ''
}

describe('a block', () => {
  test('is in all that uses it, as it was when that was stored', async () => {
    await using t = await testApp()
    const blockId = await make(t)
    await t.template({ id: 'news', content: [text('News'), use(blockId)] })
    expect(await contentOf(t, 'news')).toEqual([text('News'), { ...use(blockId), children: address('1 Quay') }])
    expect(await mailOf(t, 'news')).toContain('1 Quay')
    // What an editor had loaded is not what is stored: the block is.
    const stale = [text('News'), { ...use(blockId), children: [text('9 Elsewhere')] }]
    await t.put('/v1/transactional/news/content/en', { content: stale }, 200)
    expect(JSON.stringify(await contentOf(t, 'news'))).not.toContain('Elsewhere')
  })

  test('that changes changes all that use it, and what was accepted stays as it was', async () => {
    await using t = await testApp()
    const { list } = await listOf(t, 1)
    const blockId = await make(t)
    await t.template({ id: 'news', content: [text('News'), use(blockId)] })
    await t.template({ id: 'plain', content: [text(`Not a use of ${blockId}`)] })
    const campaignId = await draft(t, list, { content: [text('Offer'), use(blockId)] })
    const before = await t.get('/v1/transactional/news', 200)
    const plain = await t.get('/v1/transactional/plain', 200)
    const hash = (await t.get(`/v1/campaigns/${campaignId}`, 200)).contentHash
    await t.mail({ templateId: 'news' })
    const saved = await t.put(`/v1/blocks/${blockId}/content/en`, { content: address('2 Pier') }, 200)
    expect(saved.renewed).toMatchObject({
      templates: [{ id: 'news' }],
      campaigns: [{ id: campaignId }],
      recurringCampaigns: [],
    })
    expect(saved.renewed).toEqual(await t.get(`/v1/blocks/${blockId}/uses`, 200))
    await t.settle()
    expect((await t.sent()).at(-1)?.raw).toContain('1 Quay')
    expect(await mailOf(t, 'news')).toContain('2 Pier')
    expect((await t.get('/v1/transactional/news', 200)).revisionId).not.toBe(before.revisionId)
    expect((await t.get('/v1/transactional/plain', 200)).revisionId).toBe(plain.revisionId)
    expect((await t.get('/v1/transactional/news/revisions?locale=en', 200)).data).toHaveLength(2)
    // Who approved the former words did not approve these.
    expect((await t.get(`/v1/campaigns/${campaignId}`, 200)).contentHash).not.toBe(hash)
    await t.post(`/v1/campaigns/${campaignId}/approve`, { contentHash: hash }, 409, { as: 'session' })
  })

  test('is in the language of what uses it, else in its own', async () => {
    await using t = await testApp()
    const blockId = await make(t)
    await t.put(`/v1/blocks/${blockId}/content/de`, { content: address('Am Kai 1') }, 200)
    const content = [use(blockId)]
    await t.template({ id: 'news', content })
    for (const locale of ['de-AT', 'fr']) await t.put(`/v1/transactional/news/content/${locale}`, { content }, 200)
    expect(JSON.stringify(await contentOf(t, 'news', 'de-AT'))).toContain('Am Kai 1')
    expect(JSON.stringify(await contentOf(t, 'news', 'fr'))).toContain('1 Quay')
    expect(await t.get(`/v1/blocks/${blockId}`, 200)).toMatchObject({ locales: ['de', 'en'], primaryLocale: 'en' })
  })

  test('brings along its variables, its pictures and the way out', async () => {
    await using t = await testApp()
    const { list } = await listOf(t, 1)
    const blockId = await make(t, [text('Code {{code}}')])
    const { variables } = await t.template({ id: 'news', content: [use(blockId)] })
    expect(variables).toEqual(['code'])
    const body = { name: 'x', subject: 'x', mailingListId: list.id, content: [use(blockId)] }
    expect(await t.post('/v1/campaigns', body, 422)).toMatchObject({ code: 'missing_variable' })
    const preview = { subject: 'S', content: [use(blockId)], dataVariables: { code: '42' } }
    expect((await t.post('/v1/transactional/preview', preview, 200)).text).toBe('Code 42\n')
  })

  test('is refused where it cannot be', async () => {
    await using t = await testApp()
    const blockId = await make(t, [{ type: 'section', children: [text('Wide')] }])
    const inSection = [{ type: 'section', children: [use(blockId)] }]
    const refusals: [Json, string, string][] = [
      [[use('blk_nope')], 'content[0].blockId', 'unknown_block'],
      [inSection, 'content[0].children[0].children[0]', 'invalid_child'],
      [[{ type: 'block' }], 'content[0].blockId', 'missing_required_property'],
    ]
    for (const [content, path, code] of refusals) {
      const template = { name: 'X', subject: 'X', content }
      const refused = await t.unchanged(() => t.post('/v1/transactional/create', template, 422))
      expect(refused.errors).toMatchObject([{ path, code }])
    }
    for (const content of [[use(blockId)], [{ type: 'image', src: 'cid:logo', alt: '' }], []])
      await t.unchanged(() => t.post('/v1/blocks', { name: 'B', content }, 422))
    // What it comes to hold must fit into what uses it.
    const small = await make(t)
    await t.template({ id: 'fits', content: [{ type: 'section', children: [use(small)] }] })
    const wide = { content: [{ type: 'section', children: [text('Wide')] }] }
    const refused = await t.unchanged(() => t.put(`/v1/blocks/${small}/content/en`, wide, 422))
    expect(refused.errors[0].message).toContain('fits')
  })

  test('in use is not deleted; what used it says its words without it', async () => {
    await using t = await testApp()
    const blockId = await make(t)
    await t.template({ id: 'news', content: [use(blockId)] })
    const refused = await t.unchanged(() => t.delete(`/v1/blocks/${blockId}`, undefined, 409))
    expect(refused.detail).toContain('templates (news)')
    await t.put('/v1/transactional/news/content/en', { content: [text('Bye')] }, 200)
    await t.delete(`/v1/blocks/${blockId}`, undefined, 200)
    await t.get(`/v1/blocks/${blockId}`, 404)
  })

  test('is changed by one at a time, renamed and found', async () => {
    await using t = await testApp()
    const blockId = await make(t)
    const { revisionId } = await t.get(`/v1/blocks/${blockId}/content/en`, 200)
    const change = { content: address('2 Pier'), expectedRevisionId: revisionId }
    await t.put(`/v1/blocks/${blockId}/content/en`, change, 200)
    const second = await t.unchanged(() => t.put(`/v1/blocks/${blockId}/content/en`, change, 409))
    expect(second.code).toBe('revision_mismatch')
    await t.patch(`/v1/blocks/${blockId}`, { name: 'Legal' }, 200)
    expect((await t.get('/v1/blocks?q=leg', 200)).data).toMatchObject([{ id: blockId, name: 'Legal' }])
    expect((await t.get('/v1/blocks?q=imprint', 200)).data).toEqual([])
  })

  test('has its revisions: listed, compared, and one restored for all that use it', async () => {
    await using t = await testApp()
    const blockId = await make(t)
    await t.template({ id: 'news', content: [use(blockId)] })
    await t.put(`/v1/blocks/${blockId}/content/en`, { content: address('2 Pier') }, 200)
    await t.put(`/v1/blocks/${blockId}/content/de`, { content: address('Am Kai 1') }, 200)
    const path = `/v1/blocks/${blockId}/revisions`
    const { data, pagination } = await t.get(path, 200)
    expect(data.map(({ locale, isCurrent }: Json) => [locale, isCurrent])).toEqual([
      ['de', true],
      ['en', true],
      ['en', false],
    ])
    expect(pagination.totalResults).toBe(3)
    const [now, first] = (await t.get(`${path}?locale=en`, 200)).data
    expect(first.author.kind).toBe('api_key')
    expect((await t.get(`${path}/${first.id}`, 200)).content).toEqual(address('1 Quay'))
    const difference = await t.get(`${path}/${now.id}/diff`, 200)
    expect(difference).toMatchObject({ from: { id: first.id }, content: [{ op: 'changed', path: 'content[0]' }] })
    const drafted = await t.unchanged(() => t.post(`${path}/${now.id}/diff`, { content: address('2 Pier') }, 200))
    expect(drafted.content).toEqual([])

    await t.unchanged(() => t.post(`${path}/${first.id}/restore`, { expectedRevisionId: first.id }, 409))
    const restored = await t.post(`${path}/${first.id}/restore`, { expectedRevisionId: now.id }, 200)
    expect(restored).toMatchObject({
      locale: 'en',
      content: address('1 Quay'),
      renewed: { templates: [{ id: 'news' }] },
    })
    expect(await mailOf(t, 'news')).toContain('1 Quay')
    const [, other] = (await t.get(`${path}?locale=en`, 200)).data
    expect(other.id).toBe(now.id)
    const foreign = (await t.get('/v1/transactional/news/revisions', 200)).data[0].id
    await t.get(`${path}/${foreign}`, 404)
  })
})
