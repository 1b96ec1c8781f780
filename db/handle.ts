// The handle for queries. It fits both drivers; results are "value or promise", so they are always awaited.

import type { Database as SQLite } from 'bun:sqlite'
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'

export type Db = BaseSQLiteDatabase<'sync' | 'async', unknown>

/** What a Reader may do. */
export type ReadDb = Pick<Db, 'select' | 'selectDistinct' | 'all'>

/** The raw connection of a file, for queries too hot for a query builder. Absent on a libSQL server. */
export const files = new WeakMap<object, SQLite>()
