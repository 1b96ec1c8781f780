// A workspace moves from one installation to another, with two secrets: everything is there as it was, what waited goes on there and nowhere
// else, links in mails sent before still work, and a file or a target that does not fit leaves nothing.

import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { ownedTables } from '../db/workspace-rows.ts'
import { write } from '../src/core/app.ts'
import { setTrustLevel } from '../src/features/campaigns/reputation/trust-level.ts'
import { testIdOf } from '../src/kit/id.ts'
import { importWorkspace, withUnpacked } from '../src/operator/tenants/arrive.ts'
import { takeBack } from '../src/operator/tenants/depart.ts'
import { findFirstWorkspace } from '../src/people/workspaces.ts'
import { type TestApp, testApp } from './support/app.ts'
import { listOf } from './support/campaign.ts'
import {
  bring,
  elsewhere,
  exported,
  filled,
  findReason,
  keys,
  retired,
  source,
  suspend,
  target,
} from './support/moving.ts'
import { operationsOf } from './support/openapi.ts'

/** Tables that have rows of the workspace. */
async function listTablesOf(t: TestApp, id: string): Promise<string[]> {
  const found: string[] = []
  for (const owned of ownedTables())
    if (owned.of === 'workspace') {
      const isIts = `${owned.by} IN ('${id}', '${testIdOf(id)}')`
      const rows = await t.app.db.all(sql.raw(`SELECT 1 FROM ${owned.table.name} WHERE ${isIts} LIMIT 1`))
      if (rows.length > 0) found.push(owned.table.name)
    }
  return found
}

test('every GET of it answers there as it did here', async () => {
  await using t = await testApp(source())
  const from = await filled(t)
  await suspend(t, from)
  await t.post(`${from.at}/resume`, {}, 200, from.as)
  await t.settle()
  await using other = await testApp(target)
  const { userId } = await elsewhere(other)
  const before = await loadAnswers(t, from.things.ids)
  expect(Object.keys(before).length).toBeGreaterThan(80)
  await suspend(t, from)
  await bring(other, await exported(t, other.url))
  const after = await loadAnswers(other, from.things.ids, t.apiKey)
  const there = (text: string) => text.replaceAll(t.user.id, userId).replaceAll(t.url, other.url)
  const different = Object.entries(before).flatMap(([id, text]) =>
    after[id] === there(text) ? [] : [[id, there(text), after[id]]],
  )
  expect(different).toEqual([])
})

/** What the suspension itself changes, what is of the installation (also the link domain), and the names of people, which are theirs. */
const notCompared = new Set([
  'getWorkspace',
  'listMembers',
  'readEventFeed',
  'listJobs',
  'listAttention',
  'listAuditLog',
  'getInstallation',
])

/** What every GET of the document says that a key may ask for and that answers. */
async function loadAnswers(
  t: TestApp,
  ids: Record<string, string>,
  apiKey = t.apiKey,
): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const { method, path, id, security } of await operationsOf(t)) {
    if (method !== 'GET' || notCompared.has(id)) continue
    if (security.length > 0 && !security.some((scheme: object) => 'apiKey' in scheme)) continue
    const at = path.replaceAll(/\{(\w+)\}/g, (_, name) => ids[`GET ${path} ${name}`] ?? ids[name] ?? 'en')
    const { status, text } = await t.request('GET', at, undefined, { as: { apiKey } })
    if (status === 200) found[id] = text
  }
  return found
}

