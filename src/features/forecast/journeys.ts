// People go through their sequences: what a step asks is answered from memory, what it does is counted. Each step is taken by the functions
// that take it in earnest.

import type { SubscriptionState } from '../../../db/tables/lists.ts'
import type { Step } from '../../../db/tables/sequences.ts'
import { spanMs } from '../../kit/duration.ts'
import { addressDomain } from '../../kit/email-address.ts'
import { firstId } from '../../kit/id.ts'
import { zoneOf } from '../../people/recipient-time.ts'
import type { Candidate, Facts } from '../campaigns/eligibility.ts'
import type { Allowance } from '../campaigns/reputation/caps.ts'
import type { Effect } from '../events/effects.ts'
import { moveAlong } from '../sequences/advance.ts'
import { begin } from '../sequences/begin.ts'
import { sendsMail } from '../sequences/definition.ts'
import { moveRun } from '../sequences/deliver.ts'
import { gatheredFor, markMailed } from '../sequences/digest.ts'
import { end, findStep, type Traveller } from '../sequences/moves.ts'
import type { Changes, Run } from '../sequences/runs.ts'
import { beginsBy, heed, type SignalOfContact } from '../sequences/take-signals.ts'
import { versionKey } from '../sequences/versions.ts'
import type { Mailing, Page, World } from '../sequences/world.ts'
import { signalOf } from '../signals.ts'
import { type Birthday, type Group, isOver, type Journey, nothing, part, recentOf } from './groups.ts'
import { type Simulation, schedule, scheduleParted } from './simulation.ts'
import { type SequenceSource, winnerKey } from './sources.ts'

/** The group whose turn it is. */
interface Turn {
  sim: Simulation
  group: Group
  source: SequenceSource
  now: Date
  /** The cap that was asked last. */
  by: Allowance['by'] | null
  /** How many of them it lets go. */
  room: number
  /** What their steps did to them, for sequences that wait for that. */
  signals: string[]
}

/** They take their steps, as many as they can take now. */
export async function takeJourney(sim: Simulation, journey: Journey, now: Date): Promise<void> {
  const { run, group, source, event } = journey
  const isDue = () => run.state === 'waiting' && run.dueAt !== null && run.dueAt <= now
  // What has moved meanwhile is on the agenda a second time.
  if (run.state !== 'sending' && !isDue()) return
  const turn: Turn = { sim, group, source, now, by: null, room: 0, signals: [] }
  const changes = counting(turn, journey)
  if (run.state === 'sending') arrive(turn, journey, changes)
  if (isDue()) {
    const contacts = { get: () => group.contact }
    const events = { get: () => event ?? undefined }
    await moveAlong(imagined(turn, journey), { page: source.page, contacts, events, changes }, [run])
  }
  settle(turn, journey)
  heedSignals(turn)
}

/** Their date begins it. */
export function takeDate(sim: Simulation, date: Birthday, now: Date): void {
  const { group, source, of } = date
  isOver(group, date)
  const { sequence, definitions } = source.page
  const definition = definitions.get(versionKey(sequence.id, sequence.version ?? 0))
  if (!definition) return
  const { contact, history } = group
  const run = begin(
    { now, random: sim.random },
    { sequence, definition, contact, event: null, of },
    { history: new Map([[contact.id, history]]), changes: silent, timeZone: sim.sources.workspace.timeZone },
  )
  if (typeof run === 'object') join(sim, group, run, now)
}

/** A mail that left before: its server takes it. */
function arrive({ source, now }: Turn, journey: Journey, changes: Changes): void {
  const { run, group } = journey
  const definition = source.page.definitions.get(versionKey(run.sequenceId, run.version))
  if (!definition) return
  const zone = zoneOf(group.contact, source.page.workspace)
  moveRun(run, { changes, now, definition, contact: group.contact, zone }, { state: 'done', code: null, detail: null })
}

function settle({ sim, group, now }: Turn, journey: Journey): void {
  if (journey.run.endedAt !== null) isOver(group, journey)
  else schedule(sim, journey, now.getTime())
}

