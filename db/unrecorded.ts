// Changes rows without a line of each in the audit log, and without what follows from single rows (segments): for a whole workspace that
// is erased or arrives. The triggers are silent while the mark of a copy stands, and it stands in this transaction only.

import { eq } from 'drizzle-orm'
import { markName } from './copy-mark.ts'
import type { Db } from './handle.ts'
import { installation } from './tables/workspaces.ts'

export async function unrecorded<T>(tx: { db: Db; now: Date }, work: () => Promise<T>): Promise<T> {
  await tx.db.insert(installation).values({ name: markName, value: '{}', updatedAt: tx.now })
  const result = await work()
  await tx.db.delete(installation).where(eq(installation.name, markName))
  return result
}
