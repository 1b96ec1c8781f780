// What sequences know of one person: shown to them, and forgotten.

import { eq, sql } from 'drizzle-orm'
import { sequencePath, sequenceRuns, sequenceSignals } from '../../../db/tables/sequences.ts'
import type { Reader, Tx } from '../../core/app.ts'
import { end } from './moves.ts'
import { type Run, RunChanges } from './runs.ts'

/** Every run of a contact, with the steps that it took. */
export async function listContactRuns(
  reader: Reader,
  contactId: string,
): Promise<(Run & { path: (typeof sequencePath.$inferSelect)[] })[]> {
  const runs = await reader.db.select().from(sequenceRuns).where(eq(sequenceRuns.contactId, contactId))
  const lines = await reader.db.select().from(sequencePath).where(ofContact(contactId))
  const byRun = Map.groupBy(lines, ({ runId }) => runId)
  return runs.map((run) => ({ ...run, path: byRun.get(run.id) ?? [] }))
}

/** However many runs there are: a person who may begin again has one for each order. */
const ofContact = (contactId: string) => sql`run_id IN (SELECT id FROM sequence_runs WHERE contact_id = ${contactId})`

/** Takes the contact out of every sequence, and deletes what is known of their runs. The counts of steps stay. */
export async function forgetRuns(tx: Tx, contactId: string): Promise<void> {
  const runs = await tx.db.select().from(sequenceRuns).where(eq(sequenceRuns.contactId, contactId))
  const changes = new RunChanges()
  for (const run of runs) if (run.endedAt === null) end(run, { changes, now: tx.now }, 'exited', 'erased')
  await changes.store(tx)
  await tx.db.delete(sequencePath).where(ofContact(contactId))
  await tx.db.delete(sequenceRuns).where(eq(sequenceRuns.contactId, contactId))
  await tx.db.delete(sequenceSignals).where(eq(sequenceSignals.contactId, contactId))
}
