// The messages of one send to several recipients belong to a group: what its headers show of the others, and the attachments, are kept
// once. A mail to one plain address has none.

import { and, eq, inArray, sql } from 'drizzle-orm'
import type { ReadDb } from '../../../../db/handle.ts'
import { prepared } from '../../../../db/prepared.ts'
import { toRows } from '../../../../db/rows.ts'
import { type GroupRecipient, messageAttachments, messageGroups, messages } from '../../../../db/tables/messages.ts'
import { idempotencyKeys } from '../../../../db/tables/workspaces.ts'
import type { App, Reader, Tx } from '../../../core/app.ts'
import { deleteSomePieces, type Pieces } from '../../../core/pieces.ts'
import { erasedAddress } from '../../../kit/email-address.ts'
import type { Mailbox } from '../../../mail/header.ts'

export type NewGroup = Omit<typeof messageGroups.$inferInsert, 'createdAt'>

/** The attachments of groups. */
export const groupPieces: Pieces = {
  table: messageAttachments,
  owner: messageAttachments.messageId,
  number: messageAttachments.number,
  prefix: 'grp',
  stored: { table: messageGroups, id: messageGroups.id },
}

const { id, workspaceId, recipients, createdAt } = messageGroups
const newGroups = toRows({ id, workspaceId, recipients }, { createdAt })
const insert = newGroups.adding(messageGroups, { ...newGroups.each, ...newGroups.shared })

export async function insertGroups(tx: Tx, groups: NewGroup[]): Promise<void> {
  if (groups.length > 0) await insert(tx.db, groups, { createdAt: tx.now })
}

const findGroup = prepared((db: ReadDb) =>
  db
    .select({ recipients })
    .from(messageGroups)
    .where(eq(id, sql.placeholder('id')))
    .prepare(),
)

/** Everybody who was named, also those in Bcc. Empty for a mail to one plain address. */
export async function loadRecipients(reader: Reader, groupId: string | null): Promise<GroupRecipient[]> {
  return groupId === null ? [] : ((await findGroup(reader.db).get({ id: groupId }))?.recipients ?? [])
}

/** What the headers of a mail show. */
export async function loadShown(
  app: App,
  { email, groupId }: { email: string; groupId: string | null },
): Promise<{ to: Mailbox[]; cc: Mailbox[] }> {
  if (groupId === null) return { to: [{ name: null, address: email }], cc: [] }
  const all = await app.share(`group ${groupId}`, () => loadRecipients(app, groupId))
  const named = (as: GroupRecipient['as']) =>
    all.filter((one) => one.as === as).map(({ name, email: address }) => ({ name, address }))
  return { to: named('to'), cc: named('cc') }
}

type Grouped = Pick<typeof messages.$inferSelect, 'id' | 'groupId' | 'email' | 'workspaceId' | 'idempotencyKey'>

/**
 * Erased recipients leave the headers of what has not been sent, the record of what was, and the stored answer.
 */
export async function forgetRecipients(tx: Tx, erased: Grouped[]): Promise<void> {
  const gone = new Set(erased.map((one) => one.id))
  for (const groupId of distinctGroupIds(erased)) {
    const left = (await loadRecipients(tx, groupId)).filter(({ messageId }) => !gone.has(messageId))
    await tx.db.update(messageGroups).set({ recipients: left }).where(eq(id, groupId))
  }
  for (const { groupId, idempotencyKey, email, workspaceId } of erased) {
    if (groupId === null || idempotencyKey === null) continue
    const response = sql`replace(response, ${JSON.stringify(email)}, ${JSON.stringify(erasedAddress)})`
    const theirs = and(eq(idempotencyKeys.workspaceId, workspaceId), eq(idempotencyKeys.key, idempotencyKey))
    await tx.db.update(idempotencyKeys).set({ response }).where(theirs)
  }
}

/** Groups of these messages of which nothing else is left. */
export async function endedGroups(reader: Reader, ofMessages: Pick<Grouped, 'id' | 'groupId'>[]): Promise<string[]> {
  const groupIds = distinctGroupIds(ofMessages)
  if (groupIds.length === 0) return []
  const others = await reader.db
    .select({ groupId: messages.groupId })
    .from(messages)
    .where(
      and(
        inArray(messages.groupId, groupIds),
        sql`group_id IS NOT NULL AND email <> ${erasedAddress}`,
        sql`id NOT IN (SELECT value FROM json_each(${JSON.stringify(ofMessages.map((one) => one.id))}))`,
      ),
    )
  const left = new Set(others.map(({ groupId }) => groupId))
  return groupIds.filter((groupId) => !left.has(groupId))
}

export async function deleteGroups(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length > 0) await tx.db.delete(messageGroups).where(inArray(id, ids))
}

const groupsAtOnce = 20

/** Deletes attachments of groups that were accepted before `horizon` and have ended. Returns how many; call until 0. */
export async function deleteOldGroupAttachments(tx: Tx, horizon: Date): Promise<number> {
  const ended = await tx.db.all<{ id: string }>(
    sql`SELECT DISTINCT g.id FROM message_attachments a JOIN message_groups g ON g.id = a.message_id
      WHERE a.message_id >= 'grp_' AND a.message_id < 'grp_g' AND g.created_at < ${horizon.getTime()}
        AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.group_id = g.id AND m.group_id IS NOT NULL
          AND m.status IN ('queued', 'sending', 'delayed', 'uncertain')) LIMIT ${groupsAtOnce}`,
  )
  return await deleteSomePieces(
    tx,
    groupPieces,
    ended.map((one) => one.id),
  )
}

function distinctGroupIds(list: Pick<Grouped, 'groupId'>[]): string[] {
  return [...new Set(list.flatMap(({ groupId }) => groupId ?? []))]
}
