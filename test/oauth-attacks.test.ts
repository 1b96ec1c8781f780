// OAuth 2.1 of the MCP endpoints under attack: each case with what is answered, and that nothing was given (RFC 9700).

import { describe, expect, test } from 'bun:test'
import { oauthGrants } from '../db/tables/oauth.ts'
import { type Json, session, type TestApp, testApp } from './support/app.ts'
import { certificateFor } from './support/certificate.ts'
import { testMailbox } from './support/mailbox.ts'
import {
  authorizeUrl,
  callback,
  challenge,
  codeFor,
  connect,
  decide,
  exchangeFields,
  openConsent,
  parametersOf,
  ping,
  post,
  refreshFields,
  register,
  registered,
  send,
  ticketIn,
  verifier,
} from './support/oauth.ts'

const errorOf = ({ location }: { location: string | null }) => new URL(location ?? '').searchParams.get('error')

describe('where a code may go', () => {
  test.each([
    ['javascript:', 'javascript:alert(1)'],
    ['javascript: in other letters', 'JaVaScRiPt:alert(1)'],
    ['data:', 'data:text/html,hi'],
    ['file:', 'file:///etc/passwd'],
    ['vbscript:', 'vbscript:x'],
    ['blob:', 'blob:https://a.example/x'],
    ['a scheme that anybody may claim', 'myapp:/callback'],
    ['http elsewhere', 'http://app.example/callback'],
    ['a name that begins like this machine', 'http://127.0.0.1.evil.example/cb'],
    ['a fragment', 'https://app.example/cb#x'],
    ['an empty fragment', 'https://app.example/cb#'],
    ['a user name', 'https://app.example@evil.example/cb'],
    ['a line break', 'https://app.example/\r\nset-cookie: a=b'],
    ['a backslash', 'https:\\\\app.example/cb'],
    ['no host', 'https:'],
    ['a host that would be read as a policy', 'https://a;sandbox/cb'],
    ['a path', '/callback'],
    ['no text', 17],
    ['too long', `https://app.example/${'x'.repeat(1_000)}`],
  ])('never by registration: %s', async (_, uri) => {
    await using t = await testApp()
    const { status, body } = await register(t, { redirect_uris: [callback, uri] })
    expect([status, body.error]).toEqual([400, 'invalid_redirect_uri'])
    expect(body.error_description).toStartWith('redirect_uris.1')
    const { data } = await t.get('/v1/audit?kind=oauth_client', 200, session)
    expect(data).toEqual([])
  })

  test.each([
    ['another host', 'https://evil.example/cb'],
    ['a longer path', 'https://app.example/cb/more'],
    ['a shorter one', 'https://app.example/'],
    ['a query', 'https://app.example/cb?x=1'],
    ['another port', 'https://app.example:8443/cb'],
    ['another scheme', 'http://app.example/cb'],
    ['a slash', 'https://app.example/cb/'],
    ['other letters', 'https://APP.example/cb'],
    ['a way around', 'https://app.example/x/../cb'],
    ['an encoded one', 'https://app.example/%63b'],
    ['a parser that reads otherwise', 'https://app.example\\@evil.example/cb'],
    ['another name of this machine', 'http://localhost:8000/callback'],
    ['another path of this machine', 'http://127.0.0.1:8000/other'],
    ['no address', '<<<'],
    ['none', undefined],
  ])('never but to an address that the client named: %s', async (_, uri) => {
    await using t = await testApp()
    const clientId = await registered(t, ['https://app.example/cb', callback])
    const page = await openConsent(authorizeUrl(t, clientId, { redirect_uri: uri }), t.sessionCookie)
    expect([page.status, page.location]).toEqual([400, null])
    expect(page.text).not.toContain('name="ticket"')
  })

  test('on the person’s own machine at any port, with what the address has already', async () => {
    await using t = await testApp()
    const clientId = await registered(t, ['http://localhost/cb?app=1', 'http://[::1]/cb', callback])
    for (const uri of ['http://localhost:61000/cb?app=1', 'http://[::1]:61000/cb', 'http://127.0.0.1:1/callback']) {
      const { text, headers } = await openConsent(authorizeUrl(t, clientId, { redirect_uri: uri }), t.sessionCookie)
      expect(headers.get('content-security-policy')).toContain("form-action 'self' http:")
      const no = await decide(t, { ticket: ticketIn(text), cookie: t.sessionCookie, decision: 'deny' })
      expect(no.location).toStartWith(uri)
      expect(errorOf(no)).toBe('access_denied')
      expect(new URL(no.location ?? '').searchParams.get('iss')).toBe(t.app.config.baseUrl)
    }
  })

  test('no unknown client is sent anywhere, and whoever is not signed in learns nothing', async () => {
    await using t = await testApp()
    const url = authorizeUrl(t, 'oac_00000000000000000000000000000000', { redirect_uri: 'https://evil.example/' })
    const stranger = await send(url)
    expect(stranger.status).toBe(303)
    expect(stranger.location).toStartWith('/login?to=%2Foauth%2Fauthorize%3F')
    const page = await openConsent(url, t.sessionCookie)
    expect([page.status, page.location]).toEqual([400, null])
  })
})

