// Imports a workspace in the background: its file is taken and kept, and `paquebot workspace import` runs beside the server.

import { createWriteStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { and, eq, ne } from 'drizzle-orm'
import { mediaUnowned } from '../../../db/tables/media.ts'
import { workspaceTransfers } from '../../../db/tables/moves.ts'
import { type App, type Reader, type Tx, write } from '../../core/app.ts'
import { maxUploadBytes, tooLarge } from '../../core/http/body.ts'
import { mediaStore } from '../../features/content/media/store.ts'
import { AppError } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import { privateFile } from '../../kit/private-file.ts'
import { sealedBegin } from '../backup/pack.ts'
import { inTemporary } from '../backup/plain-copy.ts'
import {
  addTransfer,
  findTransfer,
  keepFile,
  leaveFiles,
  refuseMore,
  runCommand,
  type Transfer,
  transferJob,
} from './transfers.ts'

interface Received {
  id: string
  sizeBytes: number
  sha256: string
}

/**
 * Takes a file and begins to import it; the same file once more is the import that there is. `slug`: in place of its own. Throws
 * `unsupported_media_type` for one that is not sealed, for then anybody could have made it; `payload_too_large` over 1 GB; `conflict` without
 * a passphrase, and where as many files are kept as may be.
 */
export async function beginImport(app: App, body: AsyncIterable<Uint8Array>, slug: string | null): Promise<Transfer> {
  const { seal } = app.config.backup
  if (seal === undefined || !('passphrase' in seal))
    throw new AppError(
      'conflict',
      'Only what BACKUP_PASSPHRASE sealed is opened here, and it is not set. Elsewhere: paquebot workspace import --identity.',
    )
  await write(app, refuseMore)
  const received = await receive(app, body)
  return await write(app, async (tx) => {
    const same = await findSame(tx, received.sha256)
    if (same) {
      await leaveFiles(tx, [received.id])
      return same
    }
    await tx.db.delete(mediaUnowned).where(eq(mediaUnowned.id, received.id))
    return await addTransfer(tx, importJob, { way: 'import', ...received, slug })
  })
}

async function findSame(tx: Tx, sha256: string): Promise<Transfer | null> {
  const isSame = and(
    eq(workspaceTransfers.way, 'import'),
    eq(workspaceTransfers.sha256, sha256),
    ne(workspaceTransfers.state, 'failed'),
  )
  const [row] = await tx.db.select().from(workspaceTransfers).where(isSame)
  return row === undefined ? null : await findTransfer(tx, row.id, tx.now)
}

async function receive(app: App, body: AsyncIterable<Uint8Array>): Promise<Received> {
  const id = newId(app, 'wtr', app.clock.now())
  return await inTemporary(app.config.dataDir, async (folder) => {
    const path = join(folder, id)
    const hash = new Bun.SHA256()
    const sizeBytes = await toFile(path, body, hash)
    await keepFile(app, id, path)
    return { id, sizeBytes, sha256: hash.digest('hex') }
  })
}

/** Returns how many bytes it has. */
async function toFile(path: string, body: AsyncIterable<Uint8Array>, hash: Bun.SHA256): Promise<number> {
  await using file = await open(path, 'wx', privateFile)
  let bytes = 0
  let begin = ''
  for await (const chunk of body) {
    if (begin.length < sealedBegin.length)
      begin += Buffer.from(chunk.subarray(0, sealedBegin.length)).toString('latin1')
    if (!begin.startsWith(sealedBegin.slice(0, begin.length))) break
    bytes += chunk.length
    if (bytes > maxUploadBytes) throw tooLarge(maxUploadBytes)
    hash.update(chunk)
    await file.writeFile(chunk)
  }
  if (begin.startsWith(sealedBegin)) return bytes
  throw new AppError(
    'unsupported_media_type',
    'The body is not the sealed file that an export of a workspace makes (age).',
  )
}

/** Throws `not_found`, also when its day is over. */
export async function getImport(reader: Reader, id: string, now: Date): Promise<Transfer> {
  const found = await findTransfer(reader, id, now)
  if (found?.way !== 'import') throw new AppError('not_found', 'There is no such import of a workspace.')
  return found
}

/** What will be no better when it is tried again. */
const refusals = ['conflict', 'not_found', 'validation_failed']

export const importJob = transferJob('import-workspace', async (app, { id, slug }, signal) => {
  const { said, json } = await inTemporary(app.config.dataDir, async (folder) => {
    const path = join(folder, id)
    await pipeline(mediaStore(app).get(id), createWriteStream(path, { mode: privateFile }))
    try {
      return await runCommand(app, ['workspace', 'import', path, ...(slug === null ? [] : ['--slug', slug])], signal)
    } finally {
      await rm(path, { force: true })
    }
  })
  if (said !== null)
    return refusals.includes(String(json['code']))
      ? { outcome: 'dead', code: 'import_refused', detail: said }
      : { outcome: 'retry', code: 'import_failed', detail: said }
  const come = { workspaceId: String(json['id']), slug: String(json['slug']) }
  return {
    outcome: 'decide',
    async decide(tx) {
      const done = { state: 'done' as const, detail: null, ...come, updatedAt: tx.now }
      await tx.db.update(workspaceTransfers).set(done).where(eq(workspaceTransfers.id, id))
      await leaveFiles(tx, [id])
      return { outcome: 'done' }
    },
  }
})
