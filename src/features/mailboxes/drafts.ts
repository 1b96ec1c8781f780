// Mail of agents that waits for a person: read, changed, approved, refused, or withdrawn by its agent. A decision names the hash of what leaves,
// checked again in the transaction that makes it a message. Until then there is no job, so nothing that retries or resumes jobs can send it.

import { isDeepStrictEqual } from 'node:util'
import { and, asc, count, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import { mailboxDrafts, mailboxes } from '../../../db/tables/mailboxes.ts'
import { type App, type Reader, type Tx, write } from '../../core/app.ts'
import { sha256Hex } from '../../kit/digest.ts'
import { AppError } from '../../kit/error.ts'
import { checkAddress } from '../../people/domain-owners.ts'
import { getWorkspace, type Workspace } from '../../people/workspaces.ts'
import { mustBeAsSeen } from '../campaigns/approval.ts'
import { getMailbox, type Mailbox } from './mailboxes.ts'
import { checkedWords, type GivenWords, renderedMail, sendOutgoing } from './outgoing.ts'

export type MailDraft = typeof mailboxDrafts.$inferSelect

/** What a person decides, and about what. */
export interface Decision {
  /** Hash of what they saw. */
  contentHash: string
  /** Their id. */
  by: string
}

/** Of mailboxes that are still there. */
const ofMailbox = sql`${mailboxDrafts.mailboxId} IN (SELECT id FROM ${mailboxes} WHERE deleted_at IS NULL)`
/** As the index says it. */
const isWaiting = sql`${mailboxDrafts.state} = 'waiting'`
const waitingIn = (workspaceId: string) => and(eq(mailboxDrafts.workspaceId, workspaceId), isWaiting, ofMailbox)

/** Newest first; `limit` and one more. */
export async function listWaiting(
  reader: Reader,
  workspaceId: string,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<MailDraft[]> {
  return await reader.db
    .select()
    .from(mailboxDrafts)
    .where(and(waitingIn(workspaceId), after === undefined ? undefined : lt(mailboxDrafts.id, after)))
    .orderBy(desc(mailboxDrafts.id))
    .limit(limit + 1)
}

/** How many wait. */
export async function countWaiting(reader: Reader, workspaceId: string): Promise<number> {
  const [row] = await reader.db.select({ total: count() }).from(mailboxDrafts).where(waitingIn(workspaceId))
  return row?.total ?? 0
}

export async function findOldestWaiting(reader: Reader, workspaceId: string): Promise<MailDraft | null> {
  const waiting = waitingIn(workspaceId)
  const [row] = await reader.db.select().from(mailboxDrafts).where(waiting).orderBy(asc(mailboxDrafts.id)).limit(1)
  return row ?? null
}

/** Throws `not_found`, also for another workspace's. */
export async function getDraft(reader: Reader, workspaceId: string, id: string): Promise<MailDraft> {
  const [row] = await reader.db.select().from(mailboxDrafts).where(eq(mailboxDrafts.id, id))
  if (row?.workspaceId === workspaceId) return row
  throw noDraft()
}

/** Of all that the recipient will see. */
export async function draftHash(reader: Reader, row: MailDraft): Promise<string> {
  const workspace = await getWorkspace(reader, row.workspaceId)
  const mailbox = await getMailbox(reader, row.workspaceId, row.mailboxId)
  const { email, headers } = row
  return sha256Hex(JSON.stringify([mailbox.address, email, headers, renderedMail(workspace, mailbox, row)]))
}

/** It leaves. Throws 409 for one that has changed or was decided on. */
export async function approveDraft(app: App, workspace: Workspace, id: string, decision: Decision): Promise<MailDraft> {
  const { mailboxId } = await getDraft(app, workspace.id, id)
  const { address } = await getMailbox(app, workspace.id, mailboxId)
  await checkAddress(app, workspace.id, { address, path: 'mailbox' })
  const { row, refusal } = await write(app, async (tx) => {
    const { draft, mailbox } = await waiting(tx, workspace.id, id, decision)
    const refusal = await sendOutgoing(tx, { workspace: await getWorkspace(tx, workspace.id), mailbox }, draft)
    return { row: await decide(tx, draft, 'approved', decision), refusal }
  })
  if (refusal) throw refusal
  return row
}

export async function refuseDraft(tx: Tx, workspaceId: string, id: string, decision: Decision): Promise<MailDraft> {
  const { draft } = await waiting(tx, workspaceId, id, decision)
  return await decide(tx, draft, 'refused', decision)
}

/** A person's words for the same mail. */
export async function editDraft(
  tx: Tx,
  workspace: Workspace,
  id: string,
  { words, ...decision }: Decision & { words: GivenWords },
): Promise<MailDraft> {
  const { draft } = await waiting(tx, workspace.id, id, decision)
  const said = checkedWords(words, draft.subject, workspace.primaryLocale)
  return await change(tx, draft, { said })
}

async function waiting(
  tx: Tx,
  workspaceId: string,
  id: string,
  { contentHash }: Decision,
): Promise<{ draft: MailDraft; mailbox: Mailbox }> {
  const draft = await getDraft(tx, workspaceId, id)
  const mailbox = await getMailbox(tx, workspaceId, draft.mailboxId)
  if (draft.state !== 'waiting') throw new AppError('invalid_state_transition', `this mail was ${draft.state} before`)
  mustBeAsSeen(contentHash, await draftHash(tx, draft))
  return { draft, mailbox }
}

async function decide(tx: Tx, draft: MailDraft, state: MailDraft['state'], { by }: Decision): Promise<MailDraft> {
  return await change(tx, draft, { state, decidedBy: by, decidedAt: tx.now })
}

async function change(tx: Tx, draft: MailDraft, to: Partial<MailDraft>): Promise<MailDraft> {
  const given = { ...to, updatedAt: tx.now }
  await tx.db.update(mailboxDrafts).set(given).where(eq(mailboxDrafts.id, draft.id))
  return { ...draft, ...given }
}

/** What an agent sees of its drafts, newest first; `limit` and one more. */
export async function listOfAuthor(
  reader: Reader,
  { mailboxId, authorId }: Pick<MailDraft, 'mailboxId' | 'authorId'>,
  { limit, after, states }: { limit: number; after: string | undefined; states: MailDraft['state'][] },
): Promise<MailDraft[]> {
  return await reader.db
    .select()
    .from(mailboxDrafts)
    .where(
      and(
        eq(mailboxDrafts.mailboxId, mailboxId),
        eq(mailboxDrafts.authorId, authorId),
        inArray(mailboxDrafts.state, states),
        after === undefined ? undefined : lt(mailboxDrafts.id, after),
      ),
    )
    .orderBy(desc(mailboxDrafts.id))
    .limit(limit + 1)
}

/**
 * Other words of its agent, or null: it is withdrawn. Throws `not_found` for what another wrote, 409 `invalid_state_transition` once a person
 * decided, and for words that a person has changed.
 */
export async function reviseDraft(
  tx: Tx,
  workspace: Workspace,
  { id, mailboxId, authorId }: Pick<MailDraft, 'id' | 'mailboxId' | 'authorId'>,
  words: GivenWords | null,
): Promise<MailDraft> {
  const draft = await getDraft(tx, workspace.id, id)
  if (draft.mailboxId !== mailboxId || draft.authorId !== authorId) throw noDraft()
  if (draft.state !== 'waiting') throw new AppError('invalid_state_transition', `this draft was ${draft.state} before`)
  if (words === null) return await change(tx, draft, { state: 'withdrawn' })
  if (!isDeepStrictEqual(draft.said, draft.first))
    throw new AppError('invalid_state_transition', 'a person has changed this draft: only people change it now')
  const said = checkedWords(words, draft.subject, workspace.primaryLocale)
  return await change(tx, draft, { said, first: said })
}

function noDraft(): AppError {
  return new AppError('not_found', 'there is nothing with this id to approve')
}
