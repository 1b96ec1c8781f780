// Who must not be mailed. isSuppressed is the one question every send asks, at acceptance and again at hand-over.

import { and, eq, sql } from 'drizzle-orm'
import type { ReadDb } from '../../db/handle.ts'
import { prepared } from '../../db/prepared.ts'
import { type SuppressionReason, suppressions } from '../../db/tables/contacts.ts'
import type { Reader, Tx } from '../app.ts'
import { sha256Hex } from '../lib/digest.ts'
import { publish } from '../webhooks/publish.ts'

/** The key of an address in the suppression list; the list outlives the contact, so it holds no address it need not hold. */
export function suppressionKey(email: string): string {
  return sha256Hex(email.toLowerCase())
}

const findReason = prepared((db: ReadDb) =>
  db
    .select({ reason: suppressions.reason })
    .from(suppressions)
    .where(
      and(
        eq(suppressions.workspaceId, sql.placeholder('workspaceId')),
        eq(suppressions.emailHash, sql.placeholder('emailHash')),
      ),
    )
    .prepare(),
)

/** Why `email` (in its comparable form or not) may not be mailed by this workspace, or null. */
export async function isSuppressed(
  reader: Reader,
  workspaceId: string,
  email: string,
): Promise<SuppressionReason | null> {
  const row = await findReason(reader.db).get({ workspaceId, emailHash: suppressionKey(email) })
  return row?.reason ?? null
}

export interface Suppress {
  email: string
  reason: SuppressionReason
  /** The message whose bounce or complaint led to it. */
  messageId?: string
  detail?: string
}

/** Adds to the list, and tells the webhooks; the first reason stays. */
export async function suppress(
  tx: Tx,
  workspaceId: string,
  { email, reason, messageId, detail }: Suppress,
): Promise<void> {
  const added = await tx.db
    .insert(suppressions)
    .values({
      workspaceId,
      emailHash: suppressionKey(email),
      email: email.toLowerCase(),
      reason,
      messageId: messageId ?? null,
      detail: detail ?? null,
      createdAt: tx.now,
    })
    .onConflictDoNothing()
    .returning({ reason: suppressions.reason })
  if (added.length === 0) return
  const contactIdentity = { id: null, email: email.toLowerCase(), userId: null }
  await publish(tx, workspaceId, 'suppression.added', { contactIdentity, reason, ...(messageId ? { messageId } : {}) })
}
