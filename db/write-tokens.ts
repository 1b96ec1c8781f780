// Deletes tokens of transactions that nobody will ask about any more.

import { inArray, lt } from 'drizzle-orm'
import type { Db } from './handle.ts'
import { writeTokens } from './tables/write-tokens.ts'

/** A lost answer is looked up at once, and no request is delayed for this long. */
const keptMs = 60 * 60_000
const deletedAtOnce = 500

/** Call until it returns 0. */
export async function deleteOldWriteTokens({ db, now }: { db: Db; now: Date }): Promise<number> {
  const old = db
    .select({ token: writeTokens.token })
    .from(writeTokens)
    .where(lt(writeTokens.at, new Date(now.getTime() - keptMs)))
    .limit(deletedAtOnce)
  return (await db.delete(writeTokens).where(inArray(writeTokens.token, old)).returning({ token: writeTokens.token }))
    .length
}
