// The notation of a sequence: read from untrusted JSON, with its limits, and every error with its path. What is stored has passed this.
// Whether what it names exists is asked by checks.ts.

import type { PropertyType } from '../../../db/tables/contacts.ts'
import { filterOperators, mailPurposes, type RuleCondition } from '../../../db/tables/events.ts'
import {
  type BranchCondition,
  type BranchStep,
  type Definition,
  type DigestStep,
  digestOrders,
  type EventStep,
  type ReEntry,
  type SendStep,
  type Span,
  type Step,
  type Trigger,
  type WaitStep,
} from '../../../db/tables/sequences.ts'
import { choiceAt, constantAt, listAt, objectAt, onlyMembers, textAt, wholeAt } from '../../kit/checked.ts'
import { day, hour, spanMs } from '../../kit/duration.ts'
import { invalidField } from '../../kit/error.ts'
import { readFilter } from '../contacts/segments/filter.ts'
import { testOf, withCheckedTests } from './read-step-test.ts'

export const maxSteps = 200
export const maxBranches = 20
export const maxTriggers = 20
const maxDays = 400
const maxText = 10_000
const maxName = 100
const maxVariables = 100
const maxConditions = 20
/** Events that one digest shows. */
export const maxItems = 50
const fewItems = 20

type Types = ReadonlyMap<string, PropertyType>
type Members = Record<string, unknown>

const definitionMembers = [
  'start',
  'reEntry',
  'exits',
  'goals',
  'purpose',
  'mailingListId',
  'postponeAtMost',
  'steps',
] as const

/** Throws 422 naming the place and the limit. `types` are those of the workspace's custom properties. */
export function readDefinition(given: unknown, types: Types, path: string): Definition {
  const at = (name: string) => (path === '' ? name : `${path}.${name}`)
  const body = objectAt(path || 'definition', given)
  onlyMembers(path, body, definitionMembers)
  const triggers = (name: 'exits' | 'goals') =>
    listAt(at(name), body[name] ?? [], { most: maxTriggers }).map((one, n) => readTrigger(`${at(name)}[${n}]`, one))
  const steps = listAt(at('steps'), body['steps'], { least: 1, most: maxSteps }).map((one, n) =>
    readStep(`${at('steps')}[${n}]`, one, types),
  )
  const definition: Definition = {
    start: body['start'] == null ? null : readTrigger(at('start'), body['start']),
    reEntry: readReEntry(at('reEntry'), body['reEntry'] ?? {}),
    exits: triggers('exits'),
    goals: triggers('goals'),
    purpose: choiceAt(at('purpose'), body['purpose'] ?? 'marketing', mailPurposes),
    mailingListId: readNullable(at('mailingListId'), body['mailingListId']),
    postponeAtMost: readSpan(at('postponeAtMost'), body['postponeAtMost'] ?? { amount: 3, unit: 'd' }),
    steps: withCheckedTests(at('steps'), steps),
  }
  checkWays(at('steps'), steps)
  return definition
}

function readNullable(path: string, value: unknown): string | null {
  return value == null ? null : textAt(path, value, { most: maxName })
}

function readSpan(path: string, value: unknown): Span {
  const span = objectAt(path, value)
  onlyMembers(path, span, ['amount', 'unit'])
  const unit = choiceAt(`${path}.unit`, span['unit'], ['m', 'h', 'd'] as const)
  const most = Math.floor((maxDays * day) / spanMs({ amount: 1, unit }))
  return { amount: wholeAt(`${path}.amount`, span['amount'], 1, most), unit }
}

function readReEntry(path: string, value: unknown): ReEntry {
  const given = objectAt(path, value)
  onlyMembers(path, given, ['mode', 'minDays', 'key'])
  return {
    mode: choiceAt(`${path}.mode`, given['mode'] ?? 'never', ['never', 'afterExit', 'always'] as const),
    minDays: wholeAt(`${path}.minDays`, given['minDays'] ?? 0, 0, maxDays),
    key: given['key'] == null ? null : textAt(`${path}.key`, given['key'], { most: 200 }),
  }
}

const triggerKinds = ['event', 'list', 'segment', 'property', 'mail', 'date'] as const

