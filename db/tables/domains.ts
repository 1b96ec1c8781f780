// Ownership of domains: at most one workspace of an installation may send from a domain and receive at it.

import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { createdAt, updatedAt, workspaceId } from './columns.ts'

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
