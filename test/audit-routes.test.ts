// Every route that writes leaves one line in the audit log.

import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { TOTP } from 'otpauth'
import { write } from '../src/core/app.ts'
import { writeCounts } from '../src/people/access/audit/leave-line.ts'
import { createSession } from '../src/people/access/sessions.ts'
import { type Json, type Reply, type RequestOptions, type TestApp, testApp } from './support/app.ts'
import {
  before,
  complete,
  known,
  password,
  type Things,
  thingsOf,
  validBodies,
  withPassword,
} from './support/every-route.ts'
import { type Operation, operationsOf } from './support/listed-operations.ts'
import { connect, deliver, providerEvent } from './support/payment-provider.ts'
import { png } from './support/picture.ts'

/** Not the id of anything. */
const plainParameters: Record<string, string> = { locale: 'en', number: '1' }

const pathOf = ({ path }: Operation) => path.replaceAll(/\{(\w+)\}/g, 'x')

describe('the audit log', () => {
  const csv = { headers: { 'content-type': 'text/csv' } }
  const file = 'email,subscribed\nx@example.net,true'
  /** POST, and yet they change nothing. */
  const looking = [
    'tryRule',
    'beginApprovals',
    'compareCampaignDraft',
    'compareBlockDraft',
    'compareTemplateDraft',
    'importContent',
    'previewContent',
    'previewTemplate',
    'previewCampaign',
    'previewRecurringCampaign',
    'planRecurringCampaign',
    'previewImport',
    'previewExportImport',
    'planSequenceMoves',
    'rehearseSequence',
    'rehearseCampaign',
  ]
  /** They need a host name, and have a test of their own in audit.test.ts. */
  const withHostName = ['beginPasskey', 'addPasskey', 'beginPasskeyLogin', 'loginWithPasskey']

  let newcomers = 0

  /** Somebody else with an app beside their password. */
  async function withFactor(t: TestApp) {
    const as = await newcomer(t)
    const { secret } = await t.post('/v1/auth/second-factor', {}, 201, as)
    const code = () => new TOTP({ secret }).generate({ timestamp: t.clock.now().getTime() })
    return { as, body: () => ({ code: code() }) }
  }

  async function newcomer(t: TestApp, word?: string): Promise<RequestOptions> {
    const passwordHash = word === undefined ? null : await t.app.passwords.hash(word)
    return (await t.person('member', { email: `newcomer${++newcomers}@acme.test`, passwordHash })).as
  }

  async function signedIn(t: TestApp, { id }: { id: string }): Promise<RequestOptions> {
    const cookie = `session=${await write(t.app, (tx) => createSession(tx, id))}`
    return { as: 'nobody', headers: { cookie, origin: t.url } }
  }

  /** What takes more than a body that validBodies() can say. */
  const apart: Record<string, (t: TestApp) => Promise<Reply>> = {
    uploadMedia: (t) => t.request('POST', '/v1/media', new Uint8Array(png({ width: 7, height: 7 })), csv),
    importWorkspace: (t) =>
      t.request('POST', '/v1/workspace-imports', Buffer.from(`age-encryption.org/v1 ${++newcomers}`), csv),
    importContacts: (t) => t.request('POST', '/v1/contacts/import', file, csv),
    previewImport: (t) => t.request('POST', '/v1/contacts/import/preview', file, csv),
    importExport: (t) => t.request('POST', '/v1/imports?format=sendy', file, csv),
    previewExportImport: (t) => t.request('POST', '/v1/imports/preview?format=sendy', file, csv),
    receivePaymentEvent: async (t) =>
      deliver(t, await connect(t), providerEvent('customer.created', { id: `cus_new_${++newcomers}` })),
    confirmSecondFactor: async (t) => {
      const { as, body } = await withFactor(t)
      return await t.request('POST', '/v1/auth/second-factor/confirm', body(), as)
    },
    // Both end the session by which things are made.
    endOtherSessions: async (t) => await t.request('DELETE', '/v1/auth/sessions', undefined, await newcomer(t)),
    changePassword: async (t) => {
      const change = { currentPassword: password, newPassword: password }
      return await t.request('POST', '/v1/auth/password', change, await newcomer(t, password))
    },
    removeSecondFactor: async (t) => {
      const { as, body } = await withFactor(t)
      await t.post('/v1/auth/second-factor/confirm', body(), 200, as)
      t.clock.advance(60_000)
      return await t.request('DELETE', '/v1/auth/second-factor', body(), as)
    },
  }

  async function succeed(
    t: TestApp,
    operation: Operation,
    things: Things,
    valid = validBodies(things)[operation.route],
  ): Promise<Reply> {
    const { id, route, method, path, scope, hasBody, open } = operation
    const own = apart[id]
    if (own) return await own(t)
    await before[route]?.(t, things)
    if (hasBody && !valid) throw new Error(`${route} takes a body: say in validBodies() what a valid one is`)
    const address = path.replaceAll(
      /\{(\w+)\}/g,
      (_, name: string) => plainParameters[name] ?? known(things.ids, name, route),
    )
    const bySession = scope === null || valid?.as === 'session'
    // It ends all sessions but the one that asks.
    const session = id === 'removePasskey' ? ({ as: 'session' } as const) : bySession ? await signedIn(t, t.user) : {}
    const options = open ? ({ as: 'nobody' } as const) : session
    return await t.request(method, address, valid?.body, options)
  }

  /** Of all lines of one operation. */
  async function countOf(t: TestApp, id: string): Promise<number> {
    await writeCounts(t.app)
    const [row] = await t.app.db.all<{ n: number }>(
      sql`SELECT coalesce(sum(count), 0) AS n FROM audit_log WHERE operation = ${id} AND workspace_id = ${t.workspace.id}`,
    )
    return row?.n ?? 0
  }

  test('every route that writes leaves one line: whose it was, what it was, and its request; one that is refused leaves none', async () => {
    await using t = await testApp(complete)
    await withPassword(t)
    const kinds = { key: 'api_key', session: 'person', open: 'visitor' }
    const writes = (await operationsOf(t)).filter(({ id, method }) => method !== 'GET' && !withHostName.includes(id))
    let things = await thingsOf(t)
    let repeated = 0
    for (const operation of writes) {
      const { id, route, open, method } = operation
      const none = await countOf(t, id)
      const refused = await t.request(method, pathOf(operation), { wrong: 1 }, { as: 'nobody' })
      expect(refused.status, route).toBeGreaterThanOrEqual(400)
      expect(await countOf(t, id), `${route}, refused`).toBe(none)
      // A decision is about what is there now, and the route before may have changed it.
      if (before[route] || id.endsWith('Approvals')) things = await thingsOf(t)
      let earlier = await countOf(t, id)
      let reply = await succeed(t, operation, things)
      // What was made may have been used up by the routes before.
      if (reply.status >= 300) {
        things = await thingsOf(t)
        earlier = await countOf(t, id)
        reply = await succeed(t, operation, things)
      }
      expect(reply.status, `${route}: ${reply.text}`).toBeLessThan(300)
      expect(await countOf(t, id), route).toBe(earlier + (looking.includes(id) ? 0 : 1))
      if (looking.includes(id)) continue
      const rows = await t.app.db.all<Json>(
        sql`SELECT * FROM audit_log WHERE operation = ${id} AND workspace_id = ${t.workspace.id} ORDER BY at DESC, id DESC`,
      )
      // What programs do is counted by the hour, under its first request.
      const row = rows.find((one) => one.request_id === reply.headers.get('x-request-id') || one.count > 1)
      expect(row, route).toBeDefined()
      const expected = id === 'login' ? ['person'] : open ? [kinds.open] : [kinds.key, kinds.session]
      expect(expected, route).toContain(row.actor_kind)
      // Once more with the same values: an act that may change what is recorded, and does not.
      if (method !== 'PATCH' && method !== 'PUT') continue
      const same = validBodies(things)[route]
      for (let n = 0; n < 2; n++)
        if ((await succeed(t, operation, things, same)).status < 300) {
          repeated++
          expect(await countOf(t, id), `${route}, repeated`).toBe(earlier + 2 + n)
        }
    }
    expect(writes.length).toBeGreaterThan(80)
    expect(repeated).toBeGreaterThan(50)
  }, 240_000)
})
