// Keys and sessions: how they are made, which routes they open, and when they end.

import { expect, test } from 'bun:test'
import { apiKeys, loginLinks, sessions } from '../db/tables/workspaces.ts'
import { createApp, write } from '../src/core/app.ts'
import { isApi } from '../src/core/http/surface.ts'
import { buildServer } from '../src/doors/server.ts'
import { systemRandom } from '../src/kit/random.ts'
import { isApiKey, newApiKey } from '../src/kit/token.ts'
import { noVitals } from '../src/operator/health/vitals.ts'
import { endQuarantine } from '../src/operator/quarantine/quarantine.ts'
import { createApiKey } from '../src/people/access/api-keys.ts'
import { sessionToken, stepCookie, stepValue } from '../src/people/access/cookie.ts'
import { createLoginLink } from '../src/people/access/sessions.ts'
import { createUser } from '../src/people/access/users.ts'
import { createWorkspace } from '../src/people/workspaces.ts'
import { type Json, type RequestOptions, type TestApp, testApp } from './support/app.ts'
import { operationsOf } from './support/openapi.ts'
import { password, withPassword } from './support/people.ts'
import { Jar } from './support/walk.ts'

const cookieOf = (headers: Headers) => headers.get('set-cookie')?.split(';')[0] ?? ''

test('a key has 32 random characters and a checksum that finds a mistyped one', () => {
  const key = newApiKey({ random: systemRandom })
  expect(key).toMatch(/^pqk_[0-9A-Za-z]{38}$/)
  expect(isApiKey(key)).toBe(true)
  for (const at of [4, 20, 35, 41]) {
    const wrong = key.slice(0, at) + (key[at] === 'x' ? 'y' : 'x') + key.slice(at + 1)
    expect(isApiKey(wrong), wrong).toBe(false)
  }
})

test('a request without a valid key is 401, whatever it carries', async () => {
  await using t = await testApp()
  const valid = `Bearer ${t.apiKey}`
  const refusals: [string, string, Record<string, string>][] = [
    ['nothing', '/v1/workspace', {}],
    ['Basic', '/v1/workspace', { authorization: `Basic ${btoa(`${t.apiKey}:`)}` }],
    ['no scheme', '/v1/workspace', { authorization: t.apiKey }],
    ['another scheme', '/v1/workspace', { authorization: `Token ${t.apiKey}` }],
    ['two keys', '/v1/workspace', { authorization: `${valid}, ${valid}` }],
    ['a wrong checksum', '/v1/workspace', { authorization: `${valid.slice(0, -1)}~` }],
    ['a key nobody has', '/v1/workspace', { authorization: `Bearer ${newApiKey({ random: systemRandom })}` }],
    ['the key in the query', `/v1/workspace?api_key=${t.apiKey}`, {}],
    ['the key as a cookie', '/v1/workspace', { cookie: `session=${t.apiKey}` }],
    ['an unknown session', '/v1/workspace', { cookie: `session=${'a'.repeat(43)}` }],
    ['a path that does not exist', '/v1/nothing', {}],
    ['the alias prefix', '/api/v1/workspace', {}],
  ]
  for (const [name, path, headers] of refusals) {
    await t.unchanged(async () => {
      for (const method of ['GET', 'PATCH']) {
        const reply = await t.request(method, path, method === 'GET' ? undefined : { name: 'X' }, {
          as: 'nobody',
          headers,
        })
        expect(reply.status, `${method} with ${name}`).toBe(401)
        expect(reply.headers.get('www-authenticate'), name).toStartWith('Bearer')
        expect(reply.body, name).toMatchObject({ success: false, status: 401, errors: [] })
      }
    })
  }
  expect(t.logged.join()).not.toContain(t.apiKey)
})

