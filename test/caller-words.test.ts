// Words of a caller that every table of JavaScript inherits: `toString`, `constructor` and their kin mean nothing to us.

import { expect, test } from 'bun:test'
import { testApp } from './support/app.ts'
import { content, listOf, trust } from './support/campaign.ts'

const inherited = ['toString', 'valueOf', 'constructor', 'hasOwnProperty', 'isPrototypeOf', '__proto__']

test('a filter of a campaign by an inherited name finds a property of that name, or is refused', async () => {
  await using t = await testApp()
  const { list } = await listOf(t, 2)
  await trust(t, 'M1')
  for (const field of inherited) {
    for (const [op, value] of [
      ['eq', 'x'],
      ['gt', 1],
      ['exists', undefined],
    ] as const) {
      const audienceFilter = [{ field, op, value }]
      const body = { name: 'x', subject: 'x', mailingListId: list.id, content, audienceFilter }
      const { status, body: made } = await t.request('POST', '/v1/campaigns', body)
      expect([201, 422], `${field} ${op}`).toContain(status)
      if (status === 422) continue
      const dry = await t.post(`/v1/campaigns/${made.id}/send`, { dryRun: true }, 200)
      expect(dry.recipients).toBe(0)
    }
  }
  await t.put('/v1/contacts/update', { email: 'r0@example.net', toString: 'x' }, 200)
  const audienceFilter = [{ field: 'toString', op: 'eq', value: 'x' }]
  const body = { name: 'x', subject: 'x', mailingListId: list.id, content, audienceFilter }
  const { id } = await t.post('/v1/campaigns', body, 201)
  expect((await t.post(`/v1/campaigns/${id}/send`, { dryRun: true }, 200)).recipients).toBe(1)
  // The other contact has none: an empty cell, and no source code.
  const { text } = await t.request('GET', '/v1/contacts/export')
  expect(text).toContain('toString')
  expect(text).not.toContain('native code')
})

test('languages, columns and types by inherited names are unknown ones', async () => {
  await using t = await testApp()
  const { list } = await listOf(t, 1)
  for (const name of inherited) {
    const locale = name.toLowerCase()
    const sent = await t.request('POST', '/v1/campaigns', {
      name,
      subject: 'x',
      mailingListId: list.id,
      content,
      locale,
    })
    expect([201, 422], name).toContain(sent.status)
    const csv = { headers: { 'content-type': 'text/csv' } }
    const file = await t.request('POST', '/v1/contacts/import', `email,${name}\na@example.net,1`, csv)
    expect(file.status, `${name}: ${file.text}`).toBeLessThan(500)
    const attachments = [{ filename: 'a.txt', contentType: name, data: 'aGk=' }]
    const refused = await t.request('POST', '/v1/transactional/send', {
      email: 'a@b.example',
      templateId: name,
      attachments,
    })
    expect([404, 422], name).toContain(refused.status)
  }
  await t.settle()
})
