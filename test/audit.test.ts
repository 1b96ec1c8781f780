// The audit log: who did what, from where, and what was there before and after. That each route leaves a line is shown in audit-routes.test.ts.

import { expect, test } from 'bun:test'
import { getTableName, is, sql } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { audited, unaudited } from '../db/audited.ts'
import { type Json, type RequestOptions, session, type TestApp, testApp } from './support/app.ts'
import { authenticator } from './support/authenticator.ts'
import { cli } from './support/cli.ts'
import { snapshot } from './support/snapshot.ts'
import { sinkEnvironment, webhookSink } from './support/webhook-sink.ts'

const content = [{ type: 'text', text: 'Hello' }]

/** Lines of the log, newest first. */
async function lines(t: TestApp, query = ''): Promise<Json[]> {
  return (await t.get(`/v1/audit?perPage=100${query}`, 200, session)).data
}

test('every table is recorded, or it is said why not', async () => {
  const files = [...new Bun.Glob('*.ts').scanSync(`${import.meta.dir}/../db/tables`)]
  const modules = await Promise.all(files.map((file) => import(`../db/tables/${file}`)))
  const tables = modules.flatMap((module) => Object.values(module)).filter((one) => is(one, SQLiteTable))
  const recorded = audited.map(({ table }) => getTableName(table))
  const named = [...recorded, ...Object.values(unaudited).flat()]
  expect(named.toSorted()).toEqual([...new Set(tables.map(getTableName)), 'migrations'].toSorted())
})

test('a change names who, from where, what was before and what is after; a secret is only named', async () => {
  await using t = await testApp()
  const headers = { 'x-request-id': 'mine-1', 'user-agent': 'a script' }
  await t.advance('1s')
  await t.patch('/v1/workspace', { name: 'Ours', brand: { website: 'https://acme.example' } }, 200, { headers })
  const at = t.clock.now().toISOString()
  await t.advance('1s')
  const { id: keyId } = await t.post('/v1/api-keys', { name: 'deploy', scopes: ['mcp'] }, 201, session)
  await t.advance('1s')
  await t.delete(`/v1/api-keys/${keyId}`, undefined, 200, session)
  const [revoked, created, renamed] = await lines(t)
  expect(renamed).toEqual({
    id: expect.stringMatching(/^aud_[0-9a-f]{32}$/),
    at,
    actor: { kind: 'api_key', id: expect.stringMatching(/^key_/), name: 'tests' },
    operation: 'updateWorkspace',
    requestId: 'mine-1',
    ip: '127.0.0.1',
    client: 'a script',
    count: 1,
    changes: [
      {
        kind: 'workspace',
        id: t.workspace.id,
        before: { name: 'Acme', brand: {} },
        after: { name: 'Ours', brand: { website: 'https://acme.example' } },
      },
    ],
  })
  expect(created).toMatchObject({
    actor: { kind: 'person', id: t.user.id, name: t.user.email },
    operation: 'createApiKey',
    changes: [
      { kind: 'api_key', id: keyId, before: null, after: { name: 'deploy', keyHash: '(hidden)', scopes: ['mcp'] } },
    ],
  })
  expect(revoked.changes).toEqual([
    { kind: 'api_key', id: keyId, before: { revokedAt: null }, after: { revokedAt: t.clock.now().toISOString() } },
  ])
})

