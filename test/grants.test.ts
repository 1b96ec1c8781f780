// Who loses a right loses what they passed on by it: keys, invitations, tokens, endpoints, sources, addresses for providers; and who changes how they
// sign in ends what signed them in before. What a key may do as such is walked in access.test.ts.

import { describe, expect, test } from 'bun:test'
import { eq, is, sql } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { TOTP } from 'otpauth'
import { members, passkeys } from '../db/tables/workspaces.ts'
import { write } from '../src/core/app.ts'
import { makeLink } from '../src/features/review/approvals/links.ts'
import { sha256Hex } from '../src/kit/digest.ts'
import { type GrantKind, grantKinds, grantTables } from '../src/people/access/grants.ts'
import type { Role } from '../src/people/access/roles.ts'
import { createLoginLink, createSession } from '../src/people/access/sessions.ts'
import { addMember, removeMember, setPassword } from '../src/people/access/users.ts'
import { removeIdentities } from '../src/people/sign-in/oidc/arrivals.ts'
import { removePasskey, removePasskeys } from '../src/people/sign-in/passkeys/passkeys.ts'
import { beginSecondFactor, confirmSecondFactor, removeSecondFactor } from '../src/people/sign-in/second-factor.ts'
import { createWorkspace } from '../src/people/workspaces.ts'
import { type Json, type Person, type RequestOptions, type TestApp, testApp } from './support/app.ts'
import { cli } from './support/cli.ts'
import { testMailbox } from './support/mailbox.ts'
import { connect, ping } from './support/oauth.ts'
import { deliver, providerEvent, secret } from './support/payment-provider.ts'

const owner: RequestOptions = { as: 'session' }
const byKey = (apiKey: string): RequestOptions => ({ as: { apiKey } })

/** Whether what was made opens something. */
type Works = () => Promise<boolean>

/** By kind, how a person makes one over the API, and how an outsider sees whether it works. */
const makers: Record<GrantKind, (t: TestApp, as: RequestOptions) => Promise<Works>> = {
  async api_key(t, as) {
    const { apiKey } = await t.post('/v1/api-keys', { name: 'Shop' }, 201, as)
    return async () => (await t.request('GET', '/v1/workspace', undefined, byKey(apiKey))).status === 200
  },
  async invitation(t, as) {
    const { url } = await t.post('/v1/invitations', { email: 'back@acme.test', role: 'owner' }, 201, as)
    const path = new URL(url).pathname
    return async () => (await t.request('GET', path, undefined, { as: 'nobody' })).status === 200
  },
  async mailbox_token(t, as) {
    const { id } = await testMailbox(t)
    const { token } = await t.post(`/v1/mailboxes/${id}/tokens`, { name: 'Agent' }, 201, as)
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const headers = { accept: 'application/json, text/event-stream' }
    return async () => (await t.request('POST', '/mailbox/mcp', ping, { ...byKey(token), headers })).status !== 401
  },
  async oauth_grant(t, as) {
    const { tokens } = await connect(t, { cookie: as.headers?.['cookie'] ?? t.sessionCookie })
    return async () => (await ping(t, '/mcp', tokens.access_token)).status === 200
  },
  async inbound_address(t, as) {
    const { id } = await testMailbox(t, { address: 'in@paquebot.localhost' })
    const { inboundUrl } = await t.post(`/v1/mailboxes/${id}/inbound-address`, {}, 200, as)
    const mail = 'From: a@b.test\r\nTo: in@paquebot.localhost\r\nSubject: Hello\r\n\r\nHello'
    const options = { as: 'nobody', headers: { 'content-type': 'message/rfc822' } } as const
    return async () => (await t.request('POST', new URL(inboundUrl).pathname, mail, options)).status === 200
  },
  async webhook_endpoint(t, as) {
    const body = { url: 'https://hooks.example.net/', status: 'active' }
    const { id } = await t.post('/v1/webhook-endpoints', body, 201, as)
    return async () => (await t.get(`/v1/webhook-endpoints/${id}`, 200, owner)).status === 'active'
  },
  async subscription_source(t, as) {
    const origin = 'https://shop.example'
    const list = await t.mailingList({ optIn: 'single' })
    const form = { name: 'Form', mailingListIds: [list.id], allowedOrigins: [origin], optIn: 'single' }
    const { id } = await t.post('/v1/subscription-sources/create', form, 201, as)
    const options = { ...byKey(id), headers: { origin } }
    const visit = { email: 'visitor@example.net', sourceId: id }
    return async () => (await t.request('POST', '/v1/contact-subscriptions/opt-in', visit, options)).status === 201
  },
  async provider_hook(t, as) {
    await t.put('/v1/provider-hooks', { provider: 'postmark' }, 200, as)
    return async () => (await t.get('/v1/provider-hooks', 200, owner)).data.length === 1
  },
  async payment_secret(t, as) {
    const stored = { enabled: true, signing_secret: secret }
    const { webhook_url } = await t.put('/v1/settings/integrations/payments', stored, 200, as)
    return async () => (await deliver(t, new URL(webhook_url).pathname, providerEvent('ping', {}))).status === 200
  },
}

