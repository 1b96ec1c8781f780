// The jobs behind sequences: one for each workspace takes signals, one for each sequence moves people on who are due. Every step is one
// transaction, so they can be killed at any time; between steps others have their turn.

import { sql } from 'drizzle-orm'
import { sequenceRuns, sequenceSignals } from '../../../db/tables/sequences.ts'
import { type App, Steps, type Tx, write } from '../../core/app.ts'
import { defineJob } from '../../core/outbox/job.ts'
import { minute, second } from '../../kit/duration.ts'
import { failureText } from '../../kit/error.ts'
import { getWorkspace } from '../../people/workspaces.ts'
import { signalsPolicy, wakeSignals } from '../signals.ts'
import { advance } from './advance.ts'
import { enrolNext, hasOpenEnrolment } from './enrol.ts'
import { loadMailParts } from './mails.ts'
import { migrateNext } from './migrate.ts'
import { end, fail } from './moves.ts'
import { findDueRuns, findNextDue, findOpenVersions, type Run, RunChanges } from './runs.ts'
import { getSequence, pauseSequence } from './sequences.ts'
import { takeSignals } from './take-signals.ts'
import { loadDefinitions, type Sequence } from './versions.ts'
import { type PagePayload, pagePolicy, wakeSequence } from './wake.ts'

/** How long one execution continues; the next one follows at once. */
const turnMs = 5 * second
const runsPerStep = { least: 10, most: 250 }
const signalsPerStep = { least: 10, most: 250 }
const retryDelaysMs = [second, 10 * second, minute]
/** After these people are taken one by one: whoever stops all others is set aside. */
const attemptsTogether = 3

export const sequenceSignalsJob = defineJob<Record<string, never>>({
  ...signalsPolicy,
  timeoutMs: 5 * minute,
  retryDelaysMs,

  async run(app, { workspaceId }, { signal, progressed }) {
    const until = performance.now() + turnMs
    const steps = new Steps(app, workspaceId, signalsPerStep)
    while (!signal.aborted && performance.now() < until) {
      if (!(await steps.write((tx, size) => takeSignals(tx, workspaceId, size)))) break
      await progressed()
    }
    return { outcome: 'done' }
  },

  /** More may have come while it ran. */
  async ended(tx, ended) {
    for (const { job, ending } of ended) {
      if (ending.state === 'dead') await wakeSignals(tx, job.workspaceId, new Date(tx.now.getTime() + 10 * minute))
      if (ending.state !== 'done') continue
      const mine = sql`workspace_id = ${job.workspaceId}`
      const [left] = await tx.db.select({ id: sequenceSignals.id }).from(sequenceSignals).where(mine).limit(1)
      if (left) await wakeSignals(tx, job.workspaceId)
    }
  },
})

export const sequencePage = defineJob<PagePayload>({
  ...pagePolicy,
  timeoutMs: 5 * minute,
  retryDelaysMs,

  async run(app, { workspaceId, payload, attempt }, { signal, progressed }) {
    const sequence = await getSequence(app, workspaceId, payload.sequenceId)
    const until = performance.now() + turnMs
    const steps = new Steps(app, workspaceId, runsPerStep)
    const step = await toStep(app, sequence)
    while (step !== null && !signal.aborted && performance.now() < until) {
      const moved =
        attempt <= attemptsTogether
          ? await steps.write(step)
          : await steps.write(step, 1).catch((error) => setAside(app, sequence, error))
      if (moved === 0) break
      await progressed()
    }
    return { outcome: 'done' }
  },

  /** In the transaction of its end: is there more to do, and when? */
  async ended(tx, ended) {
    for (const { job, ending } of ended) {
      const { workspaceId, payload } = job
      if (ending.state === 'done') await askAgain(tx, workspaceId, payload.sequenceId)
      // What fails again and again stops where it is, and can be resumed.
      else if (ending.state === 'dead')
        await pauseActive(tx, workspaceId, payload.sequenceId, `failed: ${ending.detail}`)
    }
  },
})

/** The first who is due cannot be moved: they fail, and the others go on. */
async function setAside(app: App, { id }: Sequence, error: unknown): Promise<number> {
  return await write(app, async (tx) => {
    const [run] = await findDueRuns(tx, id, 1)
    if (!run) throw error
    app.log.error('a person in a sequence could not be moved', { runId: run.id, error })
    const changes = new RunChanges()
    fail(run, { changes }, failureText(error))
    await changes.store(tx)
    return 1
  })
}

type PageStep = (tx: Tx, size: number) => Promise<number>

/** What one transaction does, for as long as it returns more than 0; null while the sequence is paused,
 * or a draft. One whose mails cannot be made is paused. */
async function toStep(app: App, sequence: Sequence): Promise<PageStep | null> {
  const { id, workspaceId, state } = sequence
  if (state === 'stopped') return (tx, size) => endAll(tx, id, size)
  if (state !== 'active') return null
  const workspace = await getWorkspace(app, workspaceId)
  const versions = [...new Set([...(await findOpenVersions(app, id)), sequence.version ?? 1])]
  const definitions = await loadDefinitions(
    app,
    versions.map((version) => ({ sequenceId: id, version })),
  )
  const { mails, problem } = await loadMailParts(app, workspace, definitions)
  if (problem !== null) {
    await write(app, (tx) => pauseActive(tx, workspaceId, id, problem))
    return null
  }
  const page = { sequence, workspace, definitions, mails }
  return async (tx, size) => {
    const current = await getSequence(tx, workspaceId, id)
    // The next execution reads a version that was published meanwhile.
    if (current.state !== 'active' || current.version !== sequence.version) return 0
    const moved = await migrateNext(tx, current, page, size)
    if (moved > 0) return moved
    const enrolled = await enrolNext(tx, current, size)
    return enrolled + (await advance(tx, page, size))
  }
}

async function pauseActive(tx: Tx, workspaceId: string, id: string, reason: string): Promise<void> {
  const { state } = await getSequence(tx, workspaceId, id)
  if (state === 'active') await pauseSequence(tx, workspaceId, id, reason.slice(0, 200))
}

async function askAgain(tx: Tx, workspaceId: string, sequenceId: string): Promise<void> {
  const { state, moves } = await getSequence(tx, workspaceId, sequenceId)
  if (state === 'stopped') {
    if ((await openRuns(tx, sequenceId, 1)).length > 0) await wakeSequence(tx, workspaceId, sequenceId)
    return
  }
  if (state !== 'active') return
  if (moves !== null || (await hasOpenEnrolment(tx, sequenceId))) return await wakeSequence(tx, workspaceId, sequenceId)
  const due = await findNextDue(tx, sequenceId)
  if (due !== null) await wakeSequence(tx, workspaceId, sequenceId, due)
}

async function openRuns(tx: Tx, sequenceId: string, limit: number): Promise<Run[]> {
  return await tx.db
    .select()
    .from(sequenceRuns)
    .where(sql`sequence_id = ${sequenceId} AND state IN ('waiting', 'failed', 'uncertain', 'sending')`)
    .limit(limit)
}

/** The sequence was stopped: everybody leaves. A mail that is on its way finds that out at its hand-over. */
async function endAll(tx: Tx, sequenceId: string, size: number): Promise<number> {
  const runs = await openRuns(tx, sequenceId, size)
  const changes = new RunChanges()
  for (const run of runs) end(run, { changes, now: tx.now }, 'exited', 'stopped')
  await changes.store(tx)
  return runs.length
}
