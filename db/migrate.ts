// Migrates a database to this version: embedded SQL, append only, each migration in its own transaction. A database with a migration that
// we do not know was written by a newer version and is refused.

import { sql } from 'drizzle-orm'
import { auditTriggers, triggerPrefix } from './audited.ts'
import { migrations } from './migrations/list.ts'
import type { Transactor } from './writer.ts'

const separator = '--> statement-breakpoint'

class NewerSchemaError extends Error {}

export interface MigrationResult {
  applied: string[]
  total: number
}

/** What a database has of our migrations. */
export interface Schema {
  /** In order; empty for a database without tables. */
  present: string[]
  missing: string[]
  /** One that only a newer version knows. */
  unknown: string | null
}

/** Changes nothing. In a transaction, because a query outside of one keeps a server waiting for more. */
export async function readSchema(transactor: Transactor): Promise<Schema> {
  let present: string[] = []
  await inTransaction(transactor, async () => {
    if (await isEmpty(transactor)) return
    const rows = await transactor.db.all<{ name: string }>(sql`SELECT name FROM migrations ORDER BY name`)
    present = rows.map(({ name }) => name)
  })
  return schemaWith(present)
}

function schemaWith(present: string[]): Schema {
  const known = new Set(migrations.map(({ name }) => name))
  const missing = migrations.map(({ name }) => name).filter((name) => !present.includes(name))
  return { present, missing, unknown: present.find((name) => !known.has(name)) ?? null }
}

/** `beforeUpgrade` is called before a database of an earlier version is changed. */
export async function migrate(
  transactor: Transactor,
  whenEmpty: () => void,
  beforeUpgrade: (missing: number) => void = () => {},
): Promise<MigrationResult> {
  await inTransaction(transactor, async () => {
    if (await isEmpty(transactor)) whenEmpty()
    await transactor.db.run(
      sql`CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at INTEGER NOT NULL)`,
    )
  })
  const { present, missing: wanted, unknown } = await readSchema(transactor)
  if (unknown !== null) {
    throw new NewerSchemaError(
      `the database was migrated by a newer version of paquebot (${unknown}); use that version`,
    )
  }
  const missing = migrations.filter(({ name }) => wanted.includes(name))
  if (missing.length > 0 && present.length > 0) beforeUpgrade(missing.length)
  // A migration's changes are not recorded; and a table that it recreates would lose its triggers.
  if (missing.length > 0) await replaceTriggers(transactor, [])
  const applied: string[] = []
  for (const { name, statements } of missing) {
    await inTransaction(transactor, async (now) => {
      for (const statement of statements.split(separator)) await transactor.db.run(sql.raw(statement))
      await transactor.db.run(sql`INSERT INTO migrations (name, applied_at) VALUES (${name}, ${now.getTime()})`)
    })
    applied.push(name)
  }
  await replaceTriggers(transactor, auditTriggers())
  return { applied, total: migrations.length }
}

async function isEmpty({ db }: Transactor): Promise<boolean> {
  const [found] = await db.all<{ n: number }>(sql`SELECT count(*) AS n FROM sqlite_master WHERE name = 'migrations'`)
  if (!found?.n) return true
  const [applied] = await db.all<{ n: number }>(sql`SELECT count(*) AS n FROM migrations`)
  return !applied?.n
}

/** Those of the audit log, unless they are there. */
async function replaceTriggers(transactor: Transactor, wanted: { name: string; sql: string }[]): Promise<void> {
  await inTransaction(transactor, async () => {
    const rows = await transactor.db.all<{ name: string }>(
      sql`SELECT name FROM sqlite_master WHERE type = 'trigger' AND substr(name, 1, ${triggerPrefix.length}) = ${triggerPrefix}`,
    )
    const present = new Set(rows.map(({ name }) => name))
    const names = new Set(wanted.map(({ name }) => name))
    for (const name of present.difference(names)) await transactor.db.run(sql.raw(`DROP TRIGGER "${name}"`))
    for (const one of wanted) if (!present.has(one.name)) await transactor.db.run(sql.raw(one.sql))
  })
}

async function inTransaction(transactor: Transactor, work: (now: Date) => Promise<void>): Promise<void> {
  const now = await transactor.begin()
  try {
    await work(now)
    await transactor.commit()
    await transactor.unsynced
  } catch (error) {
    await transactor.rollback()
    throw error
  }
}
