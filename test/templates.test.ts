// Templates through the whole product: the routes, and what a mail shows after a template changed.

import { describe, expect, test } from 'bun:test'
import { type Json, type TestApp, testApp } from './support/app.ts'

const path = '/v1/transactional'
const hello = [{ type: 'text', text: 'Hello {{name}}' }]

function create(t: TestApp, body: object = {}): Promise<Json> {
  return t.post(`${path}/create`, { name: 'Hello', subject: 'Hi {{name}}', content: hello, ...body }, 201)
}

const send = (t: TestApp, templateId: string, more: object = {}) =>
  t.post(`${path}/send`, { email: 'ada@example.net', templateId, dataVariables: { name: 'Ada' }, ...more }, 200)

describe('the life of a template', () => {
  test('created with content it is active, listed, and its metadata is what was given', async () => {
    await using t = await testApp()
    const given = {
      id: 'welcome',
      name: 'Welcome',
      subject: 'Hi {{name}}',
      previewText: 'Nice to meet you',
      fromName: 'Acme',
      fromEmail: null,
      replyTo: 'help@acme.test',
      primaryLocale: 'EN-gb',
    }
    const { warnings, ...made } = await create(t, given)
    expect(made).toMatchObject({ ...given, primaryLocale: 'en-GB', status: 'active', locales: ['en-GB'] })
    expect(made).toMatchObject({ createdAt: '2026-01-15T12:00:00.000Z', updatedAt: '2026-01-15T12:00:00.000Z' })
    expect(made.revisionId).toMatch(/^rev_/)
    expect(warnings).toEqual([])
    expect(await t.get(`${path}/welcome`, 200)).toEqual(made)
    const { data } = await t.get(path, 200)
    expect(data).toHaveLength(1)
    const { htmlBody, textBody, ...metadata } = data[0]
    expect(metadata).toEqual(made)
    expect(htmlBody).toContain('Hello {{name}}')
    expect(textBody).toBe('Hello {{name}}\n')
  })

  test('without content it is a draft: fetched by its slug, not listed, not sent; content makes it active', async () => {
    await using t = await testApp()
    const { warnings: _, ...draft } = await create(t, { id: 'later', content: undefined })
    expect(draft).toMatchObject({ status: 'draft', locales: [], variables: [], autoResolvedVariables: [] })
    expect((await t.get(path, 200)).data).toEqual([])
    expect(await t.get(`${path}/later`, 200)).toEqual(draft)
    const mail = { email: 'ada@example.net', templateId: 'later' }
    expect((await t.unchanged(() => t.post(`${path}/send`, mail, 404))).code).toBe('not_found')
    await t.get(`${path}/later/content/en`, 404)
    const stored = await t.put(`${path}/later/content/en`, { content: hello }, 200)
    expect(stored).toMatchObject({ locale: 'en', content: hello, subject: 'Hi {{name}}', previewText: '' })
    expect(await t.get(`${path}/later`, 200)).toMatchObject({ status: 'active', locales: ['en'] })
    expect((await t.get(path, 200)).data.map(({ id }: Json) => id)).toEqual(['later'])
    await send(t, 'later')
  })

  test('a template kept as a draft on purpose, or archived, is neither listed nor sent', async () => {
    await using t = await testApp()
    await create(t, { id: 'kept', status: 'draft' })
    await create(t, { id: 'old' })
    await t.put(`${path}/update`, { id: 'old', status: 'archived' }, 200)
    expect((await t.get(path, 200)).data).toEqual([])
    for (const templateId of ['kept', 'old']) {
      await t.unchanged(() => t.post(`${path}/send`, { email: 'ada@example.net', templateId }, 404))
    }
    await t.put(`${path}/update`, { id: 'old', status: 'active' }, 200)
    await send(t, 'old')
  })

  test('an update changes what is given and makes a new revision', async () => {
    await using t = await testApp()
    const made = await create(t, { id: 'a', fromName: 'Acme', previewText: 'before' })
    t.clock.advance(1_000)
    const renamed = await t.put(`${path}/update`, { id: 'a', name: 'Renamed', fromName: null }, 200)
    expect(renamed).toMatchObject({ id: 'a', name: 'Renamed', fromName: null, previewText: 'before' })
    expect(renamed.updatedAt > made.updatedAt).toBe(true)
    expect(renamed.createdAt).toBe(made.createdAt)
    const changed = await t.put(`${path}/update`, { id: 'a', content: [{ type: 'text', text: 'Bye {{who}}' }] }, 200)
    expect(changed.variables).toEqual(['name', 'who'])
    expect(new Set([made, renamed, changed].map(({ revisionId }) => revisionId)).size).toBe(3)
    const { data } = await t.get(path, 200)
    expect(data[0].textBody).toBe('Bye {{who}}\n')
    const subject = await t.put(`${path}/update`, { id: 'a', subject: 'New {{subject}}' }, 200)
    expect(await t.get(`${path}/a/content/en`, 200)).toMatchObject({ subject: 'New {{subject}}' })
    expect(subject.variables).toEqual(['subject', 'who'])
  })

  test('every name of the identity works: id, templateId, transactionalId; and slug on create', async () => {
    await using t = await testApp()
    expect(await create(t, { slug: 'by-slug' })).toMatchObject({ id: 'by-slug' })
    for (const alias of ['id', 'templateId', 'transactionalId']) {
      await create(t, { id: alias.toLowerCase() })
      const named = { [alias]: alias.toLowerCase() }
      expect(await t.put(`${path}/update`, { ...named, name: 'X' }, 200)).toMatchObject({ name: 'X' })
      expect(await t.post(`${path}/delete`, named, 200)).toEqual({
        success: true,
        message: 'Template deleted.',
        warnings: [],
      })
    }
    expect((await t.get(path, 200)).data.map(({ id }: Json) => id)).toEqual(['by-slug'])
  })

  test('a deleted template is gone, and its slug is free', async () => {
    await using t = await testApp()
    await create(t, { id: 'a', name: 'First' })
    await t.post(`${path}/delete`, { id: 'a' }, 200)
    for (const gone of [`${path}/a`, `${path}/a/content/en`]) await t.get(gone, 404)
    await t.unchanged(() => t.post(`${path}/delete`, { id: 'a' }, 404))
    await t.unchanged(() => t.post(`${path}/send`, { email: 'ada@example.net', templateId: 'a' }, 404))
    expect(await create(t, { id: 'a', name: 'Second' })).toMatchObject({ id: 'a', name: 'Second' })
  })

  test('a slug made from the name gets a number while it is taken, and keeps its length', async () => {
    await using t = await testApp()
    const made = async (name: string) => (await create(t, { name })).id
    expect(await made('Crème brûlée!')).toBe('creme-brulee')
    expect(await made('Hello')).toBe('hello')
    expect(await made('Hello')).toBe('hello-2')
    expect(await made(' hello ')).toBe('hello-3')
    expect(await made('List')).toBe('list-2')
    expect(await made('Send')).toBe('send-2')
    expect(await made('日本語')).toBe('template')
    expect(await made('日本')).toBe('template-2')
    expect(await made('x'.repeat(200))).toBe('x'.repeat(64))
    expect(await made('x'.repeat(199))).toBe(`${'x'.repeat(62)}-2`)
  })

  test('50 templates of one name at once have 50 slugs', async () => {
    await using t = await testApp()
    const made = await Promise.all(Array.from({ length: 50 }, () => create(t)))
    expect(new Set(made.map(({ id }) => id)).size).toBe(50)
  })
})

