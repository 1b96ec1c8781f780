import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { Elysia, type InternalRoute } from 'elysia'
import { installation } from '../db/tables/workspaces.ts'
import { write } from '../src/core/app.ts'
import { maxRequestBytes } from '../src/core/http/body.ts'
import { createClientIp } from '../src/core/http/client-ip.ts'
import { knownError, toProblem, toStatus } from '../src/core/http/errors.ts'
import { isApi, ordinary } from '../src/core/http/surface.ts'
import { readablePath } from '../src/core/http/validation.ts'
import { mailboxAddress, workspaceAddress } from '../src/doors/mcp/addresses.ts'
import { buildServer } from '../src/doors/server.ts'
import { AppError, errorCodes } from '../src/kit/error.ts'
import { parseJson } from '../src/kit/json.ts'
import { html } from '../src/kit/page.ts'
import { noVitals } from '../src/operator/health/vitals.ts'
import { type TestApp, testApp } from './support/app.ts'
import { onTheWire } from './support/wire.ts'

test('every error has one shape', async () => {
  await using t = await testApp()
  const reply = await t.request('GET', '/v1/nothing?email=someone@example.com', undefined, {
    headers: { 'x-request-id': 'abc-1' },
  })
  expect(reply.status).toBe(404)
  expect(reply.headers.get('content-type')).toBe('application/problem+json')
  expect(reply.body).toEqual({
    type: `${t.url}/docs/errors#not_found`,
    title: 'Not Found',
    status: 404,
    detail: 'There is nothing at this address.',
    instance: '/v1/nothing',
    code: 'not_found',
    requestId: 'abc-1',
    errors: [],
    success: false,
    message: 'There is nothing at this address.',
  })
})

test('every code has a status, and the page of codes names it', async () => {
  await using t = await testApp()
  const { text } = await t.request('GET', '/docs/errors', undefined, { as: 'nobody' })
  for (const code of errorCodes) {
    expect(toStatus(code), code).toBeGreaterThanOrEqual(400)
    expect(text).toContain(`id="${code}"`)
  }
})

test('further members of a problem never replace its own', () => {
  const error = new AppError('recipient_suppressed', 'no', {
    extra: { messageId: 'msg_1', status: 200, success: true },
  })
  const problem = toProblem(error, { baseUrl: 'https://x.test', path: '/v1/x', requestId: 'r' })
  expect(problem).toMatchObject({ messageId: 'msg_1', status: 422, success: false })
})

test('a request id that is not one is replaced', async () => {
  await using t = await testApp()
  const idFor = async (id: string) =>
    (await t.request('GET', '/healthz', undefined, { headers: { 'x-request-id': id } })).headers.get('x-request-id')
  expect(await idFor('trace.1_a-B')).toBe('trace.1_a-B')
  for (const id of ['a b', 'x'.repeat(129), '<script>', 'é']) expect(await idFor(id), id).toMatch(/^req_[0-9a-f]{32}$/)
})

test('a wrong method is 405 with the right ones', async () => {
  await using t = await testApp()
  const cases: [string, string, string][] = [
    ['PUT', '/v1/api-keys', 'GET, POST'],
    ['GET', '/v1/api-keys/key_1', 'DELETE'],
    ['POST', '/v1/workspace', 'GET, PATCH'],
    ['OPTIONS', '/v1/workspace', 'GET, PATCH'],
  ]
  for (const [method, path, allow] of cases) {
    const reply = await t.unchanged(() => t.request(method, path, method === 'PUT' ? {} : undefined))
    expect([reply.status, reply.body.code, reply.headers.get('allow')]).toEqual([405, 'method_not_allowed', allow])
  }
})

test('a path is matched as it is written', async () => {
  await using t = await testApp()
  const paths = [
    '/v1//workspace',
    '//v1/workspace',
    '/V1/workspace',
    '/v1/workspace/',
    '/v1/%2e%2e/workspace',
    '/v1/work%73pace',
    '/v1',
    '/api',
    '/v1/workspace.',
  ]
  for (const path of paths) {
    const mine = await t.request('GET', path)
    const nobody = await t.request('GET', path, undefined, { as: 'nobody' })
    expect(nobody.body?.data ?? nobody.body?.slug, path).toBeUndefined()
    expect([401, 404], `${path} for nobody`).toContain(nobody.status)
    expect([200, 404], path).toContain(mine.status)
  }
})

