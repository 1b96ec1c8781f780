// What people did with the mails of a sequence: counted at the step that sent it, and asked by its branches.

import { eq, sql } from 'drizzle-orm'
import { oneOf } from '../../../db/bulk.ts'
import { trackedMails } from '../../../db/tables/campaigns.ts'
import { sequencePath, sequenceRuns } from '../../../db/tables/sequences.ts'
import type { Reader, Tx } from '../../core/app.ts'
import { loadCampaignSettings } from '../../people/campaign-settings.ts'
import { countDeed } from '../campaigns/ledger.ts'
import type { AddTracking } from '../sending/compose.ts'
import type { Count } from '../sending/tracking/engagement.ts'
import { loadTracking, tracked, trackingValues } from '../sending/tracking/links.ts'
import { RunChanges } from './runs.ts'

/** Marketing mail is tracked as the workspace says for its campaigns. */
export const addTracking: AddTracking = async (app, { message, compiled, base }) => {
  const { id, sequenceId, workspaceId, purpose } = message
  if (sequenceId === null || purpose !== null) return null
  const tracking = await app.share(`tracking ${sequenceId} ${message.revisionId}`, async () =>
    loadTracking(app, sequenceId, await loadCampaignSettings(app, workspaceId), [compiled]),
  )
  return tracking && { compiled: tracked(compiled, tracking), values: trackingValues(app, base, id) }
}

/** Counts an open or a click where its mail belongs. */
export const countEngaged: Count = async (tx, { id, campaignId, contactId }, changes) => {
  if (campaignId === null) await countAtStep(tx, id, changes)
  else await countDeed(tx, { campaignId, contactId }, changes)
}

/** `changes` are counts of a mail: `opened`, `clicked`, and those of programs, which no step counts. */
async function countAtStep(tx: Tx, messageId: string, changes: Record<string, number>): Promise<void> {
  const { opened = 0, clicked = 0 } = changes
  if (opened + clicked === 0) return
  const [sent] = await tx.db
    .select({
      sequenceId: sequenceRuns.sequenceId,
      version: sequenceRuns.version,
      stepId: sequencePath.stepId,
      variant: sequencePath.variant,
    })
    .from(sequencePath)
    .innerJoin(sequenceRuns, eq(sequenceRuns.id, sequencePath.runId))
    .where(eq(sequencePath.messageId, messageId))
  if (!sent) return
  const counts = new RunChanges()
  counts.count(sent, { opened, clicked }, sent.variant)
  await counts.store(tx)
}

/** Those of these runs whose person opened a link of the mail of that step. */
export async function findClicked(reader: Reader, stepId: string, runIds: string[]): Promise<Set<string>> {
  const rows = await reader.db
    .select({ runId: sequencePath.runId })
    .from(sequencePath)
    .innerJoin(trackedMails, eq(trackedMails.messageId, sequencePath.messageId))
    .where(sql`run_id IN ${oneOf(runIds)} AND step_id = ${stepId} AND clicked_at IS NOT NULL`)
  return new Set(rows.map(({ runId }) => runId))
}
