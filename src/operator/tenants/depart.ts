// Writes a workspace into one file: as a copy to read, or to move it. One that moves is suspended, and from the commit before the file is
// begun its links lead to where it goes: what arrives after that is not in the file, and is forwarded.

import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { eq, sql } from 'drizzle-orm'
import { type End, openEnd } from '../../../db/copy-ends.ts'
import { openMoment } from '../../../db/copy-file.ts'
import { migrations } from '../../../db/migrations/list.ts'
import { workspaceMoves } from '../../../db/tables/moves.ts'
import { type App, type Tx, write } from '../../core/app.ts'
import { mediaStore } from '../../features/content/media/store.ts'
import { AppError } from '../../kit/error.ts'
import { testIdOf } from '../../kit/id.ts'
import { privateFile } from '../../kit/private-file.ts'
import { linkContext } from '../../people/moves.ts'
import { getWorkspaceBySlug, type Workspace } from '../../people/workspaces.ts'
import { pack, type Seal } from '../backup/pack.ts'
import { inTemporary } from '../backup/plain-copy.ts'
import { hashFile, type Manifest, makeFolders, newManifest, picturePath, TableFile, toSources } from './archive-file.ts'
import { Digest, idsOf, listParts, openRow, type Part, type PortableRow, readPart } from './portable.ts'
import { mustNotBeFirst } from './tenants.ts'

export const schemaName = migrations.at(-1)?.name ?? ''
const secretBytes = 32
/** A server keeps no view of one moment for so long: there the tables are read again, until nothing has changed between. */
const readings = 3
/** What is no secret without a seal: everything but these. */
const secret = /hash|sealed|token|verify_with|password/

export interface Departure {
  slug: string
  /** The file; it must not exist. */
  path: string
  /** BASE_URL of the installation to which it moves; null: a copy to read. */
  movesTo: string | null
  /** Null: what opens something is left out, and it can only be read. */
  seal: Seal | null
}

/** Throws `conflict` for a file that exists, for a workspace that moves and is not suspended, and while its jobs run. */
export async function exportWorkspace(app: App, { slug, path, movesTo, seal }: Departure): Promise<Manifest> {
  if (existsSync(path)) throw new AppError('conflict', `${path} exists already`)
  const workspace = await getWorkspaceBySlug(app, slug)
  const { id } = workspace
  const linkSecret = movesTo === null ? null : await beginMove(app, workspace, movesTo)
  const known = { id, slug, name: workspace.name, from: app.config.baseUrl, movesTo, linkSecret }
  const madeAt = app.clock.now().toISOString()
  const manifest = newManifest({ ...known, schema: schemaName, madeAt, withoutSecrets: seal === null })
  return await inTemporary(app.config.dataDir, async (folder) => {
    await makeFolders(folder)
    await readTables(app, folder, manifest)
    await readPictures(app, folder, manifest)
    const part = `${path}.part`
    rmSync(part, { force: true })
    await pack(toSources(folder, manifest), part, seal)
    renameSync(part, path)
    return manifest
  })
}

/** Returns the secret of its links. Once more: to where is another, under the same secret. */
async function beginMove(app: App, workspace: Workspace, movesTo: string): Promise<string> {
  const { id } = workspace
  const linkSecretSealed = await sealLinkSecret(app, id)
  const sealed = await write(app, (tx) => noteMove(tx, id, { movesTo, linkSecretSealed }))
  const running = sql`state = 'running' AND workspace_id IN (${sql.raw(idsOf(id))})`
  if ((await app.db.all(sql`SELECT 1 FROM outbox_jobs WHERE ${running} LIMIT 1`)).length > 0)
    throw new AppError('conflict', `jobs of ${workspace.slug} are running still; try again in a minute`)
  return await app.sealer.open(sealed, linkContext(id))
}

/** A new one, for its links. */
export async function sealLinkSecret(app: App, id: string): Promise<string> {
  const secret = Buffer.from(app.random.bytes(secretBytes)).toString('base64url')
  return await app.sealer.seal(secret, linkContext(id))
}

