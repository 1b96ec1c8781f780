// The jobs behind sequences: one for each workspace takes signals, one for each sequence moves people on who are due. Every step is one
// transaction, so they can be killed at any time; between steps others have their turn.

import { sql } from 'drizzle-orm'
import { sequenceRuns } from '../../../db/tables/sequences.ts'
import { type App, Steps, type Tx, write } from '../../core/app.ts'
import { HalvingSteps, type HalvingWork } from '../../core/halving-steps.ts'
import { defineJob } from '../../core/outbox/job.ts'
import { minute, second } from '../../kit/duration.ts'
import { failureText } from '../../kit/error.ts'
import { getWorkspace } from '../../people/workspaces.ts'
import { signalsPolicy, wakeSignals } from '../signals.ts'
import { advance } from './advance.ts'
import { enrolNext, hasOpenEnrolment, passOver } from './enrol.ts'
import { loadMailParts } from './mails.ts'
import { leaveBehind, migrateNext } from './migrate.ts'
import { end, fail } from './moves.ts'
import { findDueRuns, findNextDue, findOpenVersions, type Run, RunChanges } from './runs.ts'
import { getSequence, pauseSequence } from './sequences.ts'
import { findNextSignals, leaveAside, setSignalAside, takeAside, takeSignals } from './take-signals.ts'
import { loadDefinitions, type Sequence } from './versions.ts'
import { type PagePayload, pagePolicy, wakeSequence } from './wake.ts'

/** How long one execution continues; the next one follows at once. */
const turnMs = 5 * second
/** Their own workspace, too, sends its transactional mail meanwhile. */
const runsPerStep = { least: 10, most: 250, sparesOwn: true }
const signalsPerStep = { least: 10, most: 250, sparesOwn: true }
const retryDelaysMs = [second, 10 * second, minute]

export const sequenceSignalsJob = defineJob<Record<string, never>>({
  ...signalsPolicy,
  timeoutMs: 5 * minute,
  retryDelaysMs,

  async run(app, { workspaceId }, { signal, progressed }) {
    const until = performance.now() + turnMs
    const fresh = new HalvingSteps(app, workspaceId, signalsPerStep)
    const aside = new HalvingSteps(app, workspaceId, { least: 1, most: 1 })
    const takeFresh: HalvingWork<boolean> = {
      work: (tx, size) => takeSignals(tx, workspaceId, size),
      setAside: (tx, error) => setSignalAside(tx, workspaceId, error),
    }
    const again: HalvingWork<boolean> = {
      work: (tx) => takeAside(tx, workspaceId),
      setAside: (tx, error) => leaveAside(tx, workspaceId, error),
    }
    while (!signal.aborted && performance.now() < until) {
      if (!(await fresh.write(takeFresh)) && !(await aside.write(again))) break
      await progressed()
    }
    return { outcome: 'done' }
  },

  /** More may have come while it ran. */
  async ended(tx, ended) {
    for (const { job, ending } of ended) {
      if (ending.state === 'dead') await wakeSignals(tx, job.workspaceId, new Date(tx.now.getTime() + 10 * minute))
      if (ending.state !== 'done') continue
      const at = await findNextSignals(tx, job.workspaceId)
      if (at !== null) await wakeSignals(tx, job.workspaceId, at)
    }
  },
})

export const sequencePage = defineJob<PagePayload>({
  ...pagePolicy,
  timeoutMs: 5 * minute,
  retryDelaysMs,

  async run(app, { workspaceId, payload }, { signal, progressed }) {
    const sequence = await getSequence(app, workspaceId, payload.sequenceId)
    const until = performance.now() + turnMs
    const step = await toStep(app, sequence)
    while (step !== null && !signal.aborted && performance.now() < until) {
      if ((await step()) === 0) break
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

/** What is done next, for as long as it returns more than 0; null while the sequence is paused, or a draft. One whose mails cannot be made
 * is paused. */
async function toStep(app: App, sequence: Sequence): Promise<(() => Promise<number>) | null> {
  const { id, workspaceId, state, moves } = sequence
  if (state === 'stopped') {
    const steps = new Steps(app, workspaceId, runsPerStep)
    return () => steps.write((tx, size) => endAll(tx, id, size))
  }
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
  const giveUp = async (tx: Tx, error: unknown) => {
    await pauseActive(tx, workspaceId, id, `failed: ${failureText(error)}`)
    return 0
  }
  const doing = (work: (tx: Tx, now: Sequence, size: number) => Promise<number>, setAside: SetAside) => {
    const steps = new HalvingSteps(app, workspaceId, runsPerStep)
    const whileSame = async (tx: Tx, size: number) => {
      const now = await getSequence(tx, workspaceId, id)
      // The next execution reads a version that was published meanwhile.
      return now.state === 'active' && now.version === sequence.version ? await work(tx, now, size) : 0
    }
    return () => steps.write({ work: whileSame, setAside: (tx, error) => setAside(tx, id, error), giveUp })
  }
  const moving = doing((tx, now, size) => migrateNext(tx, now, page, size), leaveBehind)
  const enrolling = doing(enrolNext, passOver)
  const advancing = doing((tx, _now, size) => advance(tx, page, size), failFirst)
  let isMoving = moves !== null
  return async () => {
    const moved = isMoving ? await moving() : 0
    isMoving = moved > 0
    if (isMoving) return moved
    const enrolled = (await hasOpenEnrolment(app, id)) ? await enrolling() : 0
    const due = await findNextDue(app, id)
    return enrolled + (due !== null && due <= app.clock.now() ? await advancing() : 0)
  }
}

/** Whoever comes first cannot be dealt with. Returns how many that concerns. */
type SetAside = (tx: Tx, sequenceId: string, error: unknown) => Promise<number>

/** The first who is due cannot be moved on: they fail, and can be tried again. */
const failFirst: SetAside = async (tx, sequenceId, error) => {
  const [run] = await findDueRuns(tx, sequenceId, 1)
  if (!run) throw error
  const changes = new RunChanges()
  fail(run, { changes }, failureText(error))
  await changes.store(tx)
  return 1
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
