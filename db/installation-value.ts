// What an installation remembers about itself, by name.

import { eq } from 'drizzle-orm'
import type { Db, ReadDb } from './handle.ts'
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

/** Null when there is none. */
export async function findInstallationValue({ db }: { db: ReadDb }, name: string): Promise<string | null> {
  const [row] = await db.select().from(installation).where(eq(installation.name, name))
  return row?.value ?? null
}
