// The files in which workspaces travel, while they are kept: each for a day, and only so many at once. They are in the store of pictures, which
// every process of the installation reaches.

import { and, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import { mediaUnowned } from '../../../db/tables/media.ts'
import { workspaceTransfers } from '../../../db/tables/moves.ts'
import { type App, type Reader, type Tx, write } from '../../core/app.ts'
import { enqueue } from '../../core/outbox/enqueue.ts'
import { defineJob, type Ending, type JobKind, type JobResult } from '../../core/outbox/job.ts'
import { mediaStore } from '../../features/content/media/store.ts'
import { day, hour, minute } from '../../kit/duration.ts'
import { AppError } from '../../kit/error.ts'
import { makePrivateFolder } from '../../kit/private-file.ts'
import { runBeside } from '../backup/child.ts'

export type Transfer = typeof workspaceTransfers.$inferSelect

export const keptMs = day
const mostKept = 20
const mostKeptBytes = 50 * 1024 ** 3
const deletedAtOnce = 50

/** What is over is not found. */
export async function findTransfer(reader: Reader, id: string, now: Date): Promise<Transfer | null> {
  const isIt = and(eq(workspaceTransfers.id, id), gt(workspaceTransfers.expiresAt, now))
  const [row] = await reader.db.select().from(workspaceTransfers).where(isIt)
  return row ?? null
}

/** Begins one, and returns it. Throws `conflict` where as many files are kept as may be. */
export async function addTransfer(
  tx: Tx,
  job: JobKind<{ id: string }>,
  known: Pick<Transfer, 'id' | 'way'> & Partial<Transfer>,
): Promise<Transfer> {
  await refuseMore(tx)
  const { now } = tx
  const row: Transfer = {
    ...{ workspaceId: null, state: 'waiting', detail: null, movesTo: null, slug: null, sizeBytes: 0, sha256: null },
    ...{ expiresAt: new Date(now.getTime() + keptMs), createdAt: now, updatedAt: now },
    ...known,
  }
  await tx.db.insert(workspaceTransfers).values(row)
  await enqueue(tx, job, { workspaceId: '', payload: { id: row.id } })
  return row
}

/** Throws `conflict` where as many files are kept as may be. */
export async function refuseMore(tx: Tx): Promise<void> {
  const [kept] = await tx.db.all<{ files: number; bytes: number }>(
    sql`SELECT count(*) AS files, coalesce(sum(size_bytes), 0) AS bytes FROM workspace_transfers
      WHERE state <> 'failed' AND expires_at > ${tx.now.getTime()}`,
  )
  if (kept && kept.files < mostKept && kept.bytes < mostKeptBytes) return
  throw new AppError(
    'conflict',
    `At most ${mostKept} files of workspaces, of ${mostKeptBytes} bytes together, are kept at once; each goes after a day.`,
  )
}

/** Their files are nobody's from the commit on. */
export async function dropTransfers(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await tx.db.delete(workspaceTransfers).where(inArray(workspaceTransfers.id, ids))
  await leaveFiles(tx, ids)
}

/** A sweep deletes them. */
export async function leaveFiles(tx: Tx, ids: string[]): Promise<void> {
  const long = new Date(0)
  await tx.db
    .insert(mediaUnowned)
    .values(ids.map((id) => ({ id, createdAt: long })))
    .onConflictDoUpdate({ target: mediaUnowned.id, set: { createdAt: long } })
}

/** Returns how many there were. */
export async function deleteOldTransfers(tx: Tx): Promise<number> {
  const rows = await tx.db
    .select({ id: workspaceTransfers.id })
    .from(workspaceTransfers)
    .where(lte(workspaceTransfers.expiresAt, tx.now))
    .limit(deletedAtOnce)
  await dropTransfers(
    tx,
    rows.map(({ id }) => id),
  )
  return rows.length
}

/** Stores a file, which is nobody's until a row of it says otherwise. */
export async function keepFile(app: App, id: string, path: string): Promise<void> {
  const store = mediaStore(app)
  await write(app, (tx) =>
    tx.db
      .insert(mediaUnowned)
      .values({ id, createdAt: tx.now })
      .onConflictDoUpdate({ target: mediaUnowned.id, set: { createdAt: tx.now } }),
  )
  makePrivateFolder(store.workFolder)
  // Of a run that was cut off.
  await store.delete(id)
  if ((await store.put(id, path)) === 'taken') throw new Error(`there is another file ${id}`)
}

/** What a command of this program printed with --json, and what it said where it failed. */
export async function runCommand(
  app: App,
  args: string[],
  signal: AbortSignal,
): Promise<{ said: string | null; json: Record<string, unknown> }> {
  let printed = ''
  const onProgress = (text: string) => {
    printed += text
  }
  const said = await runBeside(app.config, [...args, '--json'], { signal, onProgress })
  return { said, json: printed.trim() === '' ? {} : JSON.parse(printed) }
}

/** A job of one transfer. `run` is not called for one that is over. */
export function transferJob(
  kind: string,
  run: (app: App, transfer: Transfer, signal: AbortSignal) => Promise<JobResult>,
) {
  return defineJob<{ id: string }>({
    kind,
    lane: 'maintenance',
    timeoutMs: 6 * hour,
    attemptsMax: 5,
    retryDelaysMs: [minute],
    async run(app, { payload: { id } }, { signal }) {
      const transfer = await findTransfer(app, id, app.clock.now())
      if (transfer?.state !== 'waiting')
        return { outcome: 'cancelled', code: 'transfer_gone', detail: 'it is not wanted any more' }
      return await run(app, transfer, signal)
    },
    async ended(tx, ended) {
      for (const { job, ending } of ended) await noteEnd(tx, job.payload.id, ending)
    },
  })
}

async function noteEnd(tx: Tx, id: string, { state, detail }: Ending): Promise<void> {
  if (state === 'done' || state === 'ambiguous') return
  const change = { state: state === 'pending' ? ('waiting' as const) : ('failed' as const), detail, updatedAt: tx.now }
  await tx.db
    .update(workspaceTransfers)
    .set(change)
    .where(and(eq(workspaceTransfers.id, id), eq(workspaceTransfers.state, 'waiting')))
  if (change.state === 'failed') await leaveFiles(tx, [id])
}
