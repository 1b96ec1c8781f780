// Which credential opens which route, on every route that the OpenAPI document lists; and what is stored or logged of a secret.

import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DrizzleQueryError, sql } from 'drizzle-orm'
import { apiKeys, sessions } from '../db/tables/workspaces.ts'
import { write } from '../src/core/app.ts'
import { buildServer } from '../src/doors/server.ts'
import { sha256Hex } from '../src/kit/digest.ts'
import { failureText } from '../src/kit/error.ts'
import { createLog } from '../src/kit/log.ts'
import { systemRandom } from '../src/kit/random.ts'
import { newApiKey } from '../src/kit/token.ts'
import { noVitals } from '../src/operator/health/vitals.ts'
import { createApiKey } from '../src/people/access/api-keys.ts'
import { type Scope, scopes } from '../src/people/access/scopes.ts'
import { createLoginLink } from '../src/people/access/sessions.ts'
import { type Json, type Reply, type RequestOptions, type TestApp, testApp } from './support/app.ts'
import { remoteDatabase } from './support/database.ts'
import { password, withPassword } from './support/every-route.ts'
import { type Operation, operationsOf } from './support/listed-operations.ts'
import { snapshot } from './support/snapshot.ts'

const pathOf = ({ path }: Operation) => path.replaceAll(/\{(\w+)\}/g, 'x')
const bodyOf = ({ method }: Operation) => (method === 'GET' ? undefined : {})