test('two Authorization headers on the wire are 401', async () => {
  await using t = await testApp()
  const { hostname, port } = new URL(t.url)
  const line = `Authorization: Bearer ${t.apiKey}\r\n`
  const reply = Promise.withResolvers<string>()
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: { data: (_, bytes) => reply.resolve(bytes.toString()), error: (_, error) => reply.reject(error) },
  })
  socket.write(`GET /v1/workspace HTTP/1.1\r\nHost: localhost\r\n${line}${line}\r\n`)
  expect(await reply.promise).toStartWith('HTTP/1.1 401')
  socket.end()
})

test('a mailbox token is told that it opens something else', async () => {
  await using t = await testApp()
  await t.get('/v1/workspace', 403, { as: { apiKey: `mbtok_${'a'.repeat(43)}` } })
})

test('a revoked key is refused from the next request on', async () => {
  await using t = await testApp()
  const { id, apiKey } = await t.post('/v1/api-keys', { name: 'second' }, 201)
  await t.get('/v1/api-key', 200, { as: { apiKey } })
  await t.delete(`/v1/api-keys/${id}`, undefined, 200)
  await t.get('/v1/api-key', 401, { as: { apiKey } })
  await t.delete(`/v1/api-keys/${id}`, undefined, 404)
})

test('a key does what its scopes say, and is told which one is missing before its body is looked at', async () => {
  await using t = await testApp()
  const { apiKey } = await t.post('/v1/api-keys', { scopes: ['workspace.read', 'api-keys.write'] }, 201)
  const as = { apiKey }
  await t.get('/v1/workspace', 200, { as })
  await t.unchanged(async () => {
    const reply = await t.request('PATCH', '/v1/workspace', { name: 5 }, { as })
    expect(reply.status).toBe(403)
    expect(reply.body.code).toBe('insufficient_scope')
    expect(reply.headers.get('www-authenticate')).toContain('scope="workspace.write"')
    await t.get('/v1/members', 403, { as })
    await t.post('/v1/api-keys', { scopes: ['full'] }, 403, { as })
    await t.post('/v1/api-keys', {}, 403, { as })
  })
  await t.post('/v1/api-keys', { scopes: ['workspace.read'] }, 201, { as })
})

test("another workspace's key id is 404 and stays", async () => {
  await using t = await testApp()
  const { apiKey } = await t.stranger()
  const { id } = await t.post('/v1/api-keys', {}, 201)
  await t.unchanged(() => t.delete(`/v1/api-keys/${id}`, undefined, 404, { as: { apiKey } }))
})

test('routes of a session refuse a key, and routes of a key refuse a session', async () => {
  await using t = await testApp()
  await t.get('/v1/auth/session', 401)
  await t.get('/v1/auth/session', 200, { as: 'session' })
  await t.get('/v1/api-key', 401, { as: 'session' })
  await t.get('/v1/workspace', 200, { as: 'session' })
})

test('the session cookie is Secure when BASE_URL is https, and only then', async () => {
  for (const [baseUrl, secure] of [
    ['https://mail.acme.test', true],
    ['http://mail.acme.test', false],
  ] as const) {
    await using t = await testApp({ environment: { BASE_URL: baseUrl } })
    await withPassword(t)
    const login = await t.request('POST', '/v1/auth/login', { email: t.user.email, password }, { as: 'nobody' })
    const headers = { cookie: cookieOf(login.headers), origin: baseUrl }
    const nobody = { as: 'nobody', headers } as const
    const body = { currentPassword: password, newPassword: 'another one' }
    const changed = await t.request('POST', '/v1/auth/password', body, nobody)
    const linked = await t.request('POST', await write(t.app, (tx) => createLoginLink(tx, t.user.id)), '', nobody)
    const left = await t.request('POST', '/logout', '', nobody)
    for (const cookie of [login, changed, linked, left].flatMap(({ headers }) => headers.getSetCookie())) {
      const attributes = cookie.split('; ')
      expect(attributes).toContain('HttpOnly')
      expect(attributes.includes('Secure')).toBe(secure)
    }
  }
})

