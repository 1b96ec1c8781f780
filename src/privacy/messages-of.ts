// The mails to one person, found without an index of their own: a send must stay cheap, and somebody asks for this once in a while.
// The table is gone through in portions, so that nobody else waits long.

import { sql } from 'drizzle-orm'
import type { Reader } from '../app.ts'
import type { Contact } from '../contacts/contacts.ts'

const portion = 5_000

/** Ids, oldest first, in lists: one for each portion of the table that has any. */
export async function* messagesOf(reader: Reader, { workspaceId, id, emailKey }: Contact): AsyncGenerator<string[]> {
  for (let after = ''; ; ) {
    const [row] = await reader.db.all<{ last: string | null }>(
      sql`SELECT max(id) AS last FROM (SELECT id FROM messages WHERE workspace_id = ${workspaceId} AND id > ${after} ORDER BY id LIMIT ${portion}) AS some`,
    )
    if (!row?.last) return
    const found = await reader.db.all<{ id: string }>(
      sql`SELECT id FROM messages WHERE workspace_id = ${workspaceId} AND id > ${after} AND id <= ${row.last}
        AND (contact_id = ${id} OR lower(email) = ${emailKey}) ORDER BY id`,
    )
    if (found.length > 0) yield found.map((message) => message.id)
    after = row.last
  }
}
