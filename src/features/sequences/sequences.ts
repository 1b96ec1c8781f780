// Sequences: drafted, published, paused, resumed, stopped, deleted. A version that was published never changes; who is in one stays in it.

import { and, count, desc, eq, lt } from 'drizzle-orm'
import {
  type Definition,
  type SequenceState,
  sequenceEnrolments,
  sequences,
  sequenceVersions,
} from '../../../db/tables/sequences.ts'
import type { Reader, Tx } from '../../core/app.ts'
import { hold, release } from '../../core/outbox/waiting.ts'
import { AppError, invalidField } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import { type Credential, toActor } from '../../people/access/auth.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { deliveryPartition } from '../campaigns/wake.ts'
import { listProperties } from '../contacts/properties.ts'
import { expectMayMail } from '../events/purpose.ts'
import { definitionIssues } from './checks.ts'
import { readDefinition } from './definition.ts'
import { checkStepMap, contentHash, type StepMap } from './migrate.ts'
import { openTests } from './step-tests.ts'
import { addTriggers, dropTriggers, type Sequence } from './versions.ts'
import { wakeSequence } from './wake.ts'

const maxSequences = 500

/** Throws 422 naming the place. */
async function checkedDefinition(reader: Reader, workspaceId: string, given: unknown): Promise<Definition> {
  const properties = await listProperties(reader, workspaceId)
  return readDefinition(given, new Map(properties.map(({ name, type }) => [name, type])), 'definition')
}

