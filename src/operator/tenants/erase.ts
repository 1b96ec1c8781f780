// Erases a workspace and its test workspace. Its row and what opens it go first, so that from that commit on nothing of it is served and none of
// its jobs runs; then a job deletes the rows of every table (erase-rows.ts), its files and its people. Interrupted, it begins again.

import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import { approvalLinks } from '../../../db/tables/agents.ts'
import { mailboxTokens } from '../../../db/tables/mailboxes.ts'
import { media } from '../../../db/tables/media.ts'
import { workspaceMoves, workspaceTransfers } from '../../../db/tables/moves.ts'
import { oauthGrants } from '../../../db/tables/oauth.ts'
import { webhookEndpoints } from '../../../db/tables/webhooks.ts'
import { apiKeys, invitations, members, workspaces } from '../../../db/tables/workspaces.ts'
import { unrecorded } from '../../../db/unrecorded.ts'
import { ownedTables } from '../../../db/workspace-rows.ts'
import { type App, Steps, type Tx, write } from '../../core/app.ts'
import { ensureJob } from '../../core/outbox/enqueue.ts'
import { defineJob, type Outcome } from '../../core/outbox/job.ts'
import { forgetFile } from '../../features/content/media/store.ts'
import { hour, minute, second } from '../../kit/duration.ts'
import { AppError, invalidField } from '../../kit/error.ts'
import { testIdOf } from '../../kit/id.ts'
import { findFirstWorkspace, type Workspace } from '../../people/workspaces.ts'
import { countErased, eraseTables, listOf } from './erase-rows.ts'
import { getTenant, mustNotBeFirst } from './tenants.ts'
import { dropTransfers } from './transfers.ts'

const picturesPerStep = { least: 50, most: 2_000 }
const peoplePerStep = { least: 5, most: 100 }
/** Work that had begun before has so long to end before it is looked at again. */
const runningMs = 5 * second

/** Throws `conflict` unless it is suspended and not the first, `validation_failed` unless `confirm` is its slug. */
export async function eraseTenant(tx: Tx, id: string, confirm: string): Promise<Workspace> {
  const workspace = await getTenant(tx, id)
  await mustNotBeFirst(tx, id, 'It cannot be erased.')
  if (confirm !== workspace.slug) throw invalidField('confirm', 'must be the slug of the workspace')
  if (workspace.suspendedAt === null)
    throw new AppError('conflict', 'Only a suspended workspace is erased: suspend it first.')
  await closeWorkspace(tx, id)
  const { slug, name } = workspace
  await noteInFirst(tx, id, { before: sql`json_object('slug', ${slug}, 'name', ${name})`, after: sql`NULL` })
  return workspace
}

/** A change of it in the audit log of the first workspace: its own goes with it. */
async function noteInFirst(tx: Tx, id: string, { before, after }: { before: SQL; after: SQL }): Promise<void> {
  const first = await findFirstWorkspace(tx)
  await tx.db.run(
    sql`INSERT INTO audit_pending (workspace_id, kind, thing_id, source, before, after)
      VALUES (${first?.id ?? ''}, 'workspace', ${id}, 'workspaces', ${before}, ${after})`,
  )
}

/** From the commit on it is not there, and its rows are being deleted. */
export async function closeWorkspace(tx: Tx, id: string): Promise<void> {
  const ids = [id, testIdOf(id)]
  const rows = ids.map((workspaceId) => {
    return { workspaceId, absent: 'erasing' as const, createdAt: tx.now, updatedAt: tx.now }
  })
  const erasing = { absent: 'erasing' as const, lines: 0, updatedAt: tx.now }
  await tx.db
    .insert(workspaceMoves)
    .values(rows)
    .onConflictDoUpdate({ target: workspaceMoves.workspaceId, set: erasing })
  await unrecorded(tx, async () => {
    const grants = sql`(SELECT id FROM oauth_grants WHERE workspace_id IN ${ids})`
    await tx.db.run(sql`DELETE FROM oauth_tokens WHERE grant_id IN ${grants}`)
    const endpoints = sql`(SELECT id FROM webhook_endpoints WHERE workspace_id IN ${ids})`
    await tx.db.run(sql`DELETE FROM webhook_secrets WHERE endpoint_id IN ${endpoints}`)
    for (const table of [apiKeys, mailboxTokens, oauthGrants, approvalLinks, invitations, webhookEndpoints])
      await tx.db.delete(table).where(inArray(table.workspaceId, ids))
    await tx.db.delete(workspaces).where(inArray(workspaces.id, ids))
  })
  const ofIt = inArray(workspaceTransfers.workspaceId, ids)
  const files = await tx.db.select({ id: workspaceTransfers.id }).from(workspaceTransfers).where(ofIt)
  await dropTransfers(
    tx,
    files.map((file) => file.id),
  )
  await ensureJob(tx, eraseWorkspace, { workspaceId: '', payload: { id }, dedupeKey: id })
}

