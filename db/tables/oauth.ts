// OAuth 2.1 for the MCP endpoints: clients that registered themselves, what people allowed a client, and the codes and tokens of that.

import { sql } from 'drizzle-orm'
import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { at, createdAt, json, madeBy, workspaceId } from './columns.ts'

/** Whoever publishes a document about itself instead (features/oauth/client-documents.ts) is not here. */
export const oauthClients = sqliteTable(
  'oauth_clients',
  {
    id: text('id').primaryKey(),
    /** What it calls itself: nobody has checked it. */
    name: text('name').notNull(),
    redirectUris: json<string[]>('redirect_uris').notNull(),
    createdAt: createdAt(),
    /** When a person allowed it something the last time; null: never. */
    lastAllowedAt: at('last_allowed_at'),
  },
  (table) => [index('oauth_clients_use').on(table.lastAllowedAt, table.createdAt)],
)

/** One yes of one person to one client. Its tokens, one refreshed by the other, are a family: they end together. */
export const oauthGrants = sqliteTable(
  'oauth_grants',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    /** The one mailbox that it opens; null: the tools of the workspace. */
    mailboxId: text('mailbox_id'),
    clientId: text('client_id').notNull(),
    clientName: text('client_name').notNull(),
    /** Where the person was sent back to. */
    clientHost: text('client_host').notNull(),
    scopes: json<string[]>('scopes').notNull(),
    madeBy: madeBy(),
    /** The role of the person at that time: it never allows more. */
    role: text('role').$type<'owner' | 'member' | 'viewer'>().notNull(),
    createdAt: createdAt(),
    /** When the client exchanged its code; null: not yet. */
    beganAt: at('began_at'),
    lastUsedAt: at('last_used_at'),
    revokedAt: at('revoked_at'),
    /** Why it ended without anybody's decision. */
    endReason: text('end_reason').$type<'code_used_twice' | 'refresh_token_used_twice' | 'ended_by_client'>(),
  },
  (table) => [
    index('oauth_grants_workspace').on(table.workspaceId, table.id),
    index('oauth_grants_client').on(table.clientId),
    index('oauth_grants_unbegun').on(table.createdAt).where(sql`began_at IS NULL`),
  ],
)

/** Codes, access tokens and refresh tokens, as SHA-256. A used one stays until its time is over, so that a second use is noticed. */
export const oauthTokens = sqliteTable(
  'oauth_tokens',
  {
    tokenHash: text('token_hash').primaryKey(),
    grantId: text('grant_id').notNull(),
    kind: text('kind').$type<'code' | 'access' | 'refresh'>().notNull(),
    /** Of a code: what its exchange must fit (RFC 7636), and where it was sent. */
    codeChallenge: text('code_challenge'),
    redirectUri: text('redirect_uri'),
    createdAt: createdAt(),
    expiresAt: at('expires_at').notNull(),
    usedAt: at('used_at'),
  },
  (table) => [index('oauth_tokens_grant').on(table.grantId), index('oauth_tokens_expiry').on(table.expiresAt)],
)