test('validation names every wrong field by its path', async () => {
  await using t = await testApp()
  const body = { name: 5, scopes: ['full', 'nonsense', 7] }
  const problem = await t.unchanged(() => t.post('/v1/api-keys', body, 422))
  expect(problem.code).toBe('validation_failed')
  expect(problem.errors.map(({ path }: { path: string }) => path)).toEqual(['name', 'scopes[1]', 'scopes[2]'])
  const missing = await t.post('/v1/auth/login', {}, 422, { as: 'nobody' })
  expect(missing.code).toBe('missing_required_field')
  expect(missing.errors).toEqual([
    { path: 'email', message: 'is required', code: 'required' },
    { path: 'password', message: 'is required', code: 'required' },
  ])
  await t.unchanged(() => t.post('/v1/api-keys', undefined, 422))
  await t.unchanged(() => t.post('/v1/api-keys', [], 422))
})

test('a JSON pointer becomes the path that people write', () => {
  expect(readablePath('/content/2/items/0/href')).toBe('content[2].items[0].href')
  expect(readablePath('/a~1b/c~0d')).toBe('a/b.c~d')
  expect(readablePath('')).toBe('')
})

test('JSON that would mean something else to us is refused', () => {
  const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  const refused = [
    '',
    '{',
    '{"a":1}x',
    '{"a":1} {}',
    '\uFEFF{"a":1}',
    '{a:1}',
    "{'a':1}",
    '[1,]',
    'NaN',
    '01',
    '{"__proto__":{"isAdmin":true}}',
    '{"\\u005f_proto__":{"isAdmin":true}}',
    '[{"a":{"__proto__":1}}]',
    '{"constructor":{"prototype":{"isAdmin":true}}}',
    '{"a":1,"a":2}',
    '{"x":{"a":1,"b":2,"a":3}}',
    '{"a":1,"\\u0061":2}',
    '1e400',
    '[-1e999]',
    '9007199254740993',
    '{"id":12345678901234567890}',
    deep(65),
    deep(10_000),
    `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
    '"\\ud800"',
    '{"\\udc00":1}',
  ]
  for (const text of refused) expect(() => parseJson(text), text.slice(0, 60)).toThrow(AppError)
  expect(({} as Record<string, unknown>).isAdmin).toBeUndefined()
})

test('other JSON is read as JSON.parse reads it', () => {
  const accepted = [
    '{}',
    '[]',
    '"a"',
    '1',
    '-0.5e-10',
    'true',
    'null',
    ' {"a" : [1, {"b":"c:d,{\\"x\\":1}"}] } ',
    '9007199254740991',
    '-9007199254740991',
    '{"constructor":"text"}',
    '{"a":{"x":1},"b":{"x":1}}',
    '"\\ud83d\\ude00"',
    '"\\\\"',
    '{"a\\\\":"\\\\\\""}',
    '[1.7976931348623157e308]',
    '"é😀"',
    `${'['.repeat(64)}${']'.repeat(64)}`,
    `"${'x'.repeat(100_000)}"`,
    '123456789012345678.5',
  ]
  for (const text of accepted) expect(parseJson(text), text.slice(0, 60)).toEqual(JSON.parse(text))
})

test('a body that is not JSON in UTF-8 is 400', async () => {
  await using t = await testApp()
  const bodies = [
    '{"name":',
    new Uint8Array([0x22, 0xff, 0x22]),
    new Uint8Array(Buffer.from('{"a":1}', 'utf16le')),
    '{"__proto__":{}}',
  ]
  for (const body of bodies) {
    const problem = await t.unchanged(() => t.post('/v1/api-keys', body, 400))
    expect(problem.code).toBe('invalid_json')
  }
})

test('a body that is not declared as plain JSON is 415', async () => {
  await using t = await testApp()
  const headers: Record<string, string>[] = [
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'multipart/form-data; boundary=x' },
    { 'content-type': 'application/json; charset=utf-16' },
    { 'content-type': 'application/jsonp' },
    { 'content-type': '' },
    { 'content-encoding': 'gzip' },
    { 'content-encoding': 'br' },
  ]
  for (const one of headers) {
    const problem = await t.unchanged(() => t.post('/v1/api-keys', '{}', 415, { headers: one }))
    expect(problem.code, JSON.stringify(one)).toBe('unsupported_media_type')
  }
  await t.post('/v1/api-keys', '{}', 201, { headers: { 'content-type': 'Application/JSON; Charset="UTF-8"' } })
})

test('more than 25 MB is 413 by its Content-Length, before a byte of it is read', async () => {
  await using t = await testApp()
  const head = (length: number, key: string) =>
    `POST /v1/transactional/send HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
  expect(await onTheWire(t, [head(maxRequestBytes + 1, t.apiKey)])).toStartWith('HTTP/1.1 413')
  expect(await onTheWire(t, [head(maxRequestBytes + 1, 'nonsense')])).toStartWith('HTTP/1.1 401')
})

test('how much a route reads follows from the weakest credential it takes', async () => {
  await using t = await testApp()
  const { server } = buildServer(t.app, noVitals)
  const bounds = { anybody: 64 * 1024, key: 4 * 1024 * 1024, mail: maxRequestBytes }
  const taking: string[] = []
  const agents = [workspaceAddress, mailboxAddress].flatMap(({ path, messagePath }) => [path, messagePath])
  for (const { method, path, hooks } of server.routes) {
    const { body, isOpen, isCrossOrigin, isCallback, isUpload } = hooks.detail?.surface ?? ordinary(path)
    const schema = JSON.stringify(hooks.body ?? null)
    const takesMail = /"attachments"|"Attachments"/.test(schema)
    if (takesMail) taking.push(path)
    // A file is read as it comes, a callback has its secret in its address, and bounds of its own.
    if (method === 'GET' || isUpload || isCallback) continue
    const weakest = isOpen || isCrossOrigin || !isApi(path) ? 'anybody' : takesMail ? 'mail' : 'key'
    if (agents.includes(path)) expect(body.maxBytes, path).toBe(1024 * 1024)
    else expect(body.maxBytes, `${method} ${path}`).toBe(bounds[weakest])
  }
  expect(taking.length).toBeGreaterThanOrEqual(9)
  const large = `{"email":"${'a'.repeat(65_536)}"}`
  const { sourceId } = await t.form('single', { type: 'form', allowedOrigins: ['https://acme.example'] })
  const visitor = { as: { apiKey: sourceId }, headers: { origin: 'https://acme.example' } }
  const refused = await t.unchanged(() => t.post('/v1/contact-subscriptions/opt-in', large, 413, visitor))
  expect(refused.detail).toContain('65536 bytes')
})

test('no route has cookies read and headers copied for each request: each names what it takes of its context', async () => {
  const readsAll = (route: InternalRoute) => /parseCookie\(|c\.headers=/.test(String(route.compile()))
  const names = (given: object) => Object.keys(given)
  expect(new Elysia().get('/', (context) => names(context)).routes.map(readsAll)).toEqual([true])
  await using t = await testApp()
  const routes: InternalRoute[] = buildServer(t.app, noVitals).server.routes
  expect(routes.filter(readsAll).map(({ method, path }) => `${method} ${path}`)).toEqual([])
})

test('more than 25 MB in chunks is 413, and exactly 25 MB is read', async () => {
  await using t = await testApp()
  await t.template({ id: 'hi', text: 'x' })
  const end = new TextEncoder().encode('{"email":"ada@example.net","templateId":"hi"}')
  const send = async (size: number) => {
    const block = new Uint8Array(1024 * 1024).fill(0x20)
    const body = new ReadableStream({
      start(controller) {
        for (let left = size - end.length; left > 0; left -= block.length)
          controller.enqueue(block.slice(0, Math.min(left, block.length)))
        controller.enqueue(end)
        controller.close()
      },
    })
    const response = await fetch(`${t.url}/v1/transactional/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${t.apiKey}`, 'content-type': 'application/json' },
      body,
    })
    await response.text()
    return response.status
  }
  expect(await send(maxRequestBytes)).toBe(200)
  expect(await send(maxRequestBytes + 1)).toBe(413)
  expect(await send(maxRequestBytes + 5 * 1024 * 1024)).toBe(413)
  await t.get('/v1/api-key', 200)
})

