// Mails of workspaces between installations: where those of one that moved are, and which mail a forwarded link is about.

import { eq } from 'drizzle-orm'
import { messages } from '../../../db/tables/messages.ts'
import type { App } from '../../core/app.ts'
import type { Sealer } from '../../kit/seal.ts'
import { findMove, hasAnyMoved, listArrived, type Moved } from '../../people/moves.ts'

/** Where the workspace of a mail has moved; null where it is here, and for a mail that is not. */
export async function findMoveOfMail(app: App, messageId: string): Promise<Moved | null> {
  if (!(await hasAnyMoved(app))) return null
  const workspaceId = await findWorkspaceId(app, messageId)
  return workspaceId === null ? null : await findMove(app, workspaceId)
}

/** What `read` finds with the secret of a workspace that arrived; only a mail of that workspace counts. */
export async function findForwarded(app: App, read: (sealer: Sealer) => string | null): Promise<string | null> {
  for (const { workspaceId, sealer } of await listArrived(app)) {
    const messageId = read(sealer)
    if (messageId !== null && (await findWorkspaceId(app, messageId)) === workspaceId) return messageId
  }
  return null
}

async function findWorkspaceId(app: App, messageId: string): Promise<string | null> {
  const [row] = await app.db
    .select({ id: messages.workspaceId })
    .from(messages)
    .where(eq(messages.id, messageId))
    .limit(1)
  return row?.id ?? null
}
