// Fields that nobody may set are refused or ignored, on every route that takes a body.

import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { workspaces } from '../db/tables/workspaces.ts'
import { type Json, testApp } from './support/app.ts'
import { ranOnFile } from './support/database.ts'
import { inTurns, validBodies, withPassword } from './support/every-route.ts'
import { allOperations } from './support/listed-operations.ts'
import { snapshot } from './support/snapshot.ts'

/** Not the id of anything. */
const plainParameters: Record<string, string> = { locale: 'en', number: '1' }

/** Here every unknown field is a custom property of the contact, and the caller's own. */
const takesProperties = new Set([
  'POST /v1/contact-subscriptions/opt-in',
  'POST /v1/contacts/create',
  'PUT /v1/contacts/update',
  'PATCH /v1/contacts/{contactId}',
  'POST /v1/events/send',
])
const neverProperties = ['id', 'workspaceId', 'workspace_id', 'createdAt', 'created_at']

// What a server could do otherwise, every route once, is below (the audit log) and above (the lists).
describe.skipIf(ranOnFile)('fields that nobody may set', () => {
  test('are refused or ignored on every route with a body', async () => {
    const injected: Record<string, unknown> = {
      id: 'evil_id',
      createdAt: '1999-01-01T00:00:00.000Z',
      created_at: 915_148_800_000,
      trustLevel: 'M4',
      trust_level: 'M4',
      role: 'evil_owner',
      status: 'evil_status',
      keyHash: 'evil_hash',
      messageId: 'evil_message',
      isAdmin: 'evil_admin',
      passwordHash: 'evil_password',
    }
    const traces = /evil_|1999-01-01|915148800000|"M4"/
    const withBody = (await allOperations()).filter(({ hasBody }) => hasBody)
    await inTurns(withBody, async (t, { workspace }, { route, method, path, fields }, things) => {
      await withPassword(t)
      const valid = validBodies(things)[route]
      if (!valid) throw new Error(`${route} takes a body: say in validBodies() what a valid one is`)
      const strange = (name: string) =>
        !fields.includes(name) && (!takesProperties.has(route) || neverProperties.includes(name))
      const all = { workspaceId: workspace.id, workspace_id: workspace.id, ...injected }
      const extra = Object.fromEntries(Object.entries(all).filter(([name]) => strange(name)))
      const address = path.replaceAll(
        /\{(\w+)\}/g,
        (_, name: string) => plainParameters[name] ?? things.ids[`${route} ${name}`] ?? things.ids[name] ?? '',
      )
      const before = await snapshot(t.app)
      const reply = await t.request(method, address, { ...valid.body, ...extra }, { as: valid.as ?? 'key' })
      if (![200, 201, 202, valid.refused ?? 422].includes(reply.status)) return `${route}: ${reply.text}`
      const changes = (await snapshot(t.app)).differencesFrom(before)
      if (reply.status >= 400) expect(changes, route).toEqual([])
      for (const change of changes) {
        expect(change, route).not.toMatch(traces)
        expect(change, `${route} wrote to B`).not.toContain(workspace.id)
      }
      expect(await t.app.db.select().from(workspaces).where(eq(workspaces.trustLevel, 'M4')).all()).toEqual([])
      return ''
    })
  }, 240_000)

  test('nested ones too', async () => {
    await using t = await testApp()
    const brand = { companyName: 'Acme', trustLevel: 'M4', constructor: 'x', toString: 'x' }
    const reply = await t.unchanged(() => t.patch('/v1/workspace', { brand }, 422))
    const refused = ['brand.trustLevel', 'brand.constructor', 'brand.toString']
    expect(reply.errors.map(({ path }: Json) => path)).toEqual(refused)
  })
})
