// What the installation does to a workspace, and what its plan allows, are told to the workspace and to the first one, whose hosters keep it.

import { type LimitName, limitNames } from '../../../db/tables/workspaces.ts'
import { type App, type Tx, write } from '../../core/app.ts'
import type { Outcome } from '../../core/outbox/job.ts'
import { hour } from '../../kit/duration.ts'
import { AppError } from '../../kit/error.ts'
import { limitReached, type Met, mailsLeft, noteMet, takeMails } from '../../people/limits.ts'
import { findFirstWorkspace, getWorkspace, type Workspace } from '../../people/workspaces.ts'
import type { EventData } from './event-types.ts'
import { publish } from './publish.ts'

type WorkspaceEvent = 'workspace.limitReached' | 'workspace.suspended' | 'workspace.resumed'

/** `data` beside the workspace. */
export async function publishOfWorkspace<T extends WorkspaceEvent>(
  tx: Tx,
  { id, slug, name }: Pick<Workspace, 'id' | 'slug' | 'name'>,
  type: T,
  data: Omit<EventData<T>, 'workspace'>,
): Promise<void> {
  const first = await findFirstWorkspace(tx)
  const whole = { workspace: { id, slug, name }, ...data } as EventData<T>
  for (const workspaceId of new Set([id, first?.id ?? id])) await publish(tx, workspaceId, type, whole)
}

interface MetLimit {
  limit: LimitName
  most: number
  until: string | null
}

/** Once a day for each limit. */
async function tell(tx: Tx, workspace: Workspace, { limit, most, until }: MetLimit): Promise<void> {
  if (await noteMet(tx, workspace.id, limit))
    await publishOfWorkspace(tx, workspace, 'workspace.limitReached', { limit, most, until })
}

/** Takes the places of each batch, all of them or none. Returns those without room, each with its refusal. */
export async function takeForEach<B>(
  tx: Tx,
  batches: B[],
  { workspaceOf, countMails }: { workspaceOf(batch: B): Workspace | undefined; countMails(batch: B): number },
): Promise<Map<B, AppError>> {
  const refused = new Map<B, AppError>()
  for (const batch of batches) {
    const workspace = workspaceOf(batch)
    if (workspace === undefined || workspace.limits === null) continue
    const mails = countMails(batch)
    const met = await takeMails(tx, workspace, mails)
    if (met === null) continue
    await tellMet(tx, workspace, met)
    refused.set(batch, limitReached(met, mails, tx.now))
  }
  return refused
}

export async function tellMet(tx: Tx, workspace: Workspace, { by, most, until }: Met): Promise<void> {
  await tell(tx, workspace, { limit: by, most, until: until.toISOString() })
}

/** For a job that left contacts out because there may be no more of them. */
export async function tellFull(tx: Tx, workspaceId: string): Promise<void> {
  const workspace = await getWorkspace(tx, workspaceId)
  const most = workspace.limits?.contacts ?? null
  if (most !== null) await tell(tx, workspace, { limit: 'contacts', most, until: null })
}

/** It asks again after this, because a limit may be raised. */
const asksAgainMs = hour

export function waitMs(until: Date, now: Date): number {
  return Math.min(until.getTime() - now.getTime(), asksAgainMs)
}

/** For a job that makes one mail: until when it waits for the plan to allow that; null: it may make it now. */
export async function waitForRoom(tx: Tx, workspace: Workspace): Promise<Outcome | null> {
  const room = await mailsLeft(tx, workspace, tx.now)
  if (room.by === null || room.left > 0) return null
  await tellMet(tx, workspace, room)
  const { code, message: detail } = limitReached(room, 1, tx.now)
  return { outcome: 'defer', code, detail, delayMs: waitMs(room.until, tx.now) }
}

/** A refusal took its transaction with it, so what it says is told in another. */
export async function tellRefusal(app: App, workspaceId: string, error: unknown): Promise<void> {
  if (!(error instanceof AppError) || error.code !== 'limit_reached') return
  const { limit: named, most, until } = error.details.extra ?? {}
  const limit = limitNames.find((name) => name === named)
  if (limit === undefined || typeof most !== 'number') return
  const met = { limit, most, until: typeof until === 'string' ? until : null }
  await write(app, async (tx) => await tell(tx, await getWorkspace(tx, workspaceId), met))
}
