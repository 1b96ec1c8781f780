// People are put into a sequence by whoever may: a few by their addresses, at once, or everybody of a segment, page by page.

import { and, eq, sql } from 'drizzle-orm'
import { sequenceEnrolments } from '../../../db/tables/sequences.ts'
import type { Reader, Tx } from '../../core/app.ts'
import { AppError, invalidField } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import { type Contact, findContacts } from '../contacts/consent/find-contact.ts'
import { membersPage, nextInSegment } from '../contacts/segments/members.ts'
import { findSegment, type Segment } from '../contacts/segments/segments.ts'
import { beginRuns, type NotBegun, refusals } from './begin.ts'
import { loadDefinitions, type Sequence, versionKey } from './versions.ts'
import { wakeSequence } from './wake.ts'

export type Enrolment = typeof sequenceEnrolments.$inferSelect

/** What was done for an address: null for one that began. */
export interface Enrolled {
  email: string
  refusal: NotBegun | 'unknown_contact' | null
}

/** Throws `invalid_state_transition` for a sequence that was not published, or was stopped. */
export async function definitionToBegin(reader: Reader, sequence: Sequence) {
  const { id, version, state } = sequence
  const definition = (await loadDefinitions(reader, version === null ? [] : [{ sequenceId: id, version }])).get(
    versionKey(id, version ?? 0),
  )
  if (definition && (state === 'active' || state === 'paused')) return definition
  throw new AppError(
    'invalid_state_transition',
    `nobody can begin a sequence that is ${state === 'draft' ? 'a draft' : state}`,
  )
}

/** In the order of `emails`; with `dryRun` nobody begins. */
export async function enrolEmails(
  tx: Tx,
  sequence: Sequence,
  { emails, dryRun }: { emails: string[]; dryRun: boolean },
): Promise<Enrolled[]> {
  const definition = await definitionToBegin(tx, sequence)
  const { workspaceId } = sequence
  const found = await findContacts(
    tx,
    emails.map((email) => ({ workspaceId, email, userId: null })),
  )
  const known = found.flatMap((contact) => (contact === null ? [] : [{ sequence, definition, contact, event: null }]))
  const verdicts = dryRun ? await refusals(tx, known, tx.now) : await beginRuns(tx, known)
  return emails.map((email, index) => {
    const refusal = found[index] === null ? 'unknown_contact' : (verdicts.shift() ?? null)
    return { email, refusal }
  })
}

/** Throws 422 for one that is not there. */
export async function namedSegment(reader: Reader, workspaceId: string, segmentId: string): Promise<Segment> {
  const segment = await findSegment(reader, workspaceId, segmentId)
  if (segment) return segment
  throw invalidField('segmentId', 'there is no such segment', 'unknown_segment')
}

/** Everybody who is in the segment when its page comes. */
export async function enrolSegment(tx: Tx, sequence: Sequence, segmentId: string): Promise<Enrolment> {
  await definitionToBegin(tx, sequence)
  const { workspaceId, id: sequenceId } = sequence
  await namedSegment(tx, workspaceId, segmentId)
  const row: Enrolment = {
    id: newId(tx, 'enr', tx.now),
    workspaceId,
    sequenceId,
    segmentId,
    cursor: '',
    started: 0,
    skipped: 0,
    doneAt: null,
    createdAt: tx.now,
  }
  await tx.db.insert(sequenceEnrolments).values(row)
  await wakeSequence(tx, workspaceId, sequenceId)
  return row
}

const open = (sequenceId: string) => and(eq(sequenceEnrolments.sequenceId, sequenceId), sql`done_at IS NULL`)

export async function hasOpenEnrolment(reader: Reader, sequenceId: string): Promise<boolean> {
  const [row] = await reader.db
    .select({ id: sequenceEnrolments.id })
    .from(sequenceEnrolments)
    .where(open(sequenceId))
    .limit(1)
  return row !== undefined
}

async function findOldest(tx: Tx, sequenceId: string): Promise<Enrolment | undefined> {
  const [row] = await tx.db
    .select()
    .from(sequenceEnrolments)
    .where(open(sequenceId))
    .orderBy(sequenceEnrolments.id)
    .limit(1)
  return row
}

/** Looks at the next contacts of the oldest enrolment. Returns how many. */
export async function enrolNext(tx: Tx, sequence: Sequence, size: number): Promise<number> {
  const row = await findOldest(tx, sequence.id)
  if (!row) return 0
  const definition = await definitionToBegin(tx, sequence)
  const segment = await findSegment(tx, row.workspaceId, row.segmentId)
  // Whoever deletes a segment ends what goes through it.
  const page = segment && (await membersPage(tx, segment, { after: row.cursor, size, now: tx.now }))
  const { members, last, seen } = page ?? { members: [], last: row.cursor, seen: 0 }
  const verdicts = await beginRuns(
    tx,
    members.map((contact: Contact) => ({ sequence, definition, contact, event: null })),
  )
  const started = verdicts.filter((verdict) => verdict === null).length
  await tx.db
    .update(sequenceEnrolments)
    .set({
      cursor: last,
      started: row.started + started,
      skipped: row.skipped + verdicts.length - started,
      doneAt: seen < size ? tx.now : null,
    })
    .where(eq(sequenceEnrolments.id, row.id))
  return Math.max(1, seen)
}

/** The next contact cannot begin: they count as skipped. Returns how many that concerns. */
export async function passOver(tx: Tx, sequenceId: string, error: unknown): Promise<number> {
  const row = await findOldest(tx, sequenceId)
  const segment = row && (await findSegment(tx, row.workspaceId, row.segmentId))
  const cursor = segment && (await nextInSegment(tx, segment, row.cursor))
  if (!cursor) throw error
  await tx.db
    .update(sequenceEnrolments)
    .set({ cursor, skipped: row.skipped + 1 })
    .where(eq(sequenceEnrolments.id, row.id))
  return 1
}

export async function listEnrolments(reader: Reader, sequenceId: string): Promise<Enrolment[]> {
  return await reader.db
    .select()
    .from(sequenceEnrolments)
    .where(eq(sequenceEnrolments.sequenceId, sequenceId))
    .orderBy(sequenceEnrolments.id)
}
