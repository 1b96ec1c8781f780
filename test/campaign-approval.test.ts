// The approval of a campaign: what it binds, and that nothing begins without it where a workspace asks for one.

import { expect, test } from 'bun:test'
import { type TestApp, testApp } from './support/app.ts'
import { content, draft, listOf, statsOf } from './support/campaign.ts'

const member = { as: 'session' } as const

/** A draft in a workspace whose agents need an approval. */
async function guarded(t: TestApp, people = 1, fields: object = {}) {
  await t.patch('/v1/campaign-settings', { agentsNeedApproval: true }, 200, member)
  const { list } = await listOf(t, people)
  return { list, id: await draft(t, list, fields) }
}

async function approve(t: TestApp, id: string, status = 200) {
  const { contentHash } = await t.get(`/v1/campaigns/${id}`, 200)
  return await t.post(`/v1/campaigns/${id}/approve`, { contentHash }, status, member)
}

test('a key can neither send, schedule nor resume what no member approved', async () => {
  await using t = await testApp()
  const { id } = await guarded(t)
  const scheduledAt = '2026-01-15T13:00:00Z'
  for (const [route, body] of [
    ['send', {}],
    ['send', { scheduledAt }],
    ['schedule', { scheduledAt }],
  ] as const) {
    const refused = await t.unchanged(() => t.post(`/v1/campaigns/${id}/${route}`, body, 403))
    expect(refused.errors).toMatchObject([{ code: 'approval_required' }])
  }
  // A member schedules it, its moment is missed, and now a key would have it go on.
  await t.post(`/v1/campaigns/${id}/schedule`, { scheduledAt }, 200, member)
  await t.advance('122m')
  expect(await t.get(`/v1/campaigns/${id}`, 200)).toMatchObject({ status: 'paused', pauseReason: 'missed_window' })
  const refused = await t.unchanged(() => t.post(`/v1/campaigns/${id}/resume`, {}, 403))
  expect(refused.errors).toMatchObject([{ code: 'approval_required' }])
  await t.post(`/v1/campaigns/${id}/resume`, {}, 200, member)
  await t.settle()
  expect(await statsOf(t, id)).toMatchObject({ status: 'sent', sent: 1 })
})

test('what a member schedules begins at its time, as the member saw it', async () => {
  await using t = await testApp()
  await t.post('/v1/transactional/create', { id: 'news', name: 'N', subject: 'T', content }, 201)
  const { list, id } = await guarded(t, 1)
  const other = await draft(t, list, { content: undefined, templateId: 'news' })
  for (const one of [id, other])
    await t.post(`/v1/campaigns/${one}/schedule`, { scheduledAt: '2026-01-15T13:00:00Z' }, 200, member)
  // Taking the schedule back leaves no approval behind.
  const third = await draft(t, list)
  await t.post(`/v1/campaigns/${third}/schedule`, { scheduledAt: '2026-01-15T13:00:00Z' }, 200, member)
  expect(await t.post(`/v1/campaigns/${third}/unschedule`, {}, 200)).toMatchObject({ status: 'draft' })
  await t.post(`/v1/campaigns/${third}/send`, {}, 403)
  await t.put('/v1/transactional/update', { id: 'news', content: [{ type: 'text', text: 'Other words' }] }, 200)
  await t.advance('61m')
  expect(await statsOf(t, id)).toMatchObject({ status: 'sent', sent: 1 })
  expect(await t.get(`/v1/campaigns/${other}`, 200)).toMatchObject({
    status: 'paused',
    pauseReason: 'approval_required',
  })
})

test('a schedule that was approved goes through a restart of the question: when it comes due, and at a resume', async () => {
  await using t = await testApp()
  const { id } = await guarded(t)
  await approve(t, id)
  await t.post(`/v1/campaigns/${id}/schedule`, { scheduledAt: '2026-01-15T13:00:00Z' }, 200)
  await t.advance('122m')
  await t.post(`/v1/campaigns/${id}/resume`, {}, 200)
  await t.settle()
  expect(await statsOf(t, id)).toMatchObject({ status: 'sent', sent: 1 })
})

test('an approval names what was seen; nothing else is approved, nothing else is sent', async () => {
  await using t = await testApp()
  const { list, id } = await guarded(t)
  const seen = await t.get(`/v1/campaigns/${id}`, 200)
  expect(seen.contentHash).toMatch(/^[0-9a-f]{64}$/)
  const unnamed = await t.unchanged(() => t.post(`/v1/campaigns/${id}/approve`, {}, 422, member))
  expect(unnamed.errors).toMatchObject([{ path: 'contentHash' }])
  const { list: another } = await listOf(t, 1, { domain: 'other.example.net' })
  for (const edit of [
    { subject: 'Another' },
    { previewText: 'In short' },
    { content: [{ type: 'text', text: 'Other' }] },
    { mailingListId: another.id },
    { audienceFilter: [{ field: 'plan', op: 'eq', value: 'pro' }] },
    { fromName: 'Somebody' },
    { replyTo: 'else@acme.test' },
    { locale: 'de' },
  ]) {
    const { contentHash } = await t.get(`/v1/campaigns/${id}`, 200)
    expect(await t.patch(`/v1/campaigns/${id}`, edit, 200)).toMatchObject({ status: 'draft' })
    const stale = await t.unchanged(() => t.post(`/v1/campaigns/${id}/approve`, { contentHash }, 409, member))
    expect(stale).toMatchObject({ code: 'revision_mismatch', errors: [{ path: 'contentHash' }] })
  }
  await t.patch(`/v1/campaigns/${id}`, { ignoreGuardrail: true }, 200, member)
  await t.patch(`/v1/campaigns/${id}`, { mailingListId: list.id, audienceFilter: null }, 200)
  await t.unchanged(() => t.post(`/v1/campaigns/${id}/send`, { contentHash: seen.contentHash }, 409, member))
  const { contentHash } = await t.post(`/v1/campaigns/${id}/send`, { dryRun: true }, 200)
  expect(await approve(t, id)).toMatchObject({ status: 'approved', contentHash })
  // What stands in every mail of the workspace is part of what was seen.
  await t.patch('/v1/workspace', { brand: { companyAddress: 'Elsewhere 1' } }, 200)
  expect((await t.unchanged(() => t.post(`/v1/campaigns/${id}/send`, {}, 409))).errors).toMatchObject([
    { code: 'approval_required' },
  ])
  await approve(t, id)
  await t.post(`/v1/campaigns/${id}/send`, {}, 200)
})

test('approve beside an edit: whatever comes first, what is approved is what was seen', async () => {
  await using t = await testApp()
  const { id } = await guarded(t)
  let approved = 0
  for (let round = 0; round < 30; round++) {
    const { contentHash } = await t.get(`/v1/campaigns/${id}`, 200)
    const approving = () => t.request('POST', `/v1/campaigns/${id}/approve`, { contentHash }, member)
    const editing = () => t.request('PATCH', `/v1/campaigns/${id}`, { subject: `Edit ${round}` })
    const [one] = await Promise.all(round % 2 ? [approving(), editing()] : [editing().then(approving)])
    const now = await t.get(`/v1/campaigns/${id}`, 200)
    expect(now).toMatchObject({ status: 'draft', subject: `Edit ${round}` })
    expect([200, 409]).toContain(one.status)
    approved += Number(one.status === 200)
  }
  expect(approved).toBeLessThan(30)
  expect((await t.request('POST', `/v1/campaigns/${id}/send`, {})).status).toBe(403)
})
