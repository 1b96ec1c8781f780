// The approval of a campaign: what it binds, and that nothing begins without it where a workspace asks for one.

import { describe, expect, test } from 'bun:test'
import type { EligibilityCheck } from '../src/features/campaigns/eligibility.ts'
import { autoResolvedNames } from '../src/features/content/rendering/variable-names.ts'
import { fixedValues } from '../src/features/sending/values.ts'
import { brandBody } from '../src/people/access/schema.ts'
import type { Workspace } from '../src/people/workspaces.ts'
import { type Json, type RequestOptions, type TestApp, testApp } from './support/app.ts'
import { content, draft, drafted, join, listOf, sendCampaign, statsOf } from './support/campaign.ts'

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
  await t.template({ id: 'news', content })
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

test('a value that the platform fills in is bound, or it is of one recipient', async () => {
  await using t = await testApp()
  const brand = Object.fromEntries(Object.keys(brandBody.properties).map((name) => [name, `https://${name}.example`]))
  const other = { ...t.workspace, name: 'Your bank', timeZone: 'Asia/Tokyo', brand }
  const read = (workspace: Workspace, name: string) =>
    name.split('.').reduce((at: Json, part) => at?.[part], fixedValues(workspace, { locale: 'en', fromName: null }))
  const same = autoResolvedNames.filter((name) => Bun.deepEquals(read(t.workspace, name), read(other, name)))
  expect(same).toEqual([
    // In the time zone, which is bound as such.
    'date',
    'year',
    'recipient_email',
    'locale',
    'message_id',
    'unsubscribe_url',
    'preferences_url',
    'view_in_browser_url',
    'confirm_url',
  ])
})

/** Approved by a member for `people`, greeting each by their first name. */
async function approved(t: TestApp, people: number, fields: object = {}) {
  const { list, id } = await guarded(t, people, fields)
  await approve(t, id)
  return { id, list, send: (status: number) => t.post(`/v1/campaigns/${id}/send`, {}, status) }
}

const checkout = `${import.meta.dir}/..`

const lure = 'You won: https://evil.example'
const missing = { code: 'invalid_state_transition', errors: [{ code: 'approval_required' }] }

test('an approval holds for its audience: a tenth more are others, however they came', async () => {
  await using t = await testApp()
  const { id, list, send } = await approved(t, 20)
  const add = (n: number) =>
    t.contact({ email: `lure${n}@example.net`, firstName: lure, mailingLists: { [list.id]: true } })
  await add(1)
  expect(await t.get(`/v1/campaigns/${id}/why`, 200)).not.toMatchObject({ reasons: [{ code: 'approval_missing' }] })
  // One leaves and another comes.
  await t.put('/v1/contacts/update', { email: 'r0@example.net', mailingLists: { [list.id]: false } }, 200)
  await add(2)
  expect(await t.unchanged(() => send(409))).toMatchObject(missing)
  await t.unchanged(() => t.post(`/v1/campaigns/${id}/schedule`, { scheduledAt: '2026-01-15T13:00:00Z' }, 409))
  await approve(t, id)
  await send(200)
  await t.settle()
  expect(await statsOf(t, id)).toMatchObject({ status: 'sent', sent: 21 })
})

/** One way by which a mail reaches somebody whom it would not have reached. */
interface Way {
  /** Of the draft. */
  fields?: object
  /** Before the approval: what keeps it from them. */
  before?(t: TestApp, listId: string): Promise<unknown>
  /** After it, by a key. */
  by(t: TestApp, listId: string): Promise<unknown>
}

const them = 'r1@example.net'
const update = (t: TestApp, fields: object) => t.put('/v1/contacts/update', { email: them, ...fields }, 200)
const suppressed = (t: TestApp) => t.post('/v1/suppressions', { email: them }, 201)

async function optIn(t: TestApp, listId: string, { email = them, optIn = 'single' } = {}) {
  const source = { name: 'Form', mailingListIds: [listId], optIn }
  const { id: sourceId } = await t.post('/v1/subscription-sources/create', source, 201)
  await t.post('/v1/contact-subscriptions/opt-in', { sourceId, email }, optIn === 'single' ? 201 : 202)
}

async function importFile(t: TestApp, listId: string) {
  const consent = encodeURIComponent(JSON.stringify({ subscribed: true, statement: 'On paper' }))
  const headers = { 'content-type': 'text/csv' }
  const rows = Array.from({ length: 100 }, (_, n) => `lure${n}@example.net,"${lure}"`)
  const file = `email,firstName\n${rows.join('\n')}`
  await t.post(`/v1/contacts/import?mailingListId=${listId}&consent=${consent}`, file, 202, { headers })
  await t.settle()
}

