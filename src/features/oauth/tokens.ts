// Codes, access tokens and refresh tokens: 256 random bits each, stored as SHA-256. A code and a refresh token are used once; whoever brings
// one a second time ends the connection, because one of the two who had it was not to have it (RFC 9700, 4.14; RFC 6749, 4.1.2).

import { and, eq, isNull, sql } from 'drizzle-orm'
import type { ReadDb } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { mailboxes } from '../../../db/tables/mailboxes.ts'
import { oauthGrants, oauthTokens } from '../../../db/tables/oauth.ts'
import { members, workspaces } from '../../../db/tables/workspaces.ts'
import type { Reader, Tx } from '../../core/app.ts'
import { sha256Hex } from '../../kit/digest.ts'
import { day, hour, minute, second } from '../../kit/duration.ts'
import { isOAuthToken, newOAuthToken, type OAuthTokenKind } from '../../kit/token.ts'
import type { Role } from '../../people/access/roles.ts'
import { makerOfGrant, roleOfGrant } from './grants.ts'

type OAuthToken = typeof oauthTokens.$inferSelect

const lifeMs: Record<OAuthTokenKind, number> = {
  code: minute,
  access: hour,
  /** Of each; the next one lives as long again. */
  refresh: 30 * day,
}
const accessSeconds = lifeMs.access / second

export interface IssuedTokens {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token: string
  scope: string
}

/** What the exchange of a code must fit. */
export interface CodeTerms {
  codeChallenge: string
  redirectUri: string
}

export async function issueCode(tx: Tx, grantId: string, terms: CodeTerms): Promise<string> {
  return await issue(tx, grantId, 'code', terms)
}

export async function issueTokens(tx: Tx, grant: { id: string; scopes: string[] }): Promise<IssuedTokens> {
  return {
    access_token: await issue(tx, grant.id, 'access'),
    token_type: 'Bearer',
    expires_in: accessSeconds,
    refresh_token: await issue(tx, grant.id, 'refresh'),
    scope: grant.scopes.join(' '),
  }
}

async function issue(tx: Tx, grantId: string, kind: OAuthTokenKind, terms?: CodeTerms): Promise<string> {
  const token = newOAuthToken(tx, kind)
  await tx.db.insert(oauthTokens).values({
    tokenHash: sha256Hex(token),
    grantId,
    kind,
    codeChallenge: terms?.codeChallenge ?? null,
    redirectUri: terms?.redirectUri ?? null,
    createdAt: tx.now,
    expiresAt: new Date(tx.now.getTime() + lifeMs[kind]),
    usedAt: null,
  })
  return token
}

const tokenByHash = prepared((db: ReadDb) =>
  db
    .select({
      token: oauthTokens,
      grant: oauthGrants,
      workspace: workspaces,
      mailbox: mailboxes,
      makerRole: members.role,
    })
    .from(oauthTokens)
    .innerJoin(oauthGrants, eq(oauthGrants.id, oauthTokens.grantId))
    .innerJoin(workspaces, eq(workspaces.id, oauthGrants.workspaceId))
    .leftJoin(mailboxes, eq(mailboxes.id, oauthGrants.mailboxId))
    .leftJoin(members, makerOfGrant)
    .where(and(eq(oauthTokens.tokenHash, sql.placeholder('hash')), isNull(oauthGrants.revokedAt)))
    .prepare(),
)

type FoundToken = NonNullable<Awaited<ReturnType<ReturnType<typeof tokenByHash>['get']>>>

/** A token whose connection is open, with all that it opens. It may have been used, or be too old. */
export interface OpenToken extends Omit<FoundToken, 'makerRole'> {
  token: OAuthToken
  /** The most that it allows, whatever its scopes. */
  role: Role
}

/** Undefined also where what it opened is gone: its maker, its mailbox. */
export async function findToken(reader: Reader, text: string, kind: OAuthTokenKind): Promise<OpenToken | undefined> {
  if (!isOAuthToken(text, kind)) return undefined
  const found = await tokenByHash(reader.db).get({ hash: sha256Hex(text) })
  if (found?.token.kind !== kind) return undefined
  const { makerRole, ...open } = found
  const role = roleOfGrant(open.grant, makerRole)
  const isGone = open.grant.mailboxId !== null && (open.mailbox?.status !== 'active' || open.mailbox.deletedAt !== null)
  return role === undefined || isGone ? undefined : { ...open, role }
}

/** An access token that works. */
export async function findAccess(reader: Reader, text: string, now: Date): Promise<OpenToken | undefined> {
  const found = await findToken(reader, text, 'access')
  return found && found.token.expiresAt > now ? found : undefined
}

/** False when it was used before. */
export async function useUp(tx: Tx, { tokenHash }: OAuthToken): Promise<boolean> {
  const unused = and(eq(oauthTokens.tokenHash, tokenHash), isNull(oauthTokens.usedAt))
  const used = await tx.db
    .update(oauthTokens)
    .set({ usedAt: tx.now })
    .where(unused)
    .returning({ at: oauthTokens.usedAt })
  return used.length > 0
}

export async function deleteToken(tx: Tx, { tokenHash }: OAuthToken): Promise<void> {
  await tx.db.delete(oauthTokens).where(eq(oauthTokens.tokenHash, tokenHash))
}
