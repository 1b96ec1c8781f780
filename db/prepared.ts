// Hot queries are built once per connection: building a query costs several times what running it does. So is whatever
// else belongs to a connection.

import { type SQL, sql } from 'drizzle-orm'
import type { Db, ReadDb } from './handle.ts'

/** `const byId = prepared((db: ReadDb) => db.select()….prepare())`, then `await byId(reader.db).get({ id })`. */
export function prepared<Q, D extends Db | ReadDb>(build: (db: D) => Q): (db: D) => Q {
  const built = new WeakMap<object, Q>()
  return (db) => {
    let query = built.get(db)
    if (query === undefined) {
      query = build(db)
      built.set(db, query)
    }
    return query
  }
}

/**
 * A placeholder whose value is passed as stored (milliseconds, JSON text or null). It bypasses the column's encoder, which cannot take null
 * and costs as much as inserting a small row.
 */
export function stored(name: string): SQL {
  return sql`${sql.placeholder(name)}`
}
