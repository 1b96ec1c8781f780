// Hot queries are built once per connection: building one each time costs several times what running it does.

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
 * A placeholder whose value is given as it is stored (a time in milliseconds, JSON as text, or null): the column's encoder, which
 * cannot take a null and costs as much as the insert of a small row, is passed by.
 */
export function stored(name: string): SQL {
  return sql`${sql.placeholder(name)}`
}
