// Who is in a workspace and as what: roles on every route, invitations, sessions.

import { describe, expect, test } from 'bun:test'
import { write } from '../src/core/app.ts'
import { setTrustLevel } from '../src/features/campaigns/reputation/trust-level.ts'
import { leastRole } from '../src/people/access/roles.ts'
import { addMember } from '../src/people/access/users.ts'
import { type Json, type RequestOptions, type TestApp, testApp } from './support/app.ts'
import { startSink } from './support/smtp-sink.ts'

const password = 'correct horse battery'

function signedInWith(t: TestApp, headers: Headers): RequestOptions {
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
  return { as: 'nobody', headers: { cookie, origin: t.url } }
}

/** Sends the form of a page of ours, as a browser would. */
function submit(t: TestApp, path: string, fields: Record<string, string>, { headers = {} }: RequestOptions = {}) {
  const form = { origin: t.url, 'content-type': 'application/x-www-form-urlencoded' }
  return t.request('POST', path, new URLSearchParams(fields).toString(), {
    as: 'nobody',
    headers: { ...headers, ...form },
  })
}

const pathOf = (url: string) => new URL(url).pathname

describe('roles', () => {
  test('a viewer may change nothing but their own sign-in, and look at previews', async () => {
    await using t = await testApp()
    const { paths }: Json = await t.get('/openapi.json', 200, { as: 'nobody' })
    const writes = Object.entries<Json>(paths).flatMap(([path, item]) =>
      Object.entries<Json>(item).flatMap(([method, { 'x-role': role }]) =>
        method !== 'get' && role === 'viewer' ? `${method.toUpperCase()} ${path}` : [],
      ),
    )
    expect(writes.sort()).toEqual([
      'DELETE /v1/auth/passkeys/{passkeyId}',
      'DELETE /v1/auth/second-factor',
      'DELETE /v1/auth/sessions',
      'DELETE /v1/auth/sessions/{sessionId}',
      'PATCH /v1/auth/passkeys/{passkeyId}',
      'POST /v1/auth/logout',
      'POST /v1/auth/passkeys',
      'POST /v1/auth/passkeys/options',
      'POST /v1/auth/password',
      'POST /v1/auth/second-factor',
      'POST /v1/auth/second-factor/confirm',
      'POST /v1/blocks/{blockId}/revisions/{revisionId}/diff',
      'POST /v1/campaigns/{campaignId}/preview',
      'POST /v1/campaigns/{campaignId}/rehearse',
      'POST /v1/campaigns/{campaignId}/revisions/{revisionId}/diff',
      'POST /v1/event-rules/{ruleId}/try',
      'POST /v1/recurring-campaigns/{recurringCampaignId}/preview',
      'POST /v1/segments/preview',
      'POST /v1/sequences/{sequenceId}/moves',
      'POST /v1/transactional/import',
      'POST /v1/transactional/preview',
      'POST /v1/transactional/{templateId}/preview',
      'POST /v1/transactional/{templateId}/revisions/{revisionId}/diff',
      'PUT /v1/auth/preferences',
    ])
  })

  test('looking is for everybody, taking a whole list along is not', async () => {
    await using t = await testApp()
    const viewer = await t.person('viewer')
    await t.get('/v1/contacts', 200, viewer.as)
    await t.get('/v1/members', 200, viewer.as)
    for (const path of ['/v1/contacts/export', '/v1/contacts/x/export', '/v1/messages/x/content', '/v1/invitations'])
      expect((await t.request('GET', path, undefined, viewer.as)).body.code, path).toBe('insufficient_role')
    expect(leastRole('GET')).toBe('viewer')
  })

  test('a new role and a removal hold from the next request on, and an owner always stays', async () => {
    await using t = await testApp()
    const grace = await t.person('member')
    const path = `/v1/members/${grace.userId}`
    await t.patch('/v1/workspace', { name: 'Ours' }, 200, grace.as)
    await t.patch(path, { role: 'viewer' }, 200, { as: 'session' })
    await t.patch('/v1/workspace', { name: 'Theirs' }, 403, grace.as)
    for (const change of [
      () => t.patch(`/v1/members/${t.user.id}`, { role: 'member' }, 409, { as: 'session' }),
      () => t.delete(`/v1/members/${t.user.id}`, undefined, 409, { as: 'session' }),
    ])
      expect((await t.unchanged(change)).detail).toContain('only owner')
    await t.patch(path, { role: 'owner' }, 200, { as: 'session' })
    await t.delete(`/v1/members/${t.user.id}`, undefined, 200, grace.as)
    await t.get('/v1/workspace', 401, { as: 'session' })
    await t.delete(path, undefined, 409, grace.as)
  })

  test('a key decides about nobody, whatever its scopes', async () => {
    await using t = await testApp()
    await t.unchanged(async () => {
      await t.post('/v1/invitations', { email: 'eve@example.net', role: 'owner' }, 401)
      await t.patch(`/v1/members/${t.user.id}`, { role: 'viewer' }, 401)
      await t.delete(`/v1/members/${t.user.id}`, undefined, 401)
    })
  })
})

