// Files that were sealed with the right passphrase and are of rows that nobody exported: each is refused before anything is written.

import { expect, test } from 'bun:test'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { media } from '../db/tables/media.ts'
import { write } from '../src/core/app.ts'
import { sha256Hex } from '../src/kit/digest.ts'
import type { Manifest } from '../src/operator/tenants/archive-file.ts'
import { importWorkspace, withUnpacked } from '../src/operator/tenants/arrive.ts'
import { idColumns } from '../src/operator/tenants/belongs.ts'
import { Digest, listParts, type PortableRow } from '../src/operator/tenants/portable.ts'
import { vouchFor } from '../src/people/domain-owners.ts'
import { type TestApp, testApp } from './support/app.ts'
import { elsewhere, exported, filled, findReason, keys, source, suspend, target } from './support/moving.ts'
import { png } from './support/picture.ts'
import { freshDirectory } from './support/place.ts'

interface Forged {
  folder: string
  manifest: Manifest
  /** Another workspace of the target, and what is there. */
  victim: {
    id: string
    userId: string
    contact: string
    list: string
    mail: string
    picture: string
    mailbox: string
    keyHash: string
  }
}

const tableOf = (folder: string, name: string) => join(folder, 'tables', `${name}.ndjson`)
const readRows = (folder: string, name: string): PortableRow[] =>
  readFileSync(tableOf(folder, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

/** In place of its rows, of which the file says what it says of real ones. `uncounted`: those that no export would have found. */
function put({ folder, manifest }: Forged, name: string, rows: PortableRow[], uncounted: PortableRow[] = []): void {
  const digest = new Digest()
  for (const row of rows) digest.add(JSON.stringify(row))
  writeFileSync(tableOf(folder, name), [...rows, ...uncounted].map((row) => `${JSON.stringify(row)}\n`).join(''))
  manifest.tables[name] = { rows: digest.rows, digest: `${digest}`, sha256: '' }
}

/** The first row once more, changed. */
function add(forged: Forged, name: string, changes: PortableRow): void {
  const rows = readRows(forged.folder, name)
  expect(rows).not.toEqual([])
  put(forged, name, rows, [{ ...rows[0], ...changes }])
}

/** The first row, changed. */
function change(forged: Forged, name: string, changes: PortableRow): void {
  const [first, ...rest] = readRows(forged.folder, name)
  expect(first).toBeDefined()
  put(forged, name, [{ ...first, ...changes }, ...rest])
}

const oldest = (prefix: string) => `${prefix}_${'0'.repeat(31)}1`
const newest = (prefix: string) => `${prefix}_${'f'.repeat(32)}`

const forgeries: Record<string, [forge: (forged: Forged) => void, reason: string]> = {
  'a row of another workspace': [
    (forged) => add(forged, 'contacts', { id: newest('con'), workspace_id: forged.victim.id }),
    'a row of contacts is not',
  ],
  'a suppression taken from another workspace': [
    (forged) => add(forged, 'suppressions', { workspace_id: forged.victim.id, email_hash: 'x' }),
    'a row of suppressions is not',
  ],
  'a row of no workspace': [
    (forged) => add(forged, 'outbox_jobs', { id: newest('job'), workspace_id: '' }),
    'a row of outbox_jobs is not',
  ],
  'a row whose workspace is no text': [
    (forged) => add(forged, 'contacts', { id: newest('con'), workspace_id: { base64: 'AAAA' } }),
    'a row of contacts is not',
  ],
  'a part of something of another workspace': [
    (forged) => add(forged, 'message_events', { message_id: forged.victim.mail, number: 99 }),
    'a row of message_events is not',
  ],
  'a part of nothing': [
    (forged) => add(forged, 'message_events', { message_id: newest('msg'), number: 99 }),
    'a row of message_events is not',
  ],
  'a contact of another workspace on a list of its own': [
    (forged) => change(forged, 'subscriptions', { contact_id: forged.victim.contact }),
    'what a row of subscriptions names in contacts',
  ],
  'a list of another workspace': [
    (forged) => change(forged, 'subscriptions', { mailing_list_id: forged.victim.list }),
    'what a row of subscriptions names in mailing_lists',
  ],
  'a list of another workspace in a list of them': [
    (forged) => change(forged, 'subscription_sources', { mailing_list_ids: JSON.stringify([forged.victim.list]) }),
    'what a row of subscription_sources names in mailing_lists',
  ],
  'the id of a row of another workspace': [
    (forged) => change(forged, 'contacts', { id: forged.victim.contact }),
    'what a row of contacts names in contacts',
  ],
  'a job that erases another workspace': [
    ({ victim, ...forged }) =>
      change({ victim, ...forged }, 'outbox_jobs', {
        kind: 'erase-workspace',
        payload: JSON.stringify({ id: victim.id }),
      }),
    'what a row of outbox_jobs names in workspaces',
  ],
  'the picture of another workspace': [
    (forged) => {
      const source_id = readRows(forged.folder, 'content_revisions')[0]?.['id'] ?? null
      put(forged, 'media_uses', [{ media_key: forged.victim.picture, source_id }])
    },
    'what a row of media_uses names in media',
  ],
  'a domain of another workspace, without its owner': [
    (forged) => {
      put(forged, 'domain_owners', [])
      change(forged, 'sending_domains', { domain: 'victim.example' })
    },
    'the domain victim.example is of another workspace here',
  ],
  'a mailbox of another workspace, made before it': [
    (forged) => change(forged, 'mailboxes', { id: oldest('mbx'), address_key: forged.victim.mailbox }),
    'the mailbox hello@paquebot.localhost is of another workspace here',
  ],
  'the address that speaks for all': [
    (forged) => change(forged, 'mailboxes', { address_key: 'postmaster@paquebot.localhost' }),
    'the mailbox postmaster@paquebot.localhost is of another workspace here',
  ],
  'what is unique here': [
    (forged) => change(forged, 'api_keys', { key_hash: forged.victim.keyHash }),
    'another workspace here has a key, a token or another thing of this file',
  ],
  'a second factor of somebody else': [
    (forged) => put(forged, 'second_factors', [{ user_id: forged.victim.userId, secret_sealed: '', last_step: 0 }]),
    'a row of second_factors is not',
  ],
  'a person who is no member': [
    (forged) => add(forged, 'users', { id: newest('usr'), email: 'nobody@example.net' }),
    'a person is not',
  ],
  'a member who is somebody else': [
    (forged) => add(forged, 'members', { user_id: forged.victim.userId, role: 'owner' }),
    'a person is not',
  ],
  'another slug than it says': [
    (forged) => change(forged, 'workspaces', { slug: 'postmaster' }),
    'a row of workspaces is not',
  ],
  'a file outside of the store': [
    ({ manifest }) => void Object.assign(manifest.pictures, { '../../../tmp/forged': '' }),
    'a picture is not',
  ],
  'an id that is a statement': [
    ({ manifest }) => void Object.assign(manifest, { id: `ws_') OR 1 OR ('` }),
    'its id is not',
  ],
}

/** Another workspace of the target. */
async function victimOf(t: TestApp): Promise<Forged['victim']> {
  const { workspace, apiKey } = await t.stranger('victim')
  const as = { as: { apiKey } }
  const { id: contact } = await t.contact({ email: 'victim@example.net' }, as)
  const { id: list } = await t.post('/v1/mailing-lists', { name: 'News' }, 201, as)
  const content = [{ type: 'text', text: 'Hello' }]
  await t.post('/v1/transactional/create', { id: 'hi', name: 'Hi', subject: 'Hi', content }, 201, as)
  const sent = await t.post('/v1/transactional/send', { email: 'v@example.net', templateId: 'hi' }, 200, as)
  const { userId } = await t.person('owner', { email: 'owner@victim.example', workspace })
  const headers = { 'content-type': 'application/octet-stream' }
  await t.request('POST', '/v1/media', new Uint8Array(png({ width: 3, height: 2 })), { ...as, headers })
  const [picture] = await t.app.db.select().from(media).where(eq(media.workspaceId, workspace.id))
  await write(t.app, (tx) => vouchFor(tx, { workspaceId: workspace.id, domain: 'victim.example' }))
  const mailbox = await t.post('/v1/mailboxes', { address: 'hello@paquebot.localhost' }, 201, as)
  const things = { contact, list, mail: sent.messageId, picture: picture?.key ?? '', mailbox: mailbox.address }
  return { id: workspace.id, userId, ...things, keyHash: sha256Hex(apiKey) }
}

test('a forged file is refused, whatever in it is not of its workspace, and nothing of it remains', async () => {
  await using t = await testApp(source())
  const from = await filled(t)
  await suspend(t, from)
  await using other = await testApp(target)
  await elsewhere(other)
  const victim = await victimOf(other)
  const path = await exported(t, other.url)
  await withUnpacked(other.app, { path, keys }, async (unpacked) => {
    const bringForged = async (forge: (forged: Forged) => void) => {
      const forged = { folder: join(freshDirectory(), 'forged'), manifest: structuredClone(unpacked.manifest), victim }
      cpSync(unpacked.folder, forged.folder, { recursive: true })
      forge(forged)
      await importWorkspace(other.app, { ...forged, slug: undefined })
    }
    const reasons: Record<string, string> = {}
    await other.unchanged(async () => {
      for (const [name, [forge]] of Object.entries(forgeries)) reasons[name] = await findReason(bringForged(forge))
    })
    const expected = Object.entries(forgeries).map(([name, [, reason]]) => [name, expect.stringContaining(reason)])
    expect(reasons).toEqual(Object.fromEntries(expected))
    await bringForged(() => {})
  })
  await other.get('/v1/contacts', 200, { as: { apiKey: t.apiKey } })
})

test('the kind of each id says in which table it is', async () => {
  await using t = await testApp(source())
  await filled(t)
  const seen = new Set<string>()
  const wrong: string[] = []
  for (const { name, columns, owned } of listParts()) {
    if (owned.of === 'people' || !columns.includes('id')) continue
    const rows = await t.app.db.all<{ prefix: string }>(
      sql.raw(`SELECT DISTINCT substr(id, 1, instr(id, '_') - 1) AS prefix FROM ${name} WHERE typeof(id) = 'text'`),
    )
    for (const { prefix } of rows) {
      seen.add(prefix)
      if (!(idColumns[prefix] ?? []).some(([table]) => table === name)) wrong.push(`${prefix} ${name}`)
    }
  }
  // Who did something, and what was done.
  expect(wrong.sort()).toEqual(['aud audit_log', 'key api_keys', 'mtk mailbox_tokens'])
  expect(seen.size).toBeGreaterThan(25)
})