test('signing in gives a cookie that scripts and other sites cannot use', async () => {
  await using t = await testApp()
  await withPassword(t)
  const credentials = { email: 'Owner@ACME.test', password }
  const reply = await t.request('POST', '/v1/auth/login', credentials, { as: 'nobody' })
  expect(reply.status).toBe(200)
  expect(reply.body).toMatchObject({
    success: true,
    user: { email: 'owner@acme.test' },
    workspaces: [{ slug: 'acme' }],
  })
  const cookies = reply.headers.getSetCookie()
  const attributes = '=[A-Za-z0-9_-]{43}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax$'
  expect(cookies).toEqual([
    expect.stringMatching(new RegExp(`^session${attributes}`)),
    expect.stringMatching(new RegExp(`^session_${t.app.id}${attributes}`)),
  ])
  const headers = { cookie: cookieOf(reply.headers), origin: t.url }
  const session = await t.get('/v1/auth/session', 200, { as: 'nobody', headers })
  expect(session).toMatchObject({ user: { name: 'Olive Owner' }, workspaceId: t.workspace.id })
})

test('two installations at one host sign nobody out of each other, nor take steps of a sign-in from each other', async () => {
  await using here = await testApp()
  await using there = await testApp()
  const jar = new Jar()
  const post = async ({ url }: TestApp, path: string, body = {}) => {
    const headers = { cookie: jar.of(url), origin: url, 'content-type': 'application/json' }
    const reply = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    jar.take(url, reply.headers)
    expect(reply.status, path).toBe(200)
  }
  const signedIn = async ({ url }: TestApp) =>
    (await fetch(`${url}/v1/auth/session`, { headers: { cookie: jar.of(url) } })).status === 200
  for (const t of [here, there]) {
    await withPassword(t)
    await post(t, '/v1/auth/login', { email: t.user.email, password })
  }
  expect([await signedIn(here), await signedIn(there)]).toEqual([true, true])
  await post(there, '/v1/auth/logout')
  expect([await signedIn(here), await signedIn(there)]).toEqual([true, false])

  const steps = [here, there].map(({ app }) =>
    stepCookie(app, { name: 'oidc', value: app.id, maxAgeMs: 1, sameSite: 'Lax' }),
  )
  const cookies = steps.map((step) => step.split(';')[0]).join('; ')
  expect([here, there].map(({ app }) => stepValue(app, cookies, 'oidc'))).toEqual([here.app.id, there.app.id])
})

test('the cookies of an installation have one name in all its processes; a copy that is released has its own', async () => {
  await using t = await testApp()
  const startAgain = async () => {
    const again = await createApp(t.app.config, { clock: t.clock, log: t.app.log })
    await again.close()
    return again.id
  }
  expect(t.app.id).toMatch(/^[0-9a-f]{8}$/)
  expect(await startAgain()).toBe(t.app.id)
  await endQuarantine(t.app)
  const released = await startAgain()
  expect(released).toMatch(/^[0-9a-f]{8}$/)
  expect(released).not.toBe(t.app.id)
})

test('a session cookie of the installation is read before one without its name; two of a name are none', async () => {
  await using t = await testApp()
  const [own, other, third] = ['a', 'b', 'c'].map((letter) => letter.repeat(43))
  const name = `session_${t.app.id}`
  for (const [header, token] of [
    [`session=${own}`, own],
    [`session=${other}; ${name}=${own}`, own],
    [`session=${other}; session=${third}; ${name}=${own}`, own],
    [`session=${own}; session=${other}`, null],
    [`session=${own}; ${name}=${other}; ${name}=${third}`, null],
    [`session_${'0'.repeat(8)}=${own}`, null],
  ] as const)
    expect(sessionToken(t.app, header) ?? null, header).toBe(token ?? null)
})

