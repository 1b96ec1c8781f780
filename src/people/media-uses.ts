// Which uploaded pictures something shows: found by their address in whatever is stored, noted where that is stored, and never taken back,
// so that a picture of a mail that was sent is known as one.

import { mediaUses } from '../../db/tables/media.ts'
import type { Tx } from '../core/app.ts'

/** What follows the origin in the address of a picture, with its key. */
const address = /\/media\/([0-9a-f]{32})\.(?:png|jpeg|webp|gif)/g

/** `sourceId`: of a content revision, or of a workspace whose logo it is. */
export async function noteMediaUses(tx: Tx, sourceId: string, text: string): Promise<void> {
  const keys = new Set([...text.matchAll(address)].map(([, key = '']) => key))
  if (keys.size === 0) return
  const rows = [...keys].map((mediaKey) => ({ mediaKey, sourceId }))
  await tx.db.insert(mediaUses).values(rows).onConflictDoNothing()
}
