// What a person does with one run: take somebody out, skip a step, try one again that failed. And the list of runs, with the way each took.

import { and, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import { contacts } from '../../../db/tables/contacts.ts'
import { type RunState, runStates, sequencePath, sequenceRuns } from '../../../db/tables/sequences.ts'
import type { Reader, Tx } from '../../core/app.ts'
import type { PageBounds } from '../../core/http/pagination.ts'
import { AppError } from '../../kit/error.ts'
import { zoneOf } from '../../people/recipient-time.ts'
import { getWorkspace } from '../../people/workspaces.ts'
import { findContact, findContactByEmail } from '../contacts/consent/find-contact.ts'
import { end, leave, type Situation } from './moves.ts'
import { type Run, RunChanges } from './runs.ts'
import { loadDefinitions, type Sequence, versionKey } from './versions.ts'
import { wakeSequence } from './wake.ts'

export type PathLine = typeof sequencePath.$inferSelect
/** The address is null for a contact that was deleted. */
export type ListedRun = Run & { email: string | null }

export interface RunFilter {
  state?: RunState | undefined
  stepId?: string | undefined
  email?: string | undefined
}

/** A request never counts further than this. */
const maxCounted = 10_000

/** Newest first; one more than `limit`. */
export async function listRuns(
  reader: Reader,
  { id, workspaceId }: Sequence,
  { state, stepId, email }: RunFilter,
  { limit, after }: PageBounds,
): Promise<{ rows: ListedRun[]; total: number }> {
  const contact = email === undefined ? undefined : await findContactByEmail(reader, workspaceId, email)
  if (contact === null) return { rows: [], total: 0 }
  const wanted = and(
    eq(sequenceRuns.sequenceId, id),
    contact === undefined ? undefined : eq(sequenceRuns.contactId, contact.id),
    stepId === undefined ? undefined : eq(sequenceRuns.stepId, stepId),
  )
  const states = state === undefined ? runStates : [state]
  // The newest of each state: a million would have to be sorted otherwise.
  const newest = states.map((one) => {
    const from = and(wanted, eq(sequenceRuns.state, one), after === undefined ? undefined : lt(sequenceRuns.id, after))
    return sql`SELECT * FROM (SELECT id FROM sequence_runs WHERE ${from} ORDER BY id DESC LIMIT ${limit + 1})`
  })
  const rows = await reader.db
    .select({ run: sequenceRuns, email: contacts.email })
    .from(sequenceRuns)
    .leftJoin(contacts, eq(contacts.id, sequenceRuns.contactId))
    .where(sql`sequence_runs.id IN (${sql.join(newest, sql` UNION ALL `)})`)
    .orderBy(desc(sequenceRuns.id))
    .limit(limit + 1)
  const some = reader.db
    .select({ id: sequenceRuns.id })
    .from(sequenceRuns)
    .where(and(wanted, inArray(sequenceRuns.state, states)))
    .limit(maxCounted)
  const [counted] = await reader.db.select({ total: sql<number>`count(*)` }).from(some.as('some'))
  return { rows: rows.map(({ run, email }) => ({ ...run, email })), total: counted?.total ?? 0 }
}

/** Throws not_found. */
export async function getRun(reader: Reader, sequence: Sequence, runId: string): Promise<ListedRun> {
  const mine = and(eq(sequenceRuns.id, runId), eq(sequenceRuns.sequenceId, sequence.id))
  const [row] = await reader.db
    .select({ run: sequenceRuns, email: contacts.email })
    .from(sequenceRuns)
    .leftJoin(contacts, eq(contacts.id, sequenceRuns.contactId))
    .where(mine)
  if (!row) throw new AppError('not_found', 'there is no such run')
  return { ...row.run, email: row.email }
}

export async function loadPath(reader: Reader, runId: string): Promise<PathLine[]> {
  return await reader.db.select().from(sequencePath).where(eq(sequencePath.runId, runId)).orderBy(sequencePath.number)
}

export type RunAct = 'exit' | 'skip' | 'retry'

/** States in which each may be done. */
const allowed: Record<RunAct, RunState[]> = {
  exit: ['waiting', 'sending', 'uncertain', 'failed'],
  skip: ['waiting', 'uncertain', 'failed'],
  retry: ['failed'],
}

/** Throws `invalid_state_transition` where there is nothing to do. */
export async function actOnRun(tx: Tx, sequence: Sequence, runId: string, act: RunAct): Promise<ListedRun> {
  const { email, ...run } = await getRun(tx, sequence, runId)
  if (!allowed[act].includes(run.state)) throw new AppError('invalid_state_transition', refusalOf(act, run.state))
  const changes = new RunChanges()
  if (act === 'exit') end(run, { changes, now: tx.now }, 'exited', 'by_hand')
  else if (act === 'skip') leave(run, await loadSituation(tx, run, changes), { outcome: 'skipped', detail: 'by_hand' })
  else {
    Object.assign(run, { reason: null, dueAt: tx.now })
    changes.move(run, 'waiting')
  }
  await changes.store(tx)
  if (run.state === 'waiting' && run.dueAt !== null) await wakeSequence(tx, run.workspaceId, sequence.id, run.dueAt)
  return { ...run, email }
}

function refusalOf(act: RunAct, state: RunState): string {
  if (act === 'retry' && state === 'uncertain')
    return 'nobody knows whether its mail arrived: say so at the job of the mail, or skip the step'
  if (act === 'skip' && state === 'sending') return 'its mail is on its way'
  return `a run that is ${state} cannot ${act}`
}

async function loadSituation(tx: Tx, run: Run, changes: RunChanges): Promise<Situation> {
  const contact = await findContact(tx, run.workspaceId, run.contactId)
  const definition = (await loadDefinitions(tx, [run])).get(versionKey(run.sequenceId, run.version))
  if (!contact || !definition) throw new AppError('invalid_state_transition', 'the contact was deleted')
  return { changes, now: tx.now, definition, contact, zone: zoneOf(contact, await getWorkspace(tx, run.workspaceId)) }
}
