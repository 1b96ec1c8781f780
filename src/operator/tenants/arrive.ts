// Brings a workspace in from a file. Until its last commit nothing of it is served and none of its jobs runs; that commit comes after every
// table was read back and is as the file says. A run that was cut off is gone on with by the next one; one that fails leaves nothing.

import { existsSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import { type End, openEnd } from '../../../db/copy-ends.ts'
import { isUniqueViolation } from '../../../db/faults.ts'
import { receivedMessages } from '../../../db/tables/mailboxes.ts'
import { workspaceMoves } from '../../../db/tables/moves.ts'
import { workspaces } from '../../../db/tables/workspaces.ts'
import { unrecorded } from '../../../db/unrecorded.ts'
import { type App, Steps, type Tx, write } from '../../core/app.ts'
import { arrivingPath, mediaStore } from '../../features/content/media/store.ts'
import { insertText } from '../../features/mailboxes/search-index.ts'
import { sha256Hex } from '../../kit/digest.ts'
import { AppError } from '../../kit/error.ts'
import { isTestWorkspace, newId, testIdOf } from '../../kit/id.ts'
import { makePrivateFolder } from '../../kit/private-file.ts'
import { linkContext } from '../../people/moves.ts'
import { testSlugOf } from '../../people/test-workspace.ts'
import { type Keys, unpack } from '../backup/pack.ts'
import { inTemporary } from '../backup/plain-copy.ts'
import { type Manifest, picturePath, readLines, readManifest } from './archive-file.ts'
import { mustBelong } from './belongs.ts'
import { schemaName } from './depart.ts'
import { forgetArrival } from './erase.ts'
import { Digest, listParts, openRow, type Part, type PortableRow, readPart, sealRow, type Value } from './portable.ts'
import { mustBeFree } from './taken.ts'

const perStep = { least: 20, most: 1_000 }
const largePerStep = { least: 1, most: 16 }
/** `usr_` and 32 digits: a person of another installation is known by another id here. */
const userId = /usr_[0-9a-f]{32}/g

interface Arrival {
  /** Where the file was unpacked. */
  folder: string
  manifest: Manifest
  /** In place of the one that it had. */
  slug: string | undefined
}

/** Runs `work` with what is in the file, which is whole. Throws `conflict` for one that is not, or cannot be opened. */
export async function withUnpacked<T>(
  app: App,
  { path, keys }: { path: string; keys: Keys },
  work: (unpacked: Pick<Arrival, 'folder' | 'manifest'>) => Promise<T>,
): Promise<T> {
  if (!existsSync(path)) throw new AppError('not_found', `there is no file ${path}`)
  return await inTemporary(app.config.dataDir, async (folder) => {
    await unpack(path, folder, keys, { known: path, mustBeSealed: false })
    return await work({ folder, manifest: await readManifest(folder, path) })
  })
}

/**
 * Brings it in. The same file once more, after it came: nothing is changed. Throws `conflict` before anything is written, or after all of it
 * was removed.
 */
export async function importWorkspace(app: App, arrival: Arrival): Promise<void> {
  const { manifest, folder } = arrival
  const file = sha256Hex(JSON.stringify(manifest))
  if (await hasCome(app, manifest.id, file)) return
  await refuseOther(app, arrival)
  await mustBelong(app, arrival)
  const people = await matchPeople(app, folder)
  const { from, run } = await beginArrival(app, manifest, file)
  try {
    await writeRows(app, arrival, { people, from, run })
    await storePictures(app, arrival)
    const { databaseUrl, databaseAuthToken } = app.config
    const end = await openEnd(databaseUrl, { authToken: databaseAuthToken })
    try {
      for (const part of listParts()) if (!part.isEntry) await verify(app, end, { part, arrival, people })
    } finally {
      end.close()
    }
    await enter(app, arrival, { people, run })
  } catch (error) {
    const refusal = isUniqueViolation(error) ? hasItsLike : error
    if (refusal instanceof AppError) await forgetArrival(app, manifest.id)
    throw refusal
  }
}

const hasItsLike = new AppError(
  'conflict',
  'another workspace here has a key, a token or another thing of this file of which there is only one',
)

async function hasCome(app: App, id: string, file: string): Promise<boolean> {
  const [move] = await app.db.select().from(workspaceMoves).where(eq(workspaceMoves.workspaceId, id))
  if (move?.file !== file || move.absent !== null) return false
  return (await app.db.select().from(workspaces).where(eq(workspaces.id, id))).length > 0
}

/** Of two that run at once, as after a process that was thought to have ended, the later one writes. */
async function mustBeRun(tx: Tx, id: string, run: string): Promise<void> {
  const [move] = await tx.db.select().from(workspaceMoves).where(eq(workspaceMoves.workspaceId, id))
  if (move?.absent !== 'arriving' || move.run !== run)
    throw new Error('another import of this workspace has begun, or it was removed; this one ends')
}

/** What can be known before anything is written. */
async function refuseOther(app: App, { manifest, slug = manifest.slug, folder }: Arrival): Promise<void> {
  const refuse = (reason: string) => {
    throw new AppError('conflict', reason)
  }
  const { id, schema, movesTo, withoutSecrets } = manifest
  if (withoutSecrets) refuse('this file was not sealed: what opens something is not in it, and it can only be read')
  if (movesTo === null)
    refuse(
      'this is a copy to read: the workspace goes on where it is, and both would send its mail; export it with --moves-to',
    )
  if (movesTo !== app.config.baseUrl) refuse(`this workspace moves to ${movesTo}, and here is ${app.config.baseUrl}`)
  if (schema !== schemaName)
    refuse(
      `it comes from a version with the migration ${schema}, and here is ${schemaName}: bring both to the same version`,
    )
  const [here] = await app.db
    .select()
    .from(workspaces)
    .where(inArray(workspaces.id, [id, testIdOf(id)]))
  if (here) refuse(`this workspace is here already, as ${here.slug}`)
  const [named] = await app.db.select().from(workspaces).where(eq(workspaces.slug, slug))
  if (named) refuse(`there is a workspace ${slug} here; name another one with --slug`)
  await mustBeFree(app, { folder, manifest })
}

/** Ids of people here by their ids there, of those who have another one. */
type People = Map<string, string>

/** They are the same where their address is. Throws where an id is somebody else's here. */
async function matchPeople(app: App, folder: string): Promise<People> {
  const people: People = new Map()
  for await (const line of readLines(folder, 'users')) {
    const { id, email } = JSON.parse(line)
    const found = await app.db.all<{ id: string; email: string }>(
      sql`SELECT id, email FROM users WHERE email = ${email} OR id = ${id}`,
    )
    const here = found.find((one) => one.email === email)
    if (here === undefined && found.length > 0) throw new AppError('conflict', `${id} is another person here`)
    if (here !== undefined) people.set(id, here.id)
  }
  return people
}

const renamed = (text: string, people: People) => text.replaceAll(userId, (id) => people.get(id) ?? id)

/** How many lines are written already, and the name of this run. What another file had brought is removed first. */
async function beginArrival(
  app: App,
  { id, linkSecret }: Manifest,
  file: string,
): Promise<{ from: number; run: string }> {
  const run = newId(app, 'run', app.clock.now())
  const [before] = await app.db.select().from(workspaceMoves).where(eq(workspaceMoves.workspaceId, id))
  if (before?.absent === 'erasing')
    throw new AppError('conflict', 'this workspace is being erased here; try again when it is gone')
  if (before?.absent === 'arriving' && before.file === file) return { from: await takeOver(app, id, run), run }
  if (before?.absent === 'arriving') await forgetArrival(app, id)
  const linkSecretSealed = await app.sealer.seal(linkSecret ?? '', linkContext(id))
  await write(app, async (tx) => {
    for (const workspaceId of [id, testIdOf(id)]) {
      const row = { absent: 'arriving' as const, file, run, lines: 0, movedTo: null, updatedAt: tx.now }
      const own = { ...row, linkSecretSealed: workspaceId === id ? linkSecretSealed : null }
      await tx.db
        .insert(workspaceMoves)
        .values({ workspaceId, ...own, createdAt: tx.now })
        .onConflictDoUpdate({ target: workspaceMoves.workspaceId, set: own })
    }
  })
  return { from: 0, run }
}

/** Returns how many lines the former run has written; it writes no more. */
async function takeOver(app: App, id: string, run: string): Promise<number> {
  return await write(app, async (tx) => {
    const [move] = await tx.db
      .update(workspaceMoves)
      .set({ run, updatedAt: tx.now })
      .where(eq(workspaceMoves.workspaceId, id))
      .returning({ lines: workspaceMoves.lines })
    return move?.lines ?? 0
  })
}

async function writeRows(
  app: App,
  { folder, manifest }: Arrival,
  { people, from, run }: { people: People; from: number; run: string },
) {
  let passed = 0
  for (const part of listParts()) {
    if (part.isEntry) continue
    const steps = new Steps(app, '', part.owned.table.bytes.length > 0 ? largePerStep : perStep)
    let rows: PortableRow[] = []
    const flush = async () => {
      const some = rows
      rows = []
      if (some.length === 0) return
      await steps.write(async (tx) => {
        await mustBeRun(tx, manifest.id, run)
        await insertRows(tx, part, some)
        await tx.db.run(
          sql`UPDATE workspace_moves SET lines = lines + ${sql.raw(String(some.length))} WHERE workspace_id = ${manifest.id}`,
        )
      }, some.length)
    }
    let size = steps.size()
    for await (const line of readLines(folder, part.name)) {
      if (++passed <= from) continue
      rows.push(await sealRow(app, part, JSON.parse(renamed(line, people))))
      if (rows.length < size) continue
      await flush()
      size = steps.size()
    }
    await flush()
  }
}

const isBytes = (value: Value | undefined): value is { base64: string } => typeof value === 'object' && value !== null

/** Without lines in the audit log, and nothing follows from single rows. */
async function insertRows(tx: Tx, part: Part, rows: PortableRow[]): Promise<void> {
  await unrecorded(tx, async () => {
    const [last] = await tx.db.all<{ position: number }>(
      sql`SELECT coalesce(max(position), 0) AS position FROM activity_changes`,
    )
    if (part.name === 'received_texts') for (const row of rows) await insertReceivedText(tx, row)
    else await insertAll(tx, part, rows)
    // What comes is no news to who watches the activity.
    if (part.name === 'message_events')
      await tx.db.run(sql`DELETE FROM activity_changes WHERE position > ${sql.raw(String(last?.position ?? 0))}`)
  })
}

async function insertAll(tx: Tx, { name, columns, owned }: Part, rows: PortableRow[]): Promise<void> {
  const { bytes } = owned.table
  const values = columns.map((column, at) => {
    const value = `item.value ->> ${at}`
    if (column === 'event_sequence')
      return `coalesce((SELECT e.sequence FROM webhook_events AS e WHERE e.id = ${value}), 0)`
    return bytes.includes(column) ? `unhex(${value})` : value
  })
  const list = rows.map((row) =>
    columns.map((column) => {
      const value = row[column]
      return isBytes(value) ? Buffer.from(value.base64, 'base64').toString('hex') : (value ?? null)
    }),
  )
  await tx.db.run(
    sql`INSERT INTO ${sql.raw(`"${name}" (${columns.map((column) => `"${column}"`).join(', ')}) SELECT ${values.join(', ')}`)}
      FROM (SELECT key, jsonb(value) AS value FROM json_each(${JSON.stringify(list)}) LIMIT -1) AS item WHERE true ORDER BY item.key`,
  )
}

/** Its number is by when it was received, and free here. */
async function insertReceivedText(tx: Tx, row: PortableRow): Promise<void> {
  const [id, mailboxId] = [String(row['received_id']), String(row['mailbox_id'])]
  const [received] = await tx.db
    .select({ createdAt: receivedMessages.createdAt })
    .from(receivedMessages)
    .where(eq(receivedMessages.id, id))
  if (!received) throw new AppError('conflict', `the text of ${id} has no mail`)
  const body = row['body'] === null ? null : String(row['body'])
  const words = { subject: String(row['subject']), sender: String(row['sender']), body }
  await insertText(tx, { id, mailboxId, ...received }, words)
}

/** Their files come before the rows that name them are served. */
async function storePictures(app: App, { folder, manifest }: Arrival): Promise<void> {
  const store = mediaStore(app)
  makePrivateFolder(store.workFolder)
  for (const id of Object.keys(manifest.pictures)) {
    if ((await store.list(id)).includes(id)) continue
    const path = arrivingPath(store, id)
    await copyFile(picturePath(folder, id), path)
    await store.put(id, path)
  }
}

/** Throws unless what is here is what was there. */
async function verify(
  app: App,
  end: Pick<End, 'rows'>,
  { part, arrival, people }: { part: Part; arrival: Arrival; people: People },
): Promise<void> {
  const { manifest } = arrival
  const there = new Map([...people].map(([one, other]) => [other, one]))
  const digest = new Digest()
  for await (const rows of readPart(end, part, manifest.id))
    for (const row of rows)
      digest.add(renamed(JSON.stringify(await openRow(app, part, withSlug(row, part, manifest.slug))), there))
  const expected = manifest.tables[part.name]
  if (expected?.rows === digest.rows && expected.digest === `${digest}`) return
  const counts = `${digest.rows} rows, not ${expected?.rows ?? 'any'}`
  throw new AppError('conflict', `${part.name} is not as the file says (${counts}); all that had arrived was removed`)
}

/** The commit from which on it is served: its people and what opens it, checked in the same transaction. */
async function enter(app: App, arrival: Arrival, { people, run }: { people: People; run: string }): Promise<void> {
  const { folder, manifest } = arrival
  const { id } = manifest
  const prepared: { part: Part; rows: PortableRow[] }[] = []
  for (const part of listParts().filter(({ isEntry }) => isEntry)) {
    const rows: PortableRow[] = []
    for await (const line of readLines(folder, part.name)) {
      const row: PortableRow = JSON.parse(line)
      if (part.owned.of === 'people' && people.has(String(row['user_id'] ?? row['id']))) continue
      rows.push(withSlug(await sealRow(app, part, JSON.parse(renamed(line, people))), part, arrival.slug))
    }
    prepared.push({ part, rows })
  }
  await write(app, async (tx) => {
    await mustBeRun(tx, id, run)
    for (const { part, rows } of prepared) await insertRows(tx, part, rows)
    const end = { rows: async (text: string, args: unknown[] = []) => await tx.db.values(toSql(text, args)) }
    for (const { part } of prepared)
      if (part.owned.of !== 'people') await verify(app, end as Pick<End, 'rows'>, { part, arrival, people })
    const open = { suspendedAt: null, suspendedReason: null, updatedAt: tx.now }
    await tx.db
      .update(workspaces)
      .set(open)
      .where(inArray(workspaces.id, [id, testIdOf(id)]))
    await tx.db.delete(workspaceMoves).where(eq(workspaceMoves.workspaceId, testIdOf(id)))
    await tx.db
      .update(workspaceMoves)
      .set({ absent: null, run: null, lines: 0 })
      .where(eq(workspaceMoves.workspaceId, id))
  })
}

/** A workspace, and its test workspace, under another slug. */
function withSlug(row: PortableRow, { name }: Part, slug: string | undefined): PortableRow {
  if (name !== 'workspaces' || slug === undefined) return row
  return { ...row, slug: isTestWorkspace(String(row['id'])) ? testSlugOf(slug) : slug }
}

/** Each `?` of the text is one of the values. */
function toSql(text: string, values: unknown[]): SQL {
  const parts = text.split('?').map((part) => sql.raw(part))
  return sql.join(parts.flatMap((part, at) => (at === 0 ? [part] : [sql`${values[at - 1]}`, part])))
}
