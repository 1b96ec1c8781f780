// Finds the mails to one person without an index, because a send must stay cheap and this is rarely asked for. The table is scanned in
// portions, so that nobody else waits long.

import { sql } from 'drizzle-orm'
import type { Reader } from '../../core/app.ts'
import type { Contact } from '../../features/contacts/consent/find-contact.ts'
import { nextTurn } from '../../kit/turn.ts'

const portion = 2_000
/** Ids, oldest first, in lists of `size`. */
export async function* messagesOf(
  reader: Reader,
  { workspaceId, id, emailKey }: Contact,
  size: () => number,
): AsyncGenerator<string[]> {
  for (let after = ''; ; ) {
    await nextTurn(workspaceId)
    const [row] = await reader.db.all<{ last: string | null }>(
      sql`SELECT max(id) AS last FROM (SELECT id FROM messages WHERE workspace_id = ${workspaceId} AND id > ${after} ORDER BY id LIMIT ${portion}) AS some`,
    )
    if (!row?.last) return
    const found = await reader.db.all<{ id: string }>(
      sql`SELECT id FROM messages WHERE workspace_id = ${workspaceId} AND id > ${after} AND id <= ${row.last}
        AND (contact_id = ${id} OR lower(email) = ${emailKey}) ORDER BY id`,
    )
    const ids = found.map((message) => message.id)
    while (ids.length > 0) yield ids.splice(0, size())
    after = row.last
  }
}
