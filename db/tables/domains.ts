// Whose a domain is: at most one workspace in an installation may send from it and receive at it.

import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { createdAt, updatedAt, workspaceId } from '../columns.ts'

/**
 * `dns`: a record of this workspace was published. `operator`: given on the command line. `kept`: it was in use before domains had
 * owners, and nobody has shown that it is theirs.
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
