// A rule as one sentence: its blanks are words when it is read, and fields when it is edited.

import type { ComponentChildren } from 'preact'
import { operatorWords, takesValue } from '../../parts/operators.ts'
import { comma } from '../../words.ts'
import type { Rule } from './draft.ts'
import { words } from './words.ts'

interface Props {
  event: ComponentChildren
  conditions: ComponentChildren[]
  /** Null for what is done at once. */
  delay: ComponentChildren
  action: Rule['action']
  what: ComponentChildren
  /** Null: nothing cancels it. */
  cancel: ComponentChildren
}

const deeds = { send_template: words.sends, subscribe: words.joins, update_contact: words.sets }

export function Sentence({ event, conditions, delay, action, what, cancel }: Props) {
  const { before, after } = deeds[action]
  return (
    <>
      {words.when} {event} {words.comes}
      {conditions.map((one, number) => (
        <span key={number}>
          {' '}
          {words.and} {one}
        </span>
      ))}
      {words.follows} {delay} {before} {what} {after}
      {cancel !== null && (
        <>
          {words.comma} {words.unless} {cancel} {words.before}
        </>
      )}
      .
    </>
  )
}

/** Names by id, of what rules send and fill. */
export interface Names {
  templates: Map<string, string>
  lists: Map<string, string>
}

export function Read({ rule, names }: { rule: Rule; names: Names }) {
  const { eventName, filter, delay, action, cancelOn } = rule
  return (
    <Sentence
      event={<b>{eventName}</b>}
      conditions={filter.map(({ property, operator, value }) => (
        <>
          <b>{property}</b> {operatorWords[operator]} {takesValue(operator) && <b>{String(value)}</b>}
        </>
      ))}
      delay={action === 'send_template' ? delayInWords(delay) : words.atOnce}
      action={action}
      what={<b>{describeAction(rule, names)}</b>}
      cancel={cancelOn.length === 0 ? null : <b>{cancelOn.join(` ${words.or} `)}</b>}
    />
  )
}

function delayInWords({ amount, unit }: Rule['delay']): string {
  if (amount === 0) return words.atOnce
  return words.afterSome[unit](amount)
}

function describeAction(
  { action, templateId, mailingListId, contactProperties }: Rule,
  { templates, lists }: Names,
): string {
  if (action === 'send_template') return templates.get(templateId ?? '') ?? templateId ?? ''
  if (action === 'subscribe') return lists.get(mailingListId ?? '') ?? mailingListId ?? ''
  return Object.entries(contactProperties)
    .map(([name, value]) => `${name} = ${value === null ? words.nothing : String(value)}`)
    .join(comma)
}