function readTrigger(path: string, value: unknown): Trigger {
  const given = objectAt(path, value)
  const kind = triggerKinds.find((name) => Object.hasOwn(given, name))
  if (!kind) throw invalidField(path, `${path} must have one of ${triggerKinds.join(', ')}`)
  const name = textAt(`${path}.${kind}`, given[kind], { most: maxName })
  switch (kind) {
    case 'event':
      onlyMembers(path, given, ['event', 'filter', 'sameKey'])
      return { event: name, ...filterOf(path, given), ...sameKeyOf(path, given) }
    case 'list':
      return { list: name, ...changeOf(path, given, 'list') }
    case 'segment':
      return { segment: name, ...changeOf(path, given, 'segment') }
    case 'mail': {
      const mail = choiceAt(`${path}.mail`, name, ['clicked', 'bounced'] as const)
      onlyMembers(path, given, mail === 'clicked' ? ['mail', 'campaignId'] : ['mail'])
      const campaignId = readNullable(`${path}.campaignId`, given['campaignId'])
      return campaignId === null ? { mail } : { mail, campaignId }
    }
    case 'date':
      return { date: name, ...readDate(path, given) }
    case 'property': {
      onlyMembers(path, given, ['property', 'equals'])
      const { equals } = given
      return equals === undefined
        ? { property: name }
        : { property: name, equals: constantAt(`${path}.equals`, equals, 500) }
    }
  }
}

function changeOf(path: string, given: Members, kind: 'list' | 'segment'): { change: 'joined' | 'left' } {
  onlyMembers(path, given, [kind, 'change'])
  return { change: choiceAt(`${path}.change`, given['change'] ?? 'joined', ['joined', 'left'] as const) }
}

function sameKeyOf(path: string, { sameKey }: Members): { sameKey?: boolean } {
  if (sameKey === undefined) return {}
  if (typeof sameKey !== 'boolean') throw invalidField(`${path}.sameKey`, `${path}.sameKey must be true or false`)
  return { sameKey }
}

function readDate(path: string, given: Members): { days?: number; yearly?: boolean } {
  onlyMembers(path, given, ['date', 'days', 'yearly'])
  const { days, yearly } = given
  if (yearly !== undefined && typeof yearly !== 'boolean')
    throw invalidField(`${path}.yearly`, `${path}.yearly must be true or false`)
  return {
    ...(days === undefined ? {} : { days: wholeAt(`${path}.days`, days, -maxDays, maxDays) }),
    ...(yearly === undefined ? {} : { yearly }),
  }
}

function filterOf(path: string, { filter }: Members): { filter?: RuleCondition[] } {
  return filter === undefined ? {} : { filter: readConditions(`${path}.filter`, filter) }
}

/** Conditions on the properties of an event, as in event rules; all must hold. */
function readConditions(path: string, value: unknown): RuleCondition[] {
  return listAt(path, value, { most: maxConditions }).map((one, n): RuleCondition => {
    const at = `${path}[${n}]`
    const given = objectAt(at, one)
    onlyMembers(at, given, ['property', 'operator', 'value'])
    const property = textAt(`${at}.property`, given['property'], { most: maxName })
    const operator = choiceAt(`${at}.operator`, given['operator'], filterOperators)
    if (operator === 'exists' || operator === 'notExists') return { property, operator }
    return { property, operator, value: constantAt(`${at}.value`, given['value'], maxText) }
  })
}

function readStep(path: string, value: unknown, types: Types): Step {
  const given = objectAt(path, value)
  const type = choiceAt(`${path}.type`, given['type'], stepTypes)
  onlyMembers(path, given, ['id', 'type', 'next', ...members[type]])
  const id = textAt(`${path}.id`, given['id'], { most: 50 })
  const base = { id, ...wayAt(path, given, 'next') }
  switch (type) {
    case 'send':
      return { ...base, type, ...readMail(path, given), ...testOf(path, given) }
    case 'wait':
      return { ...base, type, ...readWait(path, given) }
    case 'digest':
      return { ...base, type, ...readDigest(path, given) }
    case 'event':
      return { ...base, type, ...readEventStep(path, given) }
    case 'branch':
      return { ...base, type, branches: readBranches(`${path}.branches`, given['branches'], types) }
    case 'update': {
      const properties = readValues(`${path}.properties`, given['properties'], (at, one, most) =>
        one === null ? null : constantAt(at, one, most),
      )
      if (Object.keys(properties).length === 0)
        throw invalidField(`${path}.properties`, `${path}.properties must name a property`, 'required')
      return { ...base, type, properties }
    }
    case 'subscribe':
    case 'unsubscribe':
      return { ...base, type, list: textAt(`${path}.list`, given['list'], { most: maxName }) }
    case 'webhook':
      return { ...base, type }
  }
}

