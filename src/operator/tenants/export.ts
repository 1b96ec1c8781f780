// Exports a workspace in the background: `paquebot workspace export` runs beside the server, and its file is kept for a day.

import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { and, eq, gt } from 'drizzle-orm'
import { mediaUnowned } from '../../../db/tables/media.ts'
import { workspaceTransfers } from '../../../db/tables/moves.ts'
import { type App, type Reader, type Tx, write } from '../../core/app.ts'
import { AppError } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import { getWorkspace } from '../../people/workspaces.ts'
import { inTemporary } from '../backup/plain-copy.ts'
import { hashFile } from './archive-file.ts'
import { noteMove, sealLinkSecret } from './depart.ts'
import { getTenant } from './tenants.ts'
import { addTransfer, dropTransfers, keepFile, keptMs, runCommand, type Transfer, transferJob } from './transfers.ts'

const isExportOf = (workspaceId: string) =>
  and(eq(workspaceTransfers.way, 'export'), eq(workspaceTransfers.workspaceId, workspaceId))

/**
 * Begins one, in place of the former one of this workspace. `movesTo`: BASE_URL of another installation, to which its links lead from the
 * commit on; null: a copy to read. Throws `conflict` without something that seals the file, while one is being made, for a workspace that
 * moves and is not suspended, and where as many files are kept as may be.
 */
export async function beginExport(app: App, workspaceId: string, movesTo: string | null): Promise<Transfer> {
  const linkSecretSealed = movesTo === null ? null : await sealLinkSecret(app, workspaceId)
  return await write(app, async (tx) => {
    await getTenant(tx, workspaceId)
    if (app.config.backup.seal === undefined)
      throw new AppError('conflict', 'The file must be sealed: set BACKUP_PASSPHRASE or BACKUP_RECIPIENT.')
    if (movesTo === app.config.baseUrl) throw new AppError('conflict', `${movesTo} is this installation.`)
    await giveWay(tx, workspaceId)
    if (movesTo !== null && linkSecretSealed !== null) await noteMove(tx, workspaceId, { movesTo, linkSecretSealed })
    return await addTransfer(tx, exportJob, { id: newId(tx, 'wtr', tx.now), way: 'export', workspaceId, movesTo })
  })
}

/** The former one goes; one that is being made does not. */
async function giveWay(tx: Tx, workspaceId: string): Promise<void> {
  const [former] = await tx.db.select().from(workspaceTransfers).where(isExportOf(workspaceId))
  if (former === undefined) return
  if (former.state === 'waiting' && former.expiresAt > tx.now)
    throw new AppError('conflict', 'An export of this workspace is being made already.')
  await dropTransfers(tx, [former.id])
}

/** The last one; null when there is none, or its time is over. */
export async function findExport(reader: Reader, workspaceId: string, now: Date): Promise<Transfer | null> {
  const isKept = gt(workspaceTransfers.expiresAt, now)
  const [row] = await reader.db
    .select()
    .from(workspaceTransfers)
    .where(and(isExportOf(workspaceId), isKept))
  return row ?? null
}

export const exportJob = transferJob('export-workspace', async (app, { id, workspaceId, movesTo }, signal) => {
  const { slug } = await getWorkspace(app, workspaceId ?? '')
  const file = await inTemporary(app.config.dataDir, async (folder) => {
    const path = join(folder, id)
    const moving = movesTo === null ? [] : ['--moves-to', movesTo]
    const { said } = await runCommand(app, ['workspace', 'export', slug, '--to', path, ...moving], signal)
    if (said !== null || !existsSync(path)) return { said: said ?? 'nothing was written' }
    const known = { said: null, sizeBytes: statSync(path).size, sha256: await hashFile(path) }
    await keepFile(app, id, path)
    return known
  })
  if (file.said !== null) return { outcome: 'retry', code: 'export_failed', detail: file.said }
  const { sizeBytes, sha256 } = file
  return {
    outcome: 'decide',
    async decide(tx) {
      const expiresAt = new Date(tx.now.getTime() + keptMs)
      const done = { state: 'done' as const, detail: null, sizeBytes, sha256, expiresAt, updatedAt: tx.now }
      const kept = await tx.db
        .update(workspaceTransfers)
        .set(done)
        .where(eq(workspaceTransfers.id, id))
        .returning({ id: workspaceTransfers.id })
      // One that was erased meanwhile: a sweep deletes its file.
      if (kept.length > 0) await tx.db.delete(mediaUnowned).where(eq(mediaUnowned.id, id))
      return { outcome: 'done' }
    },
  }
})
