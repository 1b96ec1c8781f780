// Fields that have several names, and addresses that look like one another.

import { expect, test } from 'bun:test'
import { type As, type Json, type RequestOptions, type TestApp, testApp } from './support/app.ts'
import { isTree, type Operation, operationsOf, pathWith, wholeSampleOf, wrongIn } from './support/openapi.ts'

async function prepared(): Promise<{ t: TestApp; sourceId: string; listId: string }> {
  const t = await testApp()
  await t.template()
  return { t, ...(await t.form('single', { type: 'form' })) }
}

test('two names of one field with different values are refused on every route that has them; the same value twice is taken', async () => {
  const { t, sourceId, listId } = await prepared()
  await using _ = t
  const email = 'ada@example.net'
  const send = { email, templateId: 'hello' }
  const file = { filename: 'a.txt', contentType: 'text/plain', data: 'eA==' }
  const optIn = { email, sourceId }
  type Pair = [method: string, path: string, equal: Json, different: Json, fields: string[]]
  const sends = (equal: Json, different: Json, fields: string[]): Pair[] =>
    ['/v1/transactional/send', '/api/v1/transactional'].map((path) => [
      'POST',
      path,
      { ...send, ...equal },
      { ...send, ...different },
      fields,
    ])
  const attachments = (more: object) => ({ attachments: [{ ...file, ...more }] })
  const pairs: Pair[] = [
    ...sends({ to: email }, { to: 'bob@example.net' }, ['email', 'to']),
    ...sends({ transactionalId: 'hello' }, { transactionalId: 'other' }, ['templateId', 'transactionalId']),
    ...sends({ addToContact: false, addToAudience: false }, { addToContact: false, addToAudience: true }, [
      'addToContact',
      'addToAudience',
    ]),
    ...sends(attachments({ name: 'a.txt' }), attachments({ name: 'b.txt' }), [
      'attachments[0].filename',
      'attachments[0].name',
    ]),
    ...sends(attachments({ content_type: 'text/plain' }), attachments({ content_type: 'text/csv' }), [
      'attachments[0].contentType',
      'attachments[0].content_type',
    ]),
    ...sends(attachments({ content: 'eA==' }), attachments({ content: 'eQ==' }), [
      'attachments[0].data',
      'attachments[0].content',
    ]),
    [
      'PUT',
      '/v1/transactional/update',
      { id: 'hello', transactionalId: 'hello', name: 'x' },
      { id: 'hello', transactionalId: 'other', name: 'x' },
      ['id', 'transactionalId'],
    ],
    [
      'POST',
      '/v1/transactional/create',
      { id: 'new', slug: 'new', name: 'x', subject: 'x' },
      { id: 'newer', slug: 'other', name: 'x', subject: 'x' },
      ['id', 'slug'],
    ],
    [
      'POST',
      '/v1/contact-subscriptions/opt-in',
      { ...optIn, source: sourceId },
      { ...optIn, source: 'src_other' },
      ['sourceId', 'source'],
    ],
    [
      'POST',
      '/v1/contact-subscriptions/opt-in',
      { ...optIn, mailingListIds: [listId], mailingLists: { [listId]: true } },
      { ...optIn, mailingListIds: [], mailingLists: { [listId]: true } },
      ['mailingListIds', 'mailingLists'],
    ],
    [
      'POST',
      '/v1/events/send',
      { email, eventName: 'bought', plan: 'pro', contactProperties: { plan: 'pro' } },
      { email, eventName: 'bought', plan: 'pro', contactProperties: { plan: 'free' } },
      ['plan', 'contactProperties.plan'],
    ],
    [
      'POST',
      '/v1/transactional/delete',
      { id: 'new', templateId: 'new' },
      { id: 'hello', templateId: 'new' },
      ['id', 'templateId'],
    ],
  ]
  for (const [method, path, equal, different, fields] of pairs) {
    const refused = await t.unchanged(() => t.request(method, path, different))
    const what = `${method} ${path} ${JSON.stringify(different)}`
    expect([refused.status, refused.body.code], what).toEqual([422, 'conflicting_fields'])
    expect(
      refused.body.errors.map((issue: Json) => issue.path),
      what,
    ).toEqual(fields)
    const taken = await t.request(method, path, equal)
    expect(taken.status, `${method} ${path}: ${taken.text}`).toBeLessThan(300)
  }
  const suppression = '/v1/contacts/suppression?email=one@example.net'
  expect((await t.delete(suppression, { email: 'two@example.net' }, 422)).code).toBe('conflicting_fields')
})