export const eraseWorkspace = defineJob<{ id: string }>({
  kind: 'erase-workspace',
  lane: 'maintenance',
  timeoutMs: 6 * hour,
  attemptsMax: 20,
  retryDelaysMs: [minute],
  async run(app, { payload: { id } }, { signal }) {
    if (await isRunning(app, id))
      return { outcome: 'defer', code: 'jobs_running', detail: 'jobs of the workspace run still', delayMs: runningMs }
    // What ended at the same moment may have written behind the first time through.
    while ((await eraseRows(app, id, signal)) > 0 && !signal.aborted);
    if (signal.aborted)
      return { outcome: 'defer', code: 'interrupted', detail: 'goes on with the next process', delayMs: second }
    return { outcome: 'decide', decide: (tx) => endErasure(tx, id) }
  },
})

/** Removes what an import had brought that cannot be gone on with: nobody has seen anything of it. Throws `conflict`. */
export async function forgetArrival(app: App, id: string): Promise<void> {
  const { signal } = new AbortController()
  const [row] = await app.db.select().from(workspaceMoves).where(eq(workspaceMoves.workspaceId, id))
  if (row?.absent !== 'arriving') throw new AppError('conflict', 'Nothing of this workspace is arriving here.')
  await write(app, (tx) =>
    tx.db
      .update(workspaceMoves)
      .set({ file: null, run: null, updatedAt: tx.now })
      .where(eq(workspaceMoves.workspaceId, id)),
  )
  while ((await eraseRows(app, id, signal)) > 0);
  await write(app, (tx) => tx.db.delete(workspaceMoves).where(inArray(workspaceMoves.workspaceId, [id, testIdOf(id)])))
}

async function isRunning(app: App, id: string): Promise<boolean> {
  const found = await app.db.all(
    sql`SELECT 1 FROM outbox_jobs WHERE state = 'running' AND workspace_id IN (${sql.raw(listOf(id))}) LIMIT 1`,
  )
  return found.length > 0
}

/** Deletes what there is, once through. Returns how many rows. */
async function eraseRows(app: App, id: string, signal: AbortSignal): Promise<number> {
  let total = await eraseTables(app, id, signal)
  total += await erasePictures(app, id, signal)
  return total + (await erasePeople(app, id, signal))
}

/** A file that the store does not let go is swept later. */
async function erasePictures(app: App, id: string, signal: AbortSignal): Promise<number> {
  const steps = new Steps(app, '', picturesPerStep)
  for (let total = 0; ; ) {
    const gone = await steps.write(async (tx, size) => {
      const some = await tx.db.all<{ id: string }>(
        sql`SELECT id FROM media WHERE workspace_id IN (${sql.raw(listOf(id))}) LIMIT ${sql.raw(String(size))}`,
      )
      const ids = some.map((row) => row.id)
      if (ids.length === 0) return ids
      const files = sql`SELECT value, ${tx.now.getTime()} FROM json_each(${JSON.stringify(ids)}) WHERE true`
      await tx.db.run(sql`INSERT INTO media_unowned (id, created_at) ${files} ON CONFLICT DO NOTHING`)
      await unrecorded(tx, async () => void (await tx.db.delete(media).where(inArray(media.id, ids))))
      await countErased(tx, id, ids.length)
      return ids
    })
    for (const file of gone) await forgetFile(app, file)
    total += gone.length
    if (gone.length === 0 || signal.aborted) return total
  }
}

/** Its members; of those who are in no other workspace, everything. */
async function erasePeople(app: App, id: string, signal: AbortSignal): Promise<number> {
  const steps = new Steps(app, '', peoplePerStep)
  const mine = sql.raw(`workspace_id IN (${listOf(id)})`)
  for (let total = 0; ; ) {
    const gone = await steps.write(async (tx, size) => {
      const rows = await tx.db.all<{ id: string; elsewhere: number }>(
        sql`SELECT DISTINCT user_id AS id, EXISTS (SELECT 1 FROM members AS o WHERE o.user_id = members.user_id
          AND NOT o.${mine}) AS elsewhere FROM members WHERE ${mine} LIMIT ${sql.raw(String(size))}`,
      )
      const lone = JSON.stringify(rows.filter(({ elsewhere }) => !elsewhere).map((row) => row.id))
      await unrecorded(tx, async () => {
        for (const one of ownedTables())
          if (one.of === 'people')
            await tx.db.run(
              sql`DELETE FROM ${sql.raw(one.table.name)} WHERE ${sql.raw(one.by)} IN (SELECT value FROM json_each(${lone}))`,
            )
        await tx.db.delete(members).where(
          sql`${mine} AND ${inArray(
            members.userId,
            rows.map((row) => row.id),
          )}`,
        )
      })
      await countErased(tx, id, rows.length)
      return rows.length
    })
    total += gone
    if (gone === 0 || signal.aborted) return total
  }
}

/** Where one moved is still known. */
async function endErasure(tx: Tx, id: string): Promise<Outcome> {
  const rows = sql`(SELECT lines FROM workspace_moves WHERE workspace_id = ${id})`
  await noteInFirst(tx, id, { before: sql`NULL`, after: sql`json_object('erased_rows', ${rows})` })
  const ids = [id, testIdOf(id)]
  await tx.db.run(sql`DELETE FROM workspace_moves WHERE workspace_id IN ${ids} AND moved_to IS NULL`)
  await tx.db.run(sql`UPDATE workspace_moves SET absent = NULL WHERE workspace_id IN ${ids}`)
  return { outcome: 'done' }
}