describe('the component trees', () => {
  test('one per locale, read back exactly as set, with no fallback on reading', async () => {
    await using t = await testApp()
    await create(t, { id: 'a' })
    const tree = [{ type: 'heading', text: 'Olá {{name}}', level: 2 }]
    const given = { content: tree, subject: 'Oi {{name}}', previewText: 'Prévia' }
    const { warnings: _, ...stored } = await t.put(`${path}/a/content/PT_br`, given, 200)
    expect(stored).toMatchObject({ locale: 'pt-BR', ...given })
    for (const tag of ['pt-BR', 'pt-br', 'PT-BR']) {
      expect(await t.get(`${path}/a/content/${tag}`, 200)).toEqual(stored)
    }
    for (const tag of ['pt', 'pt-PT', 'de']) {
      expect((await t.get(`${path}/a/content/${tag}`, 404)).code, tag).toBe('not_found')
    }
    expect(await t.get(`${path}/a`, 200)).toMatchObject({ subject: 'Hi {{name}}', locales: ['en', 'pt-BR'] })
  })

  test('a bare list is a body too, and keeps subject and preview text', async () => {
    await using t = await testApp()
    await create(t, { id: 'a', previewText: 'Psst' })
    const tree = [{ type: 'text', text: 'New' }]
    const stored = await t.put(`${path}/a/content/en`, tree, 200)
    expect(stored).toMatchObject({ content: tree, subject: 'Hi {{name}}', previewText: 'Psst' })
  })

  test('what is doubtful is a warning: unknown fields, unknown properties, missing alternative text', async () => {
    await using t = await testApp()
    const content = [{ type: 'image', src: 'https://acme.test/a.png', colour: 'red' }]
    const made = await create(t, { id: 'a', content, colour: 'red', createdAt: '1999-01-01' })
    const codes = (body: Json) => body.warnings.map(({ path, code }: Json) => `${path} ${code}`)
    expect(codes(made)).toEqual(
      expect.arrayContaining(['content[0].colour unknown_property', 'colour unknown_field', 'createdAt unknown_field']),
    )
    expect(codes(made)).toContain('content[0].alt missing_alt')
    expect(codes(await t.put(`${path}/update`, { id: 'a', colour: 'red' }, 200))).toContain('colour unknown_field')
    const put = await t.put(`${path}/a/content/en`, { content: hello, colour: 'red' }, 200)
    expect(codes(put)).toEqual(['colour unknown_field'])
    for (const text of ["{{constructor.constructor('x')()}}", '{{__proto__.x}}', '{{a b}}']) {
      const odd = await t.put(`${path}/a/content/en`, [{ type: 'text', text }], 200)
      expect(odd.warnings[0]?.path, text).toBe('content[0].text')
    }
    const link = [{ type: 'link', text: 'Out', href: '{{unsubscribe_url}}' }]
    const unsubscribe = await t.put(`${path}/a/content/en`, link, 200)
    expect(codes(unsubscribe)).toEqual(['content unsubscribe_in_transactional'])
  })

  test('expectedRevisionId lets the first of two editors through', async () => {
    await using t = await testApp()
    const { revisionId } = await create(t, { id: 'a' })
    const mine = { id: 'a', name: 'Mine', expectedRevisionId: revisionId }
    await t.put(`${path}/update`, mine, 200)
    expect((await t.unchanged(() => t.put(`${path}/update`, mine, 409))).code).toBe('revision_mismatch')
    const { revisionId: ofLocale } = await t.get(`${path}/a/content/en`, 200)
    const body = { content: [{ type: 'text', text: 'x' }], expectedRevisionId: ofLocale }
    await t.put(`${path}/a/content/en`, body, 200)
    const refused = await t.unchanged(() => t.put(`${path}/a/content/en`, body, 409))
    expect(refused).toMatchObject({ code: 'revision_mismatch', errors: [{ path: 'expectedRevisionId' }] })
    const both = await Promise.all(
      ['x', 'y'].map(async (text) => {
        const { revisionId } = await t.get(`${path}/a`, 200)
        return (name: string) =>
          t.request('PUT', `${path}/update`, { id: 'a', name: text + name, expectedRevisionId: revisionId })
      }),
    )
    const statuses = (await Promise.all(both.map((edit) => edit('!')))).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 409])
  })

  test('the primary locale moves only to one that has content', async () => {
    await using t = await testApp()
    await create(t, { id: 'a' })
    const move = { id: 'a', primaryLocale: 'de' }
    expect((await t.unchanged(() => t.put(`${path}/update`, move, 422))).errors[0].path).toBe('primaryLocale')
    await t.put(`${path}/a/content/de`, { content: [{ type: 'text', text: 'Hallo' }], subject: 'Na' }, 200)
    await t.put(`${path}/update`, move, 200)
    expect((await t.get(path, 200)).data[0]).toMatchObject({ primaryLocale: 'de', textBody: 'Hallo\n' })
  })
})

