// What all tests lean on: an app that served one test is as new for the next, and one that cannot be is not lent again.

import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { write } from '../src/core/app.ts'
import { idName } from '../src/core/installation-id.ts'
import { type TestApp, type TestAppOptions, testApp } from './support/app.ts'
import { remoteDatabase } from './support/database.ts'
import { documentedBy } from './support/documented.ts'
import { schemasOf } from './support/json-schema.ts'
import { snapshot } from './support/snapshot.ts'

/** A test of that app. Returns where it was. */
async function visit(
  work: (t: TestApp) => Promise<unknown> = async () => {},
  options: TestAppOptions = {},
): Promise<string> {
  await using t = await testApp(options)
  await work(t)
  return t.url
}

async function useIt(t: TestApp): Promise<void> {
  await t.template()
  await t.mail()
  await t.advance('1h')
  await t.request('GET', '/v1/contacts', undefined, { as: { apiKey: 'wrong' } })
  t.app.config.webhookAllowCidrs = []
  expect(await t.sent()).toHaveLength(1)
}

test.skipIf(remoteDatabase)('an app that served a test is as new for the next', async () => {
  await using whole = await testApp({ isNew: true })
  const rows = await snapshot(whole.app)
  const first = await visit(useIt)
  const next = await visit(async (t) => {
    // Each has an id of its own.
    const differences = (await snapshot(t.app)).differencesFrom(rows)
    expect(differences.filter((row) => !row.includes(`"name":"${idName}"`))).toEqual([])
    expect([t.clock.now(), t.logged, await t.sent()]).toEqual([whole.clock.now(), [], []])
    expect(t.app.config.webhookAllowCidrs).toEqual(whole.app.config.webhookAllowCidrs)
    expect((await t.get('/v1/contacts', 200)).data).toEqual([])
  })
  expect(next).toBe(first)
})

test.skipIf(remoteDatabase)(
  'an app is not lent again with other tables, other files, or a reader that holds what it read',
  async () => {
    const spoilt = [
      (t: TestApp) => write(t.app, (tx) => tx.db.run(sql`CREATE TABLE left_behind (id)`)),
      async (t: TestApp) => writeFileSync(join(t.app.config.dataDir, 'left-behind'), ''),
      async (t: TestApp) => t.app.db.all(sql`EXPLAIN QUERY PLAN SELECT * FROM contacts`),
    ]
    for (const spoil of spoilt) {
      const url = await visit(spoil)
      expect(await visit()).not.toBe(url)
    }
  },
)

test.skipIf(remoteDatabase)('an app is lent with another way out for mail, and never with other settings', async () => {
  const wayOf = async (t: TestApp) => expect(t.app.mailer.kind).toBe(t.app.config.smtpUrl ? 'smtp' : 'capture')
  const first = await visit(wayOf, { environment: { SMTP_URL: 'smtp://127.0.0.1:1' } })
  expect(await visit(useIt)).toBe(first)
  expect(await visit(wayOf, { environment: { SMTP_URL: 'smtp://127.0.0.1:2' } })).toBe(first)
  const limited = { environment: { API_RATE_LIMIT: '2' } }
  const other = await visit((t) => t.get('/v1/workspace', 200), limited)
  expect(other).not.toBe(first)
  // What it counted is forgotten.
  expect(
    await visit(async (t) => [await t.get('/v1/workspace', 200), await t.get('/v1/workspace', 200)], limited),
  ).toBe(other)
})

test('an answer that the document does not describe fails its test', async () => {
  await using t = await testApp()
  const check = await documentedBy(t.url)
  const told = await t.get('/v1/workspace', 200)
  const answered = (status: number, body: object) => () =>
    check({ method: 'GET', path: '/v1/workspace', status, contentType: 'application/json', body })
  expect(answered(200, told)).not.toThrow()
  const { name: _, ...nameless } = told
  for (const [wrong, body] of [
    ['body breaks required', nameless],
    ['body.name is not string', { ...told, name: null }],
    ['body.brand is not object', { ...told, brand: [] }],
    ['body.createdAt breaks format', { ...told, createdAt: '2030-02-31T00:00:00Z' }],
    ['body is not object', [told]],
  ] as const)
    expect(answered(200, body)).toThrow(wrong)
  expect(answered(418, told)).toThrow('answered 418, which the document does not name')
})

test('a schema fits what it says, and one that cannot be read is an error', () => {
  const faultOf = schemasOf({
    components: { schemas: { Name: { type: ['string', 'null'], minLength: 2, pattern: '^a' } } },
  })
  const Name = { $ref: '#/components/schemas/Name' }
  const closed = { type: 'object', properties: { n: { type: 'integer', maximum: 3 } }, additionalProperties: false }
  const cases: [schema: object, fits: unknown[], not: unknown[]][] = [
    [Name, ['ab', null], ['a', 'ba', 1]],
    [closed, [{}, { n: 3 }], [{ n: 4 }, { n: 1.5 }, { m: 1 }, [], null]],
    [{ patternProperties: { '^x': { type: 'boolean' } } }, [{ x1: true, y: 1 }, 1], [{ x1: 1 }]],
    [{ type: 'array', items: Name, minItems: 1, maxItems: 2 }, [['ab']], [[], ['ab', 'ab', 'ab'], ['ab', 'x']]],
    [{ anyOf: [{ const: 1 }, { enum: ['a', 'b'] }] }, [1, 'b'], [2, 'c']],
    [{ oneOf: [{ type: 'number' }, { type: 'integer' }] }, [1.5], [1, 'x']],
    [{ allOf: [Name, { maxLength: 3 }] }, ['abc'], ['abcd', 'b']],
    [{ format: 'date' }, ['2028-02-29'], ['2027-02-29', '2027-2-2']],
    [{ format: 'uri' }, ['https://a.test/'], ['a']],
  ]
  for (const [schema, fits, not] of cases) {
    const fault = faultOf(schema)
    for (const value of fits) expect(fault(value, 'it')).toBeUndefined()
    for (const value of not) expect(fault(value, 'it')).toStartWith('it')
  }
  expect(() => faultOf({ type: 'object', dependentRequired: {} })).toThrow('dependentRequired')
})
