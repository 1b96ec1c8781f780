// Steps, and what begins and ends a sequence, in words.

import type { BranchCondition, Definition, Span, Step, Trigger, WaitStep } from '../../../db/tables/sequences.ts'
import { writeConstant } from '../../parts/constant.ts'
import { operatorWords } from '../../parts/operators.ts'
import { colon, comma, sentence, weekday } from '../../words.ts'
import { words } from './canvas-words.ts'
import { nameOf, type SequenceChoices } from './choices.ts'
import type { EventConditions, Way } from './steps.ts'

function spanInWords({ amount, unit }: Span): string {
  return words.spans[unit](amount)
}

/** A date, or so many days before it or after it. */
function aroundDate(says: typeof words.untilDate, name: string, days: number): string {
  if (days === 0) return says.on(name)
  return days < 0 ? says.before({ days: -days, name }) : says.after({ days, name })
}

const dateName = (date: string) => (date === 'createdAt' ? words.createdAt : date)

function waitInWords({ for: span, at, weekdays = [], date, days = 0 }: Omit<WaitStep, 'type'>): string {
  const time =
    at && words.untilTime(at) + (weekdays.length === 0 ? '' : words.on(weekdays.map((one) => weekday(one)).join(comma)))
  const name = date && dateName(date)
  return [span && spanInWords(span), name && aroundDate(words.untilDate, name, days), time].filter(Boolean).join(comma)
}

function conditionsInWords(conditions: EventConditions): string {
  if (conditions.length === 0) return words.always
  const all = conditions.map(({ property, operator, value }) =>
    [property, operatorWords[operator], value === undefined ? '' : writeConstant(value)].join(' ').trim(),
  )
  return sentence(all.join(words.and))
}

/** What a step does, beside its type. */
export function stepInWords(step: Step, choices: SequenceChoices): string {
  return sentence(deedOf(step, choices))
}

function deedOf(step: Step, choices: SequenceChoices): string {
  switch (step.type) {
    case 'send':
      return nameOf(step.templateId, choices.templates)
    case 'wait':
      return waitInWords(step)
    case 'event':
      return [
        step.event,
        step.filter?.length ? conditionsInWords(step.filter) : '',
        words.spanAtMost(spanInWords(step.atMost)),
        step.lookBack && words.orBefore(spanInWords(step.lookBack)),
      ]
        .filter(Boolean)
        .join(comma)
    case 'digest':
      return [
        step.event,
        step.filter?.length ? conditionsInWords(step.filter) : '',
        waitInWords(step),
        nameOf(step.templateId, choices.templates),
      ]
        .filter(Boolean)
        .join(comma)
    case 'update':
      return Object.entries(step.properties)
        .map(([name, value]) => `${name} = ${value === null ? 'null' : writeConstant(value)}`)
        .join(comma)
    case 'subscribe':
    case 'unsubscribe':
      return nameOf(step.list, choices.lists)
    case 'branch':
    case 'webhook':
      return ''
  }
}

/** `2. Wait: 3 days`, or where else a way leads; `from`: the step whose way it is. */
export function wayInWords(way: Way, steps: Step[], choices: SequenceChoices, from?: string): string {
  if (way === undefined) return steps.at(-1)?.id === from ? words.theEnd : words.below
  const at = steps.findIndex(({ id }) => id === way)
  const step = steps[at]
  if (way === null || step === undefined) return way === null ? words.theEnd : words.missing(way)
  return `${at + 1}. ${[words.types[step.type], stepInWords(step, choices)].filter(Boolean).join(colon)}`
}

function triggerInWords(trigger: Trigger, { lists, segments, campaigns }: SequenceChoices): string {
  const { triggerWords } = words
  if ('event' in trigger) {
    const { event, filter = [], sameKey = false } = trigger
    const key = sameKey ? `${comma}${words.withSameKey}` : ''
    return triggerWords.event(event) + key + (filter.length === 0 ? '' : ` (${conditionsInWords(filter)})`)
  }
  if ('list' in trigger) return triggerWords[trigger.change](nameOf(trigger.list, lists))
  if ('segment' in trigger) return triggerWords[trigger.change](nameOf(trigger.segment, segments))
  if ('mail' in trigger) {
    const { mail, campaignId } = trigger
    return campaignId === undefined ? words.mails[mail] : triggerWords.clickIn(nameOf(campaignId, campaigns))
  }
  if ('date' in trigger) {
    const { date, days = 0, yearly = false } = trigger
    return aroundDate(triggerWords.date, dateName(date), days) + (yearly ? `${comma}${words.eachYear}` : '')
  }
  const { property, equals } = trigger
  return equals === undefined
    ? triggerWords.property(property)
    : triggerWords.equals({ name: property, value: writeConstant(equals) })
}

export function startInWords({ start, reEntry: { mode, key } }: Definition, choices: SequenceChoices): string {
  const by = start === null ? words.byHand : words.begins(triggerInWords(start, choices))
  return [by, words.modesSaid[mode], key === null ? '' : words.keySaid(key)].filter(Boolean).join(' ')
}

export function endsInWords({ exits, goals }: Definition, choices: SequenceChoices): string {
  const list = (triggers: Trigger[]) => triggers.map((one) => triggerInWords(one, choices)).join(words.or)
  if (exits.length + goals.length === 0) return words.nobodyLeaves
  return [goals.length > 0 && words.reachBy(list(goals)), exits.length > 0 && words.leaveBy(list(exits))]
    .filter(Boolean)
    .join(' ')
}

export function mailInWords(definition: Definition, { lists }: SequenceChoices): string {
  const { purpose, mailingListId, postponeAtMost } = definition
  const list = mailingListId === null ? '' : words.onList(nameOf(mailingListId, lists))
  return [words.purposesSaid[purpose], list, words.postponed(spanInWords(postponeAtMost))].filter(Boolean).join(' ')
}

/** A condition of a branch that needs no more than a line; null for one of the contact. */
export function branchInWords(condition: BranchCondition, steps: Step[], choices: SequenceChoices): string | null {
  if ('clicked' in condition) return words.clickedIn(wayInWords(condition.clicked, steps, choices))
  if ('share' in condition) return words.shareOf(condition.share)
  return 'event' in condition ? conditionsInWords(condition.event) : null
}
