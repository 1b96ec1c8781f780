// What the dashboard keeps for a person in a workspace: small texts by name. They go with the membership.

import { and, asc, count, eq, sql } from 'drizzle-orm'
import { preferences } from '../../../db/tables/preferences.ts'
import type { Reader, Tx } from '../../core/app.ts'
import { invalidField } from '../../kit/error.ts'

export type Preference = Pick<typeof preferences.$inferSelect, 'key' | 'value' | 'updatedAt'>

export interface Person {
  workspaceId: string
  userId: string
}

const maxPreferences = 200

const ofPerson = ({ workspaceId, userId }: Person) =>
  and(eq(preferences.workspaceId, workspaceId), eq(preferences.userId, userId))

/** By their keys. */
export async function listPreferences(reader: Reader, person: Person): Promise<Preference[]> {
  return await reader.db.select().from(preferences).where(ofPerson(person)).orderBy(asc(preferences.key))
}

/** Null forgets it. Throws 422 when there is no room for another. */
export async function setPreference(
  tx: Tx,
  person: Person,
  { key, value }: { key: string; value: string | null },
): Promise<void> {
  const mine = ofPerson(person)
  if (value === null) {
    await tx.db.delete(preferences).where(and(mine, eq(preferences.key, key)))
    return
  }
  const others = and(mine, sql`${preferences.key} <> ${key}`)
  const [kept] = await tx.db.select({ others: count() }).from(preferences).where(others)
  if ((kept?.others ?? 0) >= maxPreferences)
    throw invalidField('key', `at most ${maxPreferences} preferences are kept for a person in a workspace`, 'too_many')
  const set = { value, updatedAt: tx.now }
  await tx.db
    .insert(preferences)
    .values({ ...person, key, ...set })
    .onConflictDoUpdate({ target: [preferences.workspaceId, preferences.userId, preferences.key], set })
}

/** Those that name an address: a view may search for somebody who is erased. */
export async function forgetInPreferences(tx: Tx, workspaceId: string, email: string): Promise<void> {
  const names = sql`instr(lower(value), ${email.toLowerCase()}) > 0`
  await tx.db.delete(preferences).where(and(eq(preferences.workspaceId, workspaceId), names))
}
