// A rule while it is edited in its sentence: texts in fields, and their conversion to what the API accepts.

import type { Got } from '../../api.ts'
import { readConstant, writeConstant } from '../../parts/constant.ts'
import { takesValue } from '../../parts/operators.ts'
import { asTyped, namesIn } from '../../parts/separated.ts'

const path = '/v1/event-rules/:ruleId'

export type Rule = Got<typeof path>
type Operator = Rule['filter'][number]['operator']

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

export function toDraft(rule: Rule): RuleDraft {
  const texts = (values: object) =>
    Object.entries(values).map(([name, value]) => ({ name, value: writeConstant(value) }))
  const { name, eventName, filter, action, templateId, purpose, mailingListId, delay, cancelOn, reEligible } = rule
  const properties = texts(rule.contactProperties)
  return {
    name,
    eventName,
    conditions: filter.map(({ value, ...one }) => ({ ...one, value: writeConstant(value) })),
    action,
    templateId: templateId ?? '',
    purpose,
    mailingListId: mailingListId ?? '',
    amount: delay.amount,
    unit: delay.unit,
    variables: Object.fromEntries(texts(rule.variables).map((one) => [one.name, one.value])),
    cancelOn: asTyped(cancelOn),
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
    return text === '' ? [] : [[name, readConstant(text)] as const]
  })
  const set = draft.properties.flatMap(({ name, value }) =>
    name.trim() === '' ? [] : [[name.trim(), value.trim() === 'null' ? null : readConstant(value)] as const],
  )
  return {
    name: draft.name.trim() || eventName.trim(),
    eventName: eventName.trim(),
    filter: conditions.map(({ property, operator, value }) => ({
      property: property.trim(),
      operator,
      ...(takesValue(operator) && { value: readConstant(value) }),
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