test('two names of one property of a component are refused likewise', async () => {
  const { t } = await prepared()
  await using _ = t
  const put = (node: object, status: number) =>
    t.put('/v1/transactional/update', { id: 'hello', content: [node] }, status)
  const nodes: [equal: object, different: object, paths: string[]][] = [
    [
      { type: 'text', text: 'a', content: 'a' },
      { type: 'text', text: 'a', content: 'b' },
      ['content[0].text', 'content[0].content'],
    ],
    [
      { type: 'button', text: 'x', href: 'https://a.example', url: 'https://a.example' },
      { type: 'button', text: 'x', href: 'https://a.example', url: 'https://b.example' },
      ['content[0].href', 'content[0].url'],
    ],
    [
      { type: 'text', text: 'a', props: { text: 'a' } },
      { type: 'text', text: 'a', props: { text: 'b' } },
      ['content[0].text', 'content[0].props.text'],
    ],
  ]
  for (const [equal, different, paths] of nodes) {
    const { code, errors } = await t.unchanged(() => put(different, 422))
    expect([code, errors.map(({ path }: Json) => path)]).toEqual(['conflicting_fields', paths])
    await put(equal, 200)
  }
})

test('a path of its own with another method is 405, though a pattern would match it', async () => {
  const { t } = await prepared()
  await using _ = t
  for (const name of ['send', 'create', 'update', 'delete']) {
    const reply = await t.request('GET', `/v1/transactional/${name}`)
    expect([reply.status, reply.body.code], name).toEqual([405, 'method_not_allowed'])
    expect(reply.headers.get('allow'), name).toBe(name === 'update' ? 'PUT' : 'POST')
  }
  const removed = await t.request('DELETE', '/v1/subscription-sources/create')
  expect([removed.status, removed.headers.get('allow')]).toEqual([405, 'POST'])
  const nobody: RequestOptions = { as: 'nobody' }
  expect((await t.request('GET', '/v1/transactional/send', undefined, nobody)).status).toBe(401)
  expect((await t.request('HEAD', '/v1/transactional')).status).toBe(200)
  expect((await t.request('GET', '/v1/transactional/hello')).status).toBe(200)
})

test('a number of a query is refused by its name, on every route that has one', async () => {
  await using t = await testApp()
  const numbers = (await operationsOf(t)).flatMap(({ method, path, parameters }) =>
    parameters
      .filter((one) => one.in === 'query' && ['integer', 'number'].includes(one.schema.type))
      .map(({ name }) => ({ method, path, name })),
  )
  expect(numbers.length).toBeGreaterThan(10)
  const asked = numbers.flatMap((one) =>
    ['0', '-1', '1.5', 'x', '', '1e3', '9999999999'].map((value) => ({ ...one, value })),
  )
  const wrong = await Promise.all(
    asked.map(async ({ method, path, name, value }) => {
      const { status, body } = await t.request(method, `${pathWith(path, {})}?${name}=${value}`)
      const { errors = [] } = body
      const isRight =
        status === 422 && errors[0]?.path === name && errors[0].message === 'must be a whole number of at least 1'
      // Of some the caller is refused first: a session alone opens them.
      return isRight || status === 401 ? [] : [`${path}?${name}=${value}: ${status} ${JSON.stringify(errors)}`]
    }),
  )
  expect(wrong.flat()).toEqual([])
})

function callerOf({ security }: Operation): As {
  if (security.some((scheme) => 'apiKey' in scheme)) return 'key'
  return security.length > 0 ? 'session' : 'nobody'
}

test('a member of a wrong kind is refused by its place, on every route that takes a body, whatever else is right', async () => {
  await using t = await testApp()
  const writes = (await operationsOf(t)).filter(({ method, takesJson }) => method !== 'GET' && takesJson)
  const failed: string[] = []
  let asked = 0
  for (const operation of writes) {
    const { id, method, path, bodySchema } = operation
    if (bodySchema === undefined) continue
    const wrongs = wrongIn(bodySchema, wholeSampleOf(bodySchema))
      .filter((wrong) => !isTree(wrong))
      .toArray()
    asked += wrongs.length
    const replies = await Promise.all(
      wrongs.map(({ body }) => t.request(method, pathWith(path, {}), body, { as: callerOf(operation) })),
    )
    for (const [index, { status, text, body }] of replies.entries()) {
      const { path: place = '' } = wrongs[index] ?? {}
      const isNamed = body.errors?.some((one: Json) => one.path === place)
      if (status !== 422 || !isNamed) failed.push(`${id} ${place}: ${status} ${text.slice(0, 300)}`)
    }
  }
  expect(failed).toEqual([])
  expect(asked).toBeGreaterThan(1_000)
})
