// For `bun run db:generate`: writes the SQL for a changed table into db/migrations and updates the embedded list.

import { defineConfig } from 'drizzle-kit'

export default defineConfig({ dialect: 'sqlite', schema: './db/tables', out: './db/migrations' })
