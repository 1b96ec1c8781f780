// Sequences and their runs, as the API shows them; the sentences that say where somebody is and why.

import { inArray, sql } from 'drizzle-orm'
import {
  type RunState,
  runStates,
  sequencePeople,
  sequenceStepCounts,
  sequenceVersions,
} from '../../../db/tables/sequences.ts'
import type { Reader } from '../../core/app.ts'
import { holdsAll, type Workspace } from '../../people/workspaces.ts'
import { toTestResult } from '../ab-tests/schema.ts'
import { definitionIssues } from './checks.ts'
import { countWaiting } from './digest.ts'
import type { Enrolment } from './enrol.ts'
import { contentHash } from './migrate.ts'
import type { Rehearsed } from './rehearse.ts'
import type { ListedRun, PathLine } from './run-acts.ts'
import type { enrolmentView, rehearseAnswer, runView, runWithPath, sequenceListItem, sequenceView } from './schema.ts'
import { findTest, loadTestCounts, testedSteps } from './step-tests.ts'
import type { stepTestView } from './test-schema.ts'
import { loadDefinitions, type Sequence, versionKey } from './versions.ts'

type People = Record<RunState, number>

/** How many are in each state, by sequence. */
export async function countPeople(reader: Reader, ids: string[]): Promise<Map<string, People>> {
  if (ids.length === 0) return new Map()
  const rows = await reader.db.select().from(sequencePeople).where(inArray(sequencePeople.sequenceId, ids))
  const counts = new Map<string, People>()
  for (const { sequenceId, state, people } of rows) counts.getOrInsertComputed(sequenceId, noPeople)[state] = people
  return counts
}

const noPeople = () => Object.fromEntries(runStates.map((state) => [state, 0])) as People

export function toListItem(
  workspace: Workspace,
  sequence: Sequence,
  people = noPeople(),
): typeof sequenceListItem.static {
  const { id, name, state, version, pauseReason, createdAt, updatedAt } = sequence
  return {
    id,
    name,
    state,
    version,
    pauseReason,
    waitsFor: state === 'active' ? holdsAll(workspace) : null,
    people,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

export async function loadSequenceView(
  reader: Reader,
  workspace: Workspace,
  sequence: Sequence,
): Promise<typeof sequenceView.static> {
  const { id, draft, revision, version } = sequence
  const hash = contentHash(sequence)
  const [published] = await reader.db
    .select({ contentHash: sequenceVersions.contentHash })
    .from(sequenceVersions)
    .where(sql`sequence_id = ${id} AND version = ${version ?? 0}`)
  const steps = await reader.db
    .select()
    .from(sequenceStepCounts)
    .where(sql`sequence_id = ${id}`)
    .orderBy(sequenceStepCounts.version)
  return {
    ...toListItem(workspace, sequence, (await countPeople(reader, [id])).get(id)),
    definition: draft,
    revision,
    contentHash: hash,
    isPublished: published?.contentHash === hash,
    issues: await definitionIssues(reader, workspace, draft),
    steps: steps.map(({ sequenceId: _, ...counts }) => counts),
    tests: await loadTests(reader, sequence),
  }
}

async function loadTests(reader: Reader, { id: sequenceId, version }: Sequence) {
  if (version === null) return []
  const definition = (await loadDefinitions(reader, [{ sequenceId, version }])).get(versionKey(sequenceId, version))
  const tests: (typeof stepTestView.static)[] = []
  for (const { id: stepId, test } of definition ? testedSteps(definition) : []) {
    const row = await findTest(reader, { sequenceId, version }, stepId)
    if (row === null) continue
    const result = toTestResult(test, await loadTestCounts(reader, row), row)
    tests.push({ stepId, version: row.version, ...result })
  }
  return tests
}

const isoOrNull = (at: Date | null) => at?.toISOString() ?? null

export function toRunView(run: ListedRun): typeof runView.static {
  const { id, contactId, email, version, key, state, stepId, reason, messageId, eventId } = run
  return {
    id,
    contactId,
    email,
    version,
    key,
    state,
    stepId,
    reason,
    enteredAt: run.enteredAt.toISOString(),
    dueAt: isoOrNull(run.dueAt),
    messageId,
    eventId,
    startedAt: run.startedAt.toISOString(),
    endedAt: isoOrNull(run.endedAt),
    gathered: countWaiting(run),
  }
}

export function toRunWithPath(
  workspace: Workspace,
  sequence: Sequence,
  run: ListedRun,
  path: PathLine[],
): typeof runWithPath.static {
  return {
    ...toRunView(run),
    why: whyHere(run, whyNobodyMoves(workspace, sequence)),
    path: path.map(({ runId: _, at, ...line }) => ({ ...line, at: at.toISOString() })),
  }
}

/** Null: everybody whose time it is moves on. */
function whyNobodyMoves(workspace: Workspace, { state }: Sequence): string | null {
  if (state === 'paused') return 'the sequence is paused'
  return holdsAll(workspace) === null ? null : 'the workspace is suspended'
}

/** Where the person is and why, in a sentence. `stop`: why nobody moves. */
function whyHere(run: ListedRun, stop: string | null): string {
  const at = `at the step ${run.stepId}`
  switch (run.state) {
    case 'completed':
      return run.reason === 'goal' ? 'They reached the goal.' : 'They came to the end.'
    case 'exited':
      return `They left ${at}: ${run.reason}.`
    case 'failed':
      return `They stay ${at}, which cannot be done: ${run.reason}. Retry it, or skip it.`
    case 'uncertain':
      return `The mail of the step ${run.stepId} was handed over, and no answer came (${run.reason}). Say at its job whether it arrived, or skip the step.`
    case 'sending':
      return stop === null ? `Their mail is on its way ${at}.` : `Their mail waits ${at}, because ${stop}.`
    case 'waiting': {
      const until = run.dueAt === null ? '' : ` until ${run.dueAt.toISOString()}`
      if (run.reason !== null) return `The mail of the step ${run.stepId} is put off${until}: ${run.reason}.`
      return stop === null ? `They wait ${at}${until}.` : `They wait ${at}, because ${stop}.`
    }
  }
}

export function toEnrolmentView({
  id,
  segmentId,
  started,
  skipped,
  doneAt,
  createdAt,
}: Enrolment): typeof enrolmentView.static {
  return { id, segmentId, started, skipped, doneAt: isoOrNull(doneAt), createdAt: createdAt.toISOString() }
}

export function toRehearsedView({ email, run, path }: Rehearsed): (typeof rehearseAnswer.static)['data'][number] {
  const { state, stepId, reason } = run
  const lines = path.map(({ number, stepId, at, outcome, detail }) => {
    return { number, stepId, at: at.toISOString(), outcome, detail }
  })
  return { email, state, stepId, reason, dueAt: isoOrNull(run.dueAt), path: lines }
}