describe('a request that is wrong', () => {
  test.each([
    ['no PKCE', { code_challenge: undefined }, 'invalid_request'],
    ['plain PKCE', { code_challenge: verifier, code_challenge_method: 'plain' }, 'invalid_request'],
    ['PKCE without its method', { code_challenge_method: undefined }, 'invalid_request'],
    ['a challenge that is none', { code_challenge: 'short' }, 'invalid_request'],
    ['a token at once', { response_type: 'token' }, 'unsupported_response_type'],
    ['no endpoint', { resource: undefined }, 'invalid_target'],
    ['an endpoint of another server', { resource: 'https://mcp.example/mcp' }, 'invalid_target'],
    ['an endpoint with a fragment', { resource: 'http://127.0.0.1:3000/mcp#' }, 'invalid_target'],
    ['no scope that there is', { scope: 'everything' }, 'invalid_scope'],
    ['a scope of the other endpoint', { scope: 'reply' }, 'invalid_scope'],
  ])('is told to the client, with its state and our name: %s', async (_, fields, error) => {
    await using t = await testApp()
    const answer = await openConsent(authorizeUrl(t, await registered(t), fields), t.sessionCookie)
    expect(answer.status).toBe(303)
    const told = new URL(answer.location ?? '')
    expect(told.origin + told.pathname).toBe(callback)
    expect(Object.fromEntries(told.searchParams)).toEqual({
      error,
      error_description: expect.any(String),
      state: 'as it was',
      iss: t.app.config.baseUrl,
    })
  })

  test('because something is there twice', async () => {
    await using t = await testApp()
    const clientId = await registered(t)
    const url = authorizeUrl(t, clientId)
    for (const more of ['scope=read&scope=send', 'response_type=code', 'state=other', 'resource=https://evil.example/'])
      expect(errorOf(await openConsent(`${url}&${more}`, t.sessionCookie)), more).toMatch(/^invalid_(request|target)$/)
    for (const more of ['redirect_uri=https://evil.example/', 'client_id=other'])
      expect((await openConsent(`${url}&${more}`, t.sessionCookie)).status, more).toBe(400)
    const fields = new URLSearchParams([...parametersOf(exchangeFields(clientId, 'pqc_x')), ['code', 'pqc_y']])
    expect((await post(t, '/oauth/token', fields)).body.error).toBe('invalid_request')
  })

  test('because it is long: 10 MB of a registration, a state without end, a hundred addresses, no JSON', async () => {
    await using t = await testApp()
    const large = await register(
      t,
      JSON.stringify({ redirect_uris: [callback], client_name: 'x'.repeat(10 * 1024 * 1024) }),
    )
    expect(large.status).toBe(413)
    const chunked = new ReadableStream({
      start(controller) {
        for (let n = 0; n < 160; n++) controller.enqueue(new Uint8Array(64 * 1024).fill(120))
        controller.close()
      },
    })
    const streamed = await send(`${t.url}/oauth/register`, { method: 'POST', body: chunked }).catch(() => ({
      status: 413,
    }))
    expect(streamed.status).toBe(413)
    const { body, status } = await register(t, { redirect_uris: Array.from({ length: 100 }, () => callback) })
    expect([status, body.error]).toEqual([400, 'invalid_redirect_uri'])
    for (const nonsense of [
      '{"redirect_uris":',
      '[]',
      'null',
      '{}',
      '"x"',
      '{"redirect_uris":[]}',
      '{"redirect_uris":"x"}',
    ])
      expect((await register(t, nonsense)).status, nonsense).toBe(400)
    const long = await openConsent(authorizeUrl(t, await registered(t), { state: 'x'.repeat(2_000) }), t.sessionCookie)
    expect([long.status, long.location]).toEqual([400, null])
    const sold = await register(t, { redirect_uris: [callback], grant_types: ['client_credentials'] })
    expect(sold.body.error).toBe('invalid_client_metadata')
  })
})

