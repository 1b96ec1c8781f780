// OAuth 2.1 of the MCP endpoints, step by step as its RFCs name them: what a client finds, registers, exchanges, refreshes and ends; and whose
// right it rests on. Attacks: oauth-attacks.test.ts. Published clients and the page in a browser: oauth-clients.test.ts.

import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { oauthClients, oauthGrants, oauthTokens } from '../db/tables/oauth.ts'
import { members } from '../db/tables/workspaces.ts'
import { write } from '../src/core/app.ts'
import { sha256Hex } from '../src/kit/digest.ts'
import { type Json, session, type TestApp, testApp } from './support/app.ts'
import { rawMail, testMailbox } from './support/mailbox.ts'
import { mcpClient } from './support/mcp.ts'
import {
  authorizeUrl,
  callback,
  codeFor,
  connect,
  decide,
  exchangeFields,
  openConsent,
  ping,
  post,
  refreshFields,
  register,
  registered,
  send,
  ticketIn,
} from './support/oauth.ts'

const streamable = '2025 (Streamable HTTP)'
const auditOf = async (t: TestApp, kind: string): Promise<Json[]> =>
  (await t.get(`/v1/audit?kind=${kind}`, 200, session)).data

describe('what a client finds by the address alone', () => {
  test.each(['/mcp', '/mailbox/mcp'] as const)(
    '%s says where its metadata is, and that leads to the server',
    async (path) => {
      await using t = await testApp()
      const { baseUrl } = t.app.config
      const metadata = `${baseUrl}/.well-known/oauth-protected-resource${path}`
      const none = await ping(t, path)
      expect([none.status, none.headers.get('www-authenticate')]).toEqual([
        401,
        `Bearer resource_metadata="${metadata}"`,
      ])
      const wrong = await ping(t, path, `pqo_${'x'.repeat(43)}`)
      expect(wrong.status).toBe(401)
      expect(wrong.headers.get('www-authenticate')).toBe(
        `Bearer error="invalid_token", resource_metadata="${metadata}"`,
      )
      const { body: resource } = await send(metadata.replace(baseUrl, t.url))
      expect(resource).toMatchObject({
        resource: baseUrl + path,
        authorization_servers: [baseUrl],
        scopes_supported: path === '/mcp' ? ['read', 'write', 'send'] : ['read', 'reply'],
        bearer_methods_supported: ['header'],
      })
      const { body: server } = await send(`${t.url}/.well-known/oauth-authorization-server`)
      expect(server).toMatchObject({
        issuer: baseUrl,
        authorization_endpoint: `${baseUrl}/oauth/authorize`,
        token_endpoint: `${baseUrl}/oauth/token`,
        registration_endpoint: `${baseUrl}/oauth/register`,
        revocation_endpoint: `${baseUrl}/oauth/revoke`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_methods_supported: ['none'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true,
      })
    },
  )
})

describe('registration', () => {
  test('takes a name and redirect URIs, makes every client public, and leaves a line in the audit log', async () => {
    await using t = await testApp()
    const asked = {
      client_name: '  Agent\u202e  One ',
      redirect_uris: [
        callback,
        'https://app.example/cb?x=1',
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'com.example.app:/cb',
      ],
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['authorization_code'],
      scope: 'everything',
    }
    const { status, body, headers } = await register(t, asked)
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store'])
    expect(body).toEqual({
      client_id: expect.stringMatching(/^oac_[0-9a-f]{32}$/),
      client_id_issued_at: t.clock.now().getTime() / 1_000,
      client_name: 'Agent One',
      redirect_uris: asked.redirect_uris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    })
    const [line] = await auditOf(t, 'oauth_client')
    expect(line).toMatchObject({ actor: { kind: 'visitor' }, operation: 'POST /oauth/register' })
    expect(line.changes).toMatchObject([{ id: body.client_id, before: null, after: { name: 'Agent One' } }])
  })

  test('is limited for each network, and what nobody uses goes after a day', async () => {
    await using t = await testApp()
    for (let n = 0; n < 20; n++) await registered(t)
    const { status, body, headers } = await register(t, { redirect_uris: [callback] })
    expect([status, body.error, headers.get('retry-after')]).toEqual([429, 'temporarily_unavailable', '180'])
    t.clock.advance(3_600_000)
    const { clientId } = await connect(t)
    await t.advance('25h')
    await t.cleanUp()
    expect((await t.app.db.select().from(oauthClients)).map(({ id }) => id)).toEqual([clientId])
  })

  test('of more than a thousand unused ones is refused until some have gone', async () => {
    await using t = await testApp()
    const createdAt = t.clock.now()
    const row = (n: number) => ({ id: `oac_${n}`, name: 'x', redirectUris: [callback], createdAt, lastAllowedAt: null })
    await write(t.app, (tx) => tx.db.insert(oauthClients).values(Array.from({ length: 1_000 }, (_, n) => row(n))))
    const full = await register(t, { redirect_uris: [callback] })
    expect([full.status, full.body.error]).toEqual([503, 'temporarily_unavailable'])
    await t.advance('25h')
    await t.cleanUp()
    await registered(t)
  })
})

describe('a connection', () => {
  test('to a workspace works as it was allowed, and is listed, counted and recorded with its client', async () => {
    await using t = await testApp()
    const { clientId, tokens } = await connect(t, { scopes: ['write'] })
    expect(tokens).toEqual({
      access_token: expect.stringMatching(/^pqo_[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3_600,
      refresh_token: expect.stringMatching(/^pqr_[\w-]{43}$/),
      scope: 'read write',
    })
    await using client = await mcpClient(streamable, `${t.url}/mcp`, tokens.access_token)
    const template = { name: 'Welcome', subject: 'Hi', content: [{ type: 'text', text: 'Hello' }] }
    const made = await client.callTool({ name: 'create_template', arguments: template })
    expect(made.structuredContent).toMatchObject({ id: 'welcome' })
    const list = await t.mailingList({ optIn: 'single' })
    const draft = { name: 'News', subject: 'News', mailingListId: list.id, content: template.content }
    const { structuredContent: campaign } = await client.callTool({ name: 'create_campaign', arguments: draft })
    const sent = await client.callTool({ name: 'send_campaign', arguments: { campaignId: campaign.campaignId } })
    expect(JSON.parse(sent.content[0].text)).toMatchObject({
      code: 'insufficient_scope',
      detail: 'This needs a connection with the scope send.',
    })
    const { data } = await t.get('/v1/oauth-grants', 200, session)
    const lastUsedAt = t.clock.now().toISOString()
    expect(data).toEqual([
      {
        id: expect.stringMatching(/^oag_[0-9a-f]{32}$/),
        clientId,
        clientName: 'Tests',
        clientHost: '127.0.0.1',
        mailboxId: null,
        mailboxAddress: null,
        scopes: ['read', 'write'],
        madeBy: { userId: t.user.id, email: t.user.email },
        role: 'owner',
        createdAt: lastUsedAt,
        lastUsedAt,
        firstReadAt: null,
      },
    ])
    const [{ id }] = data
    const calls = (await t.get(`/v1/mcp-calls?credentialId=${id}`, 200, session)).data
    expect(calls.map(({ tool, outcome }: Json) => [tool, outcome])).toEqual([
      ['send_campaign', 'insufficient_scope'],
      ['create_campaign', 'ok'],
      ['create_template', 'ok'],
    ])
    const [given] = await auditOf(t, 'oauth_grant')
    expect(given).toMatchObject({ actor: { kind: 'person', id: t.user.id }, operation: 'POST /oauth/authorize' })
    expect(given.changes).toMatchObject([{ id, before: null, after: { clientId, scopes: ['read', 'write'] } }])
    const [written] = (await t.get('/v1/audit?operation=mcp%20create_template', 200, session)).data
    expect(written.actor).toEqual({ kind: 'oauth_grant', id, name: 'Tests' })
    await t.get('/v1/contacts', 401, { as: { apiKey: tokens.access_token } })
  })

  test('to a mailbox opens this one, and what it replies is held where the mailbox holds replies', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    await t.patch(`/v1/mailboxes/${mailbox.id}`, { holdReplies: true }, 200, session)
    const messageId = await mailbox.receive(rawMail())
    const { tokens } = await connect(t, { endpoint: 'mailbox', target: mailbox.id, scopes: ['reply'] })
    expect(tokens.scope).toBe('read reply')
    await using client = await mcpClient(streamable, `${t.url}/mailbox/mcp`, tokens.access_token)
    const info = await client.callTool({ name: 'mailbox_info', arguments: {} })
    expect(info.structuredContent).toMatchObject({ mailboxId: mailbox.id, scopes: ['read', 'reply'] })
    const [{ id, firstReadAt }] = (await t.get('/v1/oauth-grants', 200, session)).data
    expect(firstReadAt).toBeNull()
    // The answer says to whom, in the words of the sender.
    const reply = await client.callTool({ name: 'reply_to_email', arguments: { messageId, text: 'With steam.' } })
    expect(reply.structuredContent).toMatchObject({ held: true })
    const [after] = (await t.get('/v1/oauth-grants', 200, session)).data
    expect(after.firstReadAt).toBe(t.clock.now().toISOString())
    const { data: waiting } = await t.get('/v1/approvals', 200, session)
    expect(waiting).toMatchObject([{ kind: 'reply', author: { kind: 'oauth_grant', id, name: 'Tests' } }])
  })

  test('is refreshed by a new token each time; the old access token works until its hour is over', async () => {
    await using t = await testApp()
    const { clientId, tokens } = await connect(t)
    t.clock.advance(3_599_000)
    const { body: second } = await post(t, '/oauth/token', refreshFields(clientId, tokens.refresh_token))
    expect(second).toMatchObject({ token_type: 'Bearer', expires_in: 3_600, scope: 'read' })
    expect([second.access_token, second.refresh_token]).not.toContain(tokens.access_token)
    expect((await ping(t, '/mcp', tokens.access_token)).status).toBe(200)
    t.clock.advance(1_000)
    expect((await ping(t, '/mcp', tokens.access_token)).status).toBe(401)
    expect((await ping(t, '/mcp', second.access_token)).status).toBe(200)
    await t.advance('29d')
    await t.cleanUp()
    const { body: third } = await post(t, '/oauth/token', refreshFields(clientId, second.refresh_token))
    expect((await ping(t, '/mcp', third.access_token)).status).toBe(200)
    await t.advance('31d')
    const late = await post(t, '/oauth/token', refreshFields(clientId, third.refresh_token))
    expect([late.status, late.body.error]).toEqual([400, 'invalid_grant'])
  })

  test('is stored as hashes, and nothing of it is in the log', async () => {
    await using t = await testApp()
    const { clientId, code } = await codeFor(t)
    const { body: tokens } = await post(t, '/oauth/token', exchangeFields(clientId, code))
    const secrets = [code, tokens.access_token, tokens.refresh_token]
    const rows = await t.app.db.select().from(oauthTokens)
    expect(rows.map(({ tokenHash }) => tokenHash).sort()).toEqual(secrets.map(sha256Hex).sort())
    const stored = JSON.stringify([rows, await t.app.db.select().from(oauthGrants), await auditOf(t, 'oauth_grant')])
    for (const secret of secrets) {
      expect(stored).not.toContain(secret)
      expect(t.logged.join('')).not.toContain(secret)
    }
  })

  test('is ended by its client (RFC 7009): a refresh token with all, an access token alone, an unknown one without a word', async () => {
    await using t = await testApp()
    const { clientId, tokens } = await connect(t)
    const other = await registered(t)
    for (const token of ['unknown', tokens.access_token, tokens.refresh_token])
      expect((await post(t, '/oauth/revoke', { token, client_id: other })).status).toBe(200)
    expect((await ping(t, '/mcp', tokens.access_token)).status).toBe(200)
    await post(t, '/oauth/revoke', {
      token: tokens.access_token,
      client_id: clientId,
      token_type_hint: 'refresh_token',
    })
    expect((await ping(t, '/mcp', tokens.access_token)).status).toBe(401)
    const { body: next } = await post(t, '/oauth/token', refreshFields(clientId, tokens.refresh_token))
    await post(t, '/oauth/revoke', { token: next.refresh_token, client_id: clientId })
    expect((await ping(t, '/mcp', next.access_token)).status).toBe(401)
    expect((await t.get('/v1/oauth-grants', 200, session)).data).toEqual([])
    const [line] = await auditOf(t, 'oauth_grant')
    expect(line).toMatchObject({ actor: { kind: 'oauth_grant' }, operation: 'POST /oauth/revoke' })
    expect(line.changes[0].after.endReason).toBe('ended_by_client')
  })

  test('is ended by a click, at once and also on an open stream', async () => {
    await using t = await testApp()
    const { clientId, tokens } = await connect(t)
    const headers = { authorization: `Bearer ${tokens.access_token}`, accept: 'text/event-stream' }
    const stream = await fetch(`${t.url}/mcp`, { headers })
    expect(stream.status).toBe(200)
    const [{ id }] = (await t.get('/v1/oauth-grants', 200, session)).data
    const { as } = await t.person('viewer')
    await t.delete(`/v1/oauth-grants/${id}`, undefined, 403, as)
    await t.delete(`/v1/oauth-grants/${id}`, undefined, 200, session)
    // Its end is that of the stream.
    expect(await stream.text()).toStartWith('event: endpoint')
    expect((await ping(t, '/mcp', tokens.access_token)).status).toBe(401)
    const gone = await post(t, '/oauth/token', refreshFields(clientId, tokens.refresh_token))
    expect([gone.status, gone.body.error]).toEqual([400, 'invalid_grant'])
    await t.delete(`/v1/oauth-grants/${id}`, undefined, 404, session)
    const [line] = await auditOf(t, 'oauth_grant')
    expect(line).toMatchObject({ actor: { kind: 'person', id: t.user.id }, operation: 'revokeOAuthGrant' })
  })
})

describe('a connection rests on a right', () => {
  const works = async (t: TestApp, path: '/mcp' | '/mailbox/mcp', { tokens }: { tokens: Json }) =>
    (await ping(t, path, tokens.access_token)).status === 200

  test('and ends with it: the member removed, the role made lesser, the mailbox disabled or deleted', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const grace = await t.person('member')
    const inbox = { endpoint: 'mailbox', target: mailbox.id, scopes: ['reply'] } as const
    const begun = [
      await connect(t, { cookie: grace.sessionCookie }),
      await connect(t, { ...inbox, cookie: grace.sessionCookie }),
    ] as const
    await t.patch(`/v1/members/${grace.userId}`, { role: 'viewer' }, 200, session)
    expect([await works(t, '/mcp', begun[0]), await works(t, '/mailbox/mcp', begun[1])]).toEqual([false, false])
    const asViewer = await connect(t, { cookie: grace.sessionCookie })
    expect(await works(t, '/mcp', asViewer)).toBe(true)
    const { revoked } = await t.delete(`/v1/members/${grace.userId}`, undefined, 200, session)
    expect(revoked).toMatchObject([{ kind: 'oauth_grant', name: 'Tests' }])
    expect(await works(t, '/mcp', asViewer)).toBe(false)
    const own = await connect(t, inbox)
    await t.patch(`/v1/mailboxes/${mailbox.id}`, { status: 'disabled' }, 200, session)
    expect(await works(t, '/mailbox/mcp', own)).toBe(false)
    await t.patch(`/v1/mailboxes/${mailbox.id}`, { status: 'active' }, 200, session)
    expect(await works(t, '/mailbox/mcp', own)).toBe(true)
    await t.delete(`/v1/mailboxes/${mailbox.id}`, undefined, 200, session)
    expect(await works(t, '/mailbox/mcp', own)).toBe(false)
    expect((await t.get('/v1/oauth-grants', 200, session)).data).toEqual([])
  })

  test('which is asked at each use, whatever took it away', async () => {
    await using t = await testApp()
    const grace = await t.person('member')
    const { clientId, tokens } = await connect(t, { cookie: grace.sessionCookie, scopes: ['write'] })
    const become = (role: 'viewer' | null) =>
      write(t.app, async (tx) => {
        const mine = eq(members.userId, grace.userId)
        await (role ? tx.db.update(members).set({ role }).where(mine) : tx.db.delete(members).where(mine))
      })
    await become('viewer')
    await using client = await mcpClient(streamable, `${t.url}/mcp`, tokens.access_token)
    const made = await client.callTool({ name: 'create_template', arguments: { name: 'A', subject: 'A' } })
    expect(JSON.parse(made.content[0].text).code).toBe('insufficient_role')
    await become(null)
    expect((await ping(t, '/mcp', tokens.access_token)).status).toBe(401)
    const refused = await post(t, '/oauth/token', refreshFields(clientId, tokens.refresh_token))
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_grant'])
  })

  test('and nobody allows more than they may: a viewer allows reading, a stranger nothing', async () => {
    await using t = await testApp()
    const grace = await t.person('viewer')
    const clientId = await registered(t)
    const { text } = await openConsent(authorizeUrl(t, clientId), grace.sessionCookie)
    const refused = await t.unchanged(() =>
      decide(t, { ticket: ticketIn(text), cookie: grace.sessionCookie, target: t.workspace.id, scopes: ['write'] }),
    )
    expect([refused.status, refused.location]).toEqual([403, null])
    expect(refused.text).toContain('Where you are a viewer, you can allow a program to read, and no more.')
    const allowed = await decide(t, {
      ticket: ticketIn(refused.text),
      cookie: grace.sessionCookie,
      target: t.workspace.id,
    })
    expect(allowed.status).toBe(303)
    const { workspace } = await t.stranger()
    const elsewhere = await openConsent(authorizeUrl(t, clientId), t.sessionCookie)
    expect(elsewhere.text).not.toContain(workspace.id)
    const foreign = await decide(t, { ticket: ticketIn(elsewhere.text), cookie: t.sessionCookie, target: workspace.id })
    expect([foreign.status, foreign.location]).toEqual([404, null])
    const theirs = await t.person('owner', { email: 'eve@stranger.test', workspace })
    const mailbox = await testMailbox(t)
    const inbox = { resource: `${t.app.config.baseUrl}/mailbox/mcp` }
    const page = await openConsent(authorizeUrl(t, clientId, inbox), theirs.sessionCookie)
    expect(page.text).not.toContain(mailbox.address)
    const stolen = await decide(t, { ticket: ticketIn(page.text), cookie: theirs.sessionCookie, target: mailbox.id })
    expect([stolen.status, stolen.location]).toEqual([404, null])
  })
})
