// Exports of workspaces by API: made in the background by a process of their own, sealed, downloaded by those who keep the installation, and
// gone after a day.

import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { outboxJobs } from '../db/tables/outbox.ts'
import { write } from '../src/core/app.ts'
import { mediaStore } from '../src/features/content/media/store.ts'
import { sha256Hex } from '../src/kit/digest.ts'
import { withUnpacked } from '../src/operator/tenants/arrive.ts'
import { exportJob } from '../src/operator/tenants/export.ts'
import { type RequestOptions, session, type TestApp, testApp } from './support/app.ts'
import { freshDirectory } from './support/place.ts'
import { s3Server } from './support/s3-server.ts'

const passphrase = 'what only the two of us know'
const sealed = { environment: { BACKUP_PASSPHRASE: passphrase } }
const path = '/v1/workspaces'

async function tenant(t: TestApp, slug = 'globex') {
  const { id } = await t.post(path, { slug }, 201, session)
  const { apiKey } = await t.post(`${path}/${id}/api-keys`, { name: 'First' }, 201, session)
  const as: RequestOptions = { as: { apiKey } }
  await t.contact({ email: 'ada@example.net' }, as)
  return { id, as, at: `${path}/${id}/export` }
}

const suspend = (t: TestApp, id: string) => t.post(`${path}/${id}/suspend`, { reason: 'It moves' }, 200, session)

/** Downloads it, and reads what is in it. */
async function download(t: TestApp, at: string) {
  const answer = await fetch(`${t.url}${at}/file`, { headers: { cookie: t.sessionCookie } })
  const bytes = await answer.bytes()
  const file = join(freshDirectory(), 'file')
  writeFileSync(file, bytes)
  const manifest = await withUnpacked(t.app, { path: file, keys: { passphrase } }, async (found) => found.manifest)
  return { bytes, manifest, name: answer.headers.get('content-disposition') }
}

test('one is made in the background, has everything, and is gone after a day', async () => {
  await using t = await testApp(sealed)
  const { id, at } = await tenant(t)
  const { apiKey } = await t.post('/v1/api-keys', { scopes: ['workspaces.manage'] }, 201, session)
  const manager: RequestOptions = { as: { apiKey } }
  expect(await t.get(at, 200, manager)).toMatchObject({ state: 'none', expiresAt: null })
  const begun = await t.post(at, {}, 202, session)
  expect(begun).toMatchObject({ workspaceId: id, state: 'waiting', movesTo: null, url: null, sizeBytes: 0 })
  await t.get(`${at}/file`, 404, session)
  await t.post(at, {}, 409, session)
  await t.settle()
  const done = await t.get(at, 200, session)
  expect(done).toMatchObject({ state: 'done', detail: null, url: `${t.app.config.baseUrl}${at}/file` })
  const { bytes, manifest, name } = await download(t, at)
  expect([bytes.length, sha256Hex(bytes)]).toEqual([done.sizeBytes, done.sha256])
  expect(name).toContain('globex.tar.zst.age')
  expect(manifest).toMatchObject({ id, slug: 'globex', movesTo: null, withoutSecrets: false })
  expect([manifest.tables['contacts']?.rows, manifest.tables['api_keys']?.rows]).toEqual([1, 1])
  const files = () => mediaStore(t.app).list('wtr_')
  expect(await files()).toHaveLength(1)
  await t.advance('25h')
  expect((await t.get(at, 200, manager)).state).toBe('none')
  await t.get(`${at}/file`, 404, manager)
  await t.cleanUp()
  expect(await files()).toEqual([])
})

const places = ['in a folder', 'in an S3-compatible store']

test.each(places)(
  'a download that was cut off goes on where it was, unless it is another file by now: %s',
  async (place) => {
    await using server = await s3Server()
    const elsewhere = place === 'in a folder' ? {} : { ...server.environment, MEDIA_TO: 's3://bucket/files' }
    await using t = await testApp({ environment: { ...sealed.environment, ...elsewhere } })
    const { at } = await tenant(t)
    const made = async () => {
      await t.post(at, {}, 202, session)
      await t.settle()
      return (await t.get(at, 200, session)).sha256
    }
    const load = (headers: Record<string, string>, signal: AbortSignal | null = null) =>
      fetch(`${t.url}${at}/file`, { headers: { ...headers, cookie: t.sessionCookie }, signal })
    const sha256 = await made()
    const cut = new AbortController()
    const begun = await load({}, cut.signal)
    const etag = begun.headers.get('etag') ?? ''
    expect([begun.status, etag]).toEqual([200, `"${sha256}"`])
    const reader = begun.body?.getReader()
    const first = Buffer.from((await reader?.read())?.value ?? []).subarray(0, 1_000)
    expect(first).toHaveLength(1_000)
    cut.abort()
    const range = { range: `bytes=${first.length}-`, 'if-range': etag }
    const rest = await load(range)
    const whole = Buffer.concat([first, await rest.bytes()])
    expect([rest.status, rest.headers.get('content-range')]).toEqual([
      206,
      `bytes ${first.length}-${whole.length - 1}/${whole.length}`,
    ])
    expect(rest.headers.get('content-disposition')).toContain('globex.tar.zst.age')
    expect(sha256Hex(whole)).toBe(sha256)
    const some = await load({ range: 'bytes=10-19' })
    expect([some.status, some.headers.get('content-length')]).toEqual([206, '10'])
    expect(await some.bytes()).toEqual(new Uint8Array(whole.subarray(10, 20)))
    expect(await (await load({ range: 'bytes=-7' })).bytes()).toEqual(new Uint8Array(whole.subarray(-7)))
    for (const odd of ['bytes=9-3', 'bytes=-', 'lines=1-2']) expect((await load({ range: odd })).status).toBe(200)
    expect((await load({ range: `bytes=${whole.length}-` })).status).toBe(416)
    expect((await fetch(`${t.url}${at}/file`, { headers: range })).status).toBe(401)
    const another = await made()
    expect(another).not.toBe(sha256)
    const anew = await load(range)
    expect([anew.status, sha256Hex(Buffer.from(await anew.bytes()))]).toEqual([200, another])
  },
)

