// The steps of a draft as a list that is rearranged: what is added has an id of its own, and what led to a step that is removed leads on to
// where that one led.

import type { BranchStep, EventStep, Step } from '../../../db/tables/sequences.ts'
import { blank } from '../segments/filter.ts'

export type StepType = Step['type']
export type StepOf<T extends StepType> = Extract<Step, { type: T }>
export type EventConditions = NonNullable<EventStep['filter']>
/** Where a step leads: to another by its id, to the end, or to the step below it. */
export type Way = string | null | undefined

export const stepTypes: StepType[] = [
  'send',
  'wait',
  'event',
  'digest',
  'branch',
  'update',
  'subscribe',
  'unsubscribe',
  'webhook',
]

/** Whether a step has a mail of its own. */
export const isMail = ({ type }: Step) => type === 'send' || type === 'digest'

export const newBranch: BranchStep['branches'][number] = { if: { contact: blank.field }, next: null }

export function newStep(type: StepType, steps: Step[]): Step {
  const id = freeId(type, steps)
  switch (type) {
    case 'send':
      return { id, type, templateId: '', variables: {} }
    case 'wait':
      return { id, type, for: { amount: 1, unit: 'd' } }
    case 'event':
      return { id, type, event: '', atMost: { amount: 3, unit: 'd' } }
    case 'digest':
      return {
        id,
        type,
        event: '',
        for: { amount: 1, unit: 'd' },
        templateId: '',
        variables: {},
        items: 20,
        order: 'newest',
      }
    case 'branch':
      return { id, type, branches: [newBranch] }
    case 'update':
      return { id, type, properties: {} }
    case 'subscribe':
    case 'unsubscribe':
      return { id, type, list: '' }
    case 'webhook':
      return { id, type }
  }
}

function freeId(type: string, steps: Step[]): string {
  const taken = new Set(steps.map(({ id }) => id))
  let number = 1
  while (taken.has(`${type}-${number}`)) number++
  return `${type}-${number}`
}

export function moved(steps: Step[], from: number, to: number): Step[] {
  const step = steps[from]
  return step === undefined ? steps : steps.toSpliced(from, 1).toSpliced(to, 0, step)
}

export function without(steps: Step[], at: number): Step[] {
  const removed = steps[at]
  if (removed === undefined) return steps
  const below = steps[at + 1]?.id ?? null
  const on = removed.next === undefined || removed.next === removed.id ? below : removed.next
  return steps.toSpliced(at, 1).map((step) => redirected(step, removed.id, on))
}

/** What led to one step leads to another. */
function redirected(step: Step, from: string, to: string | null): Step {
  const next = step.next === from ? { next: to } : {}
  if (step.type === 'event') return { ...step, ...next, ...(step.otherwise === from ? { otherwise: to } : {}) }
  if (step.type === 'branch')
    return {
      ...step,
      ...next,
      branches: step.branches.map((branch) => (branch.next === from ? { ...branch, next: to } : branch)),
    }
  return { ...step, ...next }
}

/** With these members; those that are undefined are not there. */
export function changed<T extends object>(one: T, change: { [Name in keyof T]?: T[Name] | undefined }): T {
  return Object.fromEntries(Object.entries({ ...one, ...change }).filter(([, value]) => value !== undefined)) as T
}

/** All ways of a step that lead elsewhere than to the step below. */
export function allWays(step: Step): Way[] {
  const ways = [
    ...(step.type === 'branch' ? step.branches.map(({ next }) => next) : []),
    step.next,
    step.type === 'event' ? step.otherwise : undefined,
  ]
  return ways.filter((way) => way !== undefined)
}
