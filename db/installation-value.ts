// What an installation remembers about itself, by name.

import type { Db } from './handle.ts'
import { installation } from './tables/workspaces.ts'

/** Stores the value under that name, in the place of the former one. */
export async function putInstallationValue(
  { db, now }: { db: Db; now: Date },
  name: string,
  value: string,
): Promise<void> {
  const kept = { value, updatedAt: now }
  await db
    .insert(installation)
    .values({ name, ...kept })
    .onConflictDoUpdate({ target: installation.name, set: kept })
}
