// The airlock: what agents do outside waits for a person once they have read what strangers wrote; who has read, what waits and what does not,
// and what a yes does. How people are asked by mail: approval-links.test.ts.

import { describe, expect, test } from 'bun:test'
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2'
import { agentReads, heldActions } from '../db/tables/agents.ts'
import { write } from '../src/core/app.ts'
import { createApiKey } from '../src/people/access/api-keys.ts'
import { createSession } from '../src/people/access/sessions.ts'
import { agentOf, callerOf, decide, waiting } from './support/airlock.ts'
import { type Json, type RequestOptions, session, type TestApp, testApp } from './support/app.ts'
import { drafted, statsOf } from './support/campaign.ts'
import { rawMail, testMailbox } from './support/mailbox.ts'
import { connect } from './support/oauth.ts'
import { browserWithPasskey, passkeyEnvironment } from './support/passkey.ts'

const ada = 'ada@example.net'

async function mailboxConnection(t: TestApp, target: string, userId = t.user.id) {
  const cookie = `session=${await write(t.app, (tx) => createSession(tx, userId))}`
  const { tokens } = await connect(t, { cookie, endpoint: 'mailbox', target, scopes: ['reply'] })
  return callerOf(t, '/mailbox/mcp', tokens.access_token)
}

async function workspaceConnection(t: TestApp) {
  const { tokens } = await connect(t, { scopes: ['write', 'send'] })
  return callerOf(t, '/mcp', tokens.access_token)
}

async function keyOf(t: TestApp, airlock: boolean) {
  const { apiKey } = await write(t.app, (tx) =>
    createApiKey(tx, t.workspace.id, { scopes: ['full'], airlock, grantor: { userId: t.user.id, role: 'owner' } }),
  )
  return { apiKey, call: callerOf(t, '/mcp', apiKey) }
}

describe('who has read what strangers wrote', () => {
  test('is noted before the first byte, for each of the person’s connections, and a new session is not clean', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const messageId = await mailbox.receive(rawMail())
    const agent = await mailboxConnection(t, mailbox.id)
    const sender = await workspaceConnection(t)
    const { id } = await drafted(t, 1)
    const readers = async () => (await t.app.db.select().from(agentReads)).map(({ reader }) => reader)
    // Nothing was read: it acts at once. Its answer names the sender, so that it has read from then on.
    expect(await readers()).toEqual([])
    const first = await agent('reply_to_email', { messageId, text: 'By steam.' })
    expect(first.held).toBeUndefined()
    expect(await readers()).toContain(t.user.id)
    // Refused for its arguments, and noted all the same: the note comes first.
    const { userId } = await t.person('member', { email: 'first@acme.test' })
    const other = await mailboxConnection(t, mailbox.id, userId)
    expect((await other('read_inbox', { limit: 0 })).code).toBe('validation_failed')
    expect(await readers()).toContain(userId)
    expect(await agent('reply_to_email', { messageId, text: 'By cards.' })).toMatchObject({ held: true, to: ada })
    expect(await sender('send_campaign', { campaignId: id })).toMatchObject({ held: true })
    // Another connection, signed in after it, next month.
    await t.advance('40d')
    const later = await mailboxConnection(t, mailbox.id)
    const fresh = await mailbox.receive(rawMail())
    expect(await later('reply_to_email', { messageId: fresh, text: 'Later.' })).toMatchObject({ held: true })
    expect((await statsOf(t, id)).status).toBe('draft')
  })

  test('is one person: the connection of another has read nothing', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const messageId = await mailbox.receive(rawMail())
    await (await mailboxConnection(t, mailbox.id))('read_inbox')
    const { userId } = await t.person('member')
    const other = await mailboxConnection(t, mailbox.id, userId)
    expect((await other('reply_to_email', { messageId, text: 'Clean.' })).held).toBeUndefined()
  })

  test('of tokens and keys it is each by itself, where they were made for the airlock; the others act as specified', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const messageId = await mailbox.receive(rawMail())
    const [plain, guarded] = [await agentOf(t, mailbox, { airlock: false }), await agentOf(t, mailbox)]
    for (const agent of [plain, guarded]) await agent('read_inbox')
    expect((await plain('reply_to_email', { messageId, text: 'At once.' })).held).toBeUndefined()
    expect((await guarded('reply_to_email', { messageId, text: 'Waits.' })).held).toBe(true)
    // What the specification does not know waits for all of them.
    const writesTo = { domains: ['example.net'] }
    await t.patch(`/v1/mailboxes/${mailbox.id}`, { writesTo }, 200, session)
    const thread = { to: 'bob@example.net', subject: 'Hi', text: 'Hello' }
    for (const agent of [plain, guarded]) expect(await agent('start_thread', thread)).toMatchObject({ held: true })
    const elsewhere = await plain('start_thread', { ...thread, to: 'eve@evil.example' })
    expect(elsewhere.errors[0].code).toBe('recipient_not_allowed')
    const [old, agents] = [await keyOf(t, false), await keyOf(t, true)]
    for (const { call } of [old, agents]) await call('list_attention')
    const [one, two] = [await drafted(t, 1), await drafted(t, 1, { name: 'Other' })]
    expect((await old.call('send_campaign', { campaignId: one.id })).status).toBe('sending')
    expect(await agents.call('send_campaign', { campaignId: two.id })).toMatchObject({ held: true })
  })
})