describe('invitations', () => {
  const owner: RequestOptions = { as: 'session' }

  test('somebody new follows the link, makes an account and is in, once', async () => {
    await using t = await testApp()
    const made = await t.post('/v1/invitations', { email: ' Grace@Example.NET ', role: 'viewer' }, 201, owner)
    expect(made).toMatchObject({ email: 'grace@example.net', role: 'viewer', mailed: false })
    const path = pathOf(made.url)
    const page = await t.unchanged(() => t.request('GET', path, undefined, { as: 'nobody' }))
    expect(page.text).toContain('grace@example.net')
    expect(page.text).toContain('viewer')
    const short = await t.unchanged(() => submit(t, path, { name: 'Grace', password: 'short' }))
    expect([short.status, short.text.includes('8 to 1024 characters')]).toEqual([422, true])
    const joined = await submit(t, path, { name: 'Grace', password })
    expect([joined.status, joined.headers.get('location')]).toEqual([303, '/dashboard/acme'])
    const grace = signedInWith(t, joined.headers)
    expect(await t.get('/v1/auth/session', 200, grace)).toMatchObject({
      user: { email: 'grace@example.net', name: 'Grace' },
      workspaces: [{ slug: 'acme', role: 'viewer' }],
    })
    expect((await t.request('GET', path, undefined, { as: 'nobody' })).status).toBe(410)
    expect((await t.unchanged(() => submit(t, path, { name: 'Eve', password }))).status).toBe(410)
    expect(await t.get('/v1/invitations', 200, owner)).toMatchObject({ data: [] })
  })

  test('who has an account signs in first: whoever invites an address cannot act as its owner', async () => {
    await using t = await testApp()
    const { workspace: theirs } = await t.stranger()
    const { as: eve } = await t.person('owner', { email: 'eve@stranger.test', workspace: theirs })
    t.clock.advance(1_000)
    const { url } = await t.post('/v1/invitations', { email: t.user.email, role: 'member' }, 201, eve)
    const path = pathOf(url)
    const nobody = await t.unchanged(() => submit(t, path, { name: 'X', password }))
    expect(nobody.text).toContain(`/login?to=${path}`)
    expect(nobody.headers.get('set-cookie')).toBeNull()
    const wrong = await t.unchanged(() => submit(t, path, { password }, eve))
    expect(wrong.text).toContain('You are signed in as eve@stranger.test')
    const mine = { as: 'nobody', headers: { cookie: t.sessionCookie, origin: t.url } } as const
    expect((await submit(t, path, {}, mine)).status).toBe(303)
    const { workspaces } = await t.get('/v1/auth/session', 200, owner)
    expect(workspaces.map(({ slug, role }: Json) => [slug, role])).toEqual([
      ['acme', 'owner'],
      ['stranger', 'member'],
    ])
  })

  test('is refused for a member, and ends when revoked, replaced, or seven days old', async () => {
    await using t = await testApp()
    await t.unchanged(async () => {
      await t.post('/v1/invitations', { email: t.user.email, role: 'viewer' }, 409, owner)
      const asked = await t.post('/v1/invitations', { email: 'a@b.test', role: 'admin' }, 422, owner)
      expect(asked.errors[0].path).toBe('role')
      const unsent = { email: 'a@b.test', role: 'member', sendEmail: true }
      expect((await t.post('/v1/invitations', unsent, 422, owner)).errors[0].path).toBe('sendEmail')
    })
    const invited = () => t.post('/v1/invitations', { email: 'grace@example.net', role: 'member' }, 201, owner)
    const status = async ({ url }: Json) => (await t.request('GET', pathOf(url), undefined, { as: 'nobody' })).status
    const first = await invited()
    const second = await invited()
    expect([await status(first), await status(second)]).toEqual([410, 200])
    await t.delete(`/v1/invitations/${second.id}`, undefined, 200, owner)
    await t.delete(`/v1/invitations/${second.id}`, undefined, 404, owner)
    expect(await status(second)).toBe(410)
    const third = await invited()
    t.clock.advance(7 * 86_400_000)
    expect(await status(third)).toBe(410)
  })

  test('at M0 a campaign and a test mail reach only members whose address was proved: by the link that was mailed', async () => {
    await using sink = startSink()
    await using t = await testApp({ environment: { SMTP_URL: sink.url } })
    const invited = await t.post('/v1/invitations', { email: 'grace@example.net', role: 'member' }, 201, owner)
    expect(invited.mailed).toBe(true)
    const copied = await t.post(
      '/v1/invitations',
      { email: 'eve@example.net', role: 'member', sendEmail: false },
      201,
      owner,
    )
    await t.settle()
    const [mail] = sink.received
    // Quoted-printable: a soft line break stands where a line is full.
    const text = mail?.raw.toString().replaceAll('=\r\n', '') ?? ''
    const mailed = /http\S+\/invite\/[\w-]+/.exec(text)?.[0] ?? ''
    expect(mail?.to).toEqual(['grace@example.net'])
    expect(mailed).not.toBe(invited.url)
    const { data: jobs }: Json = await t.get('/v1/jobs?kind=send-invitation', 200)
    expect(JSON.stringify(jobs)).not.toContain('/invite/')
    t.clock.advance(1_000)
    expect((await submit(t, pathOf(mailed), { password })).status).toBe(303)
    t.clock.advance(1_000)
    expect((await submit(t, pathOf(copied.url), { password })).status).toBe(303)
    const { data } = await t.get('/v1/members', 200)
    expect(data.map(({ email, isEmailProven }: Json) => [email, isEmailProven])).toEqual([
      ['owner@acme.test', true],
      ['grace@example.net', true],
      ['eve@example.net', false],
    ])
    const content = [{ type: 'text', text: 'Hi' }]
    await t.template({ id: 'hi', name: 'Hi', subject: 'Hi', content })
    await t.post('/v1/transactional/hi/test', { emails: ['grace@example.net'] }, 200)
    const refused = await t.post('/v1/transactional/hi/test', { emails: ['eve@example.net'] }, 422)
    expect(refused.errors[0].code).toBe('not_a_member')
    const { id: mailingListId } = await t.post('/v1/mailing-lists', { name: 'News' }, 201)
    for (const email of ['grace@example.net', 'eve@example.net'])
      await t.contact({ email, mailingLists: { [mailingListId]: true } })
    const { id } = await t.post('/v1/campaigns', { name: 'C', subject: 'C', content, mailingListId }, 201)
    await write(t.app, (tx) => setTrustLevel(tx, t.workspace, 'M0'))
    const dry = await t.post(`/v1/campaigns/${id}/send`, { dryRun: true }, 200)
    expect(dry).toMatchObject({ recipients: 1, skipped: { failed: 1 } })
  })
})

