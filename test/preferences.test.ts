// What is kept for a person in a workspace: theirs alone, small, and gone with the membership.

import { describe, expect, test } from 'bun:test'
import { preferences } from '../db/tables/preferences.ts'
import { type Json, testApp } from './support/app.ts'
import { session } from './support/calls.ts'

const path = '/v1/auth/preferences'
const valuesOf = ({ data }: Json) => data.map(({ value }: Json) => value)

describe('preferences', () => {
  test('are kept for one person, in one workspace, until they are forgotten', async () => {
    await using t = await testApp()
    const grace = await t.person('viewer')
    await t.put(path, { key: 'hidden', value: 'yes' }, 200, session)
    await t.put(path, { key: 'hidden', value: 'no' }, 200, grace.as)
    await t.put(path, { key: 'hidden', value: 'still' }, 200, session)
    await t.put(path, { key: 'views.contacts.1', value: '{"name":"Ours"}' }, 200, session)
    const { data } = await t.get(path, 200, session)
    expect(data).toEqual([
      { key: 'hidden', value: 'still', updatedAt: expect.any(String) },
      { key: 'views.contacts.1', value: '{"name":"Ours"}', updatedAt: expect.any(String) },
    ])
    expect(valuesOf(await t.get(path, 200, grace.as))).toEqual(['no'])
    for (const _ of ['once', 'twice']) await t.put(path, { key: 'hidden', value: null }, 200, session)
    expect(valuesOf(await t.get(path, 200, session))).toEqual(['{"name":"Ours"}'])
    expect(valuesOf(await t.get(path, 200, grace.as))).toEqual(['no'])
  })

  test('are for people: a key has none', async () => {
    await using t = await testApp()
    await t.get(path, 401)
    await t.unchanged(() => t.put(path, { key: 'hidden', value: 'yes' }, 401))
    await t.get(path, 401, { as: 'nobody' })
  })

  test('are small and few, and say so by the name of the field', async () => {
    await using t = await testApp()
    for (const key of ['Views', '1', 'a b', 'ä', '', 'a'.repeat(81)]) {
      const { errors } = await t.put(path, { key, value: '' }, 422, session)
      expect(errors).toEqual([expect.objectContaining({ path: 'key', message: expect.stringContaining('1 to 80') })])
    }
    const long = await t.put(path, { key: 'views', value: 'a'.repeat(4_001) }, 422, session)
    expect(JSON.stringify(long)).toMatch(/value.*4000|4000.*value/)
    for (let at = 0; at < 200; at++) await t.put(path, { key: `v${at}`, value: 'a'.repeat(4_000) }, 200, session)
    const { errors } = await t.put(path, { key: 'one-more', value: 'a' }, 422, session)
    expect(errors).toEqual([expect.objectContaining({ path: 'key', code: 'too_many' })])
    // One that is there may change.
    await t.put(path, { key: 'v7', value: 'b' }, 200, session)
    expect((await t.get(path, 200, session)).data).toHaveLength(200)
  })

  test('go with the membership, and one that names somebody with their erasure', async () => {
    await using t = await testApp()
    const grace = await t.person('member')
    const ada = await t.contact({ email: 'Ada@example.net' })
    await t.put(path, { key: 'views.contacts.1', value: '{"filter":{"q":"ada@EXAMPLE.net"}}' }, 200, grace.as)
    await t.put(path, { key: 'views.contacts.2', value: '{"filter":{"q":"ben"}}' }, 200, grace.as)
    await t.delete(`/v1/contacts/${ada.id}/data`, undefined, 200)
    expect(valuesOf(await t.get(path, 200, grace.as))).toEqual(['{"filter":{"q":"ben"}}'])
    await t.delete(`/v1/members/${grace.userId}`, undefined, 200, session)
    const left = await t.app.db.select().from(preferences)
    expect(left).toEqual([])
  })
})
