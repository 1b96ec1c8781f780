// What is asked of a definition before it is published: that everything it names exists and fits. Every error is listed with the path of its
// step; the same list is shown while a sequence is a draft.

import type { Definition, DigestStep, SendStep, Step, Trigger } from '../../../db/tables/sequences.ts'
import type { Reader } from '../../core/app.ts'
import type { Issue } from '../../kit/error.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { findList } from '../contacts/consent/named-lists.ts'
import { listProperties } from '../contacts/properties.ts'
import { findSegment } from '../contacts/segments/segments.ts'
import { mappingIssues } from '../events/mapping.ts'
import { mailIssues, propertyIssues } from '../events/rule-checks.ts'
import { digestVariables } from './digest.ts'
import { isTested } from './step-tests.ts'
import { testIssues } from './test-checks.ts'
import { signalOfTrigger } from './versions.ts'

export async function definitionIssues(reader: Reader, workspace: Workspace, definition: Definition): Promise<Issue[]> {
  const issues = [
    ...startIssues(definition),
    ...goalIssues(definition),
    ...keyIssues(definition),
    ...digestIssues(definition),
    ...(await listIssues(reader, workspace, definition)),
  ]
  const properties = new Set((await listProperties(reader, workspace.id)).map(({ name }) => name))
  issues.push(...dateIssues(definition, properties))
  for (const [index, step] of definition.steps.entries()) {
    const path = `steps[${index}]`
    const found = await stepIssues(reader, workspace, { step, definition, properties })
    issues.push(...found.map((issue) => ({ ...issue, path: issue.path === '' ? path : `${path}.${issue.path}` })))
  }
  return issues
}

function startIssues({ start, reEntry: { mode, minDays, key } }: Definition): Issue[] {
  const isEvent = start !== null && ('event' in start || 'date' in start)
  const faults = key === null ? [] : mappingIssues('reEntry.key', key)
  if (start === null || isEvent) return faults
  // Two sequences that change what the other begins with would go round for ever.
  if (mode === 'always')
    return [issueAt('reEntry.mode', 'not_allowed', 'always is for sequences that an event begins'), ...faults]
  if (mode === 'afterExit' && minDays < 1)
    return [
      issueAt('reEntry.minDays', 'too_small', 'what a list or a property begins may begin again after a day'),
      ...faults,
    ]
  return faults
}

function dateIssues({ start, exits, goals }: Definition, properties: ReadonlySet<string>): Issue[] {
  const unknown = start !== null && 'date' in start && !properties.has(start.date)
  const late = [
    ...exits.map((one, n) => [`exits[${n}]`, one] as const),
    ...goals.map((one, n) => [`goals[${n}]`, one] as const),
  ]
  return [
    ...(unknown ? [issueAt('start.date', 'unknown_property', 'no contact has such a property yet')] : []),
    ...late.flatMap(([path, one]) =>
      'date' in one ? [issueAt(path, 'not_allowed', 'a date only begins a sequence')] : [],
    ),
  ]
}

/** Without a key of their own all runs have the same. */
function keyIssues({ reEntry, exits, goals, steps }: Definition): Issue[] {
  if (reEntry.key !== null) return []
  const named = [
    ...exits.map((one, n) => [`exits[${n}]`, one] as const),
    ...goals.map((one, n) => [`goals[${n}]`, one] as const),
    ...steps.map((one, n) => [`steps[${n}]`, one] as const),
  ]
  return named.flatMap(([path, one]) =>
    'sameKey' in one && one.sameKey ? [issueAt(`${path}.sameKey`, 'required', 'it needs a key in reEntry')] : [],
  )
}

/** What a digest gathers is in no other mail of the sequence. */
function digestIssues({ reEntry: { mode, key }, steps }: Definition): Issue[] {
  const conditions = new Map<string, DigestStep['filter']>()
  return steps.flatMap((step, n) => {
    if (step.type !== 'digest') return []
    const filter = step.filter ?? []
    const differs = !Bun.deepEquals(conditions.getOrInsert(step.event, filter), filter)
    return [
      ...(mode === 'always' && key === null
        ? [
            issueAt(
              `steps[${n}].event`,
              'unreachable',
              'with reEntry always, each event begins a run of its own: use afterExit',
            ),
          ]
        : []),
      ...(differs
        ? [issueAt(`steps[${n}].filter`, 'conflicting_fields', 'a digest above gathers this event by other conditions')]
        : []),
    ]
  })
}

