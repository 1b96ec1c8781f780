// When people are asked by mail about what their agents would do: a minute after something begins to wait, so that what comes together is asked
// together, and at most once in a quarter of an hour. What the mail says: features/review/approvals/link-mail.ts.

import { and, eq, inArray, lt } from 'drizzle-orm'
import { approvalMails } from '../../../db/tables/agents.ts'
import { mailboxTokens } from '../../../db/tables/mailboxes.ts'
import { oauthGrants } from '../../../db/tables/oauth.ts'
import { apiKeys } from '../../../db/tables/workspaces.ts'
import type { Reader, Tx } from '../../core/app.ts'
import type { Config } from '../../core/config.ts'
import { enqueue, type JobHead } from '../../core/outbox/enqueue.ts'
import { minute } from '../../kit/duration.ts'
import { landing } from '../access/same-site.ts'
import { noticeJob } from './owner-notice.ts'

const gatherMs = minute
/** Of one person in one workspace. */
const betweenMs = 15 * minute
const rowsPerDelete = 200

export const approvalMailJob: JobHead<{ userId: string }> = {
  kind: 'mail-approvals',
  lane: noticeJob.lane,
  attemptsMax: noticeJob.attemptsMax,
}

/** Where a workspace's approvals are in the dashboard. */
export function approvalsUrl({ baseUrl }: Pick<Config, 'baseUrl'>, slug: string): string {
  return `${baseUrl}${landing}/${slug}/approvals`
}

/** Something of this key, token or connection has begun to wait: whoever made it is asked, unless nobody is known. */
export async function askByMail(
  tx: Tx,
  { workspaceId, authorId }: { workspaceId: string; authorId: string },
): Promise<void> {
  const userId = (await loadMakers(tx, [authorId])).get(authorId)
  if (userId === undefined) return
  const mine = and(eq(approvalMails.workspaceId, workspaceId), eq(approvalMails.userId, userId))
  const [last] = await tx.db.select({ dueAt: approvalMails.dueAt }).from(approvalMails).where(mine)
  if (last && last.dueAt > tx.now) return
  const earliest = tx.now.getTime() + gatherMs
  const dueAt = new Date(last ? Math.max(earliest, last.dueAt.getTime() + betweenMs) : earliest)
  await tx.db
    .insert(approvalMails)
    .values({ workspaceId, userId, dueAt })
    .onConflictDoUpdate({ target: [approvalMails.workspaceId, approvalMails.userId], set: { dueAt } })
  await enqueue(tx, approvalMailJob, { workspaceId, payload: { userId }, runAt: dueAt })
}

/** The person who made each of these keys and tokens, or allowed the connection; those that nobody is known of are left out. */
export async function loadMakers({ db }: Reader, authorIds: string[]): Promise<Map<string, string>> {
  const makers = new Map<string, string>()
  for (const { id, madeBy } of [mailboxTokens, oauthGrants, apiKeys]) {
    const rows = await db.select({ id, madeBy }).from(id.table).where(inArray(id, authorIds))
    for (const row of rows) if (row.madeBy?.startsWith('usr_')) makers.set(row.id, row.madeBy)
  }
  return makers
}

/** Those that no longer hold a mail back. Returns how many; call until 0. */
export async function deleteOldApprovalMails(tx: Tx): Promise<number> {
  const { workspaceId, userId, dueAt } = approvalMails
  const old = await tx.db
    .select({ workspaceId, userId })
    .from(approvalMails)
    .where(lt(dueAt, new Date(tx.now.getTime() - betweenMs)))
    .limit(rowsPerDelete)
  for (const row of old)
    await tx.db.delete(approvalMails).where(and(eq(workspaceId, row.workspaceId), eq(userId, row.userId)))
  return old.length
}
