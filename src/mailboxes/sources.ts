// Received mail as it came, byte for byte, in pieces: a libSQL server takes no value of more than 4 MB or so, and answers with no
// more than 10.

import { and, asc, eq, inArray } from 'drizzle-orm'
import { receivedSources } from '../../db/tables/mailboxes.ts'
import type { Reader, Tx } from '../app.ts'

const pieceBytes = 1024 * 1024

export async function insertSource(tx: Tx, receivedId: string, raw: Buffer): Promise<void> {
  const pieces = Math.max(1, Math.ceil(raw.length / pieceBytes))
  for (let number = 0; number < pieces; number++) {
    const data = raw.subarray(number * pieceBytes, (number + 1) * pieceBytes)
    await tx.db.insert(receivedSources).values({ receivedId, number, data })
  }
}

/** Null when there is none. */
export async function readSource(reader: Reader, receivedId: string): Promise<Buffer | null> {
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
  }
  return rows.length === 0 ? null : Buffer.concat(pieces)
}

export async function deleteSources(tx: Tx, receivedIds: string[]): Promise<void> {
  await tx.db.delete(receivedSources).where(inArray(receivedSources.receivedId, receivedIds))
}