/** A run that began goes its way. */
function join(sim: Simulation, group: Group, run: Run, now: Date): void {
  const source = sim.sources.sequences.find(({ id }) => id === run.sequenceId)
  if (source === undefined) return
  const journey: Journey = {
    kind: 'journey',
    group,
    source,
    run,
    event: null,
    clicked: nothing.set,
    arrived: nothing.map,
    waitCounted: '',
  }
  group.ahead.push(journey)
  schedule(sim, journey, now.getTime())
}

/** What a step did is a signal to the other sequences, as in earnest. */
function heedSignals({ sim, group, now, signals }: Turn): void {
  for (const signal of signals.splice(0)) {
    const { contact, history, ahead } = group
    const about: SignalOfContact = { signal, contact, event: null, eventId: null, about: null }
    const { definitions, sequences, workspace } = sim.sources
    const begins = sequences.flatMap(({ page }) => beginsBy(page.sequence, about, definitions))
    const journeys = ahead.filter((thing) => thing.kind === 'journey')
    const moved = heed({ now, random: sim.random }, new Map([[about, begins]]), {
      open: journeys.map(({ run }) => run),
      history: new Map([[contact.id, history]]),
      changes: silent,
      definitions,
      timeZone: workspace.timeZone,
    })
    for (const run of moved) {
      const known = journeys.find((one) => one.run === run)
      if (known === undefined) join(sim, group, run, now)
      else if (run.endedAt !== null) leave(known, now)
      else schedule(sim, known, now.getTime())
    }
  }
}

/** Taken out by what happened to them; who waited for a mail does not get it. */
function leave(journey: Journey, now: Date): void {
  const { group, source, run } = journey
  isOver(group, journey)
  const atMail = isAtMail(source, run) && run.state === 'exited'
  if (atMail) source.tally.stop(now.getTime(), run.reason ?? run.state, group.size)
}

/** Whoever begins, or leaves by a signal, has no mail to count. */
const silent: Changes = {
  begin() {},
  change() {},
  line() {},
  count() {},
  move(run, state) {
    run.state = state
  },
}

/** Counts what moving the people on tells. */
function counting(turn: Turn, journey: Journey): Changes {
  const { group, source, now } = turn
  const { tally } = source
  const at = now.getTime()
  const wait = ({ reason, dueAt }: Run) => {
    if (reason === null || dueAt === null || dueAt <= now) return
    const date = tally.dateOf(at)
    if (!journey.waitCounted.startsWith(date)) journey.waitCounted = date
    const isKnown = journey.waitCounted.includes(` ${reason}`)
    const by = reason === 'daily_cap' ? turn.by : null
    const ms = dueAt.getTime() - at
    tally.wait(at, { reason, by, mails: group.size, ms, isKnown })
    if (!isKnown) journey.waitCounted += ` ${reason}`
  }
  return {
    begin() {},
    change() {},
    move(run, state) {
      run.state = state
      if (state === 'waiting') wait(run)
      else if (state === 'exited' && run.reason !== null && isAtMail(source, run))
        tally.stop(at, run.reason, group.size)
    },
    line(_run, _at, { outcome, detail }) {
      if (outcome === 'skipped') tally.stop(at, detail ?? outcome, group.size)
    },
    count(_run, { sent = 0 }) {
      if (sent > 0) tally.leave(at, group.size)
    },
  }
}

function isAtMail({ page }: SequenceSource, { sequenceId, version, stepId }: Run): boolean {
  const definition = page.definitions.get(versionKey(sequenceId, version))
  return definition !== undefined && sendsMail(findStep(definition, stepId)?.step)
}