test('the key of an agent opens its tools and nothing else: no route, no signed request', async () => {
  await using t = await testApp()
  const { row, apiKey } = await write(t.app, (tx) =>
    createApiKey(tx, t.workspace.id, { scopes: ['full'], airlock: true }),
  )
  const as: RequestOptions = { as: { apiKey } }
  for (const [method, path, body] of [
    ['GET', '/v1/contacts', undefined],
    ['POST', '/v1/send', { email: ada, templateId: 'tpl' }],
    ['POST', '/v1/api-keys', { name: 'Another' }],
    ['GET', '/v1/approvals', undefined],
  ] as const)
    expect([path, (await t.unchanged(() => t.request(method, path, body, as))).status]).toEqual([path, 403])
  const ses = new SESv2Client({
    endpoint: `${t.url}/compat/ses`,
    region: 'eu-west-1',
    credentials: { accessKeyId: row.id, secretAccessKey: 'whatever it is' },
    systemClockOffset: t.clock.now().getTime() - Date.now(),
    maxAttempts: 1,
  })
  const Simple = { Subject: { Data: 'Hi' }, Body: { Text: { Data: 'Hi' } } }
  const mail = { FromEmailAddress: 'a@example.com', Destination: { ToAddresses: [ada] }, Content: { Simple } }
  expect(await ses.send(new SendEmailCommand(mail)).then(String, ({ name }) => name)).not.toContain('object')
  expect((await callerOf(t, '/mcp', apiKey)('list_campaigns')).campaigns).toEqual([])
})

