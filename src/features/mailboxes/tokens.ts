// Mailbox tokens: what an agent opens one mailbox with, and nothing else. Shown once, stored as SHA-256, revoked at once.

import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { ReadDb } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { agentReads } from '../../../db/tables/agents.ts'
import { type MailboxScope, mailboxes, mailboxTokens } from '../../../db/tables/mailboxes.ts'
import { oauthGrants } from '../../../db/tables/oauth.ts'
import { workspaces } from '../../../db/tables/workspaces.ts'
import type { App, Reader, Tx } from '../../core/app.ts'
import { sha256Hex } from '../../kit/digest.ts'
import { AppError, invalidField } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import { isMailboxToken, mailboxTokenHint, newMailboxToken } from '../../kit/token.ts'
import { operator } from '../../people/access/grants.ts'
import { createTouch } from '../../people/access/touch.ts'
import type { Workspace } from '../../people/workspaces.ts'

type TokenRow = typeof mailboxTokens.$inferSelect

export interface MailboxToken extends TokenRow {
  /** When its agent first read mail. */
  firstReadAt: Date | null
}

const mailboxScopes: MailboxScope[] = ['read', 'reply']
const maxNameChars = 100

export interface NewToken {
  name?: string | undefined
  /** Default: `read` and `reply`. */
  scopes?: string[] | undefined
  expiresAt?: Date | undefined
  /** Default: false. */
  airlock?: boolean | undefined
  /** Default: the operator. */
  madeBy?: string | null
}

/** Returns the row and the token itself, which cannot be read again. Throws `validation_failed`. */
export async function createToken(
  tx: Tx,
  { workspaceId, id: mailboxId }: { workspaceId: string; id: string },
  input: NewToken,
): Promise<{ row: MailboxToken; token: string }> {
  if (input.expiresAt && input.expiresAt <= tx.now) throw invalidField('expiresAt', 'must be in the future')
  const token = newMailboxToken(tx)
  const row: TokenRow = {
    id: newId(tx, 'mtk', tx.now),
    workspaceId,
    mailboxId,
    name: (input.name ?? '').trim().slice(0, maxNameChars) || 'Mailbox token',
    prefix: mailboxTokenHint(token),
    tokenHash: sha256Hex(token),
    scopes: checkedScopes(input.scopes ?? mailboxScopes),
    airlock: input.airlock ?? false,
    madeBy: input.madeBy === undefined ? operator : input.madeBy,
    createdAt: tx.now,
    expiresAt: input.expiresAt ?? null,
    lastUsedAt: null,
    revokedAt: null,
  }
  await tx.db.insert(mailboxTokens).values(row)
  return { row: { ...row, firstReadAt: null }, token }
}

/** Those that are not revoked, oldest first. */
export async function listTokens(reader: Reader, mailboxId: string): Promise<MailboxToken[]> {
  const rows = await reader.db
    .select({ token: mailboxTokens, firstReadAt: agentReads.createdAt })
    .from(mailboxTokens)
    .leftJoin(
      agentReads,
      and(eq(agentReads.workspaceId, mailboxTokens.workspaceId), eq(agentReads.reader, mailboxTokens.id)),
    )
    .where(and(eq(mailboxTokens.mailboxId, mailboxId), isNull(mailboxTokens.revokedAt)))
    .orderBy(asc(mailboxTokens.id))
  return rows.map(({ token, firstReadAt }) => ({ ...token, firstReadAt }))
}

/** Refused from the next message on, also on open streams. Throws `not_found`. */
export async function revokeToken(tx: Tx, mailboxId: string, tokenId: string): Promise<void> {
  const mine = and(
    eq(mailboxTokens.id, tokenId),
    eq(mailboxTokens.mailboxId, mailboxId),
    isNull(mailboxTokens.revokedAt),
  )
  const revoked = await tx.db
    .update(mailboxTokens)
    .set({ revokedAt: tx.now })
    .where(mine)
    .returning({ id: mailboxTokens.id })
  if (revoked.length === 0) throw new AppError('not_found', 'There is no such mailbox token.')
}

/** Also the connections that opened it. */
export async function revokeMailboxTokens(tx: Tx, mailboxId: string): Promise<void> {
  await tx.db
    .update(oauthGrants)
    .set({ revokedAt: tx.now })
    .where(and(eq(oauthGrants.mailboxId, mailboxId), isNull(oauthGrants.revokedAt)))
  await tx.db
    .update(mailboxTokens)
    .set({ revokedAt: tx.now })
    .where(and(eq(mailboxTokens.mailboxId, mailboxId), isNull(mailboxTokens.revokedAt)))
}

const byHash = prepared((db: ReadDb) =>
  db
    .select({ token: mailboxTokens, mailbox: mailboxes, workspace: workspaces })
    .from(mailboxTokens)
    .innerJoin(mailboxes, eq(mailboxes.id, mailboxTokens.mailboxId))
    .innerJoin(workspaces, eq(workspaces.id, mailboxTokens.workspaceId))
    .where(
      and(
        eq(mailboxTokens.tokenHash, sql.placeholder('hash')),
        isNull(mailboxTokens.revokedAt),
        eq(mailboxes.status, 'active'),
        isNull(mailboxes.deletedAt),
      ),
    )
    .prepare(),
)

/** A mailbox and its workspace, with what opened it: a token of it, or a connection (features/oauth). */
export interface OpenMailbox {
  token: Pick<MailboxToken, 'id' | 'scopes'>
  mailbox: typeof mailboxes.$inferSelect
  workspace: Workspace
}

/** Null when it does not exist, is revoked or over, or its mailbox is disabled. */
export async function findToken(reader: Reader, token: string, now: Date) {
  const found = isMailboxToken(token) ? await byHash(reader.db).get({ hash: sha256Hex(token) }) : undefined
  if (!found || (found.token.expiresAt !== null && found.token.expiresAt <= now)) return null
  return found
}

/** `touch(token)`: notes the use of a token. */
export function createTokenTouch(app: App) {
  return createTouch(app, 'a mailbox token', (tx, id) =>
    tx.db.update(mailboxTokens).set({ lastUsedAt: tx.now }).where(eq(mailboxTokens.id, id)),
  )
}

function checkedScopes(wanted: string[]): MailboxScope[] {
  const unknown = wanted.find((scope) => !mailboxScopes.some((one) => one === scope))
  if (unknown !== undefined)
    throw invalidField('scopes', `${unknown} is not a scope; known are ${mailboxScopes.join(', ')}`)
  if (wanted.length === 0) throw invalidField('scopes', 'a token needs at least one scope')
  return mailboxScopes.filter((scope) => wanted.includes(scope))
}
