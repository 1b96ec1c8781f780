import { expect, test } from 'bun:test'
import { type As, type Json, type TestApp, testApp } from './support/app.ts'
import { type Dice, dice } from './support/dice.ts'
import { type Operation, operationsOf, wholeSampleOf } from './support/openapi.ts'

const mutations = 30
/** What a route is asked with follows from this and its name; a failure prints both. */
const seed = 20_261_121

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

/** As they are written: some of them no value of JavaScript can hold. */
const strange = [
  'null',
  'true',
  '-1',
  '0',
  '1e308',
  '1e999',
  '9007199254740993',
  '-0.0000001',
  '""',
  '" "',
  '"toString"',
  '"__proto__"',
  '"constructor"',
  '"\\u0000"',
  '"\\ud800"',
  '"\\ufdd0\\uffff"',
  '"%s%n%d"',
  '"\' OR 1=1 --"',
  '"{{a}}{{{b}}}"',
  '"2026-02-30T25:61:00Z"',
  '"-271821-04-20T00:00:00.000Z"',
  '"+275760-09-13T00:00:00.001Z"',
  `"${'a'.repeat(70_000)}"`,
  `"${'ä@'.repeat(200)}"`,
  '[]',
  '[null]',
  '[[],{}]',
  '["a","a"]',
  '{}',
  '{"toString":1}',
  '{"valueOf":1,"toString":1,"toJSON":1}',
  '[{"toString":1}]',
  '{"__proto__":{"a":1}}',
  '{"constructor":{"prototype":{}}}',
  '{"length":-1}',
  '{"then":1}',
  nested(40),
]

const bodies = [
  '',
  'null',
  '[]',
  '"a"',
  '5',
  '{',
  '{"a":1,"a":2}',
  '\u0000',
  nested(1_000),
  `[${'{},'.repeat(3_000)}{}]`,
]
const words = [
  'x',
  '%00',
  '%2e%2e%2f',
  '%ff%fe',
  '%',
  '%u0041',
  'toString',
  '__proto__',
  'constructor',
  '*',
  '-1',
  '1e999',
  '%F0%9F%98%80',
  'a'.repeat(3_000),
  '%27%22%3B--',
  'null',
]
const contentTypes = [
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  '',
  'a/b;c',
]

interface Asked {
  method: string
  path: string
  body: string | undefined
  contentType: string
}

/** One request to `operation`: mostly right, and wrong in one or two places. */
function mutated({ method, path, parameters, bodySchema }: Operation, ids: Record<string, string>, roll: Dice): Asked {
  const some = (name: string) => (roll.below(3) === 0 ? roll.of(words) : (ids[name] ?? 'x'))
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => some(name))
  const asked = parameters.filter(({ in: place }) => place === 'query' && roll.below(2) === 0)
  // What waits for something waits no longer.
  const soon = parameters.some(({ name }) => name === 'timeoutMs') ? '&timeoutMs=1' : ''
  const query = [...asked.map(({ name }) => name), ...(roll.below(8) === 0 ? ['a[b]', '__proto__'] : [])]
  const contentType = roll.below(12) === 0 ? roll.of(contentTypes) : 'application/json'
  return {
    method,
    path: `${address}?${query.map((name) => `${name}=${roll.of(words)}`).join('&')}${soon}`,
    body: method === 'GET' ? undefined : mutatedBody(bodySchema, roll),
    contentType,
  }
}

const mark = 'the place of something strange'

function mutatedBody(schema: Json, roll: Dice): string {
  if (roll.below(6) === 0) return roll.of(bodies)
  const sample = wholeSampleOf(schema)
  let place = sample
  for (;;) {
    const names = Object.keys(place)
    const name = names[roll.below(names.length)] ?? 'extra'
    const inside = place[name]
    if (typeof inside === 'object' && inside !== null && roll.below(2) === 0) place = inside
    else {
      place[name] = mark
      return JSON.stringify(sample).replace(`"${mark}"`, () => roll.of(strange))
    }
  }
}