describe('a draft', () => {
  test('that its agent changes is no longer what was seen; that a person changes is theirs; withdrawn it never leaves', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const messageId = await mailbox.receive(rawMail())
    const agent = await agentOf(t, mailbox)
    const { draftId } = await agent('create_draft', { messageId, text: 'First.' })
    const [seen] = await waiting(t)
    expect(seen).toMatchObject({ id: draftId, waitsFor: 'draft', status: 'waiting' })
    await agent('update_draft', { draftId, text: 'Second.' })
    const stale = await t.unchanged(() => decide(t, 'approve', seen))
    expect(stale.error.code).toBe('revision_mismatch')
    const { contentHash } = stale.error
    await t.patch(`/v1/approvals/${draftId}`, { contentHash, text: 'Mine.' }, 200, session)
    expect((await agent('update_draft', { draftId, text: 'Again.' })).code).toBe('invalid_state_transition')
    const other = await agentOf(t, mailbox)
    expect((await other('delete_draft', { draftId })).code).toBe('not_found')
    expect((await agent('delete_draft', { draftId })).status).toBe('withdrawn')
    const now = await t.get(`/v1/approvals/${draftId}`, 200, session)
    expect((await decide(t, 'approve', now)).error.code).toBe('invalid_state_transition')
    await t.settle()
    expect(await t.sent()).toEqual([])
  })

  test('is one of at most a hundred that wait in a mailbox', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const received: string[] = []
    for (let number = 0; number < 6; number++) received.push(await mailbox.receive(rawMail()))
    let refused: Json = null
    // A token writes 20 an hour, and a thread takes 20.
    for (const messageId of received) {
      const agent = await agentOf(t, mailbox)
      for (let number = 0; number < 20 && refused === null; number++) {
        const answer = await agent('create_draft', { messageId, text: `Number ${number}` })
        if (answer.code) refused = answer
      }
    }
    expect(refused).toMatchObject({ code: 'rate_limit_exceeded', detail: expect.stringContaining('100 mails') })
    expect((await t.get('/v1/approvals?perPage=1', 200, session)).pagination.totalResults).toBe(100)
  })
})

describe('a yes to a call', () => {
  /** A connection that has read. */
  async function tainted(t: TestApp) {
    const call = await workspaceConnection(t)
    await call('list_attention')
    return call
  }

  test('sends the campaign as it was seen, once, with two people at once', async () => {
    await using t = await testApp()
    const call = await tainted(t)
    const { id } = await drafted(t, 1)
    const held = await call('send_campaign', { campaignId: id })
    expect(held.held).toBe(true)
    // The same call is the same question.
    expect((await call('send_campaign', { campaignId: id })).approvalId).toBe(held.approvalId)
    const [action] = await waiting(t)
    expect(action).toMatchObject({
      id: held.approvalId,
      kind: 'action',
      waitsFor: 'airlock',
      subject: 'Send a campaign',
    })
    await t.patch(`/v1/campaigns/${id}`, { subject: 'Other' }, 200)
    const stale = await t.unchanged(() => decide(t, 'approve', action))
    expect(stale.error.code).toBe('revision_mismatch')
    const [fresh] = await waiting(t)
    const grace = await t.person('member')
    const both = await Promise.all([decide(t, 'approve', fresh), decide(t, 'approve', fresh, grace.as)])
    expect(both.map(({ error }) => error?.code ?? null).sort()).toEqual(['invalid_state_transition', null].sort())
    await t.settle()
    expect(await statsOf(t, id)).toMatchObject({ status: 'sent', sent: 1 })
    const late = both.find(({ error }) => error !== null)
    expect(late.error.message).toMatch(/approved before by (owner|grace)@acme\.test/)
  })

  test('changes and deletes templates in use; one that is refused by its rules waits on; a no is a no', async () => {
    await using t = await testApp()
    const call = await tainted(t)
    const { id } = await t.template({ status: 'active' })
    const content = [{ type: 'text', text: 'Changed' }]
    expect(await call('update_template', { id, content })).toMatchObject({ held: true })
    const [change] = await waiting(t)
    expect(await t.get(`/v1/approvals/${change.id}`, 200, session)).toMatchObject({
      action: { name: 'update_template', input: { id, content } },
      contents: [{ content }],
    })
    expect((await decide(t, 'approve', change)).error).toBeNull()
    await t.mail()
    await t.settle()
    expect((await t.sent())[0]?.raw).toContain('Changed')
    // A campaign will send it, so it cannot be deleted.
    await drafted(t, 1, { templateId: id, content: undefined })
    expect(await call('delete_template', { id })).toMatchObject({ held: true })
    const [removal] = await waiting(t)
    const failed = await decide(t, 'approve', removal)
    expect(failed.error.code).toBe('template_in_use')
    expect((await waiting(t)).map((one) => one.id)).toEqual([removal.id])
    expect((await decide(t, 'refuse', removal)).approval).toMatchObject({
      status: 'refused',
      decidedBy: { id: t.user.id },
    })
    await t.get(`/v1/transactional/${id}`, 200)
    expect((await t.app.db.select().from(heldActions)).map(({ state }) => state).sort()).toEqual([
      'approved',
      'refused',
    ])
  })
})