test('who has no credential may send 64 KB', async () => {
  await using t = await testApp()
  const body = { email: 'a@b.test', password: 'x'.repeat(65_536) }
  const problem = await t.unchanged(() => t.post('/v1/auth/login', body, 413, { as: 'nobody' }))
  expect(problem.code).toBe('payload_too_large')
  await t.unchanged(() =>
    t.request('POST', '/login/x', 'a'.repeat(65_537), { as: 'nobody' }).then(({ status }) => expect(status).toBe(413)),
  )
})

test('requests that two servers would read differently are refused', async () => {
  await using t = await testApp()
  const auth = `Host: localhost\r\nAuthorization: Bearer ${t.apiKey}\r\nContent-Type: application/json\r\n`
  const smuggled = 'GET /v1/members HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const attempts = [
    `POST /v1/api-keys HTTP/1.1\r\n${auth}Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}${smuggled}`,
    `POST /v1/api-keys HTTP/1.1\r\n${auth}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    `GET /v1/api-key HTTP/1.1\r\nHost: localhost\r\nX-A: b\r\n folded: c\r\n\r\n`,
    `GET /v1/api-key\r\n\r\n`,
  ]
  for (const attempt of attempts) {
    await t.unchanged(async () => {
      const reply = await onTheWire(t, [attempt])
      expect(reply.slice(0, 12), attempt.slice(0, 150)).toMatch(/^(HTTP\/1\.1 (4|505)|$)/)
    })
  }
})

test('a failure inside is told by its request id and nothing else', async () => {
  await using t = await testApp()
  await write(t.app, (tx) => tx.db.run(sql`ALTER TABLE members RENAME TO elsewhere`))
  const reply = await t.request('GET', '/v1/members')
  expect([reply.status, reply.body.code]).toEqual([500, 'internal_error'])
  expect(reply.text).not.toMatch(/select|sqlite|\.ts|no such table/i)
  const log = t.logged.join()
  expect(log).toContain(reply.body.requestId)
  expect(log).toContain('no such table')
  expect(log).not.toContain(t.apiKey)
})

test('the answer is 503 when the database cannot serve', () => {
  const locked = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })
  expect(knownError(locked)).toMatchObject({ code: 'database_unavailable', details: { retryAfterSeconds: 1 } })
  expect(toStatus('database_unavailable')).toBe(503)
  expect(knownError(new Error('a bug'))).toBeNull()
})

test('a key may make so many requests a second, and reads how many are left', async () => {
  await using t = await testApp({ environment: { API_RATE_LIMIT: '3' } })
  const ask = () => t.request('GET', '/v1/api-key')
  const first = await ask()
  expect(
    ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'x-ratelimit-limit', 'x-ratelimit-remaining'].map(
      (name) => first.headers.get(name),
    ),
  ).toEqual(['3', '2', '1', '3', '2'])
  await ask()
  await ask()
  const refused = await ask()
  expect([
    refused.status,
    refused.body.code,
    refused.headers.get('retry-after'),
    refused.headers.get('x-ratelimit-remaining'),
  ]).toEqual([429, 'rate_limit_exceeded', '1', '0'])
  const { apiKey } = await t.stranger()
  await t.get('/v1/api-key', 200, { as: { apiKey } })
  t.clock.advance(334)
  expect((await ask()).status).toBe(200)
  expect((await ask()).status).toBe(429)
})

test('without a limit there are no headers of one', async () => {
  await using t = await testApp()
  const { headers } = await t.request('GET', '/v1/api-key')
  expect(headers.get('ratelimit-limit')).toBeNull()
})

test('public pages are limited per address', async () => {
  await using t = await testApp()
  const replies = await Promise.all(
    Array.from({ length: 230 }, () => t.request('GET', '/login/nothing', undefined, { as: 'nobody' })),
  )
  const refused = replies.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(30)
  expect(refused[0]?.headers.get('retry-after')).toBe('1')
})

test('X-Forwarded-For is believed only from trusted proxies', () => {
  const from = (peer: string, forwarded: string | null, trusted: string[]) => {
    const request = new Request('http://localhost/', {
      headers: forwarded === null ? {} : { 'x-forwarded-for': forwarded },
    })
    return createClientIp(trusted)(request, { requestIP: () => ({ address: peer }) })
  }
  const cases: [string, string | null, string[], string][] = [
    ['198.51.100.1', '192.0.2.1', [], '198.51.100.1'],
    ['198.51.100.1', '192.0.2.1', ['10.0.0.0/8'], '198.51.100.1'],
    ['10.1.2.3', '192.0.2.1', ['10.0.0.0/8'], '192.0.2.1'],
    ['10.1.2.3', '203.0.113.9, 192.0.2.1', ['10.0.0.0/8'], '192.0.2.1'],
    ['10.1.2.3', '203.0.113.9, 192.0.2.1, 10.9.9.9', ['10.0.0.0/8'], '192.0.2.1'],
    ['::ffff:10.1.2.3', '2001:db8::5', ['10.0.0.0/8'], '2001:db8::5'],
    ['10.1.2.3', null, ['10.1.2.3'], '10.1.2.3'],
    ['10.1.2.3', 'nonsense', ['10.1.2.3'], '10.1.2.3'],
    ['fd00::1', '192.0.2.1', ['fd00::/8'], '192.0.2.1'],
  ]
  for (const [peer, forwarded, trusted, expected] of cases)
    expect(from(peer, forwarded, trusted), `${peer} ${forwarded}`).toBe(expected)
})

test('answers carry no banner, are not cached and not sniffed', async () => {
  await using t = await testApp()
  const api = await t.request('GET', '/v1/api-key')
  expect(api.headers.get('x-content-type-options')).toBe('nosniff')
  expect(api.headers.get('cache-control')).toBe('no-store')
  for (const name of ['server', 'x-powered-by', 'access-control-allow-origin'])
    expect(api.headers.get(name), name).toBeNull()
  const page = await t.request('GET', '/login/x', undefined, { as: 'nobody' })
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  await using secure = await testApp({ environment: { BASE_URL: 'https://mail.acme.test' } })
  expect((await secure.request('GET', '/healthz')).headers.get('strict-transport-security')).toContain('max-age')
})

test('a browser of another site gets no permission', async () => {
  await using t = await testApp()
  const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
  const preflight = await t.request('OPTIONS', '/v1/api-keys', undefined, { as: 'nobody', headers })
  expect(preflight.status).toBe(401)
  expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
})

test('HEAD answers like GET, without a body', async () => {
  await using t = await testApp()
  const reply = await t.request('HEAD', '/v1/api-key')
  expect([reply.status, reply.text]).toEqual([200, ''])
  await t.request('HEAD', '/v1/api-key', undefined, { as: 'nobody' }).then(({ status }) => expect(status).toBe(401))
})

test('the alias prefix serves the same routes', async () => {
  await using t = await testApp()
  expect(await t.get('/api/v1/api-key', 200)).toEqual({ success: true, teamName: 'Acme' })
  await t.post('/api/v1/api-keys', { name: 'alias' }, 201)
  await t.get('/api/v1/nothing', 404)
  await t.put('/api/v1/api-keys', {}, 405)
  await t.post('/api/v1/auth/login', { email: 'a@b.test', password: 'x' }, 401, { as: 'nobody' })
})

test('health is told without a credential: the process, the database, the dispatcher, the figures', async () => {
  await using t = await testApp()
  const nobody = { as: 'nobody' } as const
  expect(await t.get('/healthz', 200, nobody)).toMatchObject({ status: 'ok' })
  expect(await t.get('/readyz', 503, nobody)).toMatchObject({ checks: { database: true, dispatcher: false } })
  await t.settle()
  await t.get('/readyz', 200, nobody)
  t.clock.advance(10_000)
  await t.get('/readyz', 503, nobody)
  const { text } = await t.request('GET', '/metrics', undefined, nobody)
  expect(text).toContain('# TYPE paquebot_outbox_jobs gauge')
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m)
  const rows = await t.app.db.select().from(installation)
  expect(rows.map(({ name }) => name).sort()).toEqual(['id', 'readyz', 'secret_check'])
})

test('what needs no credential is limited by network, whichever route it is, and the heartbeat never', async () => {
  await using t = await testApp({ environment: { TRUSTED_PROXIES: '127.0.0.1' } })
  const ask = async (method: string, path: string, from = '192.0.2.1') =>
    (await t.request(method, path, undefined, { as: 'nobody', headers: { 'x-forwarded-for': from } })).status
  for (const [path, times] of [
    ['/u/nothing', 200],
    ['/t/o/nothing', 200],
    ['/nothing', 1_000],
  ] as const)
    for (let n = 0; n < times; n++) await ask('GET', path)
  const { server } = buildServer(t.app, noVitals)
  const open = server.routes.filter(({ path, hooks }) => {
    const { isOpen, isFree, isKeyed } = hooks.detail?.surface ?? ordinary(path)
    return !isFree && !isKeyed && (isOpen || !isApi(path))
  })
  expect(open.length).toBeGreaterThan(50)
  for (const { method, path } of open) {
    if (method !== 'OPTIONS') expect(await ask(method, path.replaceAll(/[:*]\w*/g, 'x')), `${method} ${path}`).toBe(429)
  }
  // What asks for a key before anything else limits whoever has one, and none of their neighbours.
  const keyed = server.routes.filter(({ hooks }) => hooks.detail?.surface?.isKeyed)
  expect([...new Set(keyed.map(({ path }) => path.split('/').at(-1)))].sort()).toEqual(['mcp', 'messages', 'sse'])
  for (const { method, path } of keyed) expect(await ask(method, path), `${method} ${path}`).toBe(401)
  expect(await ask('GET', '/healthz')).toBe(200)
  expect(await ask('GET', '/readyz', '192.0.2.2')).toBe(503)
  expect(await ask('GET', '/', '192.0.2.2')).toBe(200)
})

test('metrics are for programs of this machine, or for whoever has METRICS_TOKEN', async () => {
  await using t = await testApp()
  const host = new URL(t.url).host
  const ask = async (app: TestApp, ...headers: string[]) =>
    (await onTheWire(app, [`GET /metrics HTTP/1.1\r\n${headers.map((one) => `${one}\r\n`).join('')}\r\n`])).slice(9, 12)
  expect(await ask(t, `Host: ${host}`)).toBe('200')
  expect(await ask(t, 'Host: localhost')).toBe('200')
  for (const handedOn of [
    'X-Forwarded-For: 127.0.0.1',
    'Forwarded: for=127.0.0.1',
    'X-Real-IP: 192.0.2.1',
    'Via: 1.1 a',
  ])
    expect(await ask(t, `Host: ${host}`, handedOn), handedOn).toBe('401')
  expect(await ask(t, 'Host: mail.example.com')).toBe('401')
  await using closed = await testApp({ environment: { METRICS_TOKEN: 'a-token-of-some-length' } })
  const address = `Host: ${new URL(closed.url).host}`
  expect(await ask(closed, address)).toBe('401')
  for (const wrong of ['a-token-of-some-lengtH', 'a-token', `Bearer ${closed.apiKey}`])
    expect(await ask(closed, address, `Authorization: Bearer ${wrong}`), wrong).toBe('401')
  expect(await ask(closed, 'Host: mail.example.com', 'Authorization: Bearer a-token-of-some-length')).toBe('200')
})

test('many who look at once cost one look', async () => {
  await using t = await testApp()
  const looks = (path: string) =>
    Promise.all(Array.from({ length: 100 }, () => t.request('GET', path, undefined, { as: 'nobody' })))
  const before = t.app.database.writer.committed.units
  for (const { status } of await looks('/readyz')) expect(status).toBe(503)
  // Those of one look; how many askers a turn of the loop sees is the machine's affair.
  expect(t.app.database.writer.committed.units - before).toBeLessThan(20)
  const texts = new Set((await looks('/metrics')).map(({ text }) => text))
  expect(texts.size).toBeLessThan(5)
})

test('text in a page is escaped, and only text of the template is not', () => {
  const evil = `<img src=x onerror="alert('&')">`
  const { html: text } = html`<p title="${evil}">${evil}</p>${[html`<b>${1}</b>`, html`<i></i>`]}${null}${false}`
  expect(text).toBe(
    '<p title="&lt;img src=x onerror=&quot;alert(&#39;&amp;&#39;)&quot;&gt;">&lt;img src=x onerror=&quot;alert(&#39;&amp;&#39;)&quot;&gt;</p><b>1</b><i></i>',
  )
})