test('a session ends at sign-out, at the next sign-in, when the password changes and when it is too old', async () => {
  await using t = await testApp()
  await withPassword(t)
  const signIn = async (headers: Record<string, string> = {}) => {
    const { headers: got } = await t.request(
      'POST',
      '/v1/auth/login',
      { email: t.user.email, password },
      { as: 'nobody', headers },
    )
    return { as: 'nobody', headers: { cookie: cookieOf(got), origin: t.url } } satisfies RequestOptions
  }
  const first = await signIn()
  const second = await signIn({ ...first.headers })
  await t.get('/v1/auth/session', 401, first)
  await t.post('/v1/auth/logout', {}, 200, second)
  await t.get('/v1/auth/session', 401, second)

  const third = await signIn()
  await t.post('/v1/auth/password', { currentPassword: 'wrong', newPassword: 'long enough' }, 401, third)
  const changed = await t.request(
    'POST',
    '/v1/auth/password',
    { currentPassword: password, newPassword: 'long enough' },
    third,
  )
  expect(changed.status).toBe(200)
  await t.get('/v1/auth/session', 401, third)
  const fourth = { as: 'nobody', headers: { cookie: cookieOf(changed.headers) } } satisfies RequestOptions
  await t.get('/v1/auth/session', 200, fourth)
  t.clock.advance(12 * 3_600_000)
  await t.get('/v1/auth/session', 401, fourth)
})

test('a session in use lasts 30 days and no longer', async () => {
  await using t = await testApp()
  for (let hours = 0; hours < 30 * 24 - 8; hours += 8) {
    t.clock.advance(8 * 3_600_000)
    await t.get('/v1/auth/session', 200, { as: 'session' })
    // The last use is noted beside the request; a write of our own waits for it.
    await write(t.app, () => null)
  }
  t.clock.advance(8 * 3_600_000)
  await t.get('/v1/auth/session', 401, { as: 'session' })
})

test('another site cannot use a session', async () => {
  await using t = await testApp()
  const { url } = t
  const refused: Record<string, string>[] = [
    {},
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `${url}.evil.example` },
    { origin: url, 'sec-fetch-site': 'cross-site' },
    { origin: url, 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example', 'x-http-method-override': 'GET' },
  ]
  for (const headers of refused) {
    const options = { as: 'nobody', headers: { cookie: t.sessionCookie, ...headers } } satisfies RequestOptions
    await t.unchanged(() => t.patch('/v1/workspace', { name: 'Evil' }, 403, options))
    await t.unchanged(() => t.post('/v1/auth/logout', {}, 403, options))
  }
  const plain = { as: 'session', headers: { 'content-type': 'text/plain' } } satisfies RequestOptions
  await t.unchanged(() => t.patch('/v1/workspace', '{"name":"Evil"}', 415, plain))
  await t.patch('/v1/workspace', { name: 'Good' }, 200, { as: 'session', headers: { 'sec-fetch-site': 'same-origin' } })
})

test('sign-in by another site is refused, in every way and before its body is looked at', async () => {
  await using t = await testApp()
  await withPassword(t)
  const ways = (await operationsOf(t)).filter(
    ({ path, security }) => /^\/v1\/auth\//.test(path) && security.length === 0,
  )
  expect(ways.map(({ id }) => id).sort()).toEqual(['beginPasskeyLogin', 'login', 'loginWithPasskey'])
  const headers = { origin: 'https://evil.example', 'content-type': 'application/json' }
  for (const { path } of ways)
    for (const body of [{ email: t.user.email, password }, { wrong: 1 }, '{"broken'])
      await t.unchanged(() => t.post(path, body, 403, { as: 'nobody', headers }))
  // Only browsers name an origin.
  await t.post('/v1/auth/login', { email: t.user.email, password }, 200, { as: 'nobody' })
})

