// The job that sends one mail of a sequence. In the transaction of the hand-over everything is asked again: whether the person is still
// there, consent, suppression, frequency. A crash there leaves the mail uncertain, so that nobody gets it twice.

import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { toRows } from '../../../db/rows.ts'
import { sequences } from '../../../db/tables/sequences.ts'
import type { Tx } from '../../core/app.ts'
import type { Ended, Ending, Job, Outcome } from '../../core/outbox/job.ts'
import { release } from '../../core/outbox/waiting.ts'
import { minute } from '../../kit/duration.ts'
import { isSimulated } from '../../mail/simulator.ts'
import { zoneOf } from '../../people/recipient-time.ts'
import { getWorkspace, type Workspace } from '../../people/workspaces.ts'
import { toRounds } from '../campaigns/deliver.ts'
import { findObjection, loadFactsOfList } from '../campaigns/eligibility.ts'
import { type CountedMail, giveBackFrequencyPlaces, takeFrequencyPlaces } from '../campaigns/frequency.ts'
import { countSending } from '../campaigns/reputation/caps.ts'
import { deliveryLane, deliveryPartition } from '../campaigns/wake.ts'
import { type DeliverMessage, defineMailJob } from '../sending/deliver-message.ts'
import { hardBounce, suppressedCode } from '../sending/outcome.ts'
import { toldCount } from './digest.ts'
import { addTracking } from './engagement.ts'
import { end, fail, findStep, leave, type Situation } from './moves.ts'
import { findRuns, type Run, RunChanges, testedBy } from './runs.ts'
import { loadContacts } from './subjects.ts'
import { takeSignalsFor } from './take-signals.ts'
import { loadDefinitions, versionKey } from './versions.ts'
import { wakeDue } from './wake.ts'

export interface DeliverSequenceMail extends DeliverMessage {
  runId: string
  contactId: string
  /** The recipient. */
  email: string
  /** Of the sender, for the counts. */
  domain: string
  isMarketing: boolean
}

/** Codes of mails that the guard stopped. */
const left = 'left'
const halted = 'halted'
const tooOften = 'too_often'

export const deliverSequenceMail = defineMailJob<DeliverSequenceMail>({
  kind: 'deliver-sequence-mail',
  lane: deliveryLane,
  bulk: true,
  addTracking,
  guard: checkHandOvers,
  ended: moveRuns,
})

/** For each job null, or why its mail may not be sent. */
export async function checkHandOvers(tx: Tx, jobs: Job<DeliverSequenceMail>[]): Promise<(Outcome | null)[]> {
  const unread = new Set<string>()
  for (const [workspaceId, of] of Map.groupBy(jobs, (job) => job.workspaceId)) {
    const { stuck } = await takeSignalsFor(tx, workspaceId, [...new Set(of.map(({ payload }) => payload.contactId))])
    for (const contactId of stuck) unread.add(contactId)
  }
  const runs = await loadRuns(tx, jobs)
  const states = await loadStates(tx, [...runs.values()])
  const definitions = await loadDefinitions(tx, [...runs.values()])
  const verdicts = new Map<string, Outcome | null>()
  for (const job of jobs) {
    const stop = stops(job, runs.get(job.payload.runId), states)
    verdicts.set(job.id, stop ?? (unread.has(job.payload.contactId) ? untilRead : null))
  }
  const going = jobs.filter((job) => job.payload.isMarketing && verdicts.get(job.id) === null)
  const listOf = ({ payload }: Job<DeliverSequenceMail>) => {
    const run = runs.get(payload.runId)
    return (run && definitions.get(versionKey(run.sequenceId, run.version))?.mailingListId) ?? null
  }
  for (const round of toRounds(going)) {
    const places: CountedMail[] = []
    for (const same of Map.groupBy(round, (job) => `${job.workspaceId} ${listOf(job)}`).values())
      for (const { job, verdict } of await objections(tx, same, listOf)) {
        verdicts.set(job.id, verdict)
        const { contactId, messageId } = job.payload
        if (verdict === null) places.push({ workspaceId: job.workspaceId, contactId, messageId })
      }
    await takeFrequencyPlaces(tx, places)
  }
  return jobs.map(({ id }) => verdicts.get(id) ?? null)
}