async function makeAll(t: TestApp, as: RequestOptions, kinds: readonly GrantKind[] = grantKinds) {
  const made = new Map<GrantKind, Works>()
  for (const kind of kinds) made.set(kind, await makers[kind](t, as))
  const working = async () => {
    const works = await Promise.all([...made].map(async ([kind, isOpen]) => ((await isOpen()) ? [kind] : [])))
    return works.flat()
  }
  return { working }
}

const kindsOf = (grants: Json[]) => grants.map(({ kind }) => kind)

describe('what somebody has passed on', () => {
  test('ends with a removal, in every kind; the answer and the audit log name it', async () => {
    await using t = await testApp()
    const eve = await t.person('owner')
    const { working } = await makeAll(t, eve.as)
    expect(await working()).toEqual([...grantKinds])
    const { data: before } = await t.get(`/v1/members/${eve.userId}/grants`, 200, owner)
    expect(kindsOf(before)).toEqual([...grantKinds])
    const { revoked, kept } = await t.delete(`/v1/members/${eve.userId}`, undefined, 200, owner)
    expect([revoked, kept]).toEqual([before, []])
    expect(await working()).toEqual([])
    const [line] = (await t.get('/v1/audit?operation=removeMember', 200, owner)).data
    expect([...new Set(line.changes.map(({ kind }: Json) => kind))].sort()).toEqual([
      'api_key',
      'invitation',
      'mailbox',
      'mailbox_token',
      'member',
      'oauth_grant',
      'payment_integration',
      'provider_hook',
      'subscription_source',
      'webhook_endpoint',
    ])
  })

  test('ends with a lesser role, and not with a greater one or the same', async () => {
    await using t = await testApp()
    const grace = await t.person('member')
    const kinds = grantKinds.filter((kind) => kind !== 'invitation')
    const { working } = await makeAll(t, grace.as, kinds)
    const path = `/v1/members/${grace.userId}`
    for (const role of ['member', 'owner'])
      expect(await t.patch(path, { role }, 200, owner)).toMatchObject({ revoked: [], kept: [] })
    expect(await working()).toEqual(kinds)
    expect(kindsOf((await t.patch(path, { role: 'member' }, 200, owner)).revoked)).toEqual(kinds)
    expect(await working()).toEqual([])
  })

  test('goes on where another owner keeps it: on their right from then on, and no further than before', async () => {
    await using t = await testApp()
    const [grace, olive] = [await t.person('member'), await t.person('owner', { email: 'olive@acme.test' })]
    const { working } = await makeAll(
      t,
      grace.as,
      grantKinds.filter((kind) => kind !== 'invitation'),
    )
    const all = await working()
    const { apiKey } = await t.post('/v1/api-keys', { name: 'Till' }, 201, grace.as)
    const { revoked, kept } = await t.delete(`/v1/members/${grace.userId}?keep=true`, undefined, 200, olive.as)
    expect([revoked, [...new Set(kindsOf(kept))]]).toEqual([[], all])
    expect(await working()).toEqual(all)
    await t.get('/v1/installation', 403, byKey(apiKey))
    const { data: keys } = await t.get('/v1/api-keys', 200, owner)
    expect(keys.find(({ name }: Json) => name === 'Till')).toMatchObject({
      madeBy: { userId: olive.userId, email: olive.email },
      role: 'member',
    })
    const own = await t.unchanged(() =>
      t.patch(`/v1/members/${olive.userId}`, { role: 'member', keep: true }, 422, olive.as),
    )
    expect(own.errors[0].path).toBe('keep')
    await t.delete(`/v1/members/${olive.userId}`, undefined, 200, owner)
    expect(await working()).toEqual([])
  })

  test('is of what their keys made, of the test workspace too, and of this workspace alone', async () => {
    await using t = await testApp()
    const grace = await t.person('member')
    const { apiKey } = await t.post('/v1/api-keys', { name: 'Deploy' }, 201, grace.as)
    const { working } = await makeAll(t, byKey(apiKey), ['api_key', 'subscription_source'])
    const { apiKey: trial } = await t.post('/v1/api-keys', { name: 'Trial', test: true }, 201, grace.as)
    const elsewhere = await write(t.app, async (tx) => {
      const workspace = await createWorkspace(tx, { slug: 'elsewhere', trustLevel: 'M2' })
      await addMember(tx, { workspaceId: workspace.id, userId: grace.userId, role: 'member' })
      return workspace
    })
    const headers = { ...grace.as.headers, 'x-workspace-id': elsewhere.id }
    const { apiKey: theirs } = await t.post('/v1/api-keys', {}, 201, { as: 'nobody', headers })
    expect(await working()).toEqual(['api_key', 'subscription_source'])
    await t.delete(`/v1/members/${grace.userId}`, undefined, 200, owner)
    expect(await working()).toEqual([])
    for (const key of [apiKey, trial]) await t.get('/v1/workspace', 401, byKey(key))
    await t.get('/v1/workspace', 200, byKey(theirs))
  })

  test('is asked of the role at each use of a key or an invitation, whatever changed it', async () => {
    await using t = await testApp()
    const eve = await t.person('owner')
    const { apiKey } = await t.post('/v1/api-keys', {}, 201, eve.as)
    const invited = await makers.invitation(t, eve.as)
    await t.get('/v1/installation', 200, byKey(apiKey))
    const become = (role: Role | null) =>
      write(t.app, async (tx) => {
        const mine = eq(members.userId, eve.userId)
        await (role ? tx.db.update(members).set({ role }).where(mine) : tx.db.delete(members).where(mine))
      })
    await become('member')
    expect((await t.get('/v1/installation', 403, byKey(apiKey))).code).toBe('insufficient_role')
    expect(await invited()).toBe(false)
    expect((await t.get('/v1/invitations', 200, owner)).data).toEqual([])
    await become('viewer')
    await t.get('/v1/contacts', 200, byKey(apiKey))
    expect((await t.post('/v1/contacts/create', { email: 'a@b.test' }, 403, byKey(apiKey))).code).toBe(
      'insufficient_role',
    )
    await become(null)
    await t.get('/v1/contacts', 401, byKey(apiKey))
  })

  test('a key of the command line has no maker, and goes on', async () => {
    await using t = await testApp()
    const { data } = await t.get('/v1/api-keys', 200, owner)
    expect(data).toMatchObject([{ name: 'tests', maker: 'operator', madeBy: null, role: 'owner' }])
    await t.get('/v1/installation', 200)
  })

  test('the secret of payments is of whoever stored it last, and of nobody who only switches', async () => {
    await using t = await testApp()
    const [grace, olive] = [await t.person('member'), await t.person('member', { email: 'olive@acme.test' })]
    const works = await makers.payment_secret(t, grace.as)
    await t.patch('/v1/settings/integrations/payments', { enabled: true, create_contacts: false }, 200, olive.as)
    const grantsOf = async ({ userId }: Person) =>
      kindsOf((await t.get(`/v1/members/${userId}/grants`, 200, owner)).data)
    expect([await grantsOf(grace), await grantsOf(olive)]).toEqual([['payment_secret'], []])
    await makers.payment_secret(t, olive.as)
    await t.delete(`/v1/members/${grace.userId}`, undefined, 200, owner)
    expect(await works()).toBe(true)
    await t.patch(`/v1/members/${olive.userId}`, { role: 'viewer' }, 200, owner)
    expect(await works()).toBe(false)
    expect(await t.get('/v1/settings/integrations/payments', 200, owner)).toMatchObject({
      enabled: false,
      has_signing_secret: false,
    })
  })

  test('an endpoint rests on the right of whoever made it active again', async () => {
    await using t = await testApp()
    const [grace, olive] = [await t.person('member'), await t.person('member', { email: 'olive@acme.test' })]
    const body = { url: 'https://hooks.example.net/', status: 'active' }
    const { id } = await t.post('/v1/webhook-endpoints', body, 201, grace.as)
    const [path, madeBy] = [`/v1/webhook-endpoints/${id}`, ({ userId, email }: Person) => ({ userId, email })]
    // Neither what changes nothing nor what ends it is a vouching.
    for (const change of [{ status: 'active' }, { url: body.url, description: 'CRM' }, { status: 'disabled' }])
      expect(await t.patch(path, change, 200, olive.as)).toMatchObject({ maker: 'person', madeBy: madeBy(grace) })
    await t.delete(`/v1/members/${grace.userId}`, undefined, 200, owner)
    expect(await t.patch(path, { status: 'active' }, 200, olive.as)).toMatchObject({ madeBy: madeBy(olive) })
    await t.delete(`/v1/members/${olive.userId}`, undefined, 200, owner)
    expect(await t.get(path, 200, owner)).toMatchObject({ status: 'disabled', madeBy: madeBy(olive) })
  })

  test('from before makers were kept goes on, is shown as such and told of, until it is made anew', async () => {
    await using t = await testApp()
    const { working } = await makeAll(t, owner)
    for (const kind of grantKinds.filter((kind) => kind !== 'invitation')) {
      const { table, maker } = grantTables[kind]
      await write(t.app, (tx) => tx.db.run(sql`UPDATE ${table} SET ${sql.identifier(maker.name)} = NULL`))
    }
    expect(await working()).toEqual([...grantKinds])
    for (const path of ['/v1/api-keys', '/v1/webhook-endpoints'])
      for (const one of (await t.get(path, 200, owner)).data)
        expect(one).toMatchObject({ maker: 'unknown', madeBy: null })
    const told = async () => {
      const { data } = await t.get('/v1/attention', 200, owner)
      return [...new Set(data.flatMap(({ code, detail }: Json) => (code === 'maker_unknown' ? [detail] : [])))]
    }
    const kinds = grantKinds.filter((kind) => kind !== 'invitation').map((kind) => kind.replace('_', ' '))
    expect(await told()).toEqual(kinds)
    // What such a key makes rests on as little.
    await t.post('/v1/api-keys', { name: 'Made by one' }, 201)
    expect((await t.get('/v1/api-keys', 200, owner)).data[0]).toMatchObject({ name: 'Made by one', maker: 'unknown' })
    for (const { id } of (await t.get('/v1/webhook-endpoints', 200, owner)).data)
      for (const status of ['disabled', 'active']) await t.patch(`/v1/webhook-endpoints/${id}`, { status }, 200, owner)
    for (const { id } of (await t.get('/v1/api-keys', 200, owner)).data)
      await t.delete(`/v1/api-keys/${id}`, undefined, 200, owner)
    await makers.payment_secret(t, owner)
    expect(await told()).toEqual(
      kinds.filter((kind) => !['api key', 'webhook endpoint', 'payment secret'].includes(kind)),
    )
  })

  test('the command line removes people, and says what ended or goes on', async () => {
    using c = await cli()
    const workspace = ['--workspace', 'acme']
    const run = async (...args: string[]) => {
      const { code, out, err } = await c.run([...args, ...workspace])
      expect([code, err]).toEqual([0, ''])
      return out
    }
    await c.run(['init', '--email', 'ada@acme.test', '--workspace', 'acme'])
    const grace = ['--email', 'grace@acme.test']
    await run('user', 'create', ...grace, '--password', 'correct horse battery')
    const server = await c.serve()
    const headers = { 'content-type': 'application/json', origin: server.url }
    const call = (path: string, body: object, cookie = '') =>
      fetch(server.url + path, { method: 'POST', body: JSON.stringify(body), headers: { ...headers, cookie } })
    const signedIn = await call('/v1/auth/login', { email: 'grace@acme.test', password: 'correct horse battery' })
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    const make = async () => expect((await call('/v1/api-keys', { name: 'Shop' }, cookie)).status).toBe(201)
    await make()
    expect(await run('key', 'list')).toMatch(/Shop +full +grace@acme\.test/)
    expect(await run('user', 'role', ...grace, '--role', 'viewer', '--keep')).toMatch(/kept +api_key +key_\w+ +Shop/)
    expect(await run('key', 'list')).toMatch(/Shop +full +\(command line\)/)
    await run('user', 'role', ...grace, '--role', 'member')
    await make()
    expect(await run('user', 'remove', ...grace)).toMatch(/revoked +api_key +key_\w+ +Shop/)
    server.kill('SIGTERM')
    await server.ended
  })
})

