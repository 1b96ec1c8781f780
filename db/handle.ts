// What a query is made with. Both drivers fit; results are "value or promise", so they are always awaited.

import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'

export type Db = BaseSQLiteDatabase<'sync' | 'async', unknown>

/** What a reader may do. */
export type ReadDb = Pick<Db, 'select' | 'selectDistinct' | 'all'>
