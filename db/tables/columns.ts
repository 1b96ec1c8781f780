// Column types shared by every table: times are integer milliseconds, JSON is text, ids are text.

import { sql } from 'drizzle-orm'
import { integer, text } from 'drizzle-orm/sqlite-core'

/** A moment, stored as integer milliseconds since 1970, read as a Date. */
export const at = (name: string) => integer(name, { mode: 'timestamp_ms' })

/** A boolean, stored as 0 or 1. */
export const flag = (name: string) => integer(name, { mode: 'boolean' })

/** A JSON document of a known shape. */
export const json = <T>(name: string) => text(name, { mode: 'json' }).$type<T>()

export const createdAt = () => at('created_at').notNull()
export const updatedAt = () => at('updated_at').notNull()

export const workspaceId = () => text('workspace_id').notNull()

/** Names in alphabetical order, whatever their case. */
export const nameOrder = sql`name COLLATE NOCASE`

/** Whose right a credential or an open door rests on (src/people/access/grants.ts): a person, or `operator`; null: it is older than this column. */
export const madeBy = (name = 'made_by') => text(name)