/** Of each check that keeps a mail from somebody, every way past it. A limit that passes by itself is none: it is approved with it. */
const ways: Record<Exclude<EligibilityCheck['check'], 'frequency' | 'trust_level'> | 'filter', Record<string, Way>> = {
  list: {
    'a contact is made': {
      by: (t, id) => t.contact({ email: 'lure@example.net', mailingLists: { [id]: true } }),
    },
    'a contact is changed': {
      before: (t, id) => update(t, { mailingLists: { [id]: false } }),
      by: (t, id) => update(t, { mailingLists: { [id]: true } }),
    },
    'a contact is deleted and made again': {
      before: (t) => t.post('/v1/contacts/delete', { email: them }, 200),
      by: (t, id) => t.contact({ email: them, mailingLists: { [id]: true } }),
    },
    'a contact is imported': { by: importFile },
    'an opt-in': { by: (t, id) => optIn(t, id, { email: 'lure@example.net' }) },
    'an event': {
      by: (t, id) => {
        const event = { eventName: 'x', email: 'lure@example.net', mailingLists: { [id]: true } }
        return t.post('/v1/events/send', event, 200)
      },
    },
  },
  consent: {
    'a key says that they agree': {
      before: (t) => update(t, { subscribed: false }),
      by: (t) => update(t, { subscribed: true }),
    },
    'an opt-in': {
      before: (t) => update(t, { subscribed: false }),
      by: optIn,
    },
  },
  suppression: {
    'a key lifts it': {
      before: suppressed,
      by: (t) => t.delete(`/v1/contacts/suppression?email=${them.toUpperCase()}`, undefined, 200),
    },
    'an opt-in': {
      before: (t) => t.post('/v1/suppressions', { email: them, reason: 'unsubscribe' }, 201),
      by: optIn,
    },
  },
  address: {
    'another address': {
      before: suppressed,
      by: async (t) => {
        await t.put('/v1/contacts/update', { userId: 'u1', email: them }, 200, member)
        await t.put('/v1/contacts/update', { userId: 'u1', email: 'else@example.net' }, 200, member)
      },
    },
  },
  filter: {
    'somebody comes to fit the audience filter': {
      fields: { audienceFilter: [{ field: 'plan', op: 'eq', value: 'pro' }] },
      before: (t) => t.put('/v1/contacts/update', { email: 'r0@example.net', plan: 'pro' }, 200),
      by: (t) => update(t, { plan: 'pro' }),
    },
  },
}

