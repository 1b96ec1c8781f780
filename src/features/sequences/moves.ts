// How a run moves: it enters a step, waits there, leaves it, ends. Times are worked out here; rows are written by runs.ts.

import type { Definition, Step, WaitStep } from '../../../db/tables/sequences.ts'
import { day, spanMs } from '../../kit/duration.ts'
import { fromLocal, localParts, nextLocalTime } from '../../kit/local-time.ts'
import { parseTime } from '../../kit/time.ts'
import type { Contact } from '../contacts/consent/find-contact.ts'
import { waysOf } from './definition.ts'
import { closeDigest } from './digest.ts'
import type { Changes, Run, StepOutcome } from './runs.ts'
import type { Event } from './subjects.ts'

/** Steps that one run may enter in all. */
const maxEntered = 5_000

export interface Situation {
  changes: Changes
  now: Date
  definition: Definition
  contact: Contact
  /** Of the contact. */
  zone: string
}

/** A run with all that its steps may ask. */
export interface Traveller {
  run: Run
  step: Step
  /** The one that began it. */
  event: Event | null
  situation: Situation
}

export function findStep(definition: Definition, stepId: string): { step: Step; index: number } | null {
  const index = definition.steps.findIndex(({ id }) => id === stepId)
  const step = definition.steps[index]
  return step === undefined ? null : { step, index }
}

/** The step is over, and the run goes on where the step's `member` leads; a digest to itself, while there is more to tell. */
export function leave(run: Run, situation: Situation, outcome: StepOutcome, member = 'next'): void {
  const { changes, now, definition } = situation
  const found = findStep(definition, run.stepId)
  changes.line(run, now, outcome)
  const isAgain = found?.step.type === 'digest' && closeDigest(run, found.step)
  const way = found && waysOf(definition.steps, found.index).find((way) => way.member === member)
  const to = isAgain ? run.stepId : way?.to
  if (to == null) end(run, situation, 'completed', null)
  else if (run.entered >= maxEntered) end(run, situation, 'exited', 'too_many_steps')
  else {
    changes.count(run, { here: -1 })
    run.stepId = to
    run.entered++
    changes.count(run, { entered: 1, here: 1 })
    enter(run, situation)
  }
}

/** The run stands at the beginning of its step. */
function enter(run: Run, { changes, now, definition, contact, zone }: Situation): void {
  const step = findStep(definition, run.stepId)?.step
  run.enteredAt = now
  run.arrivedEventId = null
  run.postponedSince = null
  run.messageId = null
  run.variant = null
  run.reason = null
  run.dueAt = step === undefined ? now : dueAt(step, { now, contact, zone })
  changes.move(run, 'waiting')
}

/** When a step that is entered now is due. */
export function dueAt(step: Step, { now, contact, zone }: Pick<Situation, 'now' | 'contact' | 'zone'>): Date {
  // What came before is looked for at once.
  if (step.type === 'event') return step.lookBack === undefined ? new Date(now.getTime() + spanMs(step.atMost)) : now
  if (step.type !== 'wait' && step.type !== 'digest') return now
  const { date, days = 0 }: Pick<WaitStep, 'date' | 'days'> = step.type === 'wait' ? step : {}
  const base = date === undefined ? now : dateOf(contact, date, { days, zone })
  if (base === null) return now
  const from = after(base, step, zone)
  const { at: time, weekdays } = step
  const at = time === undefined ? from : nextLocalTime(from, { zone, time, ...(weekdays ? { weekdays } : {}) })
  return new Date(Math.min(Math.max(at.getTime(), now.getTime()), lastTime))
}

/** The last that is written with a year of four digits: a date property may be close to it. */
const lastTime = Date.UTC(9999, 11, 31, 23, 59, 59)

/** With a time of day, days are those of the calendar there: `1 d` at 09:00 is tomorrow at nine, also where today has 23 hours. */
function after(base: Date, { for: span, at }: Pick<WaitStep, 'for' | 'at'>, zone: string): Date {
  if (span === undefined) return base
  if (at === undefined || span.unit !== 'd') return new Date(base.getTime() + spanMs(span))
  const { year, month, day: today } = localParts(base, zone)
  return fromLocal({ year, month, day: today + span.amount, hour: 0, minute: 0 }, zone)
}

const dayOnly = /^\d{4}-\d\d-\d\d(T00:00:00(\.000)?Z)?$/

/** A date property of the contact, moved by days; null when there is none. A day without a time begins where the person is. */
function dateOf({ properties, createdAt }: Contact, name: string, { days, zone }: { days: number; zone: string }) {
  const value = name === 'createdAt' ? createdAt.toISOString() : properties[name]
  if (typeof value !== 'string') return null
  const date = parseTime(value.length === 10 ? `${value}T00:00:00Z` : value)
  if (date === null) return null
  const moved = new Date(date.getTime() + days * day)
  if (!dayOnly.test(value)) return moved
  const [year, month, of] = [moved.getUTCFullYear(), moved.getUTCMonth() + 1, moved.getUTCDate()]
  return fromLocal({ year, month, day: of, hour: 0, minute: 0 }, zone)
}

/** The run is over; `reason` says why it did not come to its end. */
export function end(
  run: Run,
  { changes, now }: Pick<Situation, 'changes' | 'now'>,
  state: 'completed' | 'exited',
  reason: string | null,
): void {
  changes.count(run, { here: -1 })
  run.reason = reason
  run.dueAt = null
  run.postponedSince = null
  run.gathered = null
  run.endedAt = now
  changes.move(run, state)
}

/** It stays where it is until a person retries or skips the step. */
export function fail(run: Run, { changes }: Pick<Situation, 'changes'>, reason: string): void {
  run.reason = reason
  run.dueAt = null
  changes.move(run, 'failed')
}
