// A rule while it is edited in its sentence: texts in fields, and their conversion to what the API accepts.

import type { Got } from '../../api.ts'

const path = '/v1/event-rules/:ruleId'

export type Rule = Got<typeof path>
export type Operator = Rule['filter'][number]['operator']
type Constant = string | number | boolean

export interface RuleDraft {
  name: string
  eventName: string
  conditions: { property: string; operator: Operator; value: string }[]
  action: Rule['action']
  templateId: string
  purpose: Rule['purpose']
  mailingListId: string
  amount: number
  unit: Rule['delay']['unit']
  variables: Record<string, string>
  /** Names with commas between them. */
  cancelOn: string
  properties: { name: string; value: string }[]
  reEligible: boolean
}

export const operators: Operator[] = [
  'equals',
  'notEquals',
  'greaterThan',
  'lessThan',
  'contains',
  'exists',
  'notExists',
]
export const blank: RuleDraft = {
  name: '',
  eventName: '',
  conditions: [],
  action: 'send_template',
  templateId: '',
  purpose: 'marketing',
  mailingListId: '',
  amount: 0,
  unit: 'd',
  variables: {},
  cancelOn: '',
  properties: [{ name: '', value: '' }],
  reEligible: false,
}

export function takesValue(operator: Operator): boolean {
  return operator !== 'exists' && operator !== 'notExists'
}

/** `3` and `true` are a number and a truth; the texts that look like them stand in quotes. Null is `null`. */
function written(value: unknown): string {
  if (typeof value !== 'string') return value === undefined ? '' : String(value)
  return typeof read(value) === 'string' && !/^".*"$/.test(value) ? value : JSON.stringify(value)
}

function read(text: string): Constant {
  const trimmed = text.trim()
  if (trimmed === 'true' || trimmed === 'false') return trimmed === 'true'
  if (/^-?\d+(\.\d+)?$/.test(trimmed)) return Number(trimmed)
  return /^".*"$/.test(trimmed) ? trimmed.slice(1, -1) : text
}

export function toDraft(rule: Rule): RuleDraft {
  const texts = (values: object) => Object.entries(values).map(([name, value]) => ({ name, value: written(value) }))
  const { name, eventName, filter, action, templateId, purpose, mailingListId, delay, cancelOn, reEligible } = rule
  const properties = texts(rule.contactProperties)
  return {
    name,
    eventName,
    conditions: filter.map(({ value, ...one }) => ({ ...one, value: written(value) })),
    action,
    templateId: templateId ?? '',
    purpose,
    mailingListId: mailingListId ?? '',
    amount: delay.amount,
    unit: delay.unit,
    variables: Object.fromEntries(texts(rule.variables).map((one) => [one.name, one.value])),
    cancelOn: cancelOn.join(', '),
    properties: properties.length === 0 ? blank.properties : properties,
    reEligible,
  }
}

/** What the action has no use for is cleared. `variables`: those that the template has. */
export function toBody(draft: RuleDraft, variables: string[]) {
  const { action, eventName, conditions, reEligible, amount, unit } = draft
  const sends = action === 'send_template'
  const mapped = variables.flatMap((name) => {
    const text = draft.variables[name] ?? ''
    return text === '' ? [] : [[name, read(text)] as const]
  })
  const set = draft.properties.flatMap(({ name, value }) =>
    name.trim() === '' ? [] : [[name.trim(), value.trim() === 'null' ? null : read(value)] as const],
  )
  return {
    name: draft.name.trim() || eventName.trim(),
    eventName: eventName.trim(),
    filter: conditions.map(({ property, operator, value }) => ({
      property: property.trim(),
      operator,
      ...(takesValue(operator) && { value: read(value) }),
    })),
    action,
    templateId: sends ? draft.templateId : null,
    purpose: sends ? draft.purpose : ('marketing' as const),
    delay: sends ? { amount, unit } : null,
    variables: sends ? Object.fromEntries(mapped) : {},
    cancelOn: sends ? namesIn(draft.cancelOn) : [],
    mailingListId: action === 'subscribe' ? draft.mailingListId : null,
    contactProperties: action === 'update_contact' ? Object.fromEntries(set) : {},
    reEligible,
  }
}

function namesIn(text: string): string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
}
