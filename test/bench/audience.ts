// A mailing list of many, written straight into the database file: making a million contacts over REST is not what is measured.

import { Database as SQLite } from 'bun:sqlite'
import { join } from 'node:path'

const perTransaction = 50_000

interface Audience {
  /** How many domains they are at. */
  domains?: number
  /** Their workspace, if there are several. */
  slug?: string
}

/** Contacts on a list. Returns the list's id. Call it while no server has the file open. */
export function seedAudience(
  directory: string,
  people: number,
  listId = `lst_${people}`,
  { domains = 97, slug }: Audience = {},
): string {
  const database = new SQLite(join(directory, 'paquebot.db'))
  database.run('PRAGMA journal_mode = WAL')
  database.run('PRAGMA synchronous = OFF')
  const { id: workspaceId } = database
    .query<{ id: string }, [string | null]>('SELECT id FROM workspaces WHERE slug = coalesce(?, slug)')
    .get(slug ?? null) ?? { id: '' }
  const now = Date.now()
  database.run(
    `INSERT INTO mailing_lists (id, workspace_id, name, is_public, opt_in, status, contact_count, created_at, updated_at)
     VALUES (?, ?, 'Everybody', 0, 'single', 'active', ?, ?, ?)`,
    [listId, workspaceId, people, now, now],
  )
  const contact = database.prepare(
    `INSERT INTO contacts (id, workspace_id, email, email_key, first_name, subscribed, properties, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, 1, '{}', ?, ?)`,
  )
  const subscription = database.prepare(
    `INSERT INTO subscriptions (id, workspace_id, contact_id, mailing_list_id, status, created_at, updated_at) VALUES (?, ?, ?, ?, 'active', ?, ?)`,
  )
  for (let from = 0; from < people; from += perTransaction) {
    database.transaction(() => {
      for (let n = from; n < Math.min(from + perTransaction, people); n++) {
        const id = `con_${Bun.randomUUIDv7('buffer').toHex()}`
        const email = `${listId}.${n}@d${n % domains}.example.net`
        contact.run(id, workspaceId, email, email, `Reader ${n}`, now, now)
        subscription.run(`sub_${Bun.randomUUIDv7('buffer').toHex()}`, workspaceId, id, listId, now, now)
      }
    })()
  }
  database.run('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  return listId
}