/** The links of a mail: `List-Unsubscribe`, and the page of the mail. */
function linksOf(raw: Buffer): { leave: string; view: string } {
  const text = raw
    .toString()
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/\r\n\s+/g, ' ')
  const leave = /^List-Unsubscribe: .*<(https?:[^>]+)>/im.exec(text)?.[1] ?? ''
  return { leave, view: /https?:[^\s"<>]+\/view\/[0-9a-f-]+/.exec(text)?.[0] ?? '' }
}
const pathOf = (url: string) => new URL(url).pathname
const nobody = { as: 'nobody' } as const

test('what waited goes on there and nowhere else, and links of mails sent before lead there', async () => {
  await using t = await testApp(source())
  await write(t.app, (tx) => setTrustLevel(tx, t.workspace, 'M1'))
  const { list } = await listOf(t, 2)
  const content = [{ type: 'text', text: 'Hi. {{view_in_browser_url}}' }]
  const campaign = { name: 'July', subject: 'News', mailingListId: list.id, content }
  const { id: campaignId } = await t.post('/v1/campaigns', campaign, 201)
  await t.post(`/v1/campaigns/${campaignId}/send`, {}, 200)
  await t.settle()
  const [sent] = await t.sent()
  const { leave, view } = linksOf(Buffer.from(sent?.raw ?? ''))
  const before = (await t.sent()).length
  await t.template()
  const later = { email: 'late@example.net', templateId: 'hello', scheduledAt: '2026-01-15T13:00:00Z' }
  const { messageId } = await t.mail(later)
  const from = await retired(t)
  await suspend(t, from)
  await write(t.app, (tx) => tx.db.run(sql`UPDATE workspaces SET created_at = 1 WHERE id = ${t.workspace.id}`))
  await using other = await testApp(target)
  const { first } = await elsewhere(other)
  await bring(other, await exported(t, other.url))
  // However old it is.
  expect((await findFirstWorkspace(other.app))?.id).toBe(first.id)
  await t.post(`${from.at}/resume`, {}, 403, from.as)
  await Promise.all([t.advance('2h'), other.advance('2h')])
  // The mails that were captured have moved too.
  expect([(await t.sent()).length, (await other.sent()).length]).toEqual([before, before + 1])
  const key = { as: { apiKey: t.apiKey } }
  expect(await other.get(`/v1/activity/${messageId}`, 200, key)).toMatchObject({ status: 'sent' })
  for (const link of [leave, leave.replace('/u/', '/preferences/'), view]) {
    const led = await t.request('GET', pathOf(link), undefined, nobody)
    const to = led.headers.get('location') ?? ''
    expect([link !== '', led.status, to.startsWith(other.url)]).toEqual([true, 307, true])
    expect((await other.request('GET', pathOf(to), undefined, nobody)).status).toBe(200)
    // Under its own secret nobody but the source makes one.
    expect((await other.request('GET', pathOf(link), undefined, nobody)).status).toBe(404)
  }
  const form = { as: 'nobody', headers: { 'content-type': 'application/x-www-form-urlencoded' } } as const
  const taken = await t.request('POST', pathOf(leave), 'List-Unsubscribe=One-Click', form)
  expect(taken.status).toBe(200)
  const left = () => other.get(`/v1/mailing-lists/${list.id}`, 200, key)
  const { contactCount } = await left()
  await t.settle()
  await other.settle()
  expect((await left()).contactCount).toBe(contactCount - 1)
})

describe('a move that does not come to its end', () => {
  test('goes on where it was cut off, and nothing is served before', async () => {
    await using t = await testApp(source())
    const from = await filled(t)
    await suspend(t, from)
    await using other = await testApp(target)
    await elsewhere(other)
    const path = await exported(t, other.url)
    const change = (statement: string) => write(other.app, (tx) => tx.db.run(sql.raw(statement)))
    await change(`CREATE TRIGGER cut BEFORE INSERT ON subscriptions BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`)
    expect(await findReason(bring(other, path))).toContain('subscriptions')
    await change('DROP TRIGGER cut')
    const { id } = t.workspace
    const between = await listTablesOf(other, id)
    expect([between.includes('contacts'), between.includes('workspaces')]).toEqual([true, false])
    await other.advance('2h')
    expect(await listTablesOf(other, id)).toEqual(between)
    expect((await other.request('GET', '/v1/contacts', undefined, { as: { apiKey: t.apiKey } })).status).toBe(401)
    await bring(other, path)
    await other.get('/v1/contacts', 200, { as: { apiKey: t.apiKey } })
  })

  test('a damaged file is refused, and a row that is missing in the end; of both nothing remains', async () => {
    await using t = await testApp(source())
    const from = await filled(t)
    await suspend(t, from)
    await using other = await testApp(target)
    await elsewhere(other)
    const path = await exported(t, other.url)
    const before = await listTablesOf(other, t.workspace.id)
    const bytes = readFileSync(path)
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
    const damaged = `${path}.damaged`
    writeFileSync(damaged, bytes)
    expect(await findReason(bring(other, damaged))).toContain('cannot be opened, or is damaged')
    const lacking = withUnpacked(other.app, { path, keys }, async (unpacked) => {
      const file = join(unpacked.folder, 'tables', 'consent_records.ndjson')
      writeFileSync(file, readFileSync(file, 'utf8').split('\n').slice(1).join('\n'))
      await importWorkspace(other.app, { ...unpacked, slug: undefined })
    })
    expect(await findReason(lacking)).toContain('consent_records is not as the file says')
    expect(await listTablesOf(other, t.workspace.id)).toEqual(before)
    await t.get(from.at, 200, from.as)
  })

  test('what does not fit is refused before anything is written', async () => {
    await using t = await testApp(source())
    const from = await retired(t)
    expect(await findReason(exported(t, 'https://target.example'))).toContain('Only a suspended workspace moves')
    await using other = await testApp(target)
    await other.stranger('first')
    const read = await exported(t, null)
    await suspend(t, from)
    const path = await exported(t, other.url)
    const elsewhereTo = await exported(t, 'https://target.example')
    await other.unchanged(async () => {
      expect(await findReason(bring(other, read))).toContain('a copy to read')
      expect(await findReason(bring(other, elsewhereTo))).toContain('moves to https://target.example')
      expect(await findReason(bring(other, path))).toContain(' here')
    })
    expect(existsSync(`${path}.part`)).toBe(false)
    await t.post(`${from.at}/resume`, {}, 403, from.as)
    expect(await write(t.app, (tx) => takeBack(tx, t.workspace.id))).toBe(true)
    await t.post(`${from.at}/resume`, {}, 200, from.as)
  })
})
