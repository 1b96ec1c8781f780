// What a person has passed on in a workspace: every credential and every open door that rests on their right. Who is removed or gets a
// lesser role loses it in the same transaction, unless another owner takes it over. Of API keys, each request asks as well (api-keys.ts).

import { and, eq, gt, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { providerHooks } from '../../../db/tables/campaigns.ts'
import { subscriptionSources } from '../../../db/tables/lists.ts'
import { mailboxes, mailboxTokens } from '../../../db/tables/mailboxes.ts'
import { oauthGrants } from '../../../db/tables/oauth.ts'
import { paymentIntegrations } from '../../../db/tables/payments.ts'
import { webhookEndpoints } from '../../../db/tables/webhooks.ts'
import { apiKeys, invitations } from '../../../db/tables/workspaces.ts'
import type { Reader, Tx } from '../../core/app.ts'
import { testIdOf } from '../../kit/id.ts'
import type { Role } from './roles.ts'

/** The person whose rights a new credential depends on, and the limit of those rights. */
export interface Grantor {
  /** A person, or `operator`; null: of a key that is older than makers. */
  userId: string | null
  role: Role
}

/** The operator, who has the files of the installation. Their rights cannot be taken away. */
export const operator = 'operator'

/** Whether a maker is a person who may lose their rights. */
export function isPerson(maker: string | null): maker is string {
  return maker !== null && maker !== operator
}

export const grantKinds = [
  'api_key',
  'invitation',
  'mailbox_token',
  'oauth_grant',
  'inbound_address',
  'webhook_endpoint',
  'subscription_source',
  'provider_hook',
  'payment_secret',
] as const
export type GrantKind = (typeof grantKinds)[number]

export interface Grant {
  kind: GrantKind
  id: string
  name: string
}

interface GrantTable {
  table: SQLiteTable
  workspaceId: SQLiteColumn
  id: SQLiteColumn
  name: SQLiteColumn
  maker: SQLiteColumn
  createdAt: SQLiteColumn
  /** Whether it opens something. */
  isOpen(now: Date): SQL | undefined
  /** The columns that close it; null: it is deleted. */
  closed: ((now: Date) => Record<string, unknown>) | null
}

/** Each table with a maker is here (test/grants.test.ts finds them). */
export const grantTables: Record<GrantKind, GrantTable> = {
  api_key: {
    ...grantColumns(apiKeys, apiKeys.name, apiKeys.madeBy),
    isOpen: () => isNull(apiKeys.revokedAt),
    closed: (revokedAt) => ({ revokedAt }),
  },
  invitation: {
    ...grantColumns(invitations, invitations.email, invitations.invitedBy),
    isOpen: (now) => gt(invitations.expiresAt, now),
    closed: null,
  },
  mailbox_token: {
    ...grantColumns(mailboxTokens, mailboxTokens.name, mailboxTokens.madeBy),
    isOpen: () => isNull(mailboxTokens.revokedAt),
    closed: (revokedAt) => ({ revokedAt }),
  },
  oauth_grant: {
    ...grantColumns(oauthGrants, oauthGrants.clientName, oauthGrants.madeBy),
    isOpen: () => isNull(oauthGrants.revokedAt),
    closed: (revokedAt) => ({ revokedAt }),
  },
  inbound_address: {
    ...grantColumns(mailboxes, mailboxes.address, mailboxes.inboundMadeBy),
    isOpen: () => isNotNull(mailboxes.inboundTokenHash),
    closed: (updatedAt) => ({ inboundTokenHash: null, updatedAt }),
  },
  webhook_endpoint: {
    ...grantColumns(webhookEndpoints, webhookEndpoints.url, webhookEndpoints.madeBy),
    isOpen: () => eq(webhookEndpoints.status, 'active'),
    closed: (updatedAt) => ({ status: 'disabled', disabledReason: 'manual', updatedAt }),
  },
  subscription_source: {
    ...grantColumns(subscriptionSources, subscriptionSources.name, subscriptionSources.madeBy),
    isOpen: () => eq(subscriptionSources.active, true),
    closed: (updatedAt) => ({ active: false, updatedAt }),
  },
  provider_hook: {
    ...grantColumns({ ...providerHooks, id: providerHooks.provider }, providerHooks.provider, providerHooks.madeBy),
    table: providerHooks,
    isOpen: () => undefined,
    closed: null,
  },
  payment_secret: {
    ...grantColumns(paymentIntegrations, paymentIntegrations.id, paymentIntegrations.secretMadeBy),
    isOpen: () => isNotNull(paymentIntegrations.signingSecretSealed),
    closed: (updatedAt) => ({ enabled: false, signingSecretSealed: null, updatedAt }),
  },
}

type TableWithId = SQLiteTable & { workspaceId: SQLiteColumn; id: SQLiteColumn; createdAt: SQLiteColumn }

function grantColumns(table: TableWithId, name: SQLiteColumn, maker: SQLiteColumn) {
  return { table, workspaceId: table.workspaceId, id: table.id, name, maker, createdAt: table.createdAt }
}

interface Maker {
  workspaceId: string
  userId: string
}

/** The open credentials that a person has created, in the workspace and its test workspace. */
export async function listGrants(reader: Reader, maker: Maker, now: Date): Promise<Grant[]> {
  const found: Grant[] = []
  for (const kind of grantKinds) {
    const { table, id, name } = grantTables[kind]
    const rows = await reader.db
      .select({ id: sql<string>`${id}`, name: sql<string>`${name}` })
      .from(table)
      .where(madeBy(kind, maker, now))
      .orderBy(id)
    found.push(...rows.map((row) => ({ kind, ...row })))
  }
  return found
}

export interface Settled {
  revoked: Grant[]
  /** Now the keeper's. */
  kept: Grant[]
}

/** `keeper`: who takes all of them over, an owner or the operator; null: they end. */
export async function settleGrants(tx: Tx, maker: Maker, keeper: Grantor | null): Promise<Settled> {
  const grants = await listGrants(tx, maker, tx.now)
  for (const kind of new Set(grants.map((grant) => grant.kind))) {
    const { table, maker: column, closed } = grantTables[kind]
    const theirs = madeBy(kind, maker, tx.now)
    const change = keeper ? { [memberName(table, column)]: keeper.userId } : closed?.(tx.now)
    await (change ? tx.db.update(table).set(change).where(theirs) : tx.db.delete(table).where(theirs))
  }
  return keeper ? { revoked: [], kept: grants } : { revoked: grants, kept: [] }
}

function madeBy(kind: GrantKind, { workspaceId, userId }: Maker, now: Date): SQL | undefined {
  const { maker, isOpen } = grantTables[kind]
  return and(isHere(kind, workspaceId), eq(maker, userId), isOpen(now))
}

/** In the workspace or its test workspace. */
function isHere(kind: GrantKind, workspaceId: string): SQL {
  return inArray(grantTables[kind].workspaceId, [workspaceId, testIdOf(workspaceId)])
}

/** Open credentials from before makers were recorded, the oldest of each kind first: no removal of a person ends them. */
export async function listUnknown(reader: Reader, workspaceId: string, now: Date, most: number) {
  const found: (Grant & { createdAt: Date })[] = []
  for (const kind of grantKinds) {
    const { table, id, name, maker, createdAt } = grantTables[kind]
    const rows = await reader.db
      .select({
        id: sql<string>`${id}`,
        name: sql<string>`${name}`,
        createdAt: sql<Date>`${createdAt}`.mapWith((ms: number) => new Date(ms)),
      })
      .from(table)
      .where(and(isHere(kind, workspaceId), isNull(maker), grantTables[kind].isOpen(now)))
      .orderBy(createdAt, id)
      .limit(most - found.length)
    found.push(...rows.map((row) => ({ kind, ...row })))
  }
  return found
}

/** What a column is called in its table's rows. */
function memberName(table: SQLiteTable, column: SQLiteColumn): string {
  return Object.entries(table).find(([, one]) => one === column)?.[0] ?? column.name
}