export async function createSequence(
  tx: Tx,
  workspaceId: string,
  { name, definition }: { name: string; definition: unknown },
): Promise<Sequence> {
  if ((await countSequences(tx, workspaceId)) >= maxSequences)
    throw invalidField('name', `a workspace may have at most ${maxSequences} sequences`, 'too_many')
  const row: Sequence = {
    id: newId(tx, 'seq', tx.now),
    workspaceId,
    name,
    state: 'draft',
    draft: await checkedDefinition(tx, workspaceId, definition),
    revision: 1,
    version: null,
    moves: null,
    datesUpTo: null,
    pauseReason: null,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  await tx.db.insert(sequences).values(row)
  return row
}

/** Throws not_found, also for another workspace's. */
export async function getSequence(reader: Reader, workspaceId: string, id: string): Promise<Sequence> {
  const [row] = await reader.db
    .select()
    .from(sequences)
    .where(and(eq(sequences.workspaceId, workspaceId), eq(sequences.id, id)))
  if (row) return row
  throw new AppError('not_found', 'there is no such sequence')
}

/** Newest first; one more than `limit`. */
export async function listSequences(
  reader: Reader,
  workspaceId: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<{ rows: Sequence[]; total: number }> {
  const mine = eq(sequences.workspaceId, workspaceId)
  const rows = await reader.db
    .select()
    .from(sequences)
    .where(and(mine, after === undefined ? undefined : lt(sequences.id, after)))
    .orderBy(desc(sequences.id))
    .limit(limit + 1)
  return { rows, total: await countSequences(reader, workspaceId) }
}

async function countSequences(reader: Reader, workspaceId: string): Promise<number> {
  const [row] = await reader.db.select({ total: count() }).from(sequences).where(eq(sequences.workspaceId, workspaceId))
  return row?.total ?? 0
}

export interface SequenceChange {
  name?: string | undefined
  definition?: unknown
  /** The revision that the change is based on. */
  revision?: number | undefined
}

/** Changes the draft; people are not touched before it is published. Throws `revision_mismatch` for a draft that somebody else changed. */
export async function updateSequence(
  tx: Tx,
  workspaceId: string,
  id: string,
  change: SequenceChange,
): Promise<Sequence> {
  const { definition } = change
  const checked = definition === undefined ? null : await checkedDefinition(tx, workspaceId, definition)
  const before = await getSequence(tx, workspaceId, id)
  if (before.state === 'stopped')
    throw new AppError('invalid_state_transition', 'a sequence that was stopped does not change')
  if (change.revision !== undefined && change.revision !== before.revision)
    throw new AppError('revision_mismatch', `the draft is at revision ${before.revision}, not ${change.revision}`)
  const draft = checked ?? before.draft
  const after = { ...before, name: change.name ?? before.name, draft, revision: before.revision + 1, updatedAt: tx.now }
  await tx.db.update(sequences).set(after).where(eq(sequences.id, id))
  return after
}

/**
 * From now on people begin this version; with `steps` those in an earlier one move. Throws `revision_mismatch` where the draft is not what was shown, `conflict` where
 * others are still being moved, who would stay between two versions, and 422 with every error of what it names.
 */
export async function publishSequence(
  tx: Tx,
  workspace: Workspace,
  { id, contentHash: seen, steps = null }: { id: string; contentHash: string; steps?: StepMap | null | undefined },
  credential: Credential,
): Promise<Sequence> {
  const before = await getSequence(tx, workspace.id, id)
  if (before.state === 'stopped')
    throw new AppError('invalid_state_transition', 'a sequence that was stopped cannot be published')
  if (contentHash(before, steps) !== seen)
    throw new AppError('revision_mismatch', 'the draft has changed since it was looked at')
  if (steps !== null) checkStepMap(before, steps)
  else if (before.moves !== null)
    throw new AppError(
      'conflict',
      `people are still being moved to version ${before.version}: publish when that is done, or say with steps where they go now`,
    )
  expectMayMail(credential, before.draft, 'sequence')
  const errors = await definitionIssues(tx, workspace, before.draft)
  const [first] = errors
  if (first) throw new AppError('validation_failed', `${first.path}: ${first.message}`, { errors })
  const version = (before.version ?? 0) + 1
  const publishedBy = toActor(credential)
  const definition = before.draft
  await openTests(tx, before, { version, definition })
  await tx.db
    .insert(sequenceVersions)
    .values({ sequenceId: id, version, definition, contentHash: contentHash(before), publishedAt: tx.now, publishedBy })
  const state: SequenceState = before.state === 'paused' ? 'paused' : 'active'
  const moves = steps === null ? null : { steps, cursor: '' }
  const after = { ...before, version, state, moves, updatedAt: tx.now }
  await tx.db.update(sequences).set(after).where(eq(sequences.id, id))
  await addTriggers(tx, after, definition)
  if (moves !== null) await wakeSequence(tx, workspace.id, id)
  return after
}

/** Everybody stays where they are, and whoever begins meanwhile waits at the first step. */
export async function pauseSequence(
  tx: Tx,
  workspaceId: string,
  id: string,
  pauseReason = 'manual',
): Promise<Sequence> {
  const after = await moveState(tx, workspaceId, id, ['active', 'paused'], 'paused', pauseReason)
  await hold(tx, deliveryPartition(after))
  return after
}

/** What fell due meanwhile is due now. */
export async function resumeSequence(tx: Tx, workspaceId: string, id: string): Promise<Sequence> {
  const after = await moveState(tx, workspaceId, id, ['active', 'paused'], 'active')
  await release(tx, deliveryPartition(after))
  await wakeSequence(tx, workspaceId, id)
  return after
}

/** Nobody begins it or gets its mail any more; everybody in it leaves. It does not come back. */
export async function stopSequence(tx: Tx, workspaceId: string, id: string): Promise<Sequence> {
  const after = await moveState(tx, workspaceId, id, ['draft', 'active', 'paused', 'stopped'], 'stopped')
  await dropTriggers(tx, id)
  await tx.db.update(sequenceEnrolments).set({ doneAt: tx.now }).where(eq(sequenceEnrolments.sequenceId, id))
  await release(tx, deliveryPartition(after))
  await wakeSequence(tx, workspaceId, id)
  return after
}

async function moveState(
  tx: Tx,
  workspaceId: string,
  id: string,
  from: SequenceState[],
  to: SequenceState,
  pauseReason: string | null = null,
): Promise<Sequence> {
  const before = await getSequence(tx, workspaceId, id)
  if (!from.includes(before.state))
    throw new AppError('invalid_state_transition', `a sequence that is ${before.state} cannot become ${to}`)
  if (before.state === to) return before
  const after = { ...before, state: to, pauseReason, updatedAt: tx.now }
  await tx.db.update(sequences).set(after).where(eq(sequences.id, id))
  return after
}

/** Only one that nobody ever began. Throws `conflict`. */
export async function deleteSequence(tx: Tx, workspaceId: string, id: string): Promise<void> {
  const { version } = await getSequence(tx, workspaceId, id)
  if (version !== null) throw new AppError('conflict', 'it was published: stop it instead, so that its history stays')
  await tx.db.delete(sequences).where(eq(sequences.id, id))
}
