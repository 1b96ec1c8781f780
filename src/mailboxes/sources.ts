// Received mail as it came, byte for byte, in pieces: a libSQL server takes no value of more than 4 MB or so, and answers with no
// more than 10. A large mail is stored piece by piece before its message is, so that no one transaction is large.

import { and, asc, eq, gte, inArray, lt, notInArray } from 'drizzle-orm'
import { receivedMessages, receivedSources } from '../../db/tables/mailboxes.ts'
import { type App, type Reader, type Tx, write } from '../app.ts'
import { day, hour } from '../lib/duration.ts'
import { firstId } from '../lib/id.ts'
import { createPace, nextTurn } from '../lib/turn.ts'
import type { RawMail } from '../mail/raw-mail.ts'

/** All but the last piece, each in a transaction of its own: nobody sees them before the message is stored with the last one. */
export async function storeEarlierPieces(app: App, receivedId: string, { pieces }: RawMail): Promise<void> {
  for (const number of pieces.slice(0, -1).keys())
    await write(app, (tx) => insertPiece(tx, { receivedId, number, pieces }), 'volatile')
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

/** Pieces of a mail whose message was never stored, for the process ended before: looked for so long. */
const abandonedWithinMs = 2 * day

/** Deletes them, an hour of mail at a time. */
export async function deleteAbandoned(app: App): Promise<void> {
  const now = app.clock.now().getTime()
  for (let from = now - abandonedWithinMs; from < now - hour; from += hour) {
    const [first, end] = [firstId('rcv', new Date(from)), firstId('rcv', new Date(from + hour))]
    const stored = app.db
      .select({ id: receivedMessages.id })
      .from(receivedMessages)
      .where(and(gte(receivedMessages.id, first), lt(receivedMessages.id, end)))
    const { receivedId } = receivedSources
    const rows = await app.db
      .selectDistinct({ receivedId })
      .from(receivedSources)
      .where(and(gte(receivedId, first), lt(receivedId, end), notInArray(receivedId, stored)))
    for (const row of rows) await write(app, (tx) => deleteSources(tx, [row.receivedId]))
    await nextTurn()
  }
}