describe('sessions', () => {
  test('are listed with how, from where and with what they began, and end one by one or all but this one', async () => {
    await using t = await testApp()
    const { url } = await t.post('/v1/invitations', { email: 'grace@example.net', role: 'member' }, 201, {
      as: 'session',
    })
    const joined = await submit(t, pathOf(url), { password }, { headers: { 'user-agent': 'Firefox on paper' } })
    const first = signedInWith(t, joined.headers)
    const body = { email: 'grace@example.net', password }
    const signIn = async () =>
      signedInWith(t, (await t.request('POST', '/v1/auth/login', body, { as: 'nobody' })).headers)
    const [second, third] = [await signIn(), await signIn()]
    const { data } = await t.get('/v1/auth/sessions', 200, first)
    const ways = data.map(({ signedInBy, current, ip }: Json) => [signedInBy, current, ip])
    expect(ways.sort()).toEqual([
      ['invitation', true, '127.0.0.1'],
      ['password', false, '127.0.0.1'],
      ['password', false, '127.0.0.1'],
    ])
    expect(data.find(({ current }: Json) => current).userAgent).toBe('Firefox on paper')
    const { data: seen } = await t.get('/v1/auth/sessions', 200, second)
    const own = seen.find(({ current }: Json) => current).id
    await t.unchanged(() => t.delete(`/v1/auth/sessions/${own}`, undefined, 404, { as: 'session' }))
    await t.delete(`/v1/auth/sessions/${own}`, undefined, 200, first)
    await t.get('/v1/auth/session', 401, second)
    expect((await t.delete('/v1/auth/sessions', undefined, 200, first)).message).toBe('Ended 1 other session.')
    await t.get('/v1/auth/session', 401, third)
    await t.get('/v1/auth/session', 200, first)
  })

  test('somebody in two workspaces has the role of each', async () => {
    await using t = await testApp()
    const { workspace } = await t.stranger()
    t.clock.advance(1_000)
    await write(t.app, (tx) => addMember(tx, { workspaceId: workspace.id, userId: t.user.id, role: 'viewer' }))
    const there = { as: 'session', headers: { 'x-workspace-id': workspace.id } } as const
    await t.get('/v1/workspace', 200, there)
    await t.patch('/v1/workspace', { name: 'X' }, 403, there)
    await t.patch('/v1/workspace', { name: 'X' }, 200, { as: 'session' })
  })
})