describe('a passkey', () => {
  /** Two mails that wait, and a browser with a passkey. */
  async function stage() {
    const t = await testApp({ environment: passkeyEnvironment })
    const mailbox = await testMailbox(t)
    const agent = await agentOf(t, mailbox)
    for (const text of ['One', 'Two'])
      await agent('create_draft', { messageId: await mailbox.receive(rawMail()), text })
    const { data } = await t.get('/v1/approvals', 200, session)
    const list: { id: string; contentHash: string }[] = data.map(({ id, contentHash }: Json) => ({ id, contentHash }))
    return { t, list, browser: await browserWithPasskey(t) }
  }

  test('is needed of whoever has one, bound to exactly the list, used once, for five minutes; to refuse it is not', async () => {
    const { t, list, browser } = await stage()
    await using _ = t
    const approve = (body: object, status: number) =>
      t.request('POST', '/v1/approvals/approve', body, browser.options).then((reply) => {
        expect([reply.status, reply.text]).toEqual([status, expect.any(String)])
        return reply.body
      })
    const alone = await t.unchanged(() => approve({ approvals: list }, 403))
    expect(alone.errors[0].code).toBe('passkey_required')
    const [one, two] = list as [Json, Json]
    for (const other of [[one], [two, one], [{ ...one, contentHash: two.contentHash }, two]]) {
      const credential = await browser.sign(other)
      await t.unchanged(() => approve({ approvals: list, credential }, 409))
    }
    for (const twist of [{ signature: 'broken' }, { flags: 1 }, { origin: 'https://evil.example' }] as const) {
      const credential = await browser.sign(list, twist)
      await t.unchanged(() => approve({ approvals: list, credential }, 403))
    }
    const late = await browser.sign([one])
    t.clock.advance(5 * 60_000)
    await t.unchanged(() => approve({ approvals: [one], credential: late }, 409))
    const credential = await browser.sign([one])
    expect((await approve({ approvals: [one], credential }, 200)).results).toMatchObject([{ error: null }])
    await t.unchanged(() => approve({ approvals: [one], credential }, 409))
    const refused = await t.request('POST', '/v1/approvals/refuse', { approvals: [two] }, browser.options)
    expect(refused.body.results).toMatchObject([{ approval: { status: 'refused' } }])
    await t.settle()
    expect(await t.sent()).toHaveLength(1)
  })

  test('of another person confirms nothing, and a session that removed its own approves nothing until it is a new one', async () => {
    const { t, list, browser } = await stage()
    await using _ = t
    const { userId } = await t.person('member')
    const theirs = await browserWithPasskey(t, userId)
    const foreign = await theirs.sign(list)
    await browser.sign(list)
    const mixed = { approvals: list, credential: foreign }
    await t.unchanged(() => t.post('/v1/approvals/approve', mixed, 403, browser.options))
    await t.delete(`/v1/auth/passkeys/${browser.passkeyId}`, undefined, 200, browser.options)
    for (const end of ['options', 'approve']) {
      const told = await t.unchanged(() => t.post(`/v1/approvals/${end}`, { approvals: list }, 403, browser.options))
      expect(told.detail).toContain('sign in again')
    }
    const cookie = `session=${await write(t.app, (tx) => createSession(tx, t.user.id))}`
    const headers = { cookie, origin: t.app.config.baseUrl }
    const fresh: RequestOptions = { as: 'nobody', headers }
    expect(await t.post('/v1/approvals/options', { approvals: list }, 200, fresh)).toMatchObject({ passkey: null })
    const { results } = await t.post('/v1/approvals/approve', { approvals: list }, 200, fresh)
    expect(results).toMatchObject([{ error: null }, { error: null }])
  })
})
