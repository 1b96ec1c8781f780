// Imports of workspaces by API: what another installation exported is taken, checked and served, or nothing of it remains.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { mediaStore } from '../src/features/content/media/store.ts'
import { type RequestOptions, session, type TestApp, testApp } from './support/app.ts'
import { remoteDatabase } from './support/database.ts'
import { freshDirectory } from './support/place.ts'

const path = '/v1/workspaces'
const sealing = { BACKUP_PASSPHRASE: 'what only the two of us know' }
/** On a server the target is there, and the source is a file: tests share one server. */
const ofFile = () => (remoteDatabase ? { DATABASE_URL: `file:${join(freshDirectory(), 'source.db')}` } : {})
const source = () => ({ isNew: true, environment: { ...sealing, ...ofFile() } })
const target = { isNew: true, environment: sealing }

/** A tenant with a contact, suspended. */
async function tenant(t: TestApp) {
  const { id } = await t.post(path, { slug: 'globex' }, 201, session)
  const { apiKey } = await t.post(`${path}/${id}/api-keys`, { name: 'First' }, 201, session)
  const as: RequestOptions = { as: { apiKey } }
  await t.contact({ email: 'ada@example.net' }, as)
  await t.post(`${path}/${id}/suspend`, { reason: 'It moves' }, 200, session)
  return { id, as }
}

async function exported(t: TestApp, id: string, movesTo: string | null): Promise<Uint8Array> {
  await t.post(`${path}/${id}/export`, { movesTo }, 202, session)
  await t.settle()
  return await (await fetch(`${t.url}${path}/${id}/export/file`, { headers: { cookie: t.sessionCookie } })).bytes()
}

const bytesOnly = { ...session, headers: { 'content-type': 'application/octet-stream' } }
const bring = (t: TestApp, bytes: Uint8Array, status: number, query = '') =>
  t.post(`/v1/workspace-imports${query}`, bytes, status, bytesOnly)

test('what was exported there is served here once it is whole, and the same file once more is the same import', async () => {
  await using t = await testApp(source())
  const { id, as } = await tenant(t)
  await using other = await testApp(target)
  await other.post(path, { slug: 'globex' }, 201, session)
  const bytes = await exported(t, id, other.url)
  const begun = await bring(other, bytes, 202, '?slug=globex-2')
  expect(begun).toMatchObject({ state: 'waiting', workspaceId: null, slug: 'globex-2', sizeBytes: bytes.length })
  await other.get('/v1/contacts', 401, as)
  expect((await bring(other, bytes, 202)).id).toBe(begun.id)
  await other.settle()
  const at = `/v1/workspace-imports/${begun.id}`
  expect(await other.get(at, 200, session)).toMatchObject({ state: 'done', workspaceId: id, slug: 'globex-2' })
  expect((await other.get('/v1/contacts', 200, as)).data).toHaveLength(1)
  expect(await other.get(`${path}/${id}`, 200, session)).toMatchObject({ slug: 'globex-2', suspendedAt: null })
  await t.post(`${path}/${id}/resume`, {}, 403, session)
  expect((await bring(other, bytes, 202)).id).toBe(begun.id)
  await other.cleanUp()
  expect(await mediaStore(other.app).list('wtr_')).toEqual([])
})

test('what does not fit is refused, with the reason, and nothing of it is here', async () => {
  await using t = await testApp(source())
  const { id, as } = await tenant(t)
  await using other = await testApp(target)
  await other.post(path, { slug: 'globex' }, 201, session)
  const toElsewhere = await exported(t, id, 'https://elsewhere.example')
  const bytes = await exported(t, id, other.url)
  const damaged = Uint8Array.from(bytes)
  damaged[bytes.length >> 1] = (damaged[bytes.length >> 1] ?? 0) ^ 1
  for (const [file, reason] of [
    [toElsewhere, 'moves to https://elsewhere.example'],
    [damaged, 'cannot be opened, or is damaged'],
    [bytes, 'there is a workspace globex here'],
  ] as const) {
    const begun = await bring(other, file, 202)
    await other.settle()
    const failed = await other.get(`/v1/workspace-imports/${begun.id}`, 200, session)
    expect([failed.state, failed.detail]).toEqual(['failed', expect.stringContaining(reason)])
    await other.get('/v1/contacts', 401, as)
  }
  // Refused, the same file may come once more.
  expect(await bring(other, bytes, 202, '?slug=second')).toMatchObject({ state: 'waiting' })
  await other.settle()
  await other.get('/v1/contacts', 200, as)
})

test('a body that is not sealed is not taken, nor one without what opens it', async () => {
  await using t = await testApp(target)
  const { apiKey } = await t.stranger()
  await t.unchanged(async () => {
    await bring(t, Buffer.from('age-encryption.or'), 415)
    await bring(t, Buffer.from(`(\xb5/\xfd${'x'.repeat(100)}`), 415)
    await bring(t, new Uint8Array(), 415)
    await t.post('/v1/workspace-imports', Buffer.from('age-encryption.org/v1'), 403, { as: { apiKey } })
    await t.get(`/v1/workspace-imports/x`, 404, session)
  })
  await using bare = await testApp({ isNew: true })
  expect((await bring(bare, Buffer.from('age-encryption.org/v1'), 409)).detail).toContain('BACKUP_PASSPHRASE')
})
