// What makes two people alike: whatever their future depends on, in one text. Times that are close are one, and the rest is exact.

import type { SegmentFilter } from '../../../db/tables/segments.ts'
import { day, hour, minute } from '../../kit/duration.ts'
import { zoneOf } from '../../people/recipient-time.ts'
import { heldOut, variantFor } from '../campaigns/ab-test.ts'
import { weekMs } from '../campaigns/frequency.ts'
import type { Contact } from '../contacts/consent/find-contact.ts'
import { matches } from '../events/matching.ts'
import type { Run } from '../sequences/runs.ts'
import { type TestedStep, variantFor as variantForStep } from '../sequences/step-tests.ts'
import type { Event } from '../sequences/subjects.ts'
import { versionKey } from '../sequences/versions.ts'
import type { Ahead, Group, Journey } from './groups.ts'
import { questionsOf, type SequenceSource, type Sources, winnerKey } from './sources.ts'

/** What happens within this time of each other is alike. It divides every day of every zone. */
const alikeMs = 5 * minute
/** When a mail no longer counts for the week: so exactly where the limit is near, and to the day where it is not. */
const nearMs = 6 * hour
/** Of a sequence that draws lots, so many are looked at one by one; of more, each of so many stands for others. */
const lotsOneByOne = 20_000
const lotsTogether = 2_000

export class Likeness {
  readonly #sources: Sources
  readonly #now: Date
  readonly #filterNumbers = new Map<SegmentFilter, number>()
  readonly #lots = new Map<SequenceSource, number>()

  constructor(sources: Sources, now: Date) {
    this.#sources = sources
    this.#now = now
  }

  /** Two of one likeness have one future. */
  of(group: Group): string {
    const { contact, standing, mailed, meets, history, ahead } = group
    const parts = [zoneOf(contact, this.#sources.workspace)]
    parts.push(this.ofStanding(standing))
    parts.push(this.#ofMailed(mailed, Math.min(...ahead.map((thing) => firstTimeOf(thing)))))
    for (const filter of meets) parts.push(`f${this.#numberOf(filter)}`)
    for (const thing of ahead) parts.push(this.#ofThing(thing, contact))
    const onTheWay = new Set<unknown>(ahead.map((thing) => thing.kind === 'journey' && thing.run))
    for (const run of history)
      if (!onTheWay.has(run)) parts.push(`e${run.sequenceId} ${run.key} ${alike(run.endedAt?.getTime() ?? 0)}`)
    return parts.join('|')
  }

  /** Mails of the week, as far as they count when the next one may come: the pause after the last, and how many there were. */
  #ofMailed(mailed: number[], next: number): string {
    const { hoursBetween, mailsPerWeek } = this.#sources.settings
    const isNear = mailed.length + 1 >= mailsPerWeek
    let likeness = ''
    for (const at of mailed)
      if (at > next - hoursBetween * hour) likeness += ` m${alike(at)}`
      else if (mailsPerWeek > 0 && at > next - weekMs) likeness += ` w${Math.floor(at / (isNear ? nearMs : day))}`
    return likeness
  }

  ofStanding(standing: Group['standing']): string {
    let likeness = ''
    for (const [listId, { isSubscribed, subscription, suppression, isOutsideSandbox }] of standing)
      likeness += ` ${listId}:${isSubscribed}${subscription}${suppression}${isOutsideSandbox}`
    return likeness
  }

  #ofThing(thing: Ahead, contact: Contact): string {
    if (thing.kind === 'date') return `d${thing.source.id} ${thing.of}${valuesOf(thing.source, contact)}`
    if (thing.kind === 'mail') {
      const { source, sendAfter } = thing
      const { tests, variant } = variantFor(source.campaign, contact.id)
      const part = heldOut(source.campaign, contact.id) ? 'held' : tests !== null || variant !== null ? 'test' : ''
      return `c${source.id} ${sendAfter === null ? '' : alike(sendAfter.getTime())} ${part}`
    }
    return this.#ofRun(thing, contact)
  }

  #ofRun({ source, run, event, clicked, arrived }: Journey, contact: Contact): string {
    const { sequenceId, version, stepId, state } = run
    const questions = questionsOf(source, version, sequenceId)
    const definition = source.page.definitions.get(versionKey(sequenceId, version))
    const step = definition?.steps.find(({ id }) => id === stepId)
    const now = this.#now.getTime()
    let likeness = `r${sequenceId} ${version} ${stepId} ${state} ${alike(Math.max(run.dueAt?.getTime() ?? 0, now))}`
    if (step?.type === 'event') likeness += ` in${alike(run.enteredAt.getTime())} ${run.arrivedEventId !== null}`
    if (run.postponedSince !== null) likeness += ` since${alike(run.postponedSince.getTime())}`
    if (run.gathered !== null) likeness += ` has${run.gathered.map((one) => `${one.event}${one.mailed}`).join()}`
    if (questions.byEvent) likeness += ` ev${conditionsMet(source, run, event)}`
    for (const one of clicked) likeness += ` cl${one}`
    for (const [one, eventId] of arrived) likeness += ` ar${one}${eventId.slice(0, 13)}`
    for (const step of questions.tested) likeness += ` v${variantIn(source, step, run)}`
    if (questions.drawsLots) likeness += ` ${this.#lotOf(source, run)}`
    return likeness + valuesOf(source, contact)
  }

  #numberOf(filter: SegmentFilter): number {
    return this.#filterNumbers.getOrInsertComputed(filter, () => this.#filterNumbers.size)
  }

  #lotOf(source: SequenceSource, { id }: Run): string {
    const before = this.#lots.get(source) ?? 0
    this.#lots.set(source, before + 1)
    return before < lotsOneByOne ? id : String(Bun.hash.xxHash32(id) % lotsTogether)
  }
}

/** What they get at a tested step. */
function variantIn({ winners }: SequenceSource, step: TestedStep, run: Run): string {
  const variant = variantForStep(step, run, winners.get(winnerKey(run.version, step.id)) ?? null)
  return variant === 'held_out' ? variant : variant.name
}

const alike = (at: number) => Math.floor(at / alikeMs).toString(36)

/** When something may come of it at the earliest. */
function firstTimeOf(thing: Ahead): number {
  if (thing.kind === 'date') return thing.at
  if (thing.kind === 'journey') return thing.run.dueAt?.getTime() ?? 0
  return Math.max(thing.source.startsAt.getTime(), thing.sendAfter?.getTime() ?? 0)
}

function conditionsMet({ page }: SequenceSource, { sequenceId, version }: Run, event: Event | null): string {
  const steps = page.definitions.get(versionKey(sequenceId, version))?.steps ?? []
  const branches = steps.flatMap((step) => (step.type === 'branch' ? step.branches : []))
  return branches.map(({ if: one }) => ('event' in one && matches(one.event, event?.properties ?? {}) ? 1 : 0)).join('')
}

/** The dates of the contact that its sequence waits for. */
function valuesOf({ questions }: SequenceSource, { properties, createdAt }: Contact): string {
  let values = ''
  for (const { dates } of questions.values())
    for (const name of dates) values += ` ${name === 'createdAt' ? alike(createdAt.getTime()) : properties[name]}`
  return values
}