/** A goal or an exit that is the start is met by everybody at once. */
function goalIssues({ start, goals, exits }: Definition): Issue[] {
  if (start === null) return []
  const same = (one: Trigger) =>
    signalOfTrigger(one) === signalOfTrigger(start) && !('filter' in one) && !('equals' in one)
  return [
    ...goals.flatMap((one, n) =>
      same(one) ? [issueAt(`goals[${n}]`, 'unreachable', 'the goal is what begins the sequence')] : [],
    ),
    ...exits.flatMap((one, n) =>
      same(one) ? [issueAt(`exits[${n}]`, 'unreachable', 'the exit is what begins the sequence')] : [],
    ),
  ]
}

async function listIssues(reader: Reader, workspace: Workspace, definition: Definition): Promise<Issue[]> {
  const { start, exits, goals, mailingListId, purpose } = definition
  const triggers: [path: string, trigger: Trigger | null][] = [
    ['start', start],
    ...exits.map((one, n): [string, Trigger] => [`exits[${n}]`, one]),
    ...goals.map((one, n): [string, Trigger] => [`goals[${n}]`, one]),
  ]
  const named = triggers.flatMap(([path, one]): [string, string][] =>
    one !== null && 'list' in one ? [[`${path}.list`, one.list]] : [],
  )
  if (mailingListId !== null) named.push(['mailingListId', mailingListId])
  const issues =
    purpose === 'transactional' && mailingListId !== null
      ? [issueAt('mailingListId', 'not_allowed', 'transactional mail asks for no subscription')]
      : []
  for (const [path, id] of named) issues.push(...(await unknownList(reader, workspace, path, id)))
  for (const [path, one] of triggers)
    if (one !== null && 'segment' in one && !(await findSegment(reader, workspace.id, one.segment)))
      issues.push(issueAt(`${path}.segment`, 'unknown_segment', 'there is no such segment'))
  return issues
}

async function unknownList(reader: Reader, workspace: Workspace, path: string, id: string): Promise<Issue[]> {
  const list = await findList(reader, workspace.id, id)
  return list?.status === 'active'
    ? []
    : [issueAt(path, 'unknown_list', 'there is no active mailing list with this id')]
}

interface StepQuestion {
  step: Step
  definition: Definition
  /** Names of the workspace's custom properties. */
  properties: ReadonlySet<string>
}

async function stepIssues(
  reader: Reader,
  workspace: Workspace,
  { step, definition, properties }: StepQuestion,
): Promise<Issue[]> {
  switch (step.type) {
    case 'send':
    case 'digest':
      return await sendIssues(reader, workspace, step, definition)
    case 'wait':
      return step.date === undefined || step.date === 'createdAt' || properties.has(step.date)
        ? []
        : [issueAt('date', 'unknown_property', `no contact has a property ${JSON.stringify(step.date)} yet`)]
    case 'update':
      return propertyIssues('properties', step.properties)
    case 'subscribe': {
      const list = await findList(reader, workspace.id, step.list)
      if (list?.status === 'active' && list.optIn === 'double')
        return [issueAt('list', 'double_opt_in', 'a sequence cannot subscribe to a list with double opt-in')]
      return await unknownList(reader, workspace, 'list', step.list)
    }
    case 'unsubscribe':
      return await unknownList(reader, workspace, 'list', step.list)
    default:
      return []
  }
}

async function sendIssues(
  reader: Reader,
  workspace: Workspace,
  step: SendStep | DigestStep,
  { purpose }: Definition,
): Promise<Issue[]> {
  const mail = { workspaceId: workspace.id, purpose, templateId: step.templateId, variables: step.variables }
  if (step.type === 'send' && isTested(step)) return await testIssues(reader, workspace, step, mail)
  return await mailIssues(reader, workspace, mail, step.type === 'digest' ? digestVariables : {})
}

function issueAt(path: string, code: string, message: string): Issue {
  return { path, code, message }
}