test('what is set up is found by who, what, which and when; pages hold together, and files hold the same', async () => {
  await using t = await testApp()
  const template = { name: 'Hello', subject: 'Hello', content }
  await t.template({ ...template, id: 'hello' })
  await t.advance('1h')
  const since = t.clock.now().toISOString()
  await t.put('/v1/transactional/update', { id: 'hello', name: 'Hi' }, 200)
  await t.advance('1s')
  await t.template({ ...template, id: 'other' })
  const list = await t.mailingList({ name: 'News, "ours"' }, session)
  const operations = async (query: string) => (await lines(t, query)).map(({ operation }) => operation)
  expect(await operations('&thing=hello')).toEqual(['updateTemplate', 'createTemplate'])
  expect(await operations(`&thing=hello&since=${since}`)).toEqual(['updateTemplate'])
  expect(await operations(`&kind=template&until=${since}`)).toEqual(['createTemplate'])
  expect(await operations('&kind=template&operation=createTemplate')).toEqual(['createTemplate', 'createTemplate'])
  expect(await operations(`&actor=${t.user.id}`)).toEqual(['createMailingList'])
  expect(await operations(`&actor=${t.user.id}&kind=template`)).toEqual([])
  await t.get('/v1/audit?since=yesterday', 422, session)

  const all = await lines(t)
  const paged: Json[] = []
  for (let path: string | null = '/v1/audit?perPage=2'; path !== null; ) {
    const { data, pagination }: Json = await t.get(path, 200, session)
    paged.push(...data)
    expect(pagination.totalResults).toBe(all.length)
    path = pagination.nextPage?.replace(t.url, '') ?? null
  }
  expect(paged).toEqual(all)
  const file = async (query: string) => (await t.request('GET', `/v1/audit/export${query}`, undefined, session)).text
  expect(
    (await file(''))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(all)
  const rows = (await file('?format=csv&kind=mailing_list')).trim().split('\r\n')
  expect(rows).toHaveLength(2)
  expect(rows[1]).toContain(`,mailing_list,${list.id},,`)
  expect(rows[1]).toContain(`News, \\""ours\\""`)
})

test('only owners see it, and nobody of another workspace', async () => {
  await using t = await testApp()
  const stranger = await t.stranger()
  const others = [(await t.person('member')).as, (await t.person('viewer', { email: 'vera@acme.test' })).as]
  await t.patch('/v1/workspace', { name: 'Ours' }, 200)
  for (const path of ['/v1/audit', '/v1/audit/export']) {
    for (const as of others) expect((await t.request('GET', path, undefined, as)).body.code).toBe('insufficient_role')
    await t.get(path, 401)
    await t.get(path, 401, { as: 'nobody' })
  }
  const { as } = await t.person('owner', { email: 'eve@stranger.test', workspace: stranger.workspace })
  const theirs = JSON.stringify(await t.get('/v1/audit', 200, as))
  expect(theirs).toContain(stranger.workspace.id)
  expect(theirs).not.toContain(t.workspace.id)
})

test('what programs do all the time is one line an hour, with a count; people have a line for each', async () => {
  await using t = await testApp()
  await t.template()
  const send = (status = 200, more: object = {}) =>
    t.post('/v1/transactional/send', { email: 'ada@example.net', templateId: 'hello', ...more }, status)
  await Promise.all([send(), send(), send()])
  expect(await lines(t, '&operation=send')).toMatchObject([{ count: 3, actor: { name: 'tests' }, changes: [] }])
  await send(422, { email: 'nobody' })
  await send()
  expect(await lines(t, '&operation=send')).toMatchObject([{ count: 4 }])
  const key = { headers: { 'idempotency-key': 'once' } }
  for (let n = 0; n < 2; n++) await t.mail({}, key)
  expect(await lines(t, '&operation=send')).toMatchObject([{ count: 5 }])
  await t.advance('1h')
  await send()
  expect(await lines(t, '&operation=send')).toMatchObject([{ count: 1 }, { count: 5 }])

  const { id } = await t.contact()
  for (const email of ['a@example.net', 'b@example.net']) await t.post('/v1/suppressions', { email }, 201, session)
  await t.delete(`/v1/contacts/${id}/data`, undefined, 200, session)
  expect(await lines(t, `&actor=${t.user.id}`)).toMatchObject([
    { operation: 'eraseContact', changes: [{ kind: 'contact', id, before: null, after: null }] },
    { operation: 'addSuppression' },
    { operation: 'addSuppression' },
  ])
})

test('an erased person is in no before and no after', async () => {
  await using t = await testApp()
  const { id } = await t.contact({ email: 'Ada@example.net' })
  const list = await t.mailingList()
  const audience = [{ field: 'email', op: 'ne', value: 'ada@example.net' }]
  await t.post(
    '/v1/campaigns',
    { name: 'C', subject: 'C', content, mailingListId: list.id, audienceFilter: audience },
    201,
  )
  const told = async () => JSON.stringify(await lines(t))
  expect(await told()).toContain('ada@example.net')
  await t.delete(`/v1/contacts/${id}/data`, undefined, 200)
  expect((await told()).toLowerCase()).not.toContain('ada@example.net')
  expect(await told()).toContain('createCampaign')
})

test('what the system does by itself has lines too: an endpoint that is gone is disabled', async () => {
  await using gone = webhookSink(() => new Response('', { status: 410 }))
  await using t = await testApp({ environment: sinkEnvironment })
  const { id } = await t.endpoint({ url: gone.url, status: 'active' })
  await t.contact()
  await t.settle()
  const [disabled] = await lines(t, `&thing=${id}`)
  expect(disabled).toMatchObject({
    actor: { kind: 'system', id: 'system', name: null },
    operation: 'deliver-webhook',
    requestId: null,
    ip: null,
    changes: [{ before: { status: 'active' }, after: { status: 'disabled', disabledReason: 'gone' } }],
  })
})

test('an agent’s call is an act of its key', async () => {
  await using t = await testApp()
  const call = (name: string, args: object) =>
    t.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }, 200, {
      headers: { accept: 'application/json, text/event-stream', 'user-agent': 'an agent' },
    })
  await call('list_mailboxes', {})
  await call('create_template', { id: 'desk', name: 'Desk', subject: 'Desk', content })
  expect(await lines(t, '&thing=desk')).toMatchObject([
    {
      actor: { kind: 'api_key', name: 'tests' },
      operation: 'mcp create_template',
      client: 'an agent',
    },
  ])
  expect((await lines(t)).map(({ operation }) => operation)).not.toContain('mcp list_mailboxes')
})