/** Perhaps they have left: that is known when what happened to them can be read. */
const untilRead: Outcome = {
  outcome: 'defer',
  code: 'signal_set_aside',
  detail: 'what happened to this contact could not be looked at yet',
  delayMs: 10 * minute,
}

type States = Map<string, string>

/** The sequence was paused or stopped, or the person has left. */
function stops({ payload }: Job<DeliverSequenceMail>, run: Run | undefined, states: States): Outcome | null {
  if (!run || run.endedAt !== null || run.messageId !== payload.messageId)
    return { outcome: 'cancelled', code: left, detail: run?.reason ?? 'the person is no longer in the sequence' }
  const state = states.get(run.sequenceId)
  if (state === 'paused') return { outcome: 'hold', code: halted, detail: 'the sequence is paused' }
  return state === 'active' ? null : { outcome: 'cancelled', code: left, detail: 'the sequence was stopped' }
}

/** What speaks against each mail of one list. */
async function objections(
  tx: Tx,
  jobs: Job<DeliverSequenceMail>[],
  listOf: (job: Job<DeliverSequenceMail>) => string | null,
) {
  const [first] = jobs
  if (!first) return []
  const candidates = jobs.map((job) => {
    const { contactId, email, messageId } = job.payload
    return { contactId, email, messageId, job }
  })
  const source = { listId: listOf(first), workspaceId: first.workspaceId }
  return (await loadFactsOfList(tx, source, candidates, tx.now)).map((facts) => {
    const objection = findObjection(facts, tx.now)
    const verdict: Outcome | null = objection && {
      outcome: 'cancelled',
      code: objection.reason,
      detail: objection.outcome,
    }
    return { job: facts.candidate.job, verdict }
  })
}

async function loadRuns(tx: Tx, jobs: { payload: DeliverSequenceMail }[]): Promise<Map<string, Run>> {
  const rows = await findRuns(
    tx,
    jobs.map(({ payload }) => payload.runId),
  )
  return new Map(rows.map((row) => [row.id, row]))
}

const ofSequences = toRows({ id: sequences.id })
const findStates = prepared((db: Db) =>
  db
    .select({ id: sequences.id, state: sequences.state })
    .from(sequences)
    .where(sql`id IN ${ofSequences.pick('id')}`)
    .prepare(),
)

async function loadStates(tx: Tx, runs: Run[]): Promise<States> {
  const ids = new Set(runs.map(({ sequenceId }) => sequenceId))
  const rows = await findStates(tx.db).all(ofSequences.given([...ids].map((id) => ({ id }))))
  return new Map(rows.map(({ id, state }) => [id, state]))
}

type MailEnded = Ended<DeliverSequenceMail>

/** What became of a mail moves its person on, or leaves them where they are, for somebody to look at. */
export async function moveRuns(tx: Tx, ended: MailEnded[]): Promise<void> {
  await countEnds(tx, ended)
  const runs = await loadRuns(
    tx,
    ended.map(({ job }) => job),
  )
  const contacts = await loadContacts(tx, [...new Set(ended.map(({ job }) => job.payload.contactId))])
  const definitions = await loadDefinitions(tx, [...runs.values()])
  const workspaces = new Map<string, Workspace>()
  for (const workspaceId of new Set(ended.map(({ job }) => job.workspaceId)))
    workspaces.set(workspaceId, await getWorkspace(tx, workspaceId))
  const changes = new RunChanges()
  for (const { job, ending } of ended) {
    const run = runs.get(job.payload.runId)
    const contact = contacts.get(job.payload.contactId)
    const definition = run && definitions.get(versionKey(run.sequenceId, run.version))
    const workspace = workspaces.get(job.workspaceId)
    if (!run || !workspace || run.messageId !== job.payload.messageId) continue
    if (!contact || !definition) {
      if (run.endedAt === null) end(run, { changes, now: tx.now }, 'exited', 'contact_deleted')
      continue
    }
    const zone = zoneOf(contact, workspace)
    moveRun(run, { changes, now: tx.now, definition, contact, zone }, ending)
  }
  await changes.store(tx)
  await wakeDue(tx, [...runs.values()])
  await releaseLate(tx, ended, await loadStates(tx, [...runs.values()]))
}