const members: Record<Step['type'], string[]> = {
  send: ['templateId', 'variables', 'test'],
  wait: ['for', 'at', 'weekdays', 'date', 'days'],
  event: ['event', 'filter', 'sameKey', 'atMost', 'lookBack', 'otherwise'],
  digest: ['event', 'filter', 'for', 'at', 'weekdays', 'templateId', 'variables', 'items', 'order'],
  branch: ['branches'],
  update: ['properties'],
  subscribe: ['list'],
  unsubscribe: ['list'],
  webhook: [],
}
const stepTypes = Object.keys(members) as Step['type'][]

function wayAt<N extends string>(path: string, given: Members, name: N): { [K in N]?: string | null } {
  const way = given[name]
  if (way === undefined) return {}
  const read = way === null ? null : textAt(`${path}.${name}`, way, { most: 50 })
  return { [name]: read } as { [K in N]?: string | null }
}

function readValues<T>(
  path: string,
  value: unknown,
  read: (path: string, value: unknown, most: number) => T,
): Record<string, T> {
  const entries = Object.entries(objectAt(path, value))
  if (entries.length > maxVariables)
    throw invalidField(path, `${path} may have at most ${maxVariables} names`, 'too_many')
  return Object.fromEntries(
    entries.map(([name, one]) => [name, read(`${path}.${name.slice(0, maxName)}`, one, maxText)] as const),
  )
}

function readMail(path: string, given: Members): Pick<SendStep, 'templateId' | 'variables'> {
  return {
    templateId: textAt(`${path}.templateId`, given['templateId'], { most: 300 }),
    variables: readValues(`${path}.variables`, given['variables'] ?? {}, constantAt),
  }
}

function readDigest(path: string, given: Members): Omit<DigestStep, 'id' | 'type' | 'next'> {
  return {
    event: textAt(`${path}.event`, given['event'], { most: maxName }),
    ...filterOf(path, given),
    ...readWait(path, given, 'for or at'),
    ...readMail(path, given),
    items: wholeAt(`${path}.items`, given['items'] ?? fewItems, 1, maxItems),
    order: choiceAt(`${path}.order`, given['order'] ?? 'newest', digestOrders),
  }
}

function readWait(path: string, given: Members, waits = 'for, at or date'): Omit<WaitStep, 'id' | 'type' | 'next'> {
  const { at, weekdays, date, days } = given
  if (given['for'] === undefined && at === undefined && date === undefined)
    throw invalidField(path, `${path} must say what it waits for: ${waits}`, 'required')
  if (given['for'] !== undefined && date !== undefined)
    throw invalidField(`${path}.for`, `${path} waits either for a time or until a date`, 'conflicting_fields')
  if (weekdays !== undefined && at === undefined)
    throw invalidField(`${path}.weekdays`, `${path}.weekdays needs a time of day in at`, 'required')
  if (days !== undefined && date === undefined)
    throw invalidField(`${path}.days`, `${path}.days counts from a date`, 'required')
  return {
    ...(given['for'] === undefined ? {} : { for: readSpan(`${path}.for`, given['for']) }),
    ...(at === undefined ? {} : { at: readTimeOfDay(`${path}.at`, at) }),
    ...(weekdays === undefined ? {} : { weekdays: readWeekdays(`${path}.weekdays`, weekdays) }),
    ...(date === undefined ? {} : { date: textAt(`${path}.date`, date, { most: maxName }) }),
    ...(days === undefined ? {} : { days: wholeAt(`${path}.days`, days, -maxDays, maxDays) }),
  }
}

function readTimeOfDay(path: string, value: unknown): string {
  if (typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(value)) return value
  throw invalidField(path, `${path} must be a time of day, like 09:00`)
}

function readWeekdays(path: string, value: unknown): number[] {
  const days = listAt(path, value, { least: 1, most: 7 }).map((one, n) => wholeAt(`${path}[${n}]`, one, 1, 7))
  return [...new Set(days)].sort()
}

function readEventStep(path: string, given: Members): Omit<EventStep, 'id' | 'type' | 'next'> {
  const { lookBack } = given
  return {
    event: textAt(`${path}.event`, given['event'], { most: maxName }),
    ...filterOf(path, given),
    ...sameKeyOf(path, given),
    atMost: readSpan(`${path}.atMost`, given['atMost']),
    ...(lookBack === undefined ? {} : { lookBack: readSpan(`${path}.lookBack`, lookBack) }),
    ...wayAt(path, given, 'otherwise'),
  }
}