describe('the page on which a person allows', () => {
  test('is in no frame, runs nothing, leads only to its client, and shows a name as text', async () => {
    await using t = await testApp()
    const clientId = await registered(t, ['https://app.example/cb'], '<script>alert(1)</script>')
    const page = await openConsent(
      authorizeUrl(t, clientId, { redirect_uri: 'https://app.example/cb' }),
      t.sessionCookie,
    )
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    const policy = page.headers.get('content-security-policy') ?? ''
    for (const rule of [
      "default-src 'none'",
      "frame-ancestors 'none'",
      "form-action 'self' https://app.example;",
      "base-uri 'none'",
    ])
      expect(policy).toContain(rule)
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('referrer-policy')).toBe('same-origin')
    expect(page.text).not.toContain('<script')
    expect(page.text).toContain('&lt;script&gt;')
    expect(page.text).toContain('<strong>app.example</strong>')
  })

  test('is answered by the person only: not from another site, without or with another session, changed, or too late', async () => {
    await using t = await testApp()
    const { text } = await openConsent(authorizeUrl(t, await registered(t)), t.sessionCookie)
    const yes = { ticket: ticketIn(text), cookie: t.sessionCookie, target: t.workspace.id }
    const statuses = [
      await decide(t, yes, { origin: 'https://evil.example' }),
      await decide(t, yes, { origin: 'null' }),
      await decide(t, yes, { 'sec-fetch-site': 'cross-site' }),
      await decide(t, { ...yes, cookie: '' }),
      await decide(t, { ...yes, cookie: (await t.person('owner')).sessionCookie }),
      await decide(t, { ...yes, ticket: `${yes.ticket.slice(0, -4)}AAAA` }),
      await decide(t, { ...yes, ticket: '' }),
    ].map(({ status, location }) => [status, location])
    expect(statuses).toEqual([...Array(3).fill([403, null]), [401, null], ...Array(3).fill([409, null])])
    t.clock.advance(600_000)
    expect((await decide(t, yes)).status).toBe(409)
    expect(await t.app.db.select().from(oauthGrants)).toEqual([])
  })

  test('says yes once, however often it is sent', async () => {
    await using t = await testApp()
    const { text } = await openConsent(authorizeUrl(t, await registered(t)), t.sessionCookie)
    const yes = { ticket: ticketIn(text), cookie: t.sessionCookie, target: t.workspace.id }
    const answers = await Promise.all([decide(t, yes), decide(t, yes), decide(t, yes)])
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409, 409])
    expect(await t.app.db.select().from(oauthGrants)).toHaveLength(1)
  })

  test('is answered by POST: looking, and a GET with the answer, change nothing', async () => {
    await using t = await testApp()
    const clientId = await registered(t)
    await t.unchanged(async () => {
      const { text } = await openConsent(authorizeUrl(t, clientId), t.sessionCookie)
      const answer = `&decision=allow&target=${t.workspace.id}&ticket=${encodeURIComponent(ticketIn(text))}`
      await openConsent(authorizeUrl(t, clientId) + answer, t.sessionCookie)
    })
  })

  test('gives nothing that was not asked for, and reading always', async () => {
    await using t = await testApp()
    const page = await openConsent(
      authorizeUrl(t, await registered(t), { scope: 'write offline_access' }),
      t.sessionCookie,
    )
    const yes = {
      ticket: ticketIn(page.text),
      cookie: t.sessionCookie,
      target: t.workspace.id,
      scopes: ['write', 'send', 'full', 'mcp'],
    }
    await decide(t, yes)
    expect((await t.app.db.select().from(oauthGrants)).map(({ scopes }) => scopes)).toEqual([['read', 'write']])
  })
})

