// A suspended workspace: its keys, forms and tools are refused, and its mail waits. Its people still sign in, read, and see why; who wants
// to unsubscribe still can.

import { inArray } from 'drizzle-orm'
import { workspaces } from '../../db/tables/workspaces.ts'
import type { Tx } from '../core/app.ts'
import { AppError } from '../kit/error.ts'
import { testIdOf } from '../kit/id.ts'
import type { Workspace } from './workspaces.ts'

/** Throws `workspace_suspended`, with the reason. */
export function mustBeOpen({ suspendedAt, suspendedReason }: Pick<Workspace, 'suspendedAt' | 'suspendedReason'>): void {
  if (suspendedAt === null) return
  throw new AppError(
    'workspace_suspended',
    `This workspace is suspended: ${suspendedReason ?? 'no reason was given'}`,
    {
      extra: { suspendedAt: suspendedAt.toISOString() },
    },
  )
}

/** Of a workspace, with its test workspace; null ends it. Given again, only the reason changes. */
export async function setSuspension(
  tx: Tx,
  { id: workspaceId, suspendedAt: since }: Pick<Workspace, 'id' | 'suspendedAt'>,
  reason: string | null,
): Promise<void> {
  const suspendedAt = reason === null ? null : (since ?? tx.now)
  await tx.db
    .update(workspaces)
    .set({ suspendedAt, suspendedReason: reason, updatedAt: tx.now })
    .where(inArray(workspaces.id, [workspaceId, testIdOf(workspaceId)]))
}
