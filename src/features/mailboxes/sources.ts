// Received mail as it came, byte for byte, in pieces: a libSQL server takes no value of more than 4 MB or so, and answers with no
// more than 10. A large mail is stored piece by piece before its message is, so that no one transaction is large.

import { and, asc, eq, inArray } from 'drizzle-orm'
import { receivedMessages, receivedSources } from '../../../db/tables/mailboxes.ts'
import type { App, Reader, Tx } from '../../core/app.ts'
import { type Pieces, storeAhead } from '../../core/pieces.ts'
import { createPace } from '../../kit/turn.ts'
import type { RawMail } from '../../mail/raw-mail.ts'

export const sourcePieces: Pieces = {
  table: receivedSources,
  owner: receivedSources.receivedId,
  number: receivedSources.number,
  prefix: 'rcv',
  stored: { table: receivedMessages, id: receivedMessages.id },
}

/** All but the last piece: nobody sees them before the message is stored with the last one. */
export async function storeEarlierPieces(app: App, receivedId: string, { pieces }: RawMail): Promise<void> {
  const earlier = [...pieces.slice(0, -1).keys()]
  await storeAhead(
    app,
    earlier.map((number) => (tx: Tx) => insertPiece(tx, { receivedId, number, pieces })),
  )
}

export async function insertLastPiece(tx: Tx, receivedId: string, { pieces }: RawMail): Promise<void> {
  await insertPiece(tx, { receivedId, number: pieces.length - 1, pieces })
}

interface Piece {
  receivedId: string
  number: number
  pieces: Buffer[]
}

async function insertPiece(tx: Tx, { receivedId, number, pieces }: Piece): Promise<void> {
  const data = pieces[number] ?? Buffer.alloc(0)
  await tx.db.insert(receivedSources).values({ receivedId, number, data }).onConflictDoNothing()
}

/** The pieces in their order; null when there is none. */
export async function readSource(reader: Reader, receivedId: string): Promise<Buffer[] | null> {
  const pace = createPace()
  const rows = await reader.db
    .select({ number: receivedSources.number })
    .from(receivedSources)
    .where(eq(receivedSources.receivedId, receivedId))
    .orderBy(asc(receivedSources.number))
  const pieces: Buffer[] = []
  for (const { number } of rows) {
    const [piece] = await reader.db
      .select({ data: receivedSources.data })
      .from(receivedSources)
      .where(and(eq(receivedSources.receivedId, receivedId), eq(receivedSources.number, number)))
    if (piece) pieces.push(piece.data)
    await pace()
  }
  return rows.length === 0 ? null : pieces
}

export async function deleteSources(tx: Tx, receivedIds: string[]): Promise<void> {
  await tx.db.delete(receivedSources).where(inArray(receivedSources.receivedId, receivedIds))
}
