// The mails to one person, found without an index of their own: a send must stay cheap, and somebody asks for this once in a while.
// The table is gone through in portions, so that nobody else waits long.

import { sql } from 'drizzle-orm'
import type { Reader } from '../app.ts'
import type { Contact } from '../contacts/contacts.ts'
import { nextTurn } from '../lib/turn.ts'

const portion = 2_000
/** Ids in one list, so that what is done with them is short. */
const idsInList = 50

/** Ids, oldest first, in short lists. */
export async function* messagesOf(reader: Reader, { workspaceId, id, emailKey }: Contact): AsyncGenerator<string[]> {
  for (let after = ''; ; ) {
    await nextTurn()
    const [row] = await reader.db.all<{ last: string | null }>(
      sql`SELECT max(id) AS last FROM (SELECT id FROM messages WHERE workspace_id = ${workspaceId} AND id > ${after} ORDER BY id LIMIT ${portion}) AS some`,
    )
    if (!row?.last) return
    const found = await reader.db.all<{ id: string }>(
      sql`SELECT id FROM messages WHERE workspace_id = ${workspaceId} AND id > ${after} AND id <= ${row.last}
        AND (contact_id = ${id} OR lower(email) = ${emailKey}) ORDER BY id`,
    )
    for (let at = 0; at < found.length; at += idsInList)
      yield found.slice(at, at + idsInList).map((message) => message.id)
    after = row.last
  }
}