describe('the list', () => {
  test('an item has both bodies with their placeholders, the variables and their descriptors', async () => {
    await using t = await testApp()
    const content = [
      { type: 'text', text: 'Dear {{contact.first_name|friend}}, {{order_id}} of {{company_name}}, {{date}}' },
      { type: 'button', text: 'Track', href: '{{track_url}}' },
      { type: 'list', itemsVariable: 'products', items: ['{{item.title}}: {{item.price}}'] },
    ]
    await create(t, { subject: 'Order {{order_id}}', content })
    const { data } = await t.get(path, 200)
    const [item] = data
    expect(item.variables).toEqual(['order_id', 'track_url', 'products'])
    expect(item.dataVariables).toEqual(item.variables)
    expect(item.autoResolvedVariables).toEqual(['contact.first_name', 'company_name', 'date'])
    for (const body of [item.htmlBody, item.textBody]) {
      for (const shown of ['{{order_id}}', '{{company_name}}', '{{contact.first_name|friend}}', '{{track_url}}'])
        expect(body).toContain(shown)
    }
    const of = (name: string) => item.variableDescriptors.find((one: Json) => one.name === name)
    expect(item.variableDescriptors).toHaveLength(6)
    expect(of('order_id')).toEqual({
      name: 'order_id',
      label: 'Order ID',
      kind: 'custom',
      data_type: 'string',
      required: true,
      auto_resolved: false,
      editable_in_rule: true,
      sources: ['data_variables', 'event'],
      locales: ['en'],
    })
    expect(of('track_url')).toMatchObject({ data_type: 'url', label: 'Track URL' })
    expect(of('products')).toMatchObject({ kind: 'collection', data_type: 'list', required: true })
    expect(of('products').child_fields.map(({ name }: Json) => name)).toEqual(['title', 'price'])
    expect(of('contact.first_name')).toMatchObject({ kind: 'contact', auto_resolved: true, required: false })
    expect(of('contact.first_name').legacy_aliases).toEqual(['contact.firstName'])
    expect(of('date')).toMatchObject({ kind: 'system', data_type: 'date', auto_resolved: true })
  })

  test('pages are cut at perPage, follow one another and end', async () => {
    await using t = await testApp()
    for (let i = 0; i < 25; i++) await create(t, { id: `t-${i}` })
    const seen: string[] = []
    let next: string | null = `${path}?perPage=10`
    const sizes: number[] = []
    while (next) {
      const { pagination, data } = await t.get(next, 200)
      expect(pagination).toMatchObject({ totalResults: 25, returnedResults: data.length, perPage: 10, totalPages: 3 })
      expect(pagination.nextPage === null).toBe(pagination.nextCursor === null)
      sizes.push(data.length)
      seen.push(...data.map(({ id }: Json) => id))
      next = pagination.nextPage === null ? null : pagination.nextPage.slice(t.app.config.baseUrl.length)
    }
    expect(sizes).toEqual([10, 10, 5])
    expect(seen).toEqual(Array.from({ length: 25 }, (_, i) => `t-${24 - i}`))
    expect((await t.get(path, 200)).data).toHaveLength(20)
    expect((await t.get(`${path}?perPage=1000`, 200)).pagination).toMatchObject({ perPage: 100, nextCursor: null })
  })

  test('others than the active ones are asked for by status, and one is found by a part of its name or slug', async () => {
    await using t = await testApp()
    await create(t, { id: 'welcome', name: 'Welcome!' })
    await t.post(`${path}/create`, { id: 'goodbye', name: 'See you', subject: 'Bye' }, 201)
    const listed = async (query: string) => (await t.get(`${path}?${query}`, 200)).data.map(({ id }: Json) => id)
    expect(await listed('')).toEqual(['welcome'])
    expect(await listed('status=draft')).toEqual(['goodbye'])
    expect(await listed('status=all')).toEqual(['goodbye', 'welcome'])
    expect(await listed('status=all&q=WELCOME!')).toEqual(['welcome'])
    expect(await listed('status=all&q=dby')).toEqual(['goodbye'])
    expect(await listed('status=all&q=%25')).toEqual([])
    await t.get(`${path}?status=gone`, 422)
  })

  test('a page goes on where it was when its last template is deleted meanwhile', async () => {
    await using t = await testApp()
    for (const id of ['a', 'b', 'c']) await create(t, { id })
    const first = await t.get(`${path}?perPage=1`, 200)
    await t.post(`${path}/delete`, { id: 'c' }, 200)
    const second = await t.get(`${path}?perPage=1&cursor=${first.pagination.nextCursor}`, 200)
    expect(second.data.map(({ id }: Json) => id)).toEqual(['b'])
  })

  test('a cursor that was made up, edited, or is of another list or workspace is 400', async () => {
    await using t = await testApp()
    const other = await t.stranger()
    for (const id of ['a', 'b']) await create(t, { id })
    const { nextCursor } = (await t.get(`${path}?perPage=1`, 200)).pagination
    const edited = `${nextCursor.slice(0, 12)}${nextCursor[12] === 'A' ? 'B' : 'A'}${nextCursor.slice(13)}`
    const forged = ['x', '1', "' OR 1=1 --", edited, `${nextCursor}A`, nextCursor.slice(1), btoa('tpl_1'), '%00']
    for (const cursor of forged) {
      const refused = await t.get(`${path}?cursor=${encodeURIComponent(cursor)}`, 400)
      expect(refused.code, cursor).toBe('invalid_cursor')
    }
    const asked = `?perPage=1&cursor=${nextCursor}`
    await t.get(path + asked, 200)
    expect((await t.get(path + asked, 400, { as: other })).code).toBe('invalid_cursor')
    expect((await t.get(`/v1/activity${asked}`, 400)).code).toBe('invalid_cursor')
    for (const perPage of ['0', '-1', 'x', 'NaN']) await t.get(`${path}?perPage=${perPage}`, 422)
  })
})

