// What the routes of templates refuse, and that a refusal changes nothing.

import { describe, expect, test } from 'bun:test'
import { type Json, type TestApp, testApp } from './support/app.ts'

const path = '/v1/transactional'
const hello = [{ type: 'text', text: 'Hello {{name}}' }]

function create(t: TestApp, body: object = {}): Promise<Json> {
  return t.post(`${path}/create`, { name: 'Hello', subject: 'Hi {{name}}', content: hello, ...body }, 201)
}

describe('what is refused changes nothing', () => {
  /** What is wrong, the request, and the status, code and path of the refusal. */
  type Case = [what: string, method: string, path: string, body: unknown, status: number, code: string, at?: string]
  const valid = { name: 'New', subject: 'New', content: hello }
  const creates = (what: string, body: object, at: string, code = 'validation_failed'): Case => [
    what,
    'POST',
    '/create',
    { ...valid, ...body },
    code === 'template_exists' ? 409 : 422,
    code,
    at,
  ]
  const controls = ['a\r\nBcc: e@x.test', 'a\nb', 'a\rb', 'a\0b', 'a\u0085b', 'a\u2028b', 'a\u2029b', 'a\tb', 'a\x7fb']
  const headerTexts = ['name', 'subject', 'previewText', 'fromName', 'replyTo', 'fromEmail']
  const badSlugs = [
    'create',
    'update',
    'delete',
    'send',
    'list',
    'constructor',
    'prototype',
    '__proto__',
    '../x',
    'a/b',
  ]
  const oddSlugs = [
    '..%5cx',
    '%2e%2e%2f',
    'A',
    'é',
    'e\u0301',
    'a b',
    'a\0',
    '-a',
    '_a',
    '',
    'a'.repeat(65),
    'a'.repeat(300),
  ]
  const badAddresses = ['nobody', 'a@x.test, b@x.test', 'A <a@x.test>', 'a@x.test\r\nBcc: e@x.test', '@x.test', 'a@']
  const badTrees: [what: string, content: unknown, at: string][] = [
    ['no list', { type: 'text', text: 'x' }, 'content'],
    ['a string', '<p>x</p>', 'content'],
    ['null', null, 'content'],
    ['no node', ['x'], 'content[0]'],
    ['no type', [{ text: 'x' }], 'content[0].type'],
    [
      'an unknown type',
      [
        { type: 'text', text: 'x' },
        { type: 'html', text: 'x' },
      ],
      'content[1].type',
    ],
    ['a missing text', [{ type: 'section', children: [{ type: 'heading' }] }], 'content[0].children[0].text'],
    [
      'a bad link',
      [{ type: 'list', items: ['a', { type: 'link', text: 'x', href: 'javascript:x' }] }],
      'content[0].items[1].href',
    ],
    ['a script behind a tab', [{ type: 'button', text: 'x', href: 'java\tscript:x' }], 'content[0].href'],
    ['data in an image', [{ type: 'image', src: 'data:text/html,x', alt: 'x' }], 'content[0].src'],
    ['a bad colour', [{ type: 'text', text: 'x', color: 'red;}' }], 'content[0].color'],
    ['a style', [{ type: 'text', text: 'x', style: 'background:url(x)' }], 'content[0].style'],
    [
      'a section in a section',
      [{ type: 'section', children: [{ type: 'section', children: [] }] }],
      'content[0].children[0]',
    ],
    ['too many nodes', Array.from({ length: 501 }, () => ({ type: 'text', text: 'x' })), 'content'],
    ['too much text', [{ type: 'text', text: 'x'.repeat(103_000) }], 'content'],
  ]

  const cases: Case[] = [
    ['no name', 'POST', '/create', { subject: 'x' }, 422, 'missing_required_field', 'name'],
    ['no subject', 'POST', '/create', { name: 'x' }, 422, 'missing_required_field', 'subject'],
    creates('an empty name', { name: '' }, 'name'),
    creates('a long subject', { subject: 'x'.repeat(501) }, 'subject'),
    creates('a number as a name', { name: 5 }, 'name'),
    creates('htmlBody', { htmlBody: '<p>' }, 'htmlBody'),
    creates('textBody', { textBody: '' }, 'textBody'),
    creates('an unknown status', { status: 'live' }, 'status'),
    creates('active without content', { status: 'active', content: undefined }, 'status'),
    creates('two identities', { id: 'a', slug: 'b' }, 'id', 'conflicting_fields'),
    creates('a slug that is taken', { id: 'taken' }, 'id', 'template_exists'),
    creates('a slug that is taken, as slug', { slug: 'taken' }, 'id', 'template_exists'),
    ...['no locale', 'x', 'en-', '../en', 'toolonglanguage'].map((locale) =>
      creates(`the locale ${locale}`, { primaryLocale: locale }, 'primaryLocale'),
    ),
    ...[...badSlugs, ...oddSlugs].map((slug) => creates(`the slug ${JSON.stringify(slug)}`, { id: slug }, 'id')),
    ...badTrees.map(([what, content, at]) => creates(`a tree with ${what}`, { content }, at)),
    ...headerTexts.flatMap((field) =>
      controls.flatMap((text): Case[] => [
        creates(`${field} ${JSON.stringify(text)}`, { [field]: text }, field),
        [`update ${field}`, 'PUT', '/update', { id: 'taken', [field]: text }, 422, 'validation_failed', field],
      ]),
    ),
    ...['replyTo', 'fromEmail'].flatMap((field) =>
      badAddresses.map((address) => creates(`${field} ${JSON.stringify(address)}`, { [field]: address }, field)),
    ),
    ['update without id', 'PUT', '/update', { name: 'x' }, 422, 'missing_required_field', 'id'],
    ['update of nothing', 'PUT', '/update', { id: 'unknown', name: 'x' }, 404, 'not_found'],
    ['update with htmlBody', 'PUT', '/update', { id: 'taken', htmlBody: 'x' }, 422, 'validation_failed', 'htmlBody'],
    ['update with textBody', 'PUT', '/update', { id: 'taken', textBody: 'x' }, 422, 'validation_failed', 'textBody'],
    [
      'update with a bad tree',
      'PUT',
      '/update',
      { id: 'taken', content: [{}] },
      422,
      'validation_failed',
      'content[0].type',
    ],
    [
      'update with a stale revision',
      'PUT',
      '/update',
      { id: 'taken', name: 'x', expectedRevisionId: 'rev_0' },
      409,
      'revision_mismatch',
      'expectedRevisionId',
    ],
    [
      'activation without content',
      'PUT',
      '/update',
      { id: 'draft', status: 'active' },
      422,
      'validation_failed',
      'primaryLocale',
    ],
    ['delete without id', 'POST', '/delete', {}, 422, 'missing_required_field', 'id'],
    ['delete of nothing', 'POST', '/delete', { id: 'unknown' }, 404, 'not_found'],
    ['content of nothing', 'PUT', '/unknown/content/en', hello, 404, 'not_found'],
    ['content in no locale', 'PUT', '/taken/content/no_locale_at_all', hello, 422, 'validation_failed', 'locale'],
    ['content without a tree', 'PUT', '/taken/content/en', {}, 422, 'missing_required_field', 'content'],
    [
      'content with a bad tree',
      'PUT',
      '/taken/content/en',
      [{ type: 'text' }],
      422,
      'validation_failed',
      'content[0].text',
    ],
    [
      'content with htmlBody',
      'PUT',
      '/taken/content/en',
      { content: hello, htmlBody: 'x' },
      422,
      'validation_failed',
      'htmlBody',
    ],
    [
      'content with a bad subject',
      'PUT',
      '/taken/content/en',
      { content: hello, subject: 'a\nb' },
      422,
      'validation_failed',
      'subject',
    ],
    [
      'content with a stale revision',
      'PUT',
      '/taken/content/de',
      { content: hello, expectedRevisionId: 'rev_0' },
      409,
      'revision_mismatch',
      'expectedRevisionId',
    ],
    ...controls
      .slice(0, 5)
      .map(
        (text): Case => [
          'a preview',
          'PUT',
          '/taken/content/en',
          { content: hello, previewText: text },
          422,
          'validation_failed',
          'previewText',
        ],
      ),
  ]

  test(`all ${cases.length} of them, by status, code and path`, async () => {
    await using t = await testApp()
    await create(t, { id: 'taken' })
    await create(t, { id: 'draft', content: undefined })
    const wrong: string[] = []
    for (const [what, method, at, body, status, code, field] of cases) {
      const reply = await t.unchanged(() => t.request(method, path + at, body))
      const got = [reply.status, reply.body.code, reply.body.errors?.[0]?.path]
      const expected = [status, code, status === 404 || code === 'template_exists' ? got[2] : field]
      if (JSON.stringify(got) !== JSON.stringify(expected)) wrong.push(`${method} ${what}: ${got}, not ${expected}`)
    }
    expect(wrong).toEqual([])
  })

  test('a slug in the path finds its template or nothing, however it is written', async () => {
    await using t = await testApp()
    await create(t, { id: 'taken' })
    const odd = [
      '..%2ftaken',
      '%2e%2e%2ftaken',
      '..%5ctaken',
      'taken%00',
      'TAKEN',
      'a%2fb',
      'x'.repeat(300),
      '__proto__',
    ]
    const words = [
      'constructor',
      'create',
      'update',
      'delete',
      'list',
      '%20taken',
      'taken%20',
      "taken'%20OR%201=1--",
      '*',
      '%25',
    ]
    for (const slug of [...odd, ...words]) {
      const read = await t.unchanged(() => t.request('GET', `${path}/${slug}`))
      expect([404, 405, 400, 422], `GET ${slug}`).toContain(read.status)
      const put = await t.unchanged(() => t.request('PUT', `${path}/${slug}/content/en`, hello))
      expect([404, 400, 422], `PUT ${slug}`).toContain(put.status)
    }
  })

  test('a tree a hundred thousand nodes wide or ten thousand deep is refused without effort', async () => {
    await using t = await testApp()
    const wide = Array.from({ length: 100_000 }, () => ({ type: 'text', text: 'x' }))
    await t.unchanged(() => t.post(`${path}/create`, { ...valid, content: wide }, 422))
    const open = '{"type":"container","children":['
    const deep = `{"name":"x","subject":"x","content":[${open.repeat(10_000)}${']}'.repeat(10_000)}]}`
    await t.unchanged(() => t.post(`${path}/create`, deep, 400))
    const nine = `{"name":"x","subject":"x","content":[${open.repeat(9)}${']}'.repeat(9)}]}`
    await t.unchanged(() => t.post(`${path}/create`, nine, 422))
  })
})
