// What a refusal says of a value: what it must be, in words, with its limits, and never how a schema is written down.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type TestApp, testApp } from './support/app.ts'
import type { Json } from './support/calls.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t[Symbol.asyncDispose]())

test.each([
  ['/v1/stats?bucket=week', 'bucket: must be one of hour, day, month.'],
  ['/v1/transactional?status=foo', 'status: must be one of active, draft, archived, all.'],
  ['/v1/jobs?lane=mailXtx', /^lane: must be one of mail\.tx, mail\.optin, /],
])('of a query: %s', async (path, detail) => {
  const { status, body } = await t.request('GET', path)
  expect(status).toBe(422)
  expect(body.detail).toMatch(detail)
})

test.each([
  [
    '/v1/transactional/send',
    { email: 'a@b.test', templateId: 'x', tags: [1], attachments: {}, locale: [] },
    [
      ['tags[0]', 'must be a string of 1 to 100 characters', 'type'],
      ['attachments', 'must be a list', 'type'],
      ['locale', 'must be a string of at most 35 characters', 'type'],
    ],
  ],
  [
    '/v1/events/send',
    { email: 'a@b.test', eventName: ' x', eventProperties: [] },
    [
      ['eventName', 'must be 1 to 100 of letters, digits, _ . : -, and spaces between them', 'pattern'],
      ['eventProperties', 'must be an object', 'type'],
    ],
  ],
  [
    '/v1/mailing-lists',
    { name: 'a\nb', isPublic: 'x', optIn: 'maybe' },
    [
      ['name', 'must be 1 to 200 characters in one line', 'pattern'],
      ['isPublic', 'must be true or false', 'type'],
      ['optIn', 'must be one of single, double', 'not_allowed'],
    ],
  ],
  ['/v1/jobs/retry', { jobIds: 'x' }, [['jobIds', 'must be a list of 1 to 1000 entries', 'type']]],
])('of a body: %s', async (path, body, expected) => {
  const { errors } = await t.post(path, body, 422)
  const said = errors.map((one: Json) => [one.path, one.message, one.code])
  expect(said.toSorted()).toEqual(expected.toSorted())
})
