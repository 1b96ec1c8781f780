// The winner of the test of a send step: chosen by the clicks of people at its time, or by hand before. Whoever comes to the step later gets
// it; nobody waits for it.

import { sequenceTests } from '../../../db/tables/sequence-tests.ts'
import { type Tx, write } from '../../core/app.ts'
import { defineJob } from '../../core/outbox/job.ts'
import { minute, second } from '../../kit/duration.ts'
import { AppError } from '../../kit/error.ts'
import { resultsOf } from '../ab-tests/results.ts'
import { judge } from '../ab-tests/significance.ts'
import { firstOf, getVariant } from '../ab-tests/variants.ts'
import { publish } from '../webhooks/publish.ts'
import { findStep } from './moves.ts'
import { getSequence } from './sequences.ts'
import {
  type DueWinner,
  findTest,
  isTest,
  isTested,
  loadTestCounts,
  type TestedStep,
  type TestRow,
  winnerPolicy,
} from './step-tests.ts'
import { loadDefinitions, type Sequence, versionKey } from './versions.ts'

/** Runs when the time of a test is over. One that was chosen by hand meanwhile stays. */
export const chooseStepWinner = defineJob<DueWinner>({
  ...winnerPolicy,
  timeoutMs: minute,
  retryDelaysMs: [second, 10 * second, minute],
  async run(app, { workspaceId, payload: { sequenceId, stepId, version } }) {
    await write(app, async (tx) => {
      const sequence = await getSequence(tx, workspaceId, sequenceId)
      const row = await findTest(tx, { sequenceId, version }, stepId)
      const step = await findTestedStep(tx, sequenceId, { stepId, version })
      if (sequence.state === 'stopped' || step === null || row === null || row.winner !== null) return
      await setWinner(tx, sequence, { row, step, name: null })
    })
    return { outcome: 'done' }
  },
})

/** Throws not_found for a step that the version people begin does not have, 409 when there is nothing to choose, 422 for an unknown name. */
export async function chooseStepWinnerByHand(
  tx: Tx,
  workspaceId: string,
  { sequenceId, stepId, variant }: { sequenceId: string; stepId: string; variant: string },
): Promise<Sequence> {
  const sequence = await getSequence(tx, workspaceId, sequenceId)
  const { version, state } = sequence
  const refusal = (message: string) => new AppError('invalid_state_transition', message)
  if (version === null || state === 'stopped') throw refusal('nobody begins the sequence: there is no winner to choose')
  const step = await findTestedStep(tx, sequenceId, { stepId, version })
  const row = step && (await findTest(tx, { sequenceId, version }, stepId))
  if (step === null || row === null) throw refusal('the step has no test in the version that people begin')
  if (row.winner !== null) throw refusal(`the winner was chosen already: ${row.winner}`)
  await setWinner(tx, sequence, { row, step, name: getVariant(step.test, variant).name })
  return sequence
}

/** Null for a step without a test. Throws not_found for no step. */
async function findTestedStep(
  tx: Tx,
  sequenceId: string,
  { stepId, version }: { stepId: string; version: number },
): Promise<TestedStep | null> {
  const definition = (await loadDefinitions(tx, [{ sequenceId, version }])).get(versionKey(sequenceId, version))
  const step = definition && findStep(definition, stepId)?.step
  if (!step) throw new AppError('not_found', 'the version that people begin has no such step')
  return step.type === 'send' && isTested(step) ? step : null
}

/** `name` null: whichever leads by clicks. */
async function setWinner(
  tx: Tx,
  { id: sequenceId, name: sequenceName, workspaceId }: Sequence,
  { row, step, name }: { row: TestRow; step: TestedStep; name: string | null },
): Promise<void> {
  const { leader, sentence } = judge(resultsOf(step.test, await loadTestCounts(tx, row)))
  const winner = name ?? leader ?? firstOf(step.test)
  await tx.db.update(sequenceTests).set({ winner, winnerChosenAt: tx.now }).where(isTest(row))
  const { stepId, version } = row
  const data = { sequence: { id: sequenceId, name: sequenceName, version, stepId }, winner, sentence }
  await publish(tx, workspaceId, 'sequence.winnerChosen', data)
}
