// Whether everything in the file of a workspace is of that workspace. Whoever knows the passphrase can seal a file of any rows, so a row is
// believed only when it names the workspace, or is a part of a row in the file that does, and when no id in it is of another workspace here.

import { Database as SQLite } from 'bun:sqlite'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { App } from '../../core/app.ts'
import { AppError } from '../../kit/error.ts'
import { testIdOf } from '../../kit/id.ts'
import { ownValue } from '../../kit/own-value.ts'
import { testSlugOf } from '../../people/test-workspace.ts'
import { type Manifest, readLines } from './archive-file.ts'
import { idsOf, listParts, type Part, type PortableRow, type Value } from './portable.ts'

const lookedUpAtOnce = 1_000
const keptAtOnce = 1_000
const workspaceId = /^ws_[0-9a-f]{32}$/
const wholeId = /^([a-z]{2,5})_[0-9a-f]{32}$/
const quotedId = /"([a-z]{2,5}_[0-9a-f]{32})"/g

type IdColumn = [table: string, column: string]

/**
 * Where the ids of each kind are, by their prefix. A thread has no table: it is known by who wrote in it. Keys are not among them: what stands
 * here of another workspace's is only who did something, as the operator's key does that suspends.
 */
export const idColumns: Record<string, IdColumn[]> = {
  act: [['held_actions', 'id']],
  blk: [['blocks', 'id']],
  cap: [['captured_mails', 'source_id']],
  cmp: [['campaigns', 'id']],
  cns: [['consent_records', 'id']],
  cnt: [['message_contents', 'source_id']],
  con: [['contacts', 'id']],
  dom: [['sending_domains', 'id']],
  enr: [['sequence_enrolments', 'id']],
  evt: [['events', 'id']],
  grp: [['message_groups', 'id']],
  imp: [['contact_imports', 'id']],
  int: [['payment_integrations', 'id']],
  inv: [['invitations', 'id']],
  job: [['outbox_jobs', 'id']],
  lst: [['mailing_lists', 'id']],
  mbx: [['mailboxes', 'id']],
  mcp: [['mcp_calls', 'id']],
  med: [['media', 'id']],
  msg: [
    ['messages', 'id'],
    ['mailbox_drafts', 'id'],
  ],
  rcv: [['received_messages', 'id']],
  rec: [['recurring_campaigns', 'id']],
  rev: [['content_revisions', 'id']],
  rpt: [['domain_reports', 'id']],
  rule: [['event_rules', 'id']],
  run: [['sequence_runs', 'id']],
  seg: [['segments', 'id']],
  seq: [['sequences', 'id']],
  sig: [['sequence_signals', 'id']],
  src: [['subscription_sources', 'id']],
  sub: [['subscriptions', 'id']],
  thr: [
    ['mailbox_replies', 'thread_id'],
    ['mailbox_drafts', 'thread_id'],
  ],
  tpl: [['templates', 'id']],
  wh: [['webhook_events', 'id']],
  whd: [['webhook_deliveries', 'id']],
  whe: [['webhook_endpoints', 'id']],
  ws: [['workspaces', 'id']],
  wst: [['workspaces', 'id']],
}
/** What is no such id, or one that is looked up nowhere else. */
const otherColumns: Record<string, IdColumn> = {
  'api_keys id': ['api_keys', 'id'],
  'mailbox_tokens id': ['mailbox_tokens', 'id'],
  'media key': ['media', 'key'],
  'media_uses media_key': ['media', 'key'],
}
/** JSON of ours, with ids in it. JSON of callers may say anything. */
const withIds = new Set([
  'campaigns audience_filter',
  'campaigns segment_filter',
  'confirmations mailing_list_ids',
  'content_revisions content',
  'event_rules filter',
  'mailboxes writes_to',
  'outbox_jobs payload',
  'recurring_campaigns draft',
  'segments filter',
  'sequence_versions definition',
  'sequences draft',
  'subscription_sources mailing_list_ids',
])
/** What was done, to things that may be gone: nothing follows from it. */
const histories = new Set(['audit_changes', 'audit_log'])

interface Unpacked {
  folder: string
  manifest: Manifest
}

/** Throws `conflict` unless it is. Nothing is written. */
export async function mustBelong(app: App, { folder, manifest }: Unpacked): Promise<void> {
  if (!workspaceId.test(manifest.id)) throw foreign('its id')
  const parts = listParts()
  using wholes = new Wholes(parts, join(folder, 'wholes.db'))
  for (const part of parts) if (part.owned.of === 'workspace') await walk(app, { folder, manifest, part, wholes })
  for (const part of parts) if (part.owned.of === 'part') await walk(app, { folder, manifest, part, wholes })
  await mustBeItsPeople(folder)
  await mustBeItsPictures({ folder, manifest })
}

const foreign = (what: string) => new AppError('conflict', `${what} is not of the workspace of this file`)

