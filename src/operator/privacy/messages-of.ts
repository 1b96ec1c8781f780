// Finds the mails to one person by the index of the activity, which names the blocks of 128 messages that they are in: a look-up, however
// many mails there are. The last messages, which are in no block of it yet, are gone through in portions, so that nobody else waits long.

import { sql } from 'drizzle-orm'
import type { Reader } from '../../core/app.ts'
import type { Contact } from '../../features/contacts/consent/find-contact.ts'
import { blockSize, blocksOfPerson, missingBlocks } from '../../features/sending/activity/search-index.ts'
import { nextTurn } from '../../kit/turn.ts'

const blocksAtOnce = 16

/** Ids, oldest first, in lists of `size`. */
export async function* messagesOf(reader: Reader, contact: Contact, size: () => number): AsyncGenerator<string[]> {
  // Read once: what is indexed meanwhile is still among the last messages here.
  const { first } = await missingBlocks(reader)
  for (let from = 0; from < first; ) {
    await nextTurn(contact.workspaceId)
    const blocks = await blocksOfPerson(reader, contact, { from, until: first, limit: blocksAtOnce })
    yield* inLists(await idsIn(reader, contact, blocks), size)
    from = blocks.length < blocksAtOnce ? first : (blocks.at(-1) ?? 0) + 1
  }
  for (let from = first; ; from += blocksAtOnce) {
    await nextTurn(contact.workspaceId)
    const { end } = await missingBlocks(reader)
    if (from > end) return
    const blocks = Array.from({ length: blocksAtOnce }, (_, index) => from + index)
    yield* inLists(await idsIn(reader, contact, blocks), size)
  }
}

/** Messages to the person in these blocks. */
async function idsIn(reader: Reader, { workspaceId, id, emailKey }: Contact, blocks: number[]): Promise<string[]> {
  if (blocks.length === 0) return []
  const rows = await reader.db.all<{ id: string }>(
    sql`SELECT messages.id AS id FROM json_each(${JSON.stringify(blocks)}) AS b
      CROSS JOIN messages NOT INDEXED ON messages.rowid >= b.value * ${blockSize} AND messages.rowid < (b.value + 1) * ${blockSize}
      WHERE workspace_id = ${workspaceId} AND (contact_id = ${id} OR lower(email) = ${emailKey}) ORDER BY messages.id`,
  )
  return rows.map((row) => row.id)
}

function* inLists(ids: string[], size: () => number): Generator<string[]> {
  while (ids.length > 0) yield ids.splice(0, size())
}