describe('a code', () => {
  const invalid = { status: 400, body: { error: 'invalid_grant' } }

  test('that comes twice ends what came of it, and the audit log says why', async () => {
    await using t = await testApp()
    const { clientId, code } = await codeFor(t)
    const { body: tokens } = await post(t, '/oauth/token', exchangeFields(clientId, code))
    expect((await ping(t, '/mcp', tokens.access_token)).status).toBe(200)
    expect(await post(t, '/oauth/token', exchangeFields(clientId, code))).toMatchObject(invalid)
    expect((await ping(t, '/mcp', tokens.access_token)).status).toBe(401)
    expect(await post(t, '/oauth/token', refreshFields(clientId, tokens.refresh_token))).toMatchObject(invalid)
    const [line] = (await t.get('/v1/audit?kind=oauth_grant', 200, session)).data
    expect(line).toMatchObject({ actor: { kind: 'oauth_grant' }, operation: 'POST /oauth/token' })
    expect(line.changes[0].after.endReason).toBe('code_used_twice')
  })

  test('that comes many times at once gives tokens at most once, and they do not work', async () => {
    await using t = await testApp()
    const { clientId, code } = await codeFor(t)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => post(t, '/oauth/token', exchangeFields(clientId, code))),
    )
    const [given, ...others] = answers.filter(({ status }) => status === 200)
    expect(others).toEqual([])
    expect((await ping(t, '/mcp', given?.body.access_token)).status).toBe(401)
  })

  test.each<
    [
      string,
      (t: TestApp, fields: Record<string, string | undefined>) => Promise<Record<string, string | undefined>>,
      string,
    ]
  >([
    ['with another verifier', async (_, fields) => ({ ...fields, code_verifier: 'x'.repeat(43) }), 'invalid_grant'],
    ['with the challenge as verifier', async (_, fields) => ({ ...fields, code_verifier: challenge }), 'invalid_grant'],
    ['by another client', async (t, fields) => ({ ...fields, client_id: await registered(t) }), 'invalid_grant'],
    [
      'for another address',
      async (_, fields) => ({ ...fields, redirect_uri: 'http://127.0.0.1:1/callback' }),
      'invalid_grant',
    ],
    [
      'for the other endpoint',
      async (t, fields) => ({ ...fields, resource: `${t.app.config.baseUrl}/mailbox/mcp` }),
      'invalid_target',
    ],
  ])('is of no use %s, then or later', async (_, change, error) => {
    await using t = await testApp()
    const { clientId, code } = await codeFor(t)
    const fields = exchangeFields(clientId, code)
    const { status, body } = await post(t, '/oauth/token', await change(t, fields))
    expect([status, body.error]).toEqual([400, error])
    expect(await post(t, '/oauth/token', fields)).toMatchObject(invalid)
    expect((await t.get('/v1/oauth-grants', 200, session)).data).toEqual([])
  })

  test('is too old after a minute, and nothing without a verifier, a client, or a grant type that there is', async () => {
    await using t = await testApp()
    const { clientId, code } = await codeFor(t)
    const fields = exchangeFields(clientId, code)
    for (const missing of ['code_verifier', 'client_id', 'code', 'grant_type'])
      expect((await post(t, '/oauth/token', { ...fields, [missing]: undefined })).body.error, missing).toBe(
        'invalid_request',
      )
    const sold = await post(t, '/oauth/token', { ...fields, grant_type: 'client_credentials' })
    expect(sold.body.error).toBe('unsupported_grant_type')
    t.clock.advance(60_000)
    expect(await post(t, '/oauth/token', fields)).toMatchObject(invalid)
    await t.advance('2h')
    await t.cleanUp()
    expect(await t.app.db.select().from(oauthGrants)).toEqual([])
  })
})

