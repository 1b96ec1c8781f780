// A filter in words: what holds for whoever is in the segment.

import { colon, comma } from '../../words.ts'
import { dayOrText } from '../contacts/fields.tsx'
import type { Choices } from './choices.ts'
import { findType, type Group, type Happening, isGroup, type Part, toComparison } from './filter.ts'
import { comparisonName, fieldName, words } from './words.ts'

interface Props {
  group: Group
  choices: Choices
}

export function Read({ group, choices }: Props) {
  return (
    <div class="condition-group">
      <p>{words.modes[group.mode]}</p>
      <ul>
        {group.parts.map((part, at) => (
          <li key={at}>
            {isGroup(part) ? (
              <Read group={part} choices={choices} />
            ) : (
              <ConditionInWords part={part} choices={choices} />
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

export function ConditionInWords({ part, choices }: { part: Exclude<Part, Group>; choices: Choices }) {
  if ('field' in part) {
    const comparison = toComparison(part)
    return (
      <>
        <b>{fieldName(part.field)}</b> {comparisonName(comparison, findType(part, choices.properties))}{' '}
        {valueInWords(part.value, comparison)}
      </>
    )
  }
  if ('list' in part)
    return (
      <>
        {words.kinds.list} <b>{nameIn(choices.lists, part.list)}</b>
        {colon}
        {words.states[part.status]}
      </>
    )
  if ('event' in part)
    return (
      <>
        {words.kinds.event} <b>{part.event}</b>
        {happenedInWords(part)}
      </>
    )
  const { campaign, campaignId } = part
  return (
    <>
      {words.engagements[campaign]}{' '}
      <b>{campaignId === undefined ? words.anyCampaign : nameIn(choices.campaigns, campaignId)}</b>
      {happenedInWords(part)}
    </>
  )
}

function valueInWords(value: string | number | boolean | undefined, comparison: keyof typeof words.comparisons) {
  if (comparison === 'exists' || comparison === 'missing') return null
  if (comparison === 'withinDays') return words.days(Number(value))
  return <b>{typeof value === 'boolean' ? words.yesOrNo(value) : dayOrText(value) || words.nothing}</b>
}

function happenedInWords({ withinDays, atLeast }: Happening): string {
  return [
    ...(atLeast === undefined ? [] : [words.atLeastTimes(atLeast)]),
    ...(withinDays === undefined ? [] : [words.inLastDays(withinDays)]),
  ]
    .map((one) => `${comma}${one}`)
    .join('')
}

function nameIn(among: { id: string; name: string }[], id: string): string {
  return among.find((one) => one.id === id)?.name ?? id
}
