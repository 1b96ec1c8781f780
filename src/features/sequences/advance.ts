// Moves people who are due on through their sequence, by lists: what a step does, and where it leads. A mail is prepared by mails.ts; the
// run then waits for its end. Everything happens in the caller's transaction.

import type { BranchCondition, BranchStep, DigestStep, EventStep } from '../../../db/tables/sequences.ts'
import type { Tx } from '../../core/app.ts'
import { spanMs } from '../../kit/duration.ts'
import { zoneOf } from '../../people/recipient-time.ts'
import type { Contact } from '../contacts/consent/find-contact.ts'
import { matches } from '../events/matching.ts'
import { gatheredFor } from './digest.ts'
import { inEarnest } from './in-earnest.ts'
import { sendMails } from './mails.ts'
import { end, findStep, leave, type Traveller } from './moves.ts'
import { type Changes, findDueRuns, findRuns, type Run, RunChanges } from './runs.ts'
import { type Event, loadContacts, loadEvents } from './subjects.ts'
import { takeSignalsFor } from './take-signals.ts'
import { versionKey } from './versions.ts'
import type { Page, World } from './world.ts'

/** Steps that a run takes in one transaction; then others have their turn. */
const maxRounds = 25
/** Mails with up to 50 events each, which are in memory together. */
const digestsAtOnce = 25

/** Moves at most `limit` people on, after what happened to them was looked at. Returns how many were due. */
export async function advance(tx: Tx, page: Page, limit: number): Promise<number> {
  const due = await findDueRuns(tx, page.sequence.id, limit)
  if (due.length === 0) return 0
  const contactIds = [...new Set(due.map(({ contactId }) => contactId))]
  const { anyTaken } = await takeSignalsFor(tx, page.workspace.id, contactIds)
  await moveDue(
    tx,
    page,
    anyTaken
      ? await findRuns(
          tx,
          due.map(({ id }) => id),
        )
      : due,
  )
  return due.length
}

async function moveDue(tx: Tx, page: Page, runs: Run[]): Promise<void> {
  const contacts = await loadContacts(tx, [...new Set(runs.map(({ contactId }) => contactId))])
  const events = await loadEvents(tx, runs)
  const changes = new RunChanges()
  await moveAlong(inEarnest(tx), { page, contacts, events, changes }, runs)
  await changes.store(tx)
}

interface Subjects {
  page: Page
  contacts: Pick<Map<string, Contact>, 'get'>
  events: Pick<Map<string, Event>, 'get'>
  changes: Changes
}

/** Those of the runs that are due take their steps, as many as they can take now. */
export async function moveAlong(world: World, subjects: Subjects, runs: Run[]): Promise<void> {
  const isDue = (run: Run) => run.state === 'waiting' && run.dueAt !== null && run.dueAt <= world.until
  let due = runs.filter(isDue)
  for (let round = 0; due.length > 0 && round < maxRounds; round++) {
    const travellers = due.flatMap((run) => travellerOf(world, run, subjects))
    await takeSteps(world, subjects.page, travellers)
    due = due.filter(isDue)
  }
}

/** None for a run whose contact or whose version is gone: it is over. */
function travellerOf(world: World, run: Run, { page, contacts, events, changes }: Subjects): Traveller[] {
  const now = world.nowOf(run)
  const contact = contacts.get(run.contactId)
  const definition = page.definitions.get(versionKey(run.sequenceId, run.version))
  const step = definition && findStep(definition, run.stepId)?.step
  if (!contact || !definition || !step) {
    end(run, { changes, now }, 'exited', contact ? 'step_gone' : 'contact_deleted')
    return []
  }
  const event = run.eventId === null ? null : (events.get(run.eventId) ?? null)
  const situation = { changes, now, definition, contact, zone: zoneOf(contact, page.workspace) }
  return [{ run, step, event, situation }]
}

async function takeSteps(world: World, page: Page, travellers: Traveller[]): Promise<void> {
  const byStep = Map.groupBy(travellers, ({ run, step }) => `${run.version} ${step.id}`)
  for (const list of byStep.values()) await takeStep(world, page, list)
}

/** All are at the same step of the same version. */
async function takeStep(world: World, page: Page, list: Traveller[]): Promise<void> {
  const step = list[0]?.step
  switch (step?.type) {
    case undefined:
      return
    case 'wait':
      for (const { run, situation } of list) leave(run, situation, { outcome: 'waited' })
      return
    case 'event':
      return await endWaiting(world, step, list)
    case 'digest':
      return await sendDigests(world, page, step, list)
    case 'branch':
      return await takeBranches(world, step, list)
    case 'send':
      return await sendMails(world, page, step, list)
    default:
      for (const one of list) {
        const { status, reason } = await world.act(one)
        leave(one.run, one.situation, { outcome: status, detail: reason })
      }
  }
}

async function endWaiting(world: World, step: EventStep, list: Traveller[]): Promise<void> {
  const earlier = await world.findArrived(step, list)
  for (const { run, situation } of list) {
    const eventId = run.arrivedEventId ?? earlier.get(run.id) ?? null
    const until = new Date(run.enteredAt.getTime() + spanMs(step.atMost))
    if (eventId !== null) leave(run, situation, { outcome: 'came', detail: eventId })
    else if (until <= situation.now) leave(run, situation, { outcome: 'did_not_come' }, 'otherwise')
    else {
      run.dueAt = until
      situation.changes.change(run)
    }
  }
}

/** An empty one is not sent. */
async function sendDigests(world: World, page: Page, step: DigestStep, list: Traveller[]): Promise<void> {
  const { full = [], empty = [] } = Object.groupBy(list, ({ run }) => (gatheredFor(run, step) ? 'full' : 'empty'))
  for (const { run, situation } of empty) leave(run, situation, { outcome: 'nothing_gathered' })
  for (let at = 0; at < full.length; at += digestsAtOnce)
    await sendMails(world, page, step, full.slice(at, at + digestsAtOnce))
}

async function takeBranches(world: World, step: BranchStep, list: Traveller[]): Promise<void> {
  let undecided = list
  let before = 0
  for (const [number, { if: condition }] of step.branches.entries()) {
    const taken = await meeting(world, condition, { list: undecided, step, before })
    if ('share' in condition) before += condition.share
    for (const { run, situation } of undecided.filter(({ run }) => taken.has(run.id)))
      leave(run, situation, { outcome: `branch ${number + 1}` }, `branches[${number}].next`)
    undecided = undecided.filter(({ run }) => !taken.has(run.id))
  }
  for (const { run, situation } of undecided) leave(run, situation, { outcome: 'no_branch' })
}

interface Undecided {
  list: Traveller[]
  step: BranchStep
  /** The shares of the branches before. */
  before: number
}

/** The ids of the runs that meet a condition. */
async function meeting(
  world: World,
  condition: BranchCondition,
  { list, step, before }: Undecided,
): Promise<Set<string>> {
  if ('event' in condition)
    return new Set(
      list.filter(({ event }) => matches(condition.event, event?.properties ?? {})).map(({ run }) => run.id),
    )
  if ('clicked' in condition) return await world.findClicked(condition.clicked, list)
  if ('share' in condition) {
    const isIn = ({ run }: Traveller) => {
      const lot = Number(Bun.hash.xxHash32(`${run.id} ${step.id} ${run.entered}`) % 100)
      return lot >= before && lot < before + condition.share
    }
    return new Set(list.filter(isIn).map(({ run }) => run.id))
  }
  const met = await world.findMeeting(condition.contact, list)
  return new Set(list.filter(({ run }) => met.has(run.contactId)).map(({ run }) => run.id))
}