describe('approved for one, and another is reached', () => {
  for (const [check, each] of Object.entries(ways))
    test(`refused, by each way past what a mail is held back by: ${check}`, async () => {
      await using t = await testApp()
      for (const [name, { fields, before, by }] of Object.entries(each)) {
        const { list, id } = await guarded(t, 2, fields)
        await before?.(t, list.id)
        await approve(t, id)
        await by(t, list.id)
        const refused = await t.unchanged(() => t.post(`/v1/campaigns/${id}/send`, {}, 409))
        expect(refused, name).toMatchObject(missing)
        await t.post(`/v1/campaigns/${id}/cancel`, {}, 200)
      }
    })

  test('stopped on the way, too, whoever began it', async () => {
    for (const begin of [undefined, member]) {
      await using t = await testApp()
      const { id } = await guarded(t, 3)
      await suppressed(t)
      await update(t, { subscribed: false })
      if (!begin) await approve(t, id)
      await t.post(`/v1/campaigns/${id}/send`, {}, 200, begin)
      await t.delete(`/v1/contacts/suppression?email=${them}`, undefined, 200)
      await update(t, { subscribed: true })
      await t.settle()
      const stopped = { status: 'paused', pauseReason: 'approval_required' }
      expect(await t.get(`/v1/campaigns/${id}`, 200)).toMatchObject(stopped)
      await t.post(`/v1/campaigns/${id}/resume`, {}, 200, member)
      await t.settle()
      expect(await statsOf(t, id)).toMatchObject({ status: 'sent', sent: 3 })
    }
  })

  test('not when a limit of frequency passes: they were approved', async () => {
    await using t = await testApp()
    const { list, id } = await guarded(t, 3)
    await t.post(`/v1/campaigns/${id}/send`, {}, 200, member)
    await t.settle()
    const next = await draft(t, list)
    await approve(t, next)
    await t.advance('8d')
    await sendCampaign(t, next)
    expect(await statsOf(t, next)).toMatchObject({ status: 'sent', sent: 3 })
  })

  test('no other statement lets anybody be reached', async () => {
    const pattern =
      /\b(?:update|delete|insert)\(\s*(contacts|subscriptions|suppressions)\)|insertRows\([^,]+,\s*(contacts|subscriptions|suppressions),/g
    const found: Record<string, string[]> = {}
    for (const file of new Bun.Glob('src/**/*.ts').scanSync(checkout)) {
      const tables = [...(await Bun.file(`${checkout}/${file}`).text()).matchAll(pattern)].map(
        ([, one, many]) => one ?? many,
      )
      if (tables.length > 0) found[file] = [...new Set(tables as string[])].sort()
    }
    // Each tells src/features/contacts/consent/approved-audience.ts, or says why not.
    expect(found).toEqual({
      'src/features/contacts/consent/subscriptions.ts': ['contacts', 'subscriptions'],
      'src/features/contacts/consent/suppression.ts': ['suppressions'],
      'src/features/contacts/contacts.ts': ['contacts'],
      // Joins are counted with their list.
      'src/features/contacts/imports/rows.ts': ['contacts', 'subscriptions'],
      // The state of an opt-in, which nothing asks.
      'src/features/lists/opt-in.ts': ['contacts'],
      // Whose suppression it was is forgotten; it stays.
      'src/operator/privacy/erase.ts': ['suppressions'],
    })
  })
})

test('a value that it shows binds, unless somebody changes it who may approve; a value that it does not show, does not', async () => {
  await using t = await testApp()
  const { id, send } = await approved(t, 3)
  const change = (fields: object, options?: RequestOptions) =>
    t.put('/v1/contacts/update', { email: 'r1@example.net', ...fields }, 200, options)
  await change({ lastName: lure, plan: 'pro' })
  await change({ firstName: 'Reader 1' })
  await change({ firstName: 'Grace' }, member)
  expect((await t.get(`/v1/campaigns/${id}`, 200)).status).toBe('approved')
  await t.contact({ email: 'not@this.list', firstName: 'A' })
  await t.put('/v1/contacts/update', { email: 'not@this.list', firstName: lure }, 200)
  await change({ firstName: lure })
  const refused = await t.unchanged(() => send(409))
  expect(refused).toMatchObject(missing)
  expect(refused.detail).toContain('firstName')
  await approve(t, id)
  // Where a mail goes is seen as well.
  await t.put('/v1/contacts/update', { userId: 'u2', email: 'r2@example.net' }, 200)
  await t.put('/v1/contacts/update', { userId: 'u2', email: 'eve@evil.example' }, 200)
  expect(await t.unchanged(() => send(409))).toMatchObject(missing)
  await approve(t, id)
  await send(200)
})

test('what a member scheduled is held to the same, and goes on once a member resumes it', async () => {
  await using t = await testApp()
  const { list, id } = await guarded(t, 1)
  await t.post(`/v1/campaigns/${id}/schedule`, { scheduledAt: '2026-01-15T13:00:00Z' }, 200, member)
  await join(t, list, 1, { first: 1 })
  await t.advance('61m')
  expect(await t.get(`/v1/campaigns/${id}`, 200)).toMatchObject({ status: 'paused', pauseReason: 'approval_required' })
  await t.unchanged(() => t.post(`/v1/campaigns/${id}/resume`, {}, 403))
  await t.post(`/v1/campaigns/${id}/resume`, {}, 200, member)
  await t.settle()
  expect(await statsOf(t, id)).toMatchObject({ status: 'sent', sent: 2 })
})

test('a change on the way stops what has not left, until a member lets it go on', async () => {
  await using t = await testApp()
  const { id, send } = await approved(t, 3)
  await send(200)
  await t.patch('/v1/workspace', { name: 'Your bank' }, 200)
  await t.settle()
  expect(await t.get(`/v1/campaigns/${id}`, 200)).toMatchObject({ status: 'paused', pauseReason: 'approval_required' })
  expect(await t.sent()).toEqual([])
  await t.unchanged(() => t.post(`/v1/campaigns/${id}/resume`, {}, 409))
  await t.post(`/v1/campaigns/${id}/resume`, {}, 200, member)
  await t.settle()
  expect(await statsOf(t, id)).toMatchObject({ status: 'sent', sent: 3 })
})

test('where programs need no approval, nothing of the audience is asked', async () => {
  await using t = await testApp()
  const { id, list } = await drafted(t, 1)
  await approve(t, id)
  await join(t, list, 5, { first: 1 })
  await t.post(`/v1/campaigns/${id}/send`, {}, 200)
})
