// Replies of agents that wait for a person: read, changed, approved, refused. A decision names the hash of what leaves, checked again in the
// transaction that makes it a message. Until then there is no job, so nothing that retries or resumes jobs can send it.

import { and, asc, count, desc, eq, lt, sql } from 'drizzle-orm'
import { heldReplies, mailboxes } from '../../../db/tables/mailboxes.ts'
import { type App, type Reader, type Tx, write } from '../../core/app.ts'
import { sha256Hex } from '../../kit/digest.ts'
import { AppError } from '../../kit/error.ts'
import { checkAddress } from '../../people/domain-owners.ts'
import { getWorkspace, type Workspace } from '../../people/workspaces.ts'
import { mustBeAsSeen } from '../campaigns/approval.ts'
import { getMailbox, type Mailbox } from './mailboxes.ts'
import { checkedWords, type ReplyInput, renderedReply, sendReply } from './reply.ts'

export type HeldReply = typeof heldReplies.$inferSelect

/** What a person decides, and about what. */
export interface Decision {
  /** Hash of what they saw. */
  contentHash: string
  /** Their id. */
  by: string
}

/** Of mailboxes that are still there. */
const ofMailbox = sql`${heldReplies.mailboxId} IN (SELECT id FROM ${mailboxes} WHERE deleted_at IS NULL)`
const waitingIn = (workspaceId: string) =>
  and(eq(heldReplies.workspaceId, workspaceId), eq(heldReplies.state, 'held'), ofMailbox)

/** Newest first; `limit` and one more. */
export async function listHeld(
  reader: Reader,
  workspaceId: string,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<HeldReply[]> {
  return await reader.db
    .select()
    .from(heldReplies)
    .where(and(waitingIn(workspaceId), after === undefined ? undefined : lt(heldReplies.id, after)))
    .orderBy(desc(heldReplies.id))
    .limit(limit + 1)
}

/** How many wait. */
export async function countHeld(reader: Reader, workspaceId: string): Promise<number> {
  const [row] = await reader.db.select({ total: count() }).from(heldReplies).where(waitingIn(workspaceId))
  return row?.total ?? 0
}

export async function findOldestHeld(reader: Reader, workspaceId: string): Promise<HeldReply | null> {
  const waiting = waitingIn(workspaceId)
  const [row] = await reader.db.select().from(heldReplies).where(waiting).orderBy(asc(heldReplies.id)).limit(1)
  return row ?? null
}

/** Throws `not_found`, also for another workspace's. */
export async function getHeld(reader: Reader, workspaceId: string, id: string): Promise<HeldReply> {
  const [row] = await reader.db.select().from(heldReplies).where(eq(heldReplies.id, id))
  if (row?.workspaceId === workspaceId) return row
  throw new AppError('not_found', 'there is nothing with this id to approve')
}

/** Of all that the recipient will see. */
export async function heldHash(reader: Reader, row: HeldReply): Promise<string> {
  const workspace = await getWorkspace(reader, row.workspaceId)
  const mailbox = await getMailbox(reader, row.workspaceId, row.mailboxId)
  const { email, headers } = row
  return sha256Hex(JSON.stringify([mailbox.address, email, headers, renderedReply(workspace, mailbox, row)]))
}

/** The reply leaves. Throws 409 for one that has changed or was decided on. */
export async function approveReply(app: App, workspace: Workspace, id: string, decision: Decision): Promise<HeldReply> {
  const { mailboxId } = await getHeld(app, workspace.id, id)
  const { address } = await getMailbox(app, workspace.id, mailboxId)
  await checkAddress(app, workspace.id, { address, path: 'mailbox' })
  const { row, refusal } = await write(app, async (tx) => {
    const { held, mailbox } = await waiting(tx, workspace.id, id, decision)
    const refusal = await sendReply(
      tx,
      { workspace: await getWorkspace(tx, workspace.id), mailbox },
      { ...held, authorId: held.tokenId },
    )
    return { row: await decide(tx, held, 'approved', decision), refusal }
  })
  if (refusal) throw refusal
  return row
}

export async function refuseReply(tx: Tx, workspaceId: string, id: string, decision: Decision): Promise<HeldReply> {
  const { held } = await waiting(tx, workspaceId, id, decision)
  return await decide(tx, held, 'refused', decision)
}

/** Other words for the same reply. */
export async function editReply(
  tx: Tx,
  workspace: Workspace,
  id: string,
  { words, ...decision }: Decision & { words: Pick<ReplyInput, 'text' | 'content'> },
): Promise<HeldReply> {
  const { held } = await waiting(tx, workspace.id, id, decision)
  const said = checkedWords(words, held.subject, workspace.primaryLocale)
  return await change(tx, held, { said })
}

async function waiting(
  tx: Tx,
  workspaceId: string,
  id: string,
  { contentHash }: Decision,
): Promise<{ held: HeldReply; mailbox: Mailbox }> {
  const held = await getHeld(tx, workspaceId, id)
  const mailbox = await getMailbox(tx, workspaceId, held.mailboxId)
  if (held.state !== 'held') throw new AppError('invalid_state_transition', `this reply was ${held.state} before`)
  mustBeAsSeen(contentHash, await heldHash(tx, held))
  return { held, mailbox }
}

async function decide(tx: Tx, held: HeldReply, state: HeldReply['state'], { by }: Decision): Promise<HeldReply> {
  return await change(tx, held, { state, decidedBy: by, decidedAt: tx.now })
}

async function change(tx: Tx, held: HeldReply, to: Partial<HeldReply>): Promise<HeldReply> {
  const given = { ...to, updatedAt: tx.now }
  await tx.db.update(heldReplies).set(given).where(eq(heldReplies.id, held.id))
  return { ...held, ...given }
}