/** Each row of a table. */
async function walk(app: App, { folder, manifest, part, wholes }: Unpacked & { part: Part; wholes: Wholes }) {
  const ids = [manifest.id, testIdOf(manifest.id)]
  const slugs = [manifest.slug, testSlugOf(manifest.slug)]
  const { name, owned } = part
  let looked = new Lookup(app, name, ids)
  for await (const line of readLines(folder, name)) {
    const row: PortableRow = JSON.parse(line)
    const at = owned.of === 'workspace' ? ids.indexOf(String(row[owned.by])) : 0
    if (at < 0 || (name === 'workspaces' && row['slug'] !== slugs[at])) throw foreign(`a row of ${name}`)
    if (owned.of === 'workspace') wholes.add(name, row)
    if (owned.of === 'part' && !owned.ways.some(([column, table, its]) => wholes.has(table, its, row[column])))
      throw foreign(`a row of ${name}`)
    if (!histories.has(name)) looked.add(part, row)
    if (looked.size < lookedUpAtOnce) continue
    await looked.run()
    looked = new Lookup(app, name, ids)
  }
  await looked.run()
}

/** What rows of the file may be parts of: there may be millions, so they are in a file of their own. */
class Wholes implements Disposable {
  readonly #file: SQLite
  readonly #columns = new Map<string, Set<string>>()
  #added: [name: string, value: Value | undefined][] = []

  constructor(parts: Part[], path: string) {
    this.#file = new SQLite(path)
    // It is made anew by each import.
    this.#file.run('PRAGMA journal_mode = OFF')
    this.#file.run('PRAGMA synchronous = OFF')
    this.#file.run('CREATE TABLE wholes (name, value, PRIMARY KEY (name, value)) WITHOUT ROWID')
    for (const { owned } of parts)
      if (owned.of === 'part')
        for (const [, table, its] of owned.ways)
          this.#columns.set(table, (this.#columns.get(table) ?? new Set()).add(its))
  }

  add(table: string, row: PortableRow): void {
    for (const its of this.#columns.get(table) ?? []) this.#added.push([`${table} ${its}`, row[its]])
    if (this.#added.length >= keptAtOnce) this.#keep()
  }

  #keep(): void {
    const added = JSON.stringify(this.#added)
    this.#added = []
    this.#file
      .query("INSERT OR IGNORE INTO wholes SELECT value ->> 0, value ->> 1 FROM json_each(?) WHERE value ->> 1 <> ''")
      .run(added)
  }

  has(table: string, its: string, value: unknown): boolean {
    if (typeof value !== 'string') return false
    if (this.#added.length > 0) this.#keep()
    return this.#file.query('SELECT 1 FROM wholes WHERE name = ? AND value = ?').get(`${table} ${its}`, value) !== null
  }

  [Symbol.dispose](): void {
    this.#file.close()
  }
}

/** Ids in some rows of a table, which are looked up together. */
class Lookup {
  size = 0
  readonly #values = new Map<string, { place: IdColumn; values: Set<string> }>()
  readonly #app: App
  readonly #name: string
  readonly #own: string[]

  constructor(app: App, name: string, own: string[]) {
    this.#app = app
    this.#name = name
    this.#own = own
  }

  add({ columns }: Part, row: PortableRow): void {
    for (const column of columns) {
      const value = row[column]
      if (typeof value !== 'string') continue
      const place = ownValue(otherColumns, `${this.#name} ${column}`)
      if (place) this.#note(place, value)
      else if (wholeId.test(value)) this.#noteId(value)
      else if (withIds.has(`${this.#name} ${column}`))
        for (const [, id = ''] of value.matchAll(quotedId)) this.#noteId(id)
    }
  }

  #noteId(id: string): void {
    if (this.#own.includes(id)) return
    for (const place of ownValue(idColumns, id.slice(0, id.indexOf('_'))) ?? []) this.#note(place, id)
  }

  #note(place: IdColumn, value: string): void {
    const key = place.join(' ')
    const noted = this.#values.get(key) ?? { place, values: new Set() }
    this.#values.set(key, noted)
    if (noted.values.has(value)) return
    noted.values.add(value)
    this.size++
  }

  /** Throws `conflict` where one is of another workspace here. */
  async run(): Promise<void> {
    for (const { place, values } of this.#values.values()) {
      const [table, column] = place
      const whose = table === 'workspaces' ? 'id' : 'workspace_id'
      const found = await this.#app.db.all(
        sql`SELECT 1 FROM ${sql.raw(table)} WHERE ${sql.raw(column)} IN (SELECT value FROM json_each(${JSON.stringify([...values])}))
          AND ${sql.raw(`${whose} NOT IN (${idsOf(this.#own[0] ?? '')})`)} LIMIT 1`,
      )
      if (found.length > 0) throw foreign(`what a row of ${this.#name} names in ${table}`)
    }
  }
}

/** Those who are members of it and nobody else, with what they sign in with. */
async function mustBeItsPeople(folder: string): Promise<void> {
  const [users, members] = [await loadValues(folder, 'users', 'id'), await loadValues(folder, 'members', 'user_id')]
  const all = new Set(users)
  if (all.size !== new Set(members).size || members.some((id) => !all.has(id))) throw foreign('a person')
  for (const name of ['second_factors', 'recovery_codes'])
    if ((await loadValues(folder, name, 'user_id')).some((id) => !all.has(id))) throw foreign(`a row of ${name}`)
}

async function mustBeItsPictures({ folder, manifest }: Unpacked): Promise<void> {
  const pictures = new Set(await loadValues(folder, 'media', 'id'))
  if (Object.keys(manifest.pictures).some((id) => !pictures.has(id) || !wholeId.test(id))) throw foreign('a picture')
}

async function loadValues(folder: string, name: string, column: string): Promise<string[]> {
  const values: string[] = []
  for await (const line of readLines(folder, name)) values.push(String(JSON.parse(line)[column]))
  return values
}