describe('between workspaces and over time', () => {
  test('equal slugs in two workspaces do not mix', async () => {
    await using t = await testApp()
    const other = { as: await t.stranger() }
    const body = (text: string) => ({ id: 'same', name: text, subject: text, content: [{ type: 'text', text }] })
    await t.post(`${path}/create`, body('mine'), 201)
    await t.post(`${path}/create`, body('theirs'), 201, other)
    await t.post(`${path}/create`, body('again'), 409, other)
    await t.put(`${path}/update`, { id: 'same', name: 'theirs now' }, 200, other)
    expect(await t.get(`${path}/same`, 200)).toMatchObject({ name: 'mine', subject: 'mine' })
    const mail = { email: 'ada@example.net', templateId: 'same' }
    await t.post(`${path}/send`, mail, 200, other)
    await t.post(`${path}/delete`, { id: 'same' }, 200, other)
    await t.post(`${path}/send`, mail, 200)
    await t.post(`${path}/send`, mail, 404, other)
    await t.settle()
    const subjects = (await t.sent()).map(({ raw }) => /^Subject: (.*)$/m.exec(raw)?.[1]?.trim())
    expect(subjects.sort()).toEqual(['mine', 'theirs'])
    expect((await t.get(path, 200)).pagination.totalResults).toBe(1)
    expect((await t.get(path, 200, other)).pagination.totalResults).toBe(0)
  })

  test('a mail shows the content that its template had when the mail was accepted', async () => {
    await using t = await testApp()
    await create(t, { id: 'a', subject: 'first', content: [{ type: 'text', text: 'first text' }] })
    const later = { scheduledAt: '2026-01-15T13:00:00Z' }
    await send(t, 'a', { email: 'before-update@example.net', ...later })
    await t.put(`${path}/update`, { id: 'a', subject: 'second', content: [{ type: 'text', text: 'second text' }] }, 200)
    await send(t, 'a', { email: 'after-update@example.net', ...later })
    await t.put(`${path}/a/content/en`, { content: [{ type: 'text', text: 'third text' }], subject: 'third' }, 200)
    await send(t, 'a', { email: 'before-delete@example.net', ...later })
    await t.post(`${path}/delete`, { id: 'a' }, 200)
    await create(t, { id: 'a', subject: 'fourth', content: [{ type: 'text', text: 'fourth text' }] })
    await t.settle()
    expect(await t.sent()).toEqual([])
    await t.advance('1h')
    const shown = (await t.sent()).map(({ to, raw }) => [to, /(first|second|third|fourth) text/.exec(raw)?.[1]])
    expect(Object.fromEntries(shown)).toEqual({
      'before-update@example.net': 'first',
      'after-update@example.net': 'second',
      'before-delete@example.net': 'third',
    })
  })
})