describe('a token', () => {
  test('for refreshing that comes twice ends all of its family, and the audit log says why', async () => {
    await using t = await testApp()
    const { clientId, tokens } = await connect(t)
    const { body: next } = await post(t, '/oauth/token', refreshFields(clientId, tokens.refresh_token))
    const stolen = await post(t, '/oauth/token', refreshFields(clientId, tokens.refresh_token))
    expect([stolen.status, stolen.body.error]).toEqual([400, 'invalid_grant'])
    for (const { access_token } of [tokens, next]) expect((await ping(t, '/mcp', access_token)).status).toBe(401)
    expect((await post(t, '/oauth/token', refreshFields(clientId, next.refresh_token))).status).toBe(400)
    const [line] = (await t.get('/v1/audit?kind=oauth_grant', 200, session)).data
    expect(line).toMatchObject({ actor: { kind: 'oauth_grant', name: 'Tests' }, operation: 'POST /oauth/token' })
    expect(line.changes[0].after.endReason).toBe('refresh_token_used_twice')
  })

  test('for refreshing is of one client and one endpoint, and gives no more than was allowed', async () => {
    await using t = await testApp()
    const { clientId, tokens } = await connect(t)
    const fields = refreshFields(clientId, tokens.refresh_token)
    const wrong: [Json, string][] = [
      [{ client_id: await registered(t) }, 'invalid_grant'],
      [{ resource: `${t.app.config.baseUrl}/mailbox/mcp` }, 'invalid_target'],
      [{ scope: 'read send' }, 'invalid_scope'],
      [{ refresh_token: tokens.access_token }, 'invalid_grant'],
    ]
    for (const [change, error] of wrong)
      expect((await post(t, '/oauth/token', { ...fields, ...change })).body.error).toBe(error)
    expect((await post(t, '/oauth/token', { ...fields, scope: 'read' })).status).toBe(200)
  })

  test('opens the endpoint that was allowed, and nothing else; no other credential became one', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const { tokens: inbox } = await connect(t, { endpoint: 'mailbox', target: mailbox.id })
    const { tokens } = await connect(t)
    const statusOf = async (path: '/mcp' | '/mailbox/mcp', token: string) => (await ping(t, path, token)).status
    expect([await statusOf('/mcp', tokens.access_token), await statusOf('/mailbox/mcp', inbox.access_token)]).toEqual([
      200, 200,
    ])
    expect([await statusOf('/mcp', inbox.access_token), await statusOf('/mailbox/mcp', tokens.access_token)]).toEqual([
      401, 401,
    ])
    for (const token of [tokens.refresh_token, inbox.refresh_token])
      expect([await statusOf('/mcp', token), await statusOf('/mailbox/mcp', token)]).toEqual([401, 401])
    expect([await statusOf('/mcp', t.apiKey), await statusOf('/mailbox/mcp', mailbox.token)]).toEqual([200, 200])
    expect([await statusOf('/mcp', mailbox.token), await statusOf('/mailbox/mcp', t.apiKey)]).toEqual([403, 401])
    const { status } = await send(`${t.url}/mcp?access_token=${tokens.access_token}`, { method: 'POST', body: '{}' })
    expect(status).toBe(401)
    for (const path of ['/v1/workspace', '/v1/oauth-grants', '/v1/campaigns'])
      await t.get(path, 401, { as: { apiKey: tokens.access_token } })
  })
})

