// What a query is made with. Both drivers fit; results are "value or promise", so they are always awaited.

import type { Database as SQLite } from 'bun:sqlite'
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'

export type Db = BaseSQLiteDatabase<'sync' | 'async', unknown>

/** What a reader may do. */
export type ReadDb = Pick<Db, 'select' | 'selectDistinct' | 'all'>

/** The connection of a file, for what is too hot for a query builder. A libSQL server has none. */
export const files = new WeakMap<object, SQLite>()
