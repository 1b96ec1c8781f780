// What people allowed a client: one row for each yes. It rests on the right of whoever said it, asked again at each use, and ends at once with
// that right, with the mailbox, by a click, or when a code or a refresh token comes a second time.

import { and, desc, eq, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import { agentReads } from '../../../db/tables/agents.ts'
import { mailboxes } from '../../../db/tables/mailboxes.ts'
import { oauthGrants, oauthTokens } from '../../../db/tables/oauth.ts'
import { members, users } from '../../../db/tables/workspaces.ts'
import type { App, Reader, Tx } from '../../core/app.ts'
import { day, hour } from '../../kit/duration.ts'
import { AppError } from '../../kit/error.ts'
import { isPerson } from '../../people/access/grants.ts'
import { lesserRole, type Role } from '../../people/access/roles.ts'
import { createTouch } from '../../people/access/touch.ts'

export type OAuthGrant = typeof oauthGrants.$inferSelect

/** Longer than a code can be exchanged. */
const unbegunMs = hour
/** A used code is known as such at least this long. */
const rememberedMs = day
const deletedAtOnce = 200

/** Whose role a grant has; a test workspace has the members of its workspace. */
export const makerOfGrant = and(
  eq(members.workspaceId, sql`replace(${oauthGrants.workspaceId}, 'wst_', 'ws_')`),
  eq(members.userId, oauthGrants.madeBy),
)

/** The most that it allows now; undefined when its maker is no longer in the workspace. */
export function roleOfGrant(
  { madeBy, role }: Pick<OAuthGrant, 'madeBy' | 'role'>,
  makerRole: Role | null,
): Role | undefined {
  if (!isPerson(madeBy)) return role
  return makerRole === null ? undefined : lesserRole(role, makerRole)
}

/** Who reads through a connection (doors/mcp/airlock.ts). */
const readerOfGrant = sql`coalesce(${oauthGrants.madeBy}, ${oauthGrants.id})`

export interface ListedGrant extends OAuthGrant {
  /** The address of who allowed it. */
  maker: string | null
  /** The address of the mailbox that it opens. */
  mailboxAddress: string | null
  /** When a program of the same person first read what strangers wrote. */
  firstReadAt: Date | null
}

/** Those that a client has begun to use and that are open, newest first. */
export async function listGrants(reader: Reader, workspaceId: string): Promise<ListedGrant[]> {
  const open = and(
    eq(oauthGrants.workspaceId, workspaceId),
    isNull(oauthGrants.revokedAt),
    isNotNull(oauthGrants.beganAt),
  )
  const rows = await reader.db
    .select({
      grant: oauthGrants,
      maker: users.email,
      mailboxAddress: mailboxes.address,
      firstReadAt: agentReads.createdAt,
    })
    .from(oauthGrants)
    .leftJoin(users, eq(users.id, oauthGrants.madeBy))
    .leftJoin(mailboxes, eq(mailboxes.id, oauthGrants.mailboxId))
    .leftJoin(
      agentReads,
      and(eq(agentReads.workspaceId, oauthGrants.workspaceId), eq(agentReads.reader, readerOfGrant)),
    )
    .where(open)
    .orderBy(desc(oauthGrants.id))
  return rows.map(({ grant, ...more }) => ({ ...grant, ...more }))
}

/** Refused from the next request on, also on open streams. Throws `not_found`. */
export async function revokeGrant(tx: Tx, workspaceId: string, id: string): Promise<void> {
  const mine = and(eq(oauthGrants.id, id), eq(oauthGrants.workspaceId, workspaceId), isNull(oauthGrants.revokedAt))
  const revoked = await tx.db
    .update(oauthGrants)
    .set({ revokedAt: tx.now })
    .where(mine)
    .returning({ id: oauthGrants.id })
  if (revoked.length === 0) throw new AppError('not_found', 'There is no such connection.')
}

/** Not by anybody's decision. */
export async function endGrant(tx: Tx, id: string, endReason: NonNullable<OAuthGrant['endReason']>): Promise<void> {
  const open = and(eq(oauthGrants.id, id), isNull(oauthGrants.revokedAt))
  await tx.db.update(oauthGrants).set({ revokedAt: tx.now, endReason }).where(open)
}

/** `touch(grant)`: notes the use of a connection. */
export function createGrantTouch(app: App) {
  return createTouch(app, 'a connection', (tx, id) =>
    tx.db.update(oauthGrants).set({ lastUsedAt: tx.now }).where(eq(oauthGrants.id, id)),
  )
}

/** Tokens whose time has been over for a day, and what a client never began to use. Returns how many; call until 0. */
export async function deleteEndedTokens(tx: Tx): Promise<number> {
  const over = tx.db
    .select({ hash: oauthTokens.tokenHash })
    .from(oauthTokens)
    .where(lt(oauthTokens.expiresAt, new Date(tx.now.getTime() - rememberedMs)))
    .limit(deletedAtOnce)
  const tokens = await tx.db
    .delete(oauthTokens)
    .where(inArray(oauthTokens.tokenHash, over))
    .returning({ grantId: oauthTokens.grantId })
  const unbegun = tx.db
    .select({ id: oauthGrants.id })
    .from(oauthGrants)
    .where(and(isNull(oauthGrants.beganAt), lt(oauthGrants.createdAt, new Date(tx.now.getTime() - unbegunMs))))
    .limit(deletedAtOnce)
  const grants = await tx.db
    .delete(oauthGrants)
    .where(inArray(oauthGrants.id, unbegun))
    .returning({ id: oauthGrants.id })
  return tokens.length + grants.length
}