test('only those who keep the installation see that there is one', async () => {
  await using t = await testApp(sealed)
  const { as, at } = await tenant(t)
  await t.post(at, {}, 202, session)
  await t.settle()
  const { as: member } = await t.person('member')
  const { apiKey } = await t.post('/v1/api-keys', { scopes: ['contacts.read'] }, 201, session)
  await t.unchanged(async () => {
    for (const [who, status] of [
      [as, 404],
      [member, 403],
      [{ as: { apiKey } } as const, 403],
    ] as const) {
      expect((await t.request('POST', at, {}, who)).status).toBe(status)
      expect((await t.request('GET', at, undefined, who)).status).toBe(status)
      expect((await t.request('GET', `${at}/file`, undefined, who)).status).toBe(status)
    }
  })
  const managing = await t.post('/v1/api-keys', { scopes: ['workspaces.manage'] }, 201, session)
  const manager: RequestOptions = { as: { apiKey: managing.apiKey } }
  expect((await t.request('GET', `${at}/file`, undefined, manager)).status).toBe(200)
})

test('one that moves is suspended, and leads its links there from the answer on', async () => {
  await using t = await testApp(sealed)
  const { id, at } = await tenant(t)
  const movesTo = 'https://other.example'
  await t.unchanged(async () => {
    await t.post(at, { movesTo }, 409, session)
    await t.post(at, { movesTo: t.app.config.baseUrl }, 409, session)
    const refused = await t.post(at, { movesTo: 'other.example' }, 422, session)
    expect(refused.errors[0].path).toBe('movesTo')
  })
  await suspend(t, id)
  expect(await t.post(at, { movesTo: `${movesTo}/` }, 202, session)).toMatchObject({ movesTo })
  await t.post(`${path}/${id}/resume`, {}, 403, session)
  await t.settle()
  const { manifest } = await download(t, at)
  expect(manifest).toMatchObject({ movesTo, from: t.app.config.baseUrl })
  expect(manifest.linkSecret?.length).toBeGreaterThan(40)
})

test('one that fails says why, and a new one takes its place', async () => {
  await using t = await testApp(sealed)
  const { id, at } = await tenant(t)
  const { userId } = await t.person('member', { email: 'grace@example.net' })
  const change = (statement: ReturnType<typeof sql>) => write(t.app, (tx) => tx.db.run(statement))
  await change(sql`UPDATE members SET workspace_id = ${id} WHERE user_id = ${userId}`)
  // Nothing opens it.
  await change(sql`INSERT INTO second_factors (user_id, secret_sealed, last_step, confirmed_at, created_at)
    VALUES (${userId}, 'no seal', 0, 1, 1)`)
  await t.post(at, {}, 202, session)
  for (let attempt = 0; attempt < 5; attempt++) await t.advance('2m')
  const failed = await t.get(at, 200, session)
  expect(failed).toMatchObject({ state: 'failed', url: null })
  expect(failed.detail).toContain('paquebot:')
  await change(sql`DELETE FROM second_factors`)
  await t.post(at, {}, 202, session)
  await t.settle()
  expect(await t.get(at, 200, session)).toMatchObject({ state: 'done', detail: null })
})

test('needs what seals it, and keeps twenty at most', async () => {
  await using bare = await testApp()
  const { at } = await tenant(bare)
  const refused = await bare.unchanged(() => bare.post(at, {}, 409, session))
  expect(refused.detail).toContain('BACKUP_PASSPHRASE')
  await using t = await testApp(sealed)
  for (let n = 0; n < 20; n++) {
    const { id } = await t.post(path, { slug: `globex-${n}` }, 201, session)
    await t.post(`${path}/${id}/export`, {}, 202, session)
  }
  const { id } = await t.post(path, { slug: 'too-many' }, 201, session)
  const full = await t.unchanged(() => t.post(`${path}/${id}/export`, {}, 409, session))
  expect(full.detail).toContain('At most 20 files')
})

test('of a workspace that is erased nothing is kept, and an export that was running ends', async () => {
  await using t = await testApp(sealed)
  const { id, at } = await tenant(t)
  await t.post(at, {}, 202, session)
  await t.settle()
  await suspend(t, id)
  const other = await tenant(t, 'initech')
  await t.post(other.at, {}, 202, session)
  await suspend(t, other.id)
  await t.delete(`${path}/${id}`, { confirm: 'globex' }, 202, session)
  await t.delete(`${path}/${other.id}`, { confirm: 'initech' }, 202, session)
  await t.advance('2h')
  await t.cleanUp()
  expect(await mediaStore(t.app).list('wtr_')).toEqual([])
  const jobs = await t.app.db.select().from(outboxJobs).where(eq(outboxJobs.kind, exportJob.kind))
  expect(jobs.map(({ state }) => state).sort()).toEqual(['cancelled', 'done'])
})