test('a one-time link signs in once, by its button and not by a look at it', async () => {
  await using t = await testApp()
  const path = await write(t.app, (tx) => createLoginLink(tx, t.user.id))
  const nobody = { as: 'nobody' } as const
  for (const method of ['GET', 'HEAD', 'GET']) {
    const look = await t.unchanged(() => t.request(method, path, undefined, nobody))
    expect(look.status).toBe(200)
    expect(look.headers.get('set-cookie')).toBeNull()
  }
  const redeem = () =>
    t.request('POST', path, '', {
      as: 'nobody',
      headers: { origin: t.url, 'content-type': 'application/x-www-form-urlencoded' },
    })
  const used = await redeem()
  expect([used.status, used.headers.get('location')]).toEqual([303, '/dashboard'])
  const headers = { cookie: cookieOf(used.headers) }
  await t.get('/v1/auth/session', 200, { as: 'nobody', headers })
  expect((await t.unchanged(redeem)).status).toBe(410)
  expect((await t.request('GET', path, undefined, nobody)).status).toBe(410)

  const late = await write(t.app, (tx) => createLoginLink(tx, t.user.id))
  t.clock.advance(24 * 3_600_000)
  expect((await t.request('GET', late, undefined, nobody)).status).toBe(410)
})

test('a session works in the workspace it names, if its user may enter it', async () => {
  await using t = await testApp()
  const { workspace: closed } = await t.stranger()
  const open = await write(t.app, async (tx) => {
    const workspace = await createWorkspace(tx, { slug: 'second', trustLevel: 'M1' })
    await createUser(tx, workspace, { email: 'new@acme.test', passwordHash: null, role: 'member' })
    return workspace
  })
  const inWorkspace = (id: string) => ({ as: 'session', headers: { 'x-workspace-id': id } }) satisfies RequestOptions
  await t.get('/v1/workspace', 200, inWorkspace(t.workspace.id))
  for (const id of [closed.id, open.id, 'ws_none', '']) await t.get('/v1/workspace', 404, inWorkspace(id))
})

test('what is stored of a secret does not open anything', async () => {
  await using t = await testApp()
  const link = await write(t.app, (tx) => createLoginLink(tx, t.user.id))
  const stored = JSON.stringify([
    await t.app.db.select().from(apiKeys).all(),
    await t.app.db.select().from(sessions).all(),
    await t.app.db.select().from(loginLinks).all(),
  ])
  for (const secret of [t.apiKey, t.sessionCookie.slice('session='.length), link.slice('/login/'.length)]) {
    expect(stored).not.toContain(secret)
  }
  expect(stored).toContain(t.apiKey.slice(0, 10))
})

test('the last use of a key is noted, at most once a minute', async () => {
  await using t = await testApp()
  const lastUsed = async () => {
    await write(t.app, () => null)
    const row = await t.app.db.select().from(apiKeys).get()
    return row?.lastUsedAt?.toISOString()
  }
  await t.get('/v1/api-key', 200)
  expect(await lastUsed()).toBe('2026-01-15T12:00:00.000Z')
  t.clock.advance(59_999)
  await t.get('/v1/api-key', 200)
  expect(await lastUsed()).toBe('2026-01-15T12:00:00.000Z')
  t.clock.advance(1)
  await t.get('/v1/api-key', 200)
  expect(await lastUsed()).toBe('2026-01-15T12:01:00.000Z')
})

test('settings of a workspace: what is given changes, null clears, the rest stays', async () => {
  await using t = await testApp()
  await t.patch('/v1/workspace', { brand: { companyName: 'Acme Ltd', website: 'https://acme.test' } }, 200)
  const changed = await t.patch(
    '/v1/workspace',
    { primaryLocale: 'pt-br', timeZone: 'Europe/Paris', brand: { website: null } },
    200,
  )
  expect(changed).toMatchObject({
    primaryLocale: 'pt-BR',
    timeZone: 'Europe/Paris',
    brand: { companyName: 'Acme Ltd' },
  })
  expect(changed.brand.website).toBeUndefined()
  const refused = [
    { timeZone: 'Mars/Base' },
    { primaryLocale: '!' },
    { name: ' ' },
    { name: 'a\r\nBcc: x' },
    { brand: { website: 5 } },
  ]
  for (const body of refused) await t.unchanged(() => t.patch('/v1/workspace', body, 422))
  const assigned = { trustLevel: 'M4', id: 'ws_x', slug: 'x', createdAt: '2020-01-01T00:00:00.000Z' }
  const reply = await t.unchanged(() => t.patch('/v1/workspace', assigned, 422))
  expect(reply.errors.map(({ path }: Json) => path)).toEqual(Object.keys(assigned))
})

