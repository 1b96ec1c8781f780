// Validates a rule when it is created or changed: everything it names exists, and the template gets its variables. Every error is listed
// with its path.

import type { RuleCondition } from '../../../db/tables/events.ts'
import type { Reader } from '../../core/app.ts'
import { day } from '../../kit/duration.ts'
import { AppError, type Issue, sharedCode } from '../../kit/error.ts'
import { ownValue } from '../../kit/own-value.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { findList } from '../contacts/consent/named-lists.ts'
import { readContactFields } from '../contacts/fields.ts'
import { compileSubject } from '../content/rendering/compile.ts'
import { describeVariable } from '../content/rendering/variable-names.ts'
import { listUses, unionOfUses, type VariableUse } from '../content/rendering/variables.ts'
import { resolveTemplate, usesByLocale } from '../content/templates/resolve.ts'
import { unmapped } from '../content/templates/use-warnings.ts'
import { type Constant, mappingIssues } from './mapping.ts'
import type { Rule } from './matching.ts'
import { purposeIssues } from './purpose.ts'
import { delayMs } from './record-event.ts'

const maxDelayMs = 365 * day
const maxVariables = 100
/** Fields of a contact that no rule may set: identity and consent. */
const notForRules = ['email', 'userId', 'subscribed', 'mailingLists']

/** Throws 422 listing every error. */
export async function checkRule(reader: Reader, workspace: Workspace, rule: Rule): Promise<void> {
  const errors = [
    ...rule.filter.flatMap(conditionIssues),
    ...delayIssues(rule),
    ...sendsIssues(rule),
    ...(await actionIssues(reader, workspace, rule)),
  ]
  const [first] = errors
  if (!first) return
  const isMissing = errors.every(({ code }) => code === 'required')
  throw new AppError(isMissing ? 'missing_required_field' : sharedCode(errors), first.message, { errors })
}

function conditionIssues({ operator, value }: RuleCondition, index: number): Issue[] {
  const path = `filter[${index}].value`
  const wantsNone = operator === 'exists' || operator === 'notExists'
  if (wantsNone || value !== undefined) return []
  return [{ path, code: 'required', message: `${operator} needs a value` }]
}

function delayIssues(rule: Rule): Issue[] {
  if (delayMs(rule) <= maxDelayMs) return []
  return [{ path: 'delay', code: 'too_large', message: 'a delay may have at most 365 days' }]
}

function sendsIssues({ purpose, action }: Rule): Issue[] {
  if (purpose === 'marketing' || action === 'send_template') return []
  return [{ path: 'purpose', code: 'not_allowed', message: 'only what send_template sends has a purpose' }]
}

function actionIssues(reader: Reader, workspace: Workspace, rule: Rule): Issue[] | Promise<Issue[]> {
  switch (rule.action) {
    case 'send_template':
      return mailIssues(reader, workspace, rule)
    case 'subscribe':
      return listIssues(reader, workspace, rule)
    case 'update_contact':
      return propertyIssues('contactProperties', rule.contactProperties)
  }
}

export interface ProposedMail extends Pick<Rule, 'workspaceId' | 'purpose' | 'templateId' | 'variables'> {
  /** Instead of that of the template. */
  subject?: string | undefined
}

/** What is wrong with a mail of a rule, or of a step of a sequence, which fills the variables of `own` itself. */
export async function mailIssues(
  reader: Reader,
  workspace: Workspace,
  rule: ProposedMail,
  own: OwnVariables = {},
): Promise<Issue[]> {
  const { templateId: slug } = rule
  if (!slug) return [{ path: 'templateId', code: 'required', message: 'a templateId is needed' }]
  const template = await resolveTemplate(reader, workspace.id, slug)
  if (!template) {
    const message = `there is no active template ${JSON.stringify(slug.slice(0, 80))}`
    return [{ path: 'templateId', code: 'unknown_template', message }]
  }
  const ofTemplate = unionOfUses(await usesByLocale(reader, template.revisions, workspace.brand))
  const ofSubject = rule.subject === undefined ? [] : listUses(compileSubject(rule.subject))
  const known = new Set(ofTemplate.map(({ name }) => name))
  const uses = [...ofTemplate, ...ofSubject.filter(({ name }) => !known.has(name))]
  const purpose = await purposeIssues(reader, rule, { slug, uses })
  const others = uses.filter(({ name }) => !Object.hasOwn(own, name))
  const misused = uses.flatMap((use) => misuseIssues(use, ownValue(own, use.name)))
  return [...mappedIssues(rule.variables, others), ...missingIssues(rule.variables, others), ...misused, ...purpose]
}

