// Rules as they are written: lists as texts, parts as percent, and what is left empty as the API has it by default.

import type { Got } from '../../api.ts'
import { listed, written } from './route.ts'

export type Rule = Got<'/v1/receiver-rules'>['rules'][number]
export type Action = Rule['action']
export type Amount = 'inARow' | 'by' | 'floor' | 'waitSeconds' | 'rampSeconds' | 'rampBy'

/** In the order of their fields; those of the action alone are shown. */
export const amountsOf: Record<Action, Amount[]> = {
  slow_down: ['by', 'floor', 'rampSeconds', 'rampBy', 'waitSeconds', 'inARow'],
  fewer_connections: ['by', 'floor', 'inARow'],
  suspend: ['waitSeconds', 'inARow'],
  ignore: [],
}
export const actions = Object.keys(amountsOf) as Action[]
/** Written as percent. */
export const asPercent: Amount[] = ['by', 'rampBy']

export interface RuleDraft extends Record<Amount, string> {
  receivers: string
  codes: string
  enhanced: string
  /** One a line. */
  contains: string
  action: Action
}

export const blank: RuleDraft = {
  ...{ receivers: '', codes: '', enhanced: '', contains: '', action: 'slow_down' },
  ...{ inARow: '', by: '', floor: '', waitSeconds: '', rampSeconds: '', rampBy: '' },
}

export function toDraft(rule: Rule): RuleDraft {
  const { receivers, codes, enhanced, contains, action } = rule
  const amount = (name: Amount) => String(asPercent.includes(name) ? Math.round(rule[name] * 10_000) / 100 : rule[name])
  return {
    ...{ receivers: written(receivers), codes: written(codes), enhanced: written(enhanced), action },
    contains: contains?.join('\n') ?? '',
    ...amounts(amount),
  }
}

/** As the API takes it. */
export function toGiven(draft: RuleDraft) {
  const { receivers, codes, enhanced, contains, action } = draft
  const lines = contains.split('\n').map((line) => line.trim())
  const words = lines.filter(Boolean)
  const given = amountsOf[action].flatMap((name): [Amount, number][] => {
    const text = draft[name].trim()
    return text === '' ? [] : [[name, asPercent.includes(name) ? Number(text) / 100 : Number(text)]]
  })
  return {
    ...{ receivers: listed(receivers), codes: listed(codes), enhanced: listed(enhanced), action },
    contains: words.length === 0 ? null : words,
    ...Object.fromEntries(given),
  }
}

function amounts(of: (name: Amount) => string): Record<Amount, string> {
  return {
    ...{ inARow: of('inARow'), by: of('by'), floor: of('floor') },
    ...{ waitSeconds: of('waitSeconds'), rampSeconds: of('rampSeconds'), rampBy: of('rampBy') },
  }
}
