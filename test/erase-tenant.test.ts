// Erasing a workspace: what it needs, that nothing of it is served from that moment, that nothing of it remains in any table, and that
// everything of others does.

import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { modelTables } from '../db/model.ts'
import { outboxJobs } from '../db/tables/outbox.ts'
import { isOwned, ownedTables } from '../db/workspace-rows.ts'
import { write } from '../src/core/app.ts'
import { testIdOf } from '../src/kit/id.ts'
import { closeWorkspace, eraseWorkspace } from '../src/operator/tenants/erase.ts'
import { type RequestOptions, session, type TestApp, testApp } from './support/app.ts'
import { thingsOf } from './support/every-route.ts'

const path = '/v1/workspaces'

/** `t.workspace` with a row in nearly every table, and another workspace that is older: it is the first. */
async function filled(t: TestApp) {
  const things = await thingsOf(t)
  const first = await t.stranger('first')
  const as: RequestOptions = { as: { apiKey: first.apiKey } }
  await t.template({ id: 'theirs' }, as)
  await t.contact({ email: 'theirs@example.net' }, as)
  await t.mail({ email: 'theirs@example.net', templateId: 'theirs' }, as)
  await t.settle()
  await write(t.app, (tx) => tx.db.run(sql`UPDATE workspaces SET rowid = 0 WHERE id = ${first.workspace.id}`))
  return { things, as, first: first.workspace, at: `${path}/${t.workspace.id}` }
}

/** What stays as it was: all rows that are not of the workspace, but those that work and time change. */
async function loadOthers(t: TestApp, id: string): Promise<Record<string, unknown[]>> {
  const moving =
    /^(outbox_|audit_|activity_|installation$|processes$|rate_buckets$|write_tokens$|migrations$|workspace_moves$)/
  const others: Record<string, unknown[]> = {}
  for (const owned of ownedTables()) {
    const { name } = owned.table
    if (moving.test(name) || owned.of === 'people') continue
    const mine = owned.of === 'installation' ? '0' : isOwned(owned, `'${id}', '${testIdOf(id)}'`)
    others[name] = await t.app.db.all(sql.raw(`SELECT * FROM "${name}" WHERE NOT ${mine}`))
  }
  return others
}

/** Tables with a row in which one of the words stands. */
async function listTablesWith(t: TestApp, words: string[]): Promise<string[]> {
  const found: string[] = []
  for (const { name } of modelTables()) {
    const rows = await t.app.db.all(sql.raw(`SELECT * FROM "${name}"`))
    const text = JSON.stringify(rows, (_, value) =>
      value?.type === 'Buffer' ? Buffer.from(value.data).toString() : value,
    )
    if (words.some((word) => text.includes(word))) found.push(name)
  }
  return found
}

/** Lines of the audit log that belong to no workspace. */
const listNobodys = (t: TestApp) =>
  t.app.db.all(sql`SELECT * FROM audit_log WHERE workspace_id NOT IN (SELECT id FROM workspaces)`)

test('needs that the workspace is suspended, its slug, and that it is not the first', async () => {
  await using t = await testApp()
  const { id } = await t.post(path, { slug: 'globex' }, 201, session)
  const other: RequestOptions = { as: { apiKey: (await t.stranger()).apiKey } }
  await t.unchanged(async () => {
    await t.delete(`${path}/${id}`, { confirm: 'globex' }, 409, session)
    await t.delete(`${path}/${t.workspace.id}`, { confirm: t.workspace.slug }, 409, session)
    await t.delete(`${path}/${id}`, {}, 422, session)
    await t.delete(`${path}/${id}`, { confirm: 'globex' }, 404, other)
  })
  await t.post(`${path}/${id}/suspend`, { reason: 'Gone' }, 200, session)
  await t.unchanged(() => t.delete(`${path}/${id}`, { confirm: 'acme' }, 422, session))
  expect(await t.delete(`${path}/${id}`, { confirm: 'globex' }, 202, session)).toMatchObject({ id, slug: 'globex' })
  await t.get(`${path}/${id}`, 404, session)
  await t.post(path, { slug: 'globex' }, 201, session)
})

test('nothing of it remains in any table, and everything of others does', async () => {
  await using t = await testApp({ isNew: true })
  const { things, as, first, at } = await filled(t)
  const { id, slug } = t.workspace
  const members = await t.app.db.all<{ user_id: string }>(
    sql`SELECT user_id FROM members WHERE workspace_id = ${id} AND user_id NOT IN (SELECT user_id FROM members WHERE workspace_id = ${first.id})`,
  )
  const people = members.map((row) => row.user_id)
  // Of the installation, or of another workspace.
  const { relayId: _, withRelays: __, workspaceId: ___, workspaceImportId: ____, ...ours } = things.ids
  const words = [id, testIdOf(id), things.email, things.suppressed, ...people, ...Object.values(ours)]
  const known = words.filter((word) => /^[a-z]+_[0-9a-f]{32}$/.test(word) || word.includes('@'))
  expect((await listTablesWith(t, known)).length).toBeGreaterThan(50)
  await t.post(`${at}/suspend`, { reason: 'Gone' }, 200, as)
  const before = await loadOthers(t, id)
  const nobodys = await listNobodys(t)
  await t.delete(`${at}`, { confirm: slug }, 202, as)
  // From the first moment: its keys, its people, its pages.
  await t.get('/v1/contacts', 401)
  expect((await t.request('GET', '/v1/workspace', undefined, session)).status).not.toBe(200)
  await t.settle()
  const staying = ['audit_log', 'audit_changes', 'outbox_jobs']
  const remains = (await listTablesWith(t, known)).filter((name) => !staying.includes(name))
  expect(remains).toEqual([])
  expect(await loadOthers(t, id)).toEqual(before)
  const lines = await t.app.db.all<{ after: string }>(
    sql`SELECT after FROM audit_changes WHERE workspace_id = ${first.id} AND thing_id = ${id} AND after LIKE '%erased_rows%'`,
  )
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0]?.after ?? '{}').erased_rows).toBeGreaterThan(200)
  expect(await listNobodys(t)).toEqual(nobodys)
})

test('interrupted, it goes on', async () => {
  await using t = await testApp({ isNew: true })
  const { as, at } = await filled(t)
  const { id, slug } = t.workspace
  await t.post(`${at}/suspend`, { reason: 'Gone' }, 200, as)
  await write(t.app, (tx) => closeWorkspace(tx, id))
  const rows = async () => (await listTablesWith(t, [id])).length
  const before = await rows()
  const cut = new AbortController()
  let commits = 0
  const stop = t.app.onWake(() => ++commits === 40 && cut.abort())
  const [row] = await t.app.db.select().from(outboxJobs).where(eq(outboxJobs.kind, eraseWorkspace.kind))
  if (!row) throw new Error(`there is no job for ${slug}`)
  const control = { signal: cut.signal, handOver: async () => null, progressed: async () => {} }
  expect(await eraseWorkspace.run(t.app, { ...row, payload: { id } }, control)).toMatchObject({ outcome: 'defer' })
  stop()
  const between = await rows()
  expect([between < before, between > 5]).toEqual([true, true])
  await t.settle()
  expect(await listTablesWith(t, [id])).toEqual(['audit_changes', 'outbox_jobs'])
})