/** By name: whether it is a list. */
export type OwnVariables = Readonly<Record<string, 'list' | 'value'>>

function misuseIssues({ name, dataType }: VariableUse, kind: OwnVariables[string] | undefined): Issue[] {
  if (kind === undefined || (kind === 'list') === (dataType === 'list')) return []
  const message = kind === 'list' ? `${name} is for a list of the template` : `${name} is no list`
  return [{ path: 'templateId', code: 'invalid_type', message }]
}

function mappedIssues(variables: Record<string, unknown>, uses: VariableUse[]): Issue[] {
  const entries = Object.entries(variables)
  if (entries.length > maxVariables)
    return [{ path: 'variables', code: 'too_many', message: `at most ${maxVariables} variables may be mapped` }]
  return entries.flatMap(([name, value]) => {
    const path = `variables.${name.slice(0, 100)}`
    if (describeVariable(name).auto)
      return [{ path, code: 'auto_variable_not_allowed', message: `${name} is filled in by the platform` }]
    if (!uses.some((use) => use.name === name))
      return [{ path, code: 'unknown_variable', message: `the template has no variable ${name}` }]
    return valueIssues(path, value)
  })
}

function valueIssues(path: string, value: unknown): Issue[] {
  if (isConstant(value)) return mappingIssues(path, value)
  return [{ path, code: 'type', message: `${path} must be a string, a number or a boolean` }]
}

function isConstant(value: unknown): value is Constant {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function missingIssues(variables: Record<string, unknown>, uses: VariableUse[]): Issue[] {
  return unmapped(uses, variables).map((name) => ({
    path: `variables.${name}`,
    code: 'missing_variable',
    message: `${name} is required by the template`,
  }))
}

async function listIssues(reader: Reader, workspace: Workspace, { mailingListId }: Rule): Promise<Issue[]> {
  const path = 'mailingListId'
  if (!mailingListId) return [{ path, code: 'required', message: 'subscribe needs a mailingListId' }]
  const list = await findList(reader, workspace.id, mailingListId)
  if (list?.status !== 'active')
    return [{ path, code: 'unknown_list', message: 'there is no active mailing list with this id' }]
  if (list.optIn === 'single') return []
  return [{ path, code: 'double_opt_in', message: 'a rule cannot subscribe to a list with double opt-in' }]
}

/** What is wrong with the fields of a contact that are to be set. */
export function propertyIssues(path: string, properties: Rule['contactProperties']): Issue[] {
  const entries = Object.entries(properties)
  if (entries.length === 0) return [{ path, code: 'required', message: `${path} must name what is set` }]
  return entries.flatMap(([name, value]) => {
    const at = `${path}.${name.slice(0, 100)}`
    if (notForRules.includes(name)) return [{ path: at, code: 'not_allowed', message: `${name} cannot be set so` }]
    const issues = value === null ? [] : valueIssues(at, value)
    return issues.length > 0 ? issues : fieldIssues(at, name, value)
  })
}

/** What is wrong with the value for that field, whatever the event contains. */
function fieldIssues(at: string, name: string, value: unknown): Issue[] {
  const open = typeof value === 'string' && value.includes('{{')
  try {
    const { warnings } = readContactFields({ [name]: open ? null : value })
    return warnings.map((issue) => ({ ...issue, path: at }))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return [{ path: at, code: 'invalid', message: error.message }]
  }
}
