// Ownership of domains: at most one workspace of an installation may send from a domain and receive at it. And the hosts at which the
// links in mails of a workspace answer.

import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { at, createdAt, flag, updatedAt, workspaceId } from './columns.ts'

/**
 * `dns`: a record of this workspace was published. `operator`: set on the command line. `kept`: the domain was in use before ownership
 * existed, and nobody has proved it since.
 */
export type DomainProof = 'dns' | 'operator' | 'kept'

export const domainOwners = sqliteTable('domain_owners', {
  /** Lower-case ASCII. */
  domain: text('domain').primaryKey(),
  workspaceId: workspaceId(),
  proof: text('proof').$type<DomainProof>().notNull(),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})

export type LinkVerdict = 'ok' | 'missing' | 'wrong' | 'unknown'

/**
 * A host of the links in mails of a workspace: the one it asked for, and those it had before, which go on answering while they are proved.
 * Any number of workspaces may ask for a name; one at most has it (src/people/links/).
 */
export const linkDomains = sqliteTable(
  'link_domains',
  {
    workspaceId: workspaceId(),
    /** Lower-case ASCII. */
    domain: text('domain').notNull(),
    /** The one of its settings. */
    isCurrent: flag('is_current').notNull(),
    /** Since when the workspace has it; null: it never proved so, or another one did since. */
    provenAt: at('proven_at'),
    /** Of the last check; null: there was none yet. */
    ownership: text('ownership').$type<LinkVerdict>(),
    target: text('target').$type<LinkVerdict>(),
    checkedAt: at('checked_at'),
    /** How many checks in a row found that it is not right. */
    misses: integer('misses').notNull().default(0),
    /** When the first of these was. */
    missedSince: at('missed_since'),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.domain] }),
    uniqueIndex('link_domains_proven').on(table.domain).where(sql`proven_at IS NOT NULL`),
    index('link_domains_domain').on(table.domain),
    uniqueIndex('link_domains_current').on(table.workspaceId).where(sql`is_current = 1`),
  ],
)