/** Each table of what signs somebody in: how an outsider sees that it does so without being asked, or why it does not. */
const signingIn: Record<string, string | ((t: TestApp, userId: string) => Promise<Works>)> = {
  async sessions(t, userId) {
    const cookie = `session=${await write(t.app, (tx) => createSession(tx, userId))}`
    const as: RequestOptions = { as: 'nobody', headers: { cookie } }
    return async () => (await t.request('GET', '/v1/auth/session', undefined, as)).status === 200
  },
  async login_links(t, userId) {
    const path = await write(t.app, (tx) => createLoginLink(tx, userId))
    return async () => (await t.request('GET', path, undefined, { as: 'nobody' })).status === 200
  },
  async approval_links(t, userId) {
    const path = await makeLink(t.app, { id: `job_${userId}`, workspaceId: t.workspace.id, userId, approvals: [] })
    return async () => (await t.request('GET', path, undefined, { as: 'nobody' })).status === 200
  },
  identities: 'the provider asks each time',
  passkeys: 'the device asks each time',
  second_factors: 'asked beside the password',
  recovery_codes: 'asked beside the password',
  members: 'says what somebody may enter who is signed in',
}

/** Each function that changes how somebody signs in, by the place of its statement; a person does it in a session of their own. */
const changes: Record<string, (t: TestApp, asking: { userId: string; tokenHash: string }) => Promise<unknown>> = {
  setPassword: (t, { userId }) => write(t.app, (tx) => setPassword(tx, userId, 'x')),
  async confirmSecondFactor(t, asking) {
    const { secret } = await beginSecondFactor(t.app, { userId: asking.userId, email: 'grace@acme.test' })
    await confirmSecondFactor(t.app, asking, new TOTP({ secret }).generate({ timestamp: t.clock.now().getTime() }))
  },
  removeSecondFactor: (t, asking) => write(t.app, (tx) => removeSecondFactor(tx, asking)),
  async removePasskey(t, asking) {
    const row = { id: 'psk_1', name: 'Phone', credentialId: 'c', publicKey: {}, counter: 0, transports: [] }
    const device = { isBackupEligible: false, isBackedUp: false, createdAt: t.clock.now(), userId: asking.userId }
    await write(t.app, (tx) => tx.db.insert(passkeys).values({ ...row, ...device }))
    await write(t.app, (tx) => removePasskey(tx, 'psk_1', asking))
  },
  removePasskeys: (t, { userId }) => write(t.app, (tx) => removePasskeys(tx, userId)),
  removeIdentities: (t, { userId }) => write(t.app, (tx) => removeIdentities(tx, userId)),
  removeMember: (t, { userId }) => write(t.app, (tx) => removeMember(tx, t.workspace.id, userId)),
}