function readBranches(path: string, value: unknown, types: Types): BranchStep['branches'] {
  const branches = listAt(path, value, { least: 1, most: maxBranches }).map((one, n) => {
    const at = `${path}[${n}]`
    const given = objectAt(at, one)
    onlyMembers(at, given, ['if', 'next'])
    const { next } = wayAt(at, given, 'next')
    if (next === undefined) throw invalidField(`${at}.next`, `${at}.next must say where it leads`, 'required')
    return { if: readBranchCondition(`${at}.if`, given['if'], types), next }
  })
  const shares = branches.reduce((sum, { if: one }) => sum + ('share' in one ? one.share : 0), 0)
  if (shares > 100) throw invalidField(path, `the shares of ${path} are ${shares} of 100`, 'too_large')
  return branches
}

function readBranchCondition(path: string, value: unknown, types: Types): BranchCondition {
  const given = objectAt(path, value)
  const kind = (['contact', 'event', 'clicked', 'share'] as const).find((name) => Object.hasOwn(given, name))
  if (!kind) throw invalidField(path, `${path} must have one of contact, event, clicked, share`)
  onlyMembers(path, given, [kind])
  const at = `${path}.${kind}`
  if (kind === 'clicked') return { clicked: textAt(at, given['clicked'], { most: 50 }) }
  if (kind === 'contact') return { contact: readFilter(given['contact'], types, at) }
  return kind === 'event'
    ? { event: readConditions(at, given['event']) }
    : { share: wholeAt(at, given['share'], 1, 99) }
}

/** Whether a step has a mail of its own. */
export function sendsMail(step: Step | undefined): step is SendStep | DigestStep {
  return step?.type === 'send' || step?.type === 'digest'
}

/** Where a step may lead, by the member that says it; null: the end. */
export function waysOf(steps: Step[], index: number): { member: string; to: string | null }[] {
  const step = steps[index]
  if (step === undefined) return []
  const below = steps[index + 1]?.id ?? null
  const next = { member: 'next', to: step.next === undefined ? below : step.next }
  if (step.type === 'event')
    return [next, { member: 'otherwise', to: step.otherwise === undefined ? below : step.otherwise }]
  if (step.type !== 'branch') return [next]
  return [...step.branches.map(({ next }, n) => ({ member: `branches[${n}].next`, to: next })), next]
}

const leastWaitMs = hour

/** Whether at least an hour passes in a step. */
function isLong(step: Step): boolean {
  return (step.type === 'wait' || step.type === 'digest') && step.for !== undefined && spanMs(step.for) >= leastWaitMs
}

/** Ids are unique, every way leads to a step, and on every circle stands a wait of an hour. */
function checkWays(path: string, steps: Step[]): void {
  const places = new Map<string, number>()
  for (const [index, { id }] of steps.entries()) {
    if (places.has(id))
      throw invalidField(`${path}[${index}].id`, `two steps have the id ${JSON.stringify(id)}`, 'duplicate')
    places.set(id, index)
  }
  const targets = steps.map((_, index) =>
    waysOf(steps, index).flatMap(({ member, to }) => {
      if (to === null) return []
      const place = places.get(to)
      if (place === undefined)
        throw invalidField(`${path}[${index}].${member}`, `there is no step ${JSON.stringify(to)}`, 'unknown_step')
      return [place]
    }),
  )
  for (const [index, step] of steps.entries())
    for (const [n, { if: one }] of (step.type === 'branch' ? step.branches : []).entries())
      if ('clicked' in one && !sendsMail(steps[places.get(one.clicked) ?? -1])) {
        const at = `${path}[${index}].branches[${n}].if.clicked`
        throw invalidField(at, `no step ${JSON.stringify(one.clicked)} sends a mail`, 'unknown_step')
      }
  const circle = findCircle(steps, targets)
  if (circle !== null)
    throw invalidField(
      `${path}[${circle}]`,
      `the step ${JSON.stringify(steps[circle]?.id)} leads back to itself without a wait of an hour`,
      'circle',
    )
}

/** A step from which a way leads back to it without a long wait; null for none. Each step and each way is looked at once. */
function findCircle(steps: Step[], targets: number[][]): number | null {
  const state: ('fresh' | 'open' | 'closed')[] = steps.map((step) => (isLong(step) ? 'closed' : 'fresh'))
  for (const start of steps.keys()) {
    if (state[start] !== 'fresh') continue
    const stack = [{ at: start, following: 0 }]
    state[start] = 'open'
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const to = targets[top.at]?.[top.following++]
      if (to === undefined) {
        state[top.at] = 'closed'
        stack.pop()
      } else if (state[to] === 'open') return to
      else if (state[to] === 'fresh') {
        state[to] = 'open'
        stack.push({ at: to, following: 0 })
      }
    }
  }
  return null
}