describe('a client that is described by a document', () => {
  const host = 'client.example'
  const { cert, key } = certificateFor(host)

  async function withDocument(
    answer: (path: string) => Response | Promise<Response>,
    addresses = ['127.0.0.1'],
    cidrs = '127.0.0.1/32',
  ) {
    const asked: string[] = []
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      tls: { cert, key },
      fetch(request) {
        const { pathname } = new URL(request.url)
        asked.push(pathname)
        return answer(pathname)
      },
    })
    const dialing = { resolve: async () => addresses, ca: cert, httpsPort: server.port ?? 0, totalMs: 3_000 }
    const t = await testApp({ dialing, environment: { WEBHOOK_ALLOW_CIDRS: cidrs } })
    return {
      t,
      asked,
      async [Symbol.asyncDispose]() {
        await t[Symbol.asyncDispose]()
        await server.stop(true)
      },
    }
  }
  const id = `https://${host}/client.json`
  const document = { client_id: id, client_name: 'Documented', redirect_uris: [callback] }

  test('is known by its host, connects, and is fetched once in five minutes', async () => {
    await using one = await withDocument(() => Response.json(document))
    const { t, asked } = one
    const page = await openConsent(authorizeUrl(t, id), t.sessionCookie)
    expect(page.text).toContain(`The program says who it is at ${host}.`)
    const { tokens } = await connect(t, { clientId: id })
    expect((await ping(t, '/mcp', tokens.access_token)).status).toBe(200)
    expect(asked).toEqual(['/client.json'])
    t.clock.advance(300_000)
    await openConsent(authorizeUrl(t, id), t.sessionCookie)
    expect(asked).toHaveLength(2)
    const { data } = await t.get('/v1/oauth-grants', 200, session)
    expect(data).toMatchObject([{ clientId: id, clientName: 'Documented' }])
  })

  test('is not asked for before somebody has signed in', async () => {
    await using one = await withDocument(() => Response.json(document))
    expect((await send(authorizeUrl(one.t, id))).location).toStartWith('/login')
    expect(one.asked).toEqual([])
  })

  test.each<[string, string, () => Response | Promise<Response>]>([
    ['about another client', 'about another client_id', () => Response.json({ ...document, client_id: `${id}2` })],
    [
      'with a secret',
      'only public clients',
      () => Response.json({ ...document, token_endpoint_auth_method: 'client_secret_basic' }),
    ],
    ['larger than 10 KB', 'larger than', () => Response.json({ ...document, padding: 'x'.repeat(20_000) })],
    ['that leads elsewhere', 'answered 302', () => Response.redirect('https://169.254.169.254/latest')],
    ['that is a page', 'not JSON', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
    ['that is not there', 'answered 404', () => new Response('', { status: 404 })],
    [
      'that is sent to a script',
      'redirect_uris.0',
      () => Response.json({ ...document, redirect_uris: ['javascript:alert(1)'] }),
    ],
    [
      'whose redirect URI is another',
      'not one that this client has named',
      () => Response.json({ ...document, redirect_uris: ['https://a.example/'] }),
    ],
  ])('is refused with a document %s', async (_, reason, answer) => {
    await using one = await withDocument(answer)
    const { status, location, text } = await openConsent(authorizeUrl(one.t, id), one.t.sessionCookie)
    expect([status, location]).toEqual([400, null])
    expect(text).toContain(reason)
  })

  test('is refused when its server takes too long', async () => {
    await using one = await withDocument(() => new Promise(() => {}))
    const { status, text } = await openConsent(authorizeUrl(one.t, id), one.t.sessionCookie)
    expect(status).toBe(400)
    expect(text).toContain('its server takes too long')
  })

  test('is never asked for at a private or metadata address, as it is written or as its name resolves', async () => {
    await using one = await withDocument(() => Response.json(document), ['10.1.2.3', '169.254.169.254'], '192.0.2.1/32')
    const { t, asked } = one
    const private_ = await openConsent(authorizeUrl(t, id), t.sessionCookie)
    expect(private_.text).toContain('its address is one of a private network')
    const written = [
      '127.0.0.1',
      '10.0.0.1',
      '169.254.169.254',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '2130706433',
      'localhost',
      'metadata.google.internal',
    ]
    for (const name of written) {
      const { status, location } = await openConsent(authorizeUrl(t, `https://${name}/client.json`), t.sessionCookie)
      expect([name, status, location]).toEqual([name, 400, null])
    }
    for (const wrong of [
      `https://${host}`,
      `https://${host}/`,
      `https://${host}/a#b`,
      `https://${host}/a/../b`,
      `https://a:b@${host}/c`,
      `http://${host}/client.json`,
      `https://${host}:22/c`,
    ])
      expect((await openConsent(authorizeUrl(t, wrong), t.sessionCookie)).status, wrong).toBe(400)
    expect(asked).toEqual([])
  })
})