test('who signs in is told to each of their workspaces, and a command to the one that it changes', async () => {
  using paquebot = await cli()
  const init = ['init', '--workspace', 'acme', '--email', 'ada@acme.test', '--password', 'long enough']
  await paquebot.run(init)
  await paquebot.run(['list', 'create', '--workspace', 'acme', '--name', 'News'])
  await paquebot.run(['user', 'login-link', '--email', 'ada@acme.test'])
  const { json } = await paquebot.run(['audit', '--workspace', 'acme', '--json'])
  expect(json.lines.map(({ operation, actor, client }: Json) => [operation, actor.kind, client])).toEqual([
    ['user login-link', 'operator', 'paquebot user login-link'],
    ['createMailingList', 'operator', 'paquebot list create'],
    ['init', 'operator', 'paquebot init'],
  ])
  const { out } = await paquebot.run(['audit', '--workspace', 'acme', '--kind', 'mailing_list'])
  expect(out).toMatch(/^\S+Z {2}operator {2}createMailingList {2}mailing_list lst_/)
  expect((await paquebot.run(['audit', '--workspace', 'acme', '--limit', '0'])).code).toBe(2)
})

test('a passkey that is added and a sign-in with it are lines; a challenge that was asked for is none', async () => {
  await using t = await testApp({ environment: { BASE_URL: 'http://localhost:0' } })
  const origin = t.app.config.baseUrl
  const device = authenticator(origin)
  const cookie = t.sessionCookie
  // After what the set-up of the app left.
  await t.advance('1s')
  const asked = async (path: string, headers: Record<string, string>) => {
    const reply = await t.request('POST', path, {}, { as: 'nobody', headers })
    const step = reply.headers.get('set-cookie')?.split(';')[0]
    const cookies = [headers['cookie'], step].filter(Boolean).join('; ')
    return { options: reply.body, as: { as: 'nobody', headers: { origin, cookie: cookies } } as const }
  }
  const adding = await asked('/v1/auth/passkeys/options', { origin, cookie })
  const passkey = { name: 'Phone', credential: device.create(adding.options) }
  const { id } = await t.post('/v1/auth/passkeys', passkey, 201, adding.as)
  await t.advance('1s')
  const entering = await asked('/v1/auth/login/passkey/options', { origin })
  await t.post('/v1/auth/login/passkey', { credential: device.get(entering.options) }, 200, entering.as)
  const owner: RequestOptions = { as: 'nobody', headers: { origin, cookie } }
  const { data } = await t.get('/v1/audit?perPage=2', 200, owner)
  const actor = { kind: 'person', id: t.user.id }
  expect(data).toMatchObject([
    { operation: 'loginWithPasskey', actor, changes: [] },
    { operation: 'addPasskey', actor, changes: [{ kind: 'passkey', id, before: null, after: { name: 'Phone' } }] },
  ])
})

test('lines go after AUDIT_RETENTION_DAYS', async () => {
  await using t = await testApp({ environment: { AUDIT_RETENTION_DAYS: '30' } })
  await t.patch('/v1/workspace', { name: 'Ours' }, 200)
  await t.advance('29d')
  await t.patch('/v1/workspace', { name: 'Theirs' }, 200)
  await t.cleanUp()
  const named = async () => {
    const rows = await t.app.db.all<{ after: string }>(sql`SELECT after FROM audit_changes WHERE kind = 'workspace'`)
    return rows.map(({ after }) => JSON.parse(after).name)
  }
  expect(await named()).toContain('Ours')
  await t.advance('2d')
  await t.cleanUp()
  expect(await named()).toEqual(['Theirs'])
  const left = await t.app.db.all(
    sql`SELECT 1 FROM audit_changes c LEFT JOIN audit_log l ON l.id = c.line_id WHERE l.id IS NULL`,
  )
  expect(left).toEqual([])
})

test('between transactions nothing is left that nobody has claimed', async () => {
  await using t = await testApp()
  await t.patch('/v1/workspace', { name: 'Ours' }, 200)
  await t.post('/v1/auth/second-factor', {}, 201, session)
  expect((await snapshot(t.app)).tables.get('audit_pending')).toBeUndefined()
})