// Neither is about the database; what is above and in between calls every route.
describe.skipIf(remoteDatabase)('credentials', () => {
  test('a key with any other scope is 403 on every route, before its body is looked at', async () => {
    await using t = await testApp()
    const single = new Map<string, string>()
    for (const scope of scopes) {
      const { apiKey } = await write(t.app, (tx) => createApiKey(tx, t.workspace.id, { scopes: [scope] }))
      single.set(scope, apiKey)
    }
    const operations = (await operationsOf(t)).filter(({ scope }) => scope !== null && scope !== 'any')
    expect(operations.length).toBeGreaterThan(12)
    for (const operation of operations) {
      const { route, method, scope } = operation
      expect(scopes, route).toContain(scope as Scope)
      await t.unchanged(async () => {
        const others = [...single].filter(([granted]) => granted !== scope && granted !== 'full')
        for (const [n, [granted, apiKey]] of others.entries()) {
          const path = pathOf(operation)
          // The alias leads to the same route: one key asks there too.
          for (const at of n === 0 ? [path, `/api${path}`] : [path]) {
            const reply = await t.request(method, at, method === 'GET' ? undefined : { wrong: 1 }, { as: { apiKey } })
            expect([reply.status, reply.body.code], `${method} ${at} with ${granted}`).toEqual([
              403,
              'insufficient_scope',
            ])
            expect(reply.headers.get('www-authenticate'), route).toContain(`scope="${scope}"`)
          }
        }
      })
      for (const granted of [scope ?? '', 'full']) {
        const body = method === 'GET' ? undefined : { scopes: [scope] }
        const reply = await t.request(method, pathOf(operation), body, {
          as: { apiKey: single.get(granted) ?? '' },
        })
        expect([401, 403], `${route} with ${granted}`).not.toContain(reply.status)
      }
    }
  })

  test('routes outside the document ask for a scope too', async () => {
    await using t = await testApp()
    const { apiKey } = await write(t.app, (tx) => createApiKey(tx, t.workspace.id, { scopes: ['mcp'] }))
    const { server } = buildServer(t.app, noVitals)
    const aliases = server.routes.filter(({ path }) => /^\/(api\/v1|compat)\//.test(path))
    expect(aliases.length).toBeGreaterThan(0)
    for (const { method, path } of aliases) {
      await t.unchanged(async () => {
        const headers = { 'x-postmark-server-token': apiKey }
        const reply = await t.request(method, path, method === 'GET' ? undefined : {}, { as: { apiKey }, headers })
        const isForeign = path.startsWith('/compat/')
        expect([401, 403], `${method} ${path}`).toContain(reply.status)
        if (!isForeign) expect([reply.status, reply.body.code], path).toEqual([403, 'insufficient_scope'])
      })
    }
  })

  test('a route takes the credentials that it names, and no other', async () => {
    await using t = await testApp()
    for (const operation of await operationsOf(t)) {
      const { route, method, scope, session, open } = operation
      if (open) continue
      if (scope === null) {
        const reply = await t.unchanged(() => t.request(method, pathOf(operation), bodyOf(operation)))
        expect(reply.status, `${route} with a key`).toBe(401)
      }
      if (!session) {
        const asked = () => t.request(method, pathOf(operation), bodyOf(operation), { as: 'session' })
        expect((await t.unchanged(asked)).status, `${route} with a session`).toBe(401)
      }
    }
  })

  test('without a valid credential every route is 401, wherever the key is put', async () => {
    await using t = await testApp()
    const bearer = `Bearer ${t.apiKey}`
    const revoked = await t.post('/v1/api-keys', {}, 201)
    await t.delete(`/v1/api-keys/${revoked.id}`, undefined, 200)
    const wrong: [what: string, query: string, headers: Record<string, string>, body: object][] = [
      ['nothing', '', {}, {}],
      ['Basic', '', { authorization: `Basic ${btoa(`${t.apiKey}:`)}` }, {}],
      ['no scheme', '', { authorization: t.apiKey }, {}],
      ['two keys', '', { authorization: `${bearer}, ${bearer}` }, {}],
      ['an unknown key', '', { authorization: `Bearer ${newApiKey({ random: systemRandom })}` }, {}],
      ['a revoked key', '', { authorization: `Bearer ${revoked.apiKey}` }, {}],
      ['a session as a key', '', { authorization: `Bearer ${t.sessionCookie.slice('session='.length)}` }, {}],
      ['a key as a session', '', { cookie: `session=${t.apiKey}`, origin: t.url }, {}],
      ['a wrong key beside a session', '', { authorization: 'Bearer x', cookie: t.sessionCookie, origin: t.url }, {}],
      ['the key in the query', `?api_key=${t.apiKey}&apiKey=${t.apiKey}&access_token=${t.apiKey}`, {}, {}],
      ['the key in the body', '', {}, { api_key: t.apiKey, apiKey: t.apiKey }],
      ['the key in another header', '', { 'x-api-key': t.apiKey, 'proxy-authorization': bearer }, {}],
    ]
    for (const operation of (await operationsOf(t)).filter(({ open }) => !open)) {
      await t.unchanged(async () => {
        for (const [what, query, headers, body] of wrong) {
          const sent = operation.method === 'GET' ? undefined : body
          const reply = await t.request(operation.method, pathOf(operation) + query, sent, { as: 'nobody', headers })
          expect(reply.status, `${operation.route} with ${what}`).toBe(401)
          expect(reply.headers.get('www-authenticate'), operation.route).toMatch(/^(Bearer|Session)/)
          expect(reply.text, `${operation.route} with ${what}`).not.toContain(t.apiKey)
        }
      })
    }
    expect(t.logged.join()).not.toContain(t.apiKey)
  })

  test('a credential is found by its hash alone, so that no comparison can be timed', async () => {
    await using t = await testApp()
    const token = t.sessionCookie.slice('session='.length)
    const [key] = await t.app.db.select().from(apiKeys).all()
    const [session] = await t.app.db.select().from(sessions).all()
    expect(key?.keyHash).toBe(sha256Hex(t.apiKey))
    expect(session?.tokenHash).toBe(sha256Hex(token))
    const status = async (as: RequestOptions['as'] = 'key') =>
      (await t.request('GET', '/v1/workspace', undefined, { as })).status
    await write(t.app, (tx) => tx.db.update(apiKeys).set({ prefix: 'pqk_other0' }))
    expect(await status()).toBe(200)
    const other = newApiKey({ random: systemRandom })
    await write(t.app, (tx) => tx.db.update(apiKeys).set({ keyHash: sha256Hex(other), prefix: t.apiKey.slice(0, 10) }))
    await write(t.app, (tx) => tx.db.update(sessions).set({ tokenHash: sha256Hex('other') }))
    expect([await status(), await status('session'), await status({ apiKey: other })]).toEqual([401, 401, 200])
    // The hash itself opens nothing.
    await write(t.app, (tx) => tx.db.update(apiKeys).set({ keyHash: sha256Hex(t.apiKey) }))
    expect(await status({ apiKey: sha256Hex(t.apiKey) })).toBe(401)
  })
})

describe('secrets', () => {
  async function everySecret(t: TestApp): Promise<Record<string, string>> {
    await withPassword(t)
    const { apiKey } = await t.post('/v1/api-keys', {}, 201)
    const signIn = await t.request('POST', '/v1/auth/login', { email: t.user.email, password }, { as: 'nobody' })
    const session = /^session=([^;]+)/.exec(signIn.headers.get('set-cookie') ?? '')?.[1]
    const link = await write(t.app, (tx) => createLoginLink(tx, t.user.id))
    const mailbox = await t.post('/v1/mailboxes', { address: 'secret@paquebot.localhost' }, 201)
    const at = `/v1/mailboxes/${mailbox.id}`
    const { token } = await t.post(`${at}/tokens`, {}, 201, { as: 'session' })
    const { inboundUrl } = await t.post(`${at}/inbound-address`, undefined, 200, { as: 'session' })
    if (!session) throw new Error('signing in gave no session')
    return {
      'the first key': t.apiKey,
      'a key': apiKey,
      'a key without its prefix': apiKey.slice('pqk_'.length),
      'a session': session,
      'the first session': t.sessionCookie.slice('session='.length),
      'a sign-in link': link.slice('/login/'.length),
      'a mailbox token': token,
      'a mailbox token without its prefix': token.slice('mbtok_'.length),
      'an inbound address': inboundUrl.split('/').at(-1),
      'a password': password,
      'the secret key': t.app.config.secretKey ?? '',
      'a DKIM key': 'PRIVATE KEY',
    }
  }

  test('none of them is in the database', async () => {
    await using t = await testApp()
    const secrets = await everySecret(t)
    await t.post('/v1/sending-domains', { domain: 'mine.example' }, 201)
    // Proof that the dump holds what is stored in the open.
    const marker = 'stored in the open'
    await t.patch('/v1/workspace', { name: marker }, 200)
    const dump = await databaseDump(t)
    expect(dump).toContain(marker)
    for (const [what, secret] of Object.entries(secrets)) {
      expect(secret.length, what).toBeGreaterThan(8)
      for (const form of [
        secret,
        Buffer.from(secret).toString('base64').replace(/=+$/, ''),
        Buffer.from(secret).toString('hex'),
      ])
        expect(dump.includes(form), what).toBe(false)
    }
  })

  /** Of a file, all its bytes and those of its log; of a server, all rows. */
  async function databaseDump(t: TestApp): Promise<string> {
    const { tables } = await snapshot(t.app)
    const rows = [...tables.values()].flatMap((set) => [...set]).join('\n')
    if (remoteDatabase) return rows
    const { dataDir } = t.app.config
    const files = readdirSync(dataDir).filter((name) => /\.db/.test(name))
    expect(files.length).toBeGreaterThan(0)
    return rows + files.map((name) => readFileSync(join(dataDir, name)).toString('latin1')).join('\n')
  }

  const confidential = {
    email: 'private-person@example.net',
    dataVariables: { name: 'a very private value' },
    metadata: { note: 'a private note' },
    attachments: [{ filename: 'a.txt', contentType: 'text/plain', data: btoa('a private attachment') }],
  }
  const private_ = /private-person|a very private value|a private note|a private attachment|YSBwcml2YXRlIGF0dGFjaG1lbnQ/

  async function withTemplate(t: TestApp): Promise<void> {
    await t.template({ subject: 'Hi {{name}}', text: '{{name}}' })
  }

  test('a failure inside tells and logs neither secrets nor mail', async () => {
    await using t = await testApp()
    await withTemplate(t)
    const refuse = (table: string) =>
      sql.raw(`CREATE TRIGGER broken BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'broken'); END`)
    await write(t.app, (tx) => tx.db.run(refuse('messages')))
    const failed: Reply = await t.unchanged(() =>
      t.request('POST', '/v1/transactional/send', { ...confidential, templateId: 'hello' }),
    )
    expect([failed.status, failed.body.code, failed.body.errors]).toEqual([500, 'internal_error', []])
    expect(failed.text).not.toMatch(private_)
    expect(failed.text).not.toMatch(/insert into|sqlite|\.ts:|broken/i)
    expect(t.logged.join()).toContain('broken')
    await write(t.app, (tx) => tx.db.run(sql`DROP TRIGGER broken`))

    await write(t.app, (tx) => tx.db.run(refuse('captured_mails')))
    const { messageId } = await t.mail({ ...confidential, templateId: 'hello' })
    await t.settle()
    const { status, events }: Json = await t.get(`/v1/activity/${messageId}`, 200)
    expect([status, events.at(-1).code]).toEqual(['delayed', 'exception'])
    expect(JSON.stringify(events)).not.toMatch(private_)
    const log = t.logged.join()
    expect(log).toContain('a job threw')
    expect(log).not.toMatch(private_)
    expect(log).not.toContain(t.apiKey)
    await write(t.app, (tx) => tx.db.run(sql`DROP TRIGGER broken`))
    await t.advance('2m')
    expect(await t.sent()).toHaveLength(1)
  })

  test('an error of a query is logged without its parameters, whichever driver threw it', () => {
    const lines: string[] = []
    const log = createLog({ level: 'debug', format: 'json', now: () => new Date(0), write: (line) => lines.push(line) })
    const query = "insert into mails values ('a very private value', ?)"
    const error = new DrizzleQueryError(query, ['a very private value'], new Error('disk full'))
    log.error('failed', { error })
    expect(failureText(error)).toBe('a query failed: disk full')
    expect(lines.join()).toContain('disk full')
    expect(lines.join()).toContain('credentials.test.ts')
    expect(lines.join()).not.toMatch(private_)
  })

  test('the log of a busy day holds no secret and one line per line', async () => {
    await using t = await testApp()
    const secrets = await everySecret(t)
    await withTemplate(t)
    await t.mail({ ...confidential, templateId: 'hello' })
    await t.settle()
    const headers = { 'x-request-id': 'forged {"level":"error"}', 'user-agent': 'x"}' }
    for (const path of [
      '/v1/nothing',
      `/v1/activity/${encodeURIComponent('a\r\n{"level":"error"}')}`,
      '/v1/api-keys/%0d%0a',
    ]) {
      await t.request('GET', path, undefined, { headers })
      await t.request('POST', path, `{"password":"${password}`, { headers })
    }
    await t.post('/v1/auth/login', { email: t.user.email, password: 'a wrong password' }, 401, { as: 'nobody' })
    await write(t.app, (tx) => tx.db.run(sql`ALTER TABLE members RENAME TO elsewhere`))
    await t.get('/v1/members', 500)
    await write(t.app, (tx) => tx.db.run(sql`ALTER TABLE elsewhere RENAME TO members`))
    const log = t.logged.join('')
    expect(log.length).toBeGreaterThan(100)
    for (const line of t.logged) {
      expect(line.indexOf('\n')).toBe(line.length - 1)
      expect(JSON.parse(line)).toMatchObject({ level: expect.any(String), message: expect.any(String) })
    }
    for (const [what, secret] of Object.entries(secrets)) expect(log.includes(secret), what).toBe(false)
    expect(log).not.toMatch(private_)
    expect(log).not.toContain('a wrong password')
  })
})