/** Statements that change none of it: what is noted at a use, a name. */
const notes = ['proveEmail', 'renamePasskey', 'noteUse', 'boundUser', 'useStep']

describe('what signs somebody in without being asked again', () => {
  test('ends with every change of how they sign in, but for the session that asks', async () => {
    await using t = await testApp()
    type Act = (t: TestApp, asking: Person & { tokenHash: string }) => Promise<unknown>
    const acts: Record<string, Act> = {
      ...changes,
      endOtherSessions: (t, { as }) => t.delete('/v1/auth/sessions', undefined, 200, as),
    }
    for (const [n, [name, act]] of Object.entries(acts).entries()) {
      const grace = await t.person('owner', { email: `grace${n}@acme.test` })
      const tokenHash = sha256Hex(String(grace.as.headers?.cookie).slice('session='.length))
      const made = new Map<string, Works>()
      for (const [table, make] of Object.entries(signingIn))
        if (typeof make === 'function') made.set(table, await make(t, grace.userId))
      for (const works of made.values()) expect(await works(), name).toBe(true)
      await act(t, { ...grace, tokenHash })
      for (const [table, works] of made) expect([name, table, await works()]).toEqual([name, table, false])
      const isOwn = !['setPassword', 'removePasskeys', 'removeIdentities', 'removeMember'].includes(name)
      const own = await t.request('GET', '/v1/auth/session', undefined, grace.as)
      expect([name, own.status]).toEqual([name, isOwn ? 200 : 401])
    }
  })

  test('no statement that changes how somebody signs in is forgotten', async () => {
    const found = new Set<string>()
    for (const file of new Bun.Glob('src/**/*.ts').scanSync(`${import.meta.dir}/..`)) {
      const text = await Bun.file(`${import.meta.dir}/../${file}`).text()
      for (const { index } of text.matchAll(/\b(?:update|delete)\((?:passkeys|identities|secondFactors|users)\)/g))
        found.add([...text.slice(0, index).matchAll(/^(?:export )?(?:async )?function (\w+)/gm)].at(-1)?.[1] ?? file)
    }
    expect([...found].sort()).toEqual([...Object.keys(changes), ...notes].sort())
  })
})

