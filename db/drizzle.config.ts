// For `bun run db:generate`: writes the SQL of a changed table into db/migrations and renews the embedded list.

import { defineConfig } from 'drizzle-kit'

export default defineConfig({ dialect: 'sqlite', schema: './db/tables', out: './db/migrations' })