test('every route under /v1 says which credential it takes, or is one of the few open ones', async () => {
  await using t = await testApp()
  const { server, table } = buildServer(t.app, noVitals)
  const open: string[] = []
  for (const { method, path, hooks } of server.routes) {
    if (!/^\/(api\/)?v1(\/|$)/.test(path)) continue
    const { detail } = hooks as { detail?: { security?: object[] } }
    const declared = (detail?.security?.length ?? 0) > 0
    expect(declared, `${method} ${path} declares a credential`).toBe(isApi(path) && !table.surfaceOf(path).isOpen)
    if (!declared) open.push(`${method} ${path}`)
    if (!declared) expect(table.surfaceOf(path).isOpen, `${path} is limited per address`).toBe(true)
    const asked = path.replaceAll(/:\w+/g, 'x').replace('*', 'x')
    const reply = await t.request(method, asked, method === 'GET' ? undefined : {}, { as: 'nobody' })
    if (declared) expect(reply.status, `${method} ${path} without a credential`).toBe(401)
  }
  expect(open).toContain('POST /v1/auth/login')
})

test('a key made on the command line or by a session works the same', async () => {
  await using t = await testApp()
  const { apiKey } = await write(t.app, (tx) => createApiKey(tx, t.workspace.id, { scopes: ['members.read'] }))
  expect(await t.get('/v1/members', 200, { as: { apiKey } })).toMatchObject({
    data: [{ email: 'owner@acme.test', role: 'owner' }],
  })
  const made = await t.post('/v1/api-keys', { name: 'by hand', scopes: ['mcp'] }, 201, { as: 'session' })
  expect(await t.get('/v1/api-key', 200, { as: { apiKey: made.apiKey } })).toEqual({ success: true, teamName: 'Acme' })
  const { data } = await t.get('/v1/api-keys', 200)
  expect(JSON.stringify(data)).not.toContain(made.apiKey)
})

test('who sends no credential, or the wrong kind, is told which one that route takes', async () => {
  await using t = await testApp()
  const cases = [
    ['GET', '/v1/activity', 'nobody', 'Bearer, Session', /API key.*or sign in/],
    ['GET', '/v1/transactional', 'nobody', 'Bearer, Session', /API key.*or sign in/],
    ['GET', '/v1/webhook-endpoints', 'nobody', 'Session', /needs a credential: sign in/],
    ['PATCH', '/v1/webhook-endpoints/whe_1', 'nobody', 'Session', /needs a credential: sign in/],
    ['GET', '/v1/webhook-endpoints', 'key', 'Session', /session of a person.*not an API key/],
    ['POST', '/v1/events/send', 'session', 'Bearer', /API key, not a session/],
    ['GET', '/v1/nothing', 'nobody', 'Bearer', /send an API key/],
  ] as const
  for (const [method, path, as, challenge, text] of cases) {
    const reply = await t.request(method, path, undefined, { as })
    expect([reply.status, reply.headers.get('www-authenticate')], path).toEqual([401, challenge])
    expect(reply.body.detail, path).toMatch(text)
  }
})

test('a user and a workspace that are there already are a conflict, on every database', async () => {
  await using t = await testApp()
  const again = { email: t.user.email, passwordHash: null, role: 'member' } as const
  const conflict = expect.objectContaining({ code: 'conflict' })
  await t.unchanged(async () => {
    const user = write(t.app, (tx) => createUser(tx, t.workspace, again))
    expect(await user.catch((error) => error)).toEqual(conflict)
    const workspace = write(t.app, (tx) => createWorkspace(tx, { slug: t.workspace.slug, trustLevel: 'M1' }))
    expect(await workspace.catch((error) => error)).toEqual(conflict)
  })
})