/** Every table of the schema. */
async function allTables(): Promise<SQLiteTable[]> {
  const files = [...new Bun.Glob('*.ts').scanSync(`${import.meta.dir}/../db/tables`)]
  const modules = await Promise.all(files.map((file) => import(`../db/tables/${file}`)))
  return [...new Set(modules.flatMap((module) => Object.values(module)).filter((one) => is(one, SQLiteTable)))]
}

async function columnsLike(pattern: RegExp): Promise<string[]> {
  const found = (await allTables()).flatMap((table) => {
    const { name, columns } = getTableConfig(table)
    return columns.filter((column) => pattern.test(column.name)).map((column) => `${name}.${column.name}`)
  })
  return found.sort()
}

describe('no table is forgotten', () => {
  const granted = grantKinds.map((kind) => {
    const { table, maker } = grantTables[kind]
    return `${getTableConfig(table).name}.${maker.name}`
  })

  /** Columns that name somebody and pass nothing on, with the reason. */
  const only: Record<string, string[]> = {
    'who did something that is done': [
      'audit_log.actor_id',
      'audit_log.actor_kind',
      'campaigns.approved_by',
      'campaigns.created_by',
      'campaigns.refused_by',
      'consent_records.actor_id',
      'contact_imports.actor_id',
      'content_revisions.author',
      'held_actions.author_id',
      'held_actions.author_kind',
      'held_actions.decided_by',
      'mailbox_drafts.author_id',
      'mailbox_drafts.decided_by',
      'mailbox_replies.author_id',
      'sequence_versions.published_by',
      'suppression_removals.removed_by',
    ],
    'whose it is: it opens what that person may open, at each use': Object.keys(signingIn).map(
      (table) => `${table}.user_id`,
    ),
    'whose it is, and it opens nothing': ['approval_mails.user_id', 'preferences.user_id'],
    'no person': ['confirmation_mails.held_by', 'contacts.user_id', 'sessions.signed_in_by'],
  }

  test('every column that names a person is of what they passed on, or it is said why not', async () => {
    const named = await columnsLike(/(^|_)(by|actor|author|user)(_id|_kind)?$/)
    expect(named).toEqual([...granted, ...Object.values(only).flat()].sort())
  })

  /** Tables that hold something secret which opens something, without a maker, with the reason. */
  const unmade: Record<string, string[]> = {
    'whose it is: it opens what that person may open, at each use': [
      'approval_links',
      'login_links',
      'oauth_tokens',
      'recovery_codes',
      'second_factors',
      'sessions',
      'users',
    ],
    'it proves what others send to us, or we to them, and opens nothing': [
      'provider_tokens',
      'relays',
      'sending_domains',
      'used_challenges',
      'webhook_secrets',
    ],
    'of the person who was mailed': ['confirmations'],
    'names something, and is no secret': [
      'campaigns',
      'confirmation_mails',
      'consent_records',
      'idempotency_keys',
      'rate_buckets',
      'sequence_versions',
      'soft_bounces',
      'suppression_removals',
      'suppressions',
      'workspace_moves',
      'write_tokens',
    ],
  }

  test('every table with a secret has a maker, or it is said why not', async () => {
    const tables = (await columnsLike(/hash|sealed|secret|token|verify_with/)).map((column) => column.split('.')[0])
    const made = grantKinds.map((kind) => getTableConfig(grantTables[kind].table).name)
    expect([...new Set(tables)].filter((table) => !made.includes(table ?? ''))).toEqual(
      Object.values(unmade).flat().sort(),
    )
  })
})
