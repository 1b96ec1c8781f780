// What a hoster does to workspaces: makes and finds them, limits, suspends and resumes them, and gives each its first key.

import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm'
import { workspaceMoves } from '../../../db/tables/moves.ts'
import { apiKeys, type Limits, type TrustLevel, workspaces } from '../../../db/tables/workspaces.ts'
import type { Reader, Tx } from '../../core/app.ts'
import { wakeHeldBack } from '../../features/campaigns/lifecycle.ts'
import { setTrustLevel } from '../../features/campaigns/reputation/trust-level.ts'
import { publishOfWorkspace } from '../../features/webhooks/limit-events.ts'
import { AppError } from '../../kit/error.ts'
import { isTestWorkspace } from '../../kit/id.ts'
import { withoutUndefined } from '../../kit/without-undefined.ts'
import { createApiKey } from '../../people/access/api-keys.ts'
import { noLimits, setLimits } from '../../people/limits.ts'
import { setSuspension } from '../../people/suspension.ts'
import {
  createWorkspace,
  findFirstWorkspace,
  getWorkspace,
  updateWorkspace,
  type Workspace,
} from '../../people/workspaces.ts'

type GivenLimits = { [name in keyof Limits]?: Limits[name] | undefined }

const isReal = sql`id NOT LIKE 'wst\\_%' ESCAPE '\\'`

/** Those whose slug contains `search`, oldest first; test workspaces are none. */
export async function listTenants(
  reader: Reader,
  search: string,
  { after = '', limit }: { after?: string | undefined; limit: number },
): Promise<{ rows: Workspace[]; total: number }> {
  const found = and(isReal, sql`instr(slug, ${search.toLowerCase()}) > 0`)
  const rows = await reader.db
    .select()
    .from(workspaces)
    .where(and(found, gt(workspaces.id, after)))
    .orderBy(asc(workspaces.id))
    .limit(limit + 1)
  const [row] = await reader.db.select({ total: sql<number>`count(*)` }).from(workspaces).where(found)
  return { rows, total: row?.total ?? 0 }
}

/** Throws `not_found`, also for a test workspace, which is its workspace's. */
export async function getTenant(reader: Reader, id: string): Promise<Workspace> {
  if (isTestWorkspace(id)) throw new AppError('not_found', 'There is no such workspace.')
  return await getWorkspace(reader, id)
}

export interface NewTenant {
  slug: string
  name?: string | undefined
  trustLevel: TrustLevel
  limits?: GivenLimits | undefined
}

/** Its mails are counted from the first on. Throws `validation_failed`, `conflict` for a slug that is taken. */
export async function createTenant(tx: Tx, { limits = {}, ...named }: NewTenant): Promise<Workspace> {
  return await createWorkspace(tx, { ...named, limits: { ...noLimits, ...withoutUndefined(limits) } })
}

export interface TenantChange {
  name?: string | undefined
  trustLevel?: TrustLevel | undefined
  limits?: GivenLimits | undefined
}

/** Mail that waits for a limit is looked at again: campaigns at once, the rest within an hour. */
export async function changeTenant(tx: Tx, id: string, { name, trustLevel, limits }: TenantChange): Promise<Workspace> {
  const workspace = await getTenant(tx, id)
  if (name !== undefined) await updateWorkspace(tx, id, { name })
  if (trustLevel !== undefined && trustLevel !== workspace.trustLevel) await setTrustLevel(tx, workspace, trustLevel)
  if (limits !== undefined) await setLimits(tx, workspace, withoutUndefined(limits))
  if (trustLevel !== undefined || limits !== undefined) await wakeHeldBack(tx, id)
  return await getTenant(tx, id)
}

/** No mail of it leaves from the commit on. Once more: the reason is another. Throws `conflict` for the first workspace. */
export async function suspendTenant(tx: Tx, id: string, reason: string): Promise<Workspace> {
  const before = await getTenant(tx, id)
  await mustNotBeFirst(tx, id, 'It cannot be suspended.')
  await setSuspension(tx, before, reason)
  if (before.suspendedAt === null) await publishOfWorkspace(tx, before, 'workspace.suspended', { reason })
  return await getTenant(tx, id)
}

/** What waited goes on. Nothing is changed where it was not suspended. Throws `workspace_suspended` for one that has moved. */
export async function resumeTenant(tx: Tx, id: string): Promise<Workspace> {
  const before = await getTenant(tx, id)
  if (before.suspendedAt === null) return before
  const [move] = await tx.db.select().from(workspaceMoves).where(eq(workspaceMoves.workspaceId, id))
  if (move?.movedTo)
    throw new AppError(
      'workspace_suspended',
      `It has moved to ${move.movedTo}, and both would send its mail. If it never arrived there: paquebot workspace take-back.`,
    )
  await setSuspension(tx, before, null)
  await publishOfWorkspace(tx, before, 'workspace.resumed', {})
  return await getTenant(tx, id)
}

/**
 * The key rests on the installation, not on a person. Throws `conflict` where the workspace has a key already: whoever may make workspaces
 * does not get into one that is in use.
 */
export async function createFirstKey(
  tx: Tx,
  id: string,
  given: { name?: string | undefined; scopes?: string[] | undefined },
) {
  await getTenant(tx, id)
  await mustNotBeFirst(tx, id, 'Its owners make its keys.')
  const valid = and(eq(apiKeys.workspaceId, id), isNull(apiKeys.revokedAt))
  const [has] = await tx.db.select({ id: apiKeys.id }).from(apiKeys).where(valid).limit(1)
  if (has) throw new AppError('conflict', 'This workspace has a key already; its owners make further ones.')
  return await createApiKey(tx, id, given)
}

/** Throws `conflict`. */
export async function mustNotBeFirst(tx: Tx, id: string, consequence: string): Promise<void> {
  if ((await findFirstWorkspace(tx))?.id !== id) return
  throw new AppError('conflict', `This is the first workspace, whose owners keep the installation. ${consequence}`)
}
