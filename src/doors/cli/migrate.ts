// paquebot migrate: brings the database to this version, or makes one, as the start of the server does, and prints the version.

import { sql } from 'drizzle-orm'
import { defineCommand } from './command.ts'
import { withApp } from './with-app.ts'

export const migrate = defineCommand({
  name: 'migrate',
  says: 'Migrates the database to this version. Refuses one that a newer version has migrated.',
  flags: {},
  run: (_, config) =>
    withApp(
      config(),
      async (app) => {
        const rows = await app.db.all<{ name: string }>(sql`SELECT name FROM migrations ORDER BY name`)
        const migrations = rows.map(({ name }) => name)
        return { json: { ok: true, migrations }, lines: [`The database is at ${migrations.at(-1)}.`] }
      },
      { mayMake: true },
    ),
})