/** The world of a forecast. One person stands for the group, so each list has one. */
function imagined(turn: Turn, journey: Journey): World {
  const { sim, group, now } = turn
  const { settings } = sim.sources
  return {
    until: now,
    nowOf: () => now,
    async findArrived({ id, lookBack }, list) {
      const eventId = journey.arrived.get(id)
      const since = new Date(journey.run.enteredAt.getTime() - (lookBack === undefined ? 0 : spanMs(lookBack)))
      const came = eventId !== undefined && eventId >= firstId('evt', since)
      return new Map(came ? list.map(({ run }) => [run.id, eventId]) : [])
    },
    async findClicked(stepId, list) {
      return new Set(journey.clicked.has(stepId) ? list.map(({ run }) => run.id) : [])
    },
    async findMeeting(filter, list) {
      return new Set(group.meets.has(filter) ? list.map(({ run }) => run.contactId) : [])
    },
    findWinner: async ({ id }, { version }) => journey.source.winners.get(winnerKey(version, id)) ?? null,
    settingsOf: async () => settings,
    async factsOf(source, candidates) {
      return candidates.map((candidate) => factsOf(group, candidate, { listId: source.listId ?? '', now }))
    },
    async allowanceOf(_workspace, { domain }) {
      const allowance = sim.caps.allowance(domain, now)
      turn.by = allowance.by
      turn.room = Math.floor(allowance.remaining)
      return { ...allowance, remaining: turn.room >= 1 ? 1 : 0 }
    },
    act: async ({ step }) => act(turn, step),
    async send(page, mailing, list) {
      for (const traveller of list) send(turn, { page, mailing, journey }, traveller)
    },
  }
}

/** What is known of them now. */
export function factsOf<C extends Candidate>(
  group: Group,
  candidate: C,
  { listId, now }: { listId: string; now: Date },
): Facts<C> {
  const standing = group.standing.get(listId)
  if (standing === undefined) throw new Error('a list was not read')
  const subscription = group.moved.get(listId) ?? standing.subscription
  return { ...standing, candidate, email: group.contact.email, subscription, mails: recentOf(group, now) }
}

interface Sending {
  page: Page
  mailing: Mailing
  journey: Journey
}

/** Those for whom there is room; their mail is taken by a server that refuses nothing. */
function send(turn: Turn, { mailing, journey }: Sending, { run, situation }: Traveller): void {
  const { sim, group, now, room } = turn
  const { step, parts, isMarketing } = mailing
  const suppressed = isMarketing ? null : (group.standing.get('')?.suppression ?? null)
  if (suppressed !== null) {
    end(run, situation, 'exited', suppressed)
    return
  }
  run.dueAt = null
  situation.changes.move(run, 'sending')
  // What happened to them is looked at before the final dot.
  heedSignals(turn)
  if (run.endedAt !== null) return
  if (isMarketing) {
    if (group.size > room) {
      const others = part(group, journey, group.size - room)
      Object.assign(others.run, { state: 'waiting', dueAt: now })
      scheduleParted(sim, others.group, { at: others, now: now.getTime() })
      schedule(sim, others, now.getTime())
    }
    sim.caps.reserve(addressDomain(parts.sender.email), now, group.size)
    group.mailed.push(now.getTime())
  }
  const gathered = step.type === 'digest' ? gatheredFor(run, step) : null
  if (gathered !== null) markMailed(run, { gathered, events: [] })
  moveRun(run, situation, { state: 'done', code: null, detail: null })
}

const done: Effect = { status: 'done', reason: null }

/** Subscriptions follow; what becomes of properties, and of whoever is told, does not. */
function act(turn: Turn, step: Step): Effect {
  if (step.type !== 'subscribe' && step.type !== 'unsubscribe') return done
  const { sim, group } = turn
  const standing = group.standing.get(step.list)
  const before = group.moved.get(step.list) ?? standing?.subscription ?? null
  if (step.type === 'unsubscribe') {
    if (before !== 'active') return { status: 'skipped', reason: before ?? 'not_on_list' }
    return movedTo(turn, step.list, 'unsubscribed', signalOf.left(step.list))
  }
  if (!sim.openLists.has(step.list)) return { status: 'failed', reason: 'list_gone' }
  if (before === 'active') return done
  if (before !== null && before !== 'pending') return { status: 'skipped', reason: before }
  if (!group.contact.subscribed) return { status: 'skipped', reason: 'unsubscribed' }
  return movedTo(turn, step.list, 'active', signalOf.joined(step.list))
}

function movedTo({ group, signals }: Turn, listId: string, state: SubscriptionState, signal: string): Effect {
  group.moved = new Map([...group.moved, [listId, state]])
  signals.push(signal)
  return done
}