/** Who was told of a pause, and ends when the sequence has gone on, was not among those who were released then. */
async function releaseLate(tx: Tx, ended: MailEnded[], states: States): Promise<void> {
  for (const { job, ending } of ended) {
    const { workspaceId, partitionKey: id } = job
    if (ending.state !== 'held' || states.get(id) === 'paused') continue
    await release(tx, deliveryPartition({ id, workspaceId }), ending.jobId)
  }
}

/** Where the end of its mail leads a run. */
export function moveRun(
  run: Run,
  situation: Situation,
  { state, code, detail }: Pick<Ending, 'state' | 'code' | 'detail'>,
): void {
  const { changes, now } = situation
  if (state === 'done') {
    changes.count(run, { sent: 1 }, testedBy(run))
    const sent = { outcome: 'sent', detail: detailOf(run, situation), messageId: run.messageId }
    if (run.endedAt === null) leave(run, situation, sent)
    // Whoever left while the server was taking the mail has got it nevertheless.
    else changes.line(run, now, sent)
  } else if (run.endedAt === null) stay(run, situation, { state, code, detail })
}

/** What tells a mail from another of the same step. */
function detailOf(run: Run, { definition }: Situation): string | null {
  if (run.variant !== null) return `${run.variant.isTested ? 'tests' : 'gets'} ${run.variant.name}`
  const step = findStep(definition, run.stepId)?.step
  const told = step ? toldCount(run, step) : null
  return told === null ? null : `gathered ${told}`
}

/** The mail was not sent, or not yet. */
function stay(
  run: Run,
  situation: Situation,
  { state, code, detail }: Pick<Ending, 'state' | 'code' | 'detail'>,
): void {
  const { changes } = situation
  if (state === 'pending' || state === 'held') changes.move(run, 'sending')
  else if (state === 'ambiguous') {
    run.reason = code
    changes.move(run, 'uncertain')
  } else if (state === 'cancelled') giveUp(run, situation, { code, detail })
  else if (code === hardBounce || code === suppressedCode) end(run, situation, 'exited', code)
  else fail(run, situation, detail ?? code ?? 'failed')
}

/** The guard said no, or a person did. */
function giveUp(run: Run, situation: Situation, { code, detail }: Pick<Ending, 'code' | 'detail'>): void {
  if (code === tooOften) {
    // Its step is taken again, and puts it off.
    run.dueAt = situation.now
    situation.changes.move(run, 'waiting')
  } else if (code === left) end(run, situation, 'exited', 'stopped')
  else if (detail === 'unsubscribed' || detail === 'suppressed') end(run, situation, 'exited', code)
  else {
    situation.changes.count(run, { skipped: 1 })
    leave(run, situation, { outcome: 'skipped', detail: code, messageId: run.messageId })
  }
}

/** What counts against caps and limits of frequency. */
async function countEnds(tx: Tx, ended: MailEnded[]): Promise<void> {
  const counted = ended.filter(({ job: { payload } }) => payload.isMarketing && !isSimulated(payload.email))
  const sent = counted.filter(({ ending }) => ending.state === 'done')
  for (const same of Map.groupBy(sent, ({ job }) => senderOf(job)).values())
    await countSending(tx, toSending(same), { sent: same.length })
  const unsent = counted.filter(({ ending: { state } }) => state === 'dead' || state === 'cancelled')
  await giveBackFrequencyPlaces(
    tx,
    unsent.map(({ job: { workspaceId, payload } }) => ({ workspaceId, ...payload })),
  )
  // Mails that were prepared together were reserved together.
  for (const same of Map.groupBy(unsent, ({ job }) => `${senderOf(job)} ${job.createdAt.getTime()}`).values())
    await countSending(tx, { ...toSending(same), at: same[0]?.job.createdAt ?? tx.now }, { reserved: -same.length })
}

const senderOf = ({ workspaceId, payload: { domain } }: MailEnded['job']) => `${workspaceId} ${domain}`

function toSending([first]: MailEnded[]) {
  return { workspaceId: first?.job.workspaceId ?? '', domain: first?.job.payload.domain ?? '' }
}