/** One of each, so that a request with a good id comes further than the look-up. */
async function things(t: TestApp): Promise<Record<string, string>> {
  const content = [{ type: 'text', text: 'Hello' }]
  const template = await t.template({ id: 'hi' })
  const { messageId } = await t.mail({ email: 'a@b.test', templateId: 'hi' })
  const contact = await t.contact({ userId: 'u-1' })
  const list = await t.mailingList()
  const source = await t.post('/v1/subscription-sources', { name: 'Form', mailingListIds: [list.id] }, 201)
  const rule = await t.post('/v1/event-rules', { eventName: 'e', action: 'send_template', templateId: 'hi' }, 201)
  const draft = { name: 'News', subject: 'News', mailingListId: list.id, content }
  const campaign = await t.post('/v1/campaigns', draft, 201)
  const endpoint = await t.endpoint({ url: 'https://hooks.acme.test/' })
  const { data } = await t.get('/v1/jobs', 200)
  return {
    templateId: template.id,
    locale: 'en',
    messageId,
    contactId: contact.id,
    listId: list.id,
    sourceId: source.id,
    ruleId: rule.id,
    campaignId: campaign.id,
    endpointId: endpoint.id,
    jobId: data[0].id,
  }
}

/** The key where it is taken: what is done with it must not end the session that the rest needs. */
function callerOf({ security }: Operation): As {
  if (security.length === 0) return 'nobody'
  return security.some((scheme) => 'apiKey' in scheme) ? 'key' : 'session'
}

test('no request makes a route fail: wrong kinds, strange names, huge numbers, deep nesting, bad ids', async () => {
  await using t = await testApp()
  const operations = (await operationsOf(t)).sort((a, b) => Number(a.id === 'logout') - Number(b.id === 'logout'))
  const ids = await things(t)
  const failures: string[] = []
  for (const operation of operations) {
    const roll = dice(seed ^ Bun.hash.crc32(operation.id))
    const requests = Array.from({ length: mutations }, () => mutated(operation, ids, roll))
    const as = callerOf(operation)
    const replies = await Promise.all(
      requests.map(({ method, path, body, contentType }) =>
        t.request(method, path, body, { as, headers: { 'content-type': contentType } }),
      ),
    )
    replies.forEach(({ status, text }, index) => {
      if (status >= 500)
        failures.push(`${JSON.stringify(requests[index]).slice(0, 500)} -> ${status} ${text.slice(0, 300)}`)
    })
  }
  expect(failures.join('\n'), `seed ${seed}`).toBe('')
  expect(operations.length * mutations).toBeGreaterThan(3_500)
}, 120_000)

test('a value that no text can be made of is a wrong value, not a failure', async () => {
  await using t = await testApp()
  const login = { email: { toString: 1 }, password: 'x' }
  const reply = await t.post('/v1/auth/login', login, 422, { as: 'nobody' })
  expect(reply.errors).toEqual([{ path: 'email', message: 'must be a string of at most 254 characters', code: 'type' }])
  await t.post('/v1/contacts/create', { email: [{ valueOf: 1, toString: 1 }] }, 422)
})

test('JSON that cannot be read is refused where a body may be left out, too', async () => {
  await using t = await testApp()
  const endpoint = await t.endpoint({ url: 'https://a.test/' })
  const path = `/v1/webhook-endpoints/${endpoint.id}/signing-secret`
  for (const body of ['{"overlapSeconds":0', '{"overlapSeconds":0,"overlapSeconds":9}', '\u0000']) {
    const reply = await t.unchanged(() => t.post(path, body, 400, { as: 'session' }))
    expect(reply.code).toBe('invalid_json')
  }
  await t.post(path, undefined, 200, { as: 'session' })
  expect((await t.delete('/v1/contacts/suppression', '{"email":', 400)).code).toBe('invalid_json')
})
