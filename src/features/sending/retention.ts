// Deletes messages older than the operator wants to keep, with their history and captured mail.

import { inArray, sql } from 'drizzle-orm'
import { trackedMails } from '../../../db/tables/campaigns.ts'
import { messageEvents, messages } from '../../../db/tables/messages.ts'
import type { Tx } from '../../core/app.ts'
import { deleteSomePieces } from '../../core/pieces.ts'
import { firstId } from '../../kit/id.ts'
import { deleteCaptured, deleteSomeOfCaptured } from './activity/captured.ts'
import { deleteGroups, endedGroups, groupPieces } from './activity/groups.ts'
import { attachmentPieces } from './attachment-store.ts'
import { deleteSomeContents } from './own-content.ts'

const messagesPerDelete = 50

/**
 * Deletes messages that ended before `horizon`. Who got a campaign stays in its ledger, and suppressions stay. Returns how many; call until
 * 0.
 */
export async function deleteOldMessages(tx: Tx, horizon: Date): Promise<number> {
  const old = await tx.db
    .select({ id: messages.id, header: messages.messageIdHeader, groupId: messages.groupId })
    .from(messages)
    .where(
      sql`id < ${firstId('msg', horizon)} AND updated_at < ${horizon.getTime()}
        AND status NOT IN ('queued', 'sending', 'delayed', 'uncertain')`,
    )
    .orderBy(messages.id)
    .limit(messagesPerDelete)
  if (old.length === 0) return 0
  const ids = old.map(({ id }) => id)
  const headers = old.map(({ header }) => header)
  const groups = await endedGroups(tx, old)
  const attached =
    (await deleteSomePieces(tx, attachmentPieces, ids)) + (await deleteSomePieces(tx, groupPieces, groups))
  const pieces = attached + (await deleteSomeContents(tx, ids)) + (await deleteSomeOfCaptured(tx, headers))
  if (pieces > 0) return pieces
  await deleteCaptured(tx, headers)
  await tx.db.delete(trackedMails).where(inArray(trackedMails.messageId, ids))
  await tx.db.delete(messageEvents).where(inArray(messageEvents.messageId, ids))
  await deleteGroups(tx, groups)
  await tx.db.delete(messages).where(inArray(messages.id, ids))
  return old.length
}