/** From the commit on its links lead there. Returns the secret that counts, sealed: it stays the first one. Throws `conflict`. */
export async function noteMove(
  tx: Tx,
  id: string,
  { movesTo, linkSecretSealed }: { movesTo: string; linkSecretSealed: string },
) {
  await mustNotBeFirst(tx, id, 'It cannot be moved.')
  const [row] = await tx.db.all<{ suspended: number | null }>(
    sql`SELECT suspended_at AS suspended FROM workspaces WHERE id = ${id}`,
  )
  if (!row?.suspended)
    throw new AppError('conflict', 'Only a suspended workspace moves: suspend it first, with a reason for its people.')
  const [before] = await tx.db.select().from(workspaceMoves).where(eq(workspaceMoves.workspaceId, id))
  const kept = before?.movedTo ? (before.linkSecretSealed ?? linkSecretSealed) : linkSecretSealed
  for (const workspaceId of [id, testIdOf(id)]) {
    const linkSecret = workspaceId === id ? kept : null
    const move = { movedTo: movesTo, linkSecretSealed: linkSecret, file: null, updatedAt: tx.now }
    await tx.db
      .insert(workspaceMoves)
      .values({ workspaceId, ...move, createdAt: tx.now })
      .onConflictDoUpdate({ target: workspaceMoves.workspaceId, set: move })
  }
  return kept
}

/** Its links are its own again, and it may be resumed. False: it did not move. For a move that was given up: what had arrived there has to be erased. */
export async function takeBack(tx: Tx, id: string): Promise<boolean> {
  const ended = { movedTo: null, linkSecretSealed: null, file: null }
  const gone = await tx.db
    .update(workspaceMoves)
    .set(ended)
    .where(sql`workspace_id IN (${sql.raw(idsOf(id))}) AND moved_to IS NOT NULL`)
    .returning({ id: workspaceMoves.workspaceId })
  return gone.length > 0
}

/** As of one moment. */
async function readTables(app: App, folder: string, manifest: Manifest): Promise<void> {
  const { databaseUrl, databaseAuthToken } = app.config
  const isFile = app.database.kind === 'local'
  const end = isFile
    ? openMoment(databaseUrl.slice('file:'.length))
    : await openEnd(databaseUrl, { authToken: databaseAuthToken })
  try {
    if (isFile) return await writeTables(app, end, { folder, manifest })
    for (let reading = 1; ; reading++) {
      await writeTables(app, end, { folder, manifest })
      const changed = await findChanged(app, end, manifest)
      if (changed === null) return
      if (reading === readings)
        throw new AppError('conflict', `${changed} changes all the time; try again, or suspend the workspace first`)
    }
  } finally {
    end.close()
  }
}

async function writeTables(
  app: App,
  end: Pick<End, 'rows'>,
  { folder, manifest }: { folder: string; manifest: Manifest },
) {
  for (const part of listParts()) {
    await using file = await TableFile.make(folder, part.name)
    const digest = new Digest()
    for await (const lines of readLinesOf(app, end, { part, manifest })) {
      for (const line of lines) digest.add(line)
      await file.write(lines)
    }
    manifest.tables[part.name] = { rows: digest.rows, digest: `${digest}`, sha256: file.digest() }
  }
}

async function findChanged(app: App, end: Pick<End, 'rows'>, manifest: Manifest): Promise<string | null> {
  for (const part of listParts()) {
    const digest = new Digest()
    for await (const lines of readLinesOf(app, end, { part, manifest })) for (const line of lines) digest.add(line)
    if (manifest.tables[part.name]?.digest !== `${digest}`) return part.name
  }
  return null
}

/** The rows as the file has them. */
async function* readLinesOf(
  app: App,
  end: Pick<End, 'rows'>,
  { part, manifest: { id, withoutSecrets } }: { part: Part; manifest: Manifest },
): AsyncGenerator<string[]> {
  for await (const rows of readPart(end, part, id)) {
    const lines: string[] = []
    for (const row of rows)
      lines.push(JSON.stringify(withoutSecrets ? withoutSecret(row) : await openRow(app, part, row)))
    yield lines
  }
}

function withoutSecret(row: PortableRow): PortableRow {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, secret.test(name) ? null : value]))
}

/** One whose file is gone is left out. */
async function readPictures(app: App, folder: string, manifest: Manifest): Promise<void> {
  const store = mediaStore(app)
  const rows = await app.db.all<{ id: string }>(
    sql`SELECT id FROM media WHERE workspace_id IN (${sql.raw(idsOf(manifest.id))})`,
  )
  for (const { id } of rows) {
    const path = picturePath(folder, id)
    try {
      await pipeline(store.get(id), createWriteStream(path, { mode: privateFile }))
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'not_found') throw error
      rmSync(path, { force: true })
      continue
    }
    manifest.pictures[id] = await hashFile(path)
  }
}
