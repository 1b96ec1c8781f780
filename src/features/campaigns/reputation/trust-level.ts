// The trust level of a workspace, which limits how much it may send. It is changed by an operator, or by the results of its mail.

import { eq } from 'drizzle-orm'
import { trustChanges } from '../../../../db/tables/campaigns.ts'
import { type TrustLevel, workspaces } from '../../../../db/tables/workspaces.ts'
import type { Tx } from '../../../core/app.ts'
import type { Workspace } from '../../../people/workspaces.ts'
import { publish } from '../../webhooks/publish.ts'

/** Sets the level, records why (`operator`, or a result of its mail), and publishes a change. */
export async function setTrustLevel(
  tx: Tx,
  workspace: Pick<Workspace, 'id' | 'trustLevel'>,
  to: TrustLevel,
  { reason, detail }: { reason: string; detail?: string } = { reason: 'operator' },
): Promise<void> {
  const { id: workspaceId, trustLevel: from } = workspace
  await tx.db.update(workspaces).set({ trustLevel: to, updatedAt: tx.now }).where(eq(workspaces.id, workspaceId))
  const change = { workspaceId, changedAt: tx.now, fromLevel: from, toLevel: to, reason, detail: detail ?? null }
  await tx.db.insert(trustChanges).values(change).onConflictDoNothing()
  if (from !== to) await publish(tx, workspaceId, 'workspace.trustLevelChanged', { from, to })
}
