// One condition in fields: on a field, a list, an event or a campaign. What is chosen stays so where it is no longer known.

import { colon } from '../../words.ts'
import type { Choices } from './choices.ts'
import {
  type Condition as AnyCondition,
  blank,
  type Comparison,
  comparisons,
  fields,
  findKind,
  findType,
  type Happening,
  kinds,
  newCondition,
  toComparison,
  withComparison,
  withCount,
} from './filter.ts'
import { comparisonName, fieldName, words } from './words.ts'

interface Props<T> {
  condition: T
  set: (condition: AnyCondition) => void
  choices: Choices
  /** What the names of its fields begin with. */
  label: string
}

export function Condition(props: Props<AnyCondition>) {
  const { condition, set, label } = props
  const kind = findKind(condition)
  return (
    <div class="condition">
      <Select
        label={`${label}${colon}${words.about}`}
        value={kind}
        options={kinds.map((one) => [one, words.kinds[one]])}
        set={(chosen) => set(blank[chosen])}
      />
      {'field' in condition ? (
        <OnField {...props} condition={condition} />
      ) : 'list' in condition ? (
        <OnList {...props} condition={condition} />
      ) : (
        <Happened {...props} condition={condition} />
      )}
    </div>
  )
}

type ConditionWith<Name extends string> = Extract<AnyCondition, Record<Name, unknown>>

function OnField({ condition, set, choices: { properties }, label }: Props<ConditionWith<'field'>>) {
  const { field } = condition
  const type = findType(condition, properties)
  const comparison = toComparison(condition)
  const offered = comparisons[type].includes(comparison) ? comparisons[type] : [comparison, ...comparisons[type]]
  const own = properties.map(({ key }) => key)
  const isKnown = [...fields, ...own].some((one) => one === field)
  return (
    <>
      <select
        required
        aria-label={`${label}${colon}${words.field}`}
        value={field}
        onChange={(event) => set(newCondition(event.currentTarget.value, properties))}
      >
        <option value="">{words.choose}</option>
        {field !== '' && !isKnown && <option value={field}>{field}</option>}
        <optgroup label={words.ownFields}>{fields.map(toOption)}</optgroup>
        {own.length > 0 && <optgroup label={words.properties}>{own.map(toOption)}</optgroup>}
      </select>
      <Select<Comparison>
        label={`${label}${colon}${words.comparison}`}
        value={comparison}
        options={offered.map((one) => [one, comparisonName(one, type)])}
        set={(chosen) => set(withComparison(condition, chosen))}
      />
      <Value condition={condition} set={set} label={`${label}${colon}${words.value}`} type={type} />
    </>
  )
}

function toOption(field: string) {
  return (
    <option key={field} value={field}>
      {fieldName(field)}
    </option>
  )
}

interface ValueProps {
  condition: ConditionWith<'field'>
  set: (condition: AnyCondition) => void
  label: string
  type: ReturnType<typeof findType>
}

function Value({ condition, set, label, type }: ValueProps) {
  const { field, op, value } = condition
  if (op === 'exists') return null
  const say = (said: string | number | boolean | undefined) =>
    set({ field, op, ...(said !== undefined && { value: said }) })
  if (op === 'withinDays')
    return (
      <>
        <Figure label={label} value={value} set={say} isRequired /> {words.dayUnit(Number(value ?? 0))}
      </>
    )
  if (type === 'boolean')
    return (
      <Select
        label={label}
        value={String(value ?? true)}
        options={[
          ['true', words.yesOrNo(true)],
          ['false', words.yesOrNo(false)],
        ]}
        set={(chosen) => say(chosen === 'true')}
      />
    )
  if (type === 'number') return <Figure label={label} value={value} set={say} isRequired isAny />
  // What is a moment of a day is shown as it is written.
  if (type === 'date' && /^(\d{4}-\d\d-\d\d(T00:00:00\.000Z)?)?$/.test(String(value ?? '')))
    return (
      <input
        type="date"
        required
        aria-label={label}
        value={String(value ?? '').slice(0, 10)}
        onInput={({ currentTarget: { value } }) => say(value === '' ? undefined : value)}
      />
    )
  return (
    <input
      required={value === undefined}
      maxLength={500}
      aria-label={label}
      value={String(value ?? '')}
      onInput={(event) => say(event.currentTarget.value)}
    />
  )
}

const states = Object.keys(words.states) as (keyof typeof words.states)[]

function OnList({ condition, set, choices, label }: Props<ConditionWith<'list'>>) {
  return (
    <>
      <NamedSelect
        label={`${label}${colon}${words.list}`}
        none={words.choose}
        isRequired
        of={choices.lists}
        chosen={condition.list}
        set={(list) => set({ ...condition, list })}
      />
      <Select
        label={`${label}${colon}${words.state}`}
        value={condition.status}
        options={states.map((one) => [one, words.states[one]])}
        set={(status) => set({ ...condition, status })}
      />
    </>
  )
}

const engagements = Object.keys(words.engagements) as (keyof typeof words.engagements)[]

function Happened(props: Props<ConditionWith<'event'> | ConditionWith<'campaign'>>) {
  const { condition, set, choices, label } = props
  if ('event' in condition)
    return (
      <>
        <input
          required
          list="event-names"
          maxLength={100}
          aria-label={`${label}${colon}${words.event}`}
          placeholder="login"
          value={condition.event}
          onInput={(event) => set({ ...condition, event: event.currentTarget.value })}
        />
        <HowOften condition={condition} set={set} label={label} />
      </>
    )
  const { campaignId, ...any } = condition
  return (
    <>
      <Select
        label={`${label}${colon}${words.engagement}`}
        value={condition.campaign}
        options={engagements.map((one) => [one, words.engagements[one]])}
        set={(campaign) => set({ ...condition, campaign })}
      />
      <NamedSelect
        label={`${label}${colon}${words.campaign}`}
        none={words.anyCampaign}
        of={choices.campaigns}
        chosen={campaignId ?? ''}
        set={(id) => set(id === '' ? any : { ...any, campaignId: id })}
      />
      <HowOften condition={condition} set={set} label={label} />
    </>
  )
}

function HowOften({ condition, set, label }: Omit<Props<Happening>, 'choices'>) {
  return (
    <>
      {words.atLeast}
      <Figure
        label={`${label}${colon}${words.atLeast}`}
        value={condition.atLeast}
        hint="1"
        set={(n) => set(withCount(condition, 'atLeast', n))}
      />
      {words.times(condition.atLeast ?? 1)} {words.inLast}
      <Figure
        label={`${label}${colon}${words.inLast}`}
        value={condition.withinDays}
        hint={words.ever}
        set={(n) => set(withCount(condition, 'withinDays', n))}
      />
      {words.dayUnit(condition.withinDays ?? 0)}
    </>
  )
}

interface FigureProps {
  label: string
  value: unknown
  hint?: string
  isRequired?: boolean
  /** Also less than one, and parts of one. */
  isAny?: boolean
  set: (n: number | undefined) => void
}

function Figure({ label, value, hint, isRequired = false, isAny = false, set }: FigureProps) {
  return (
    <input
      type="number"
      {...(!isAny && { min: 1 })}
      step={isAny ? 'any' : 1}
      required={isRequired}
      aria-label={label}
      placeholder={hint}
      value={typeof value === 'number' ? value : ''}
      onInput={({ currentTarget: { valueAsNumber: n } }) => set(Number.isNaN(n) ? undefined : n)}
    />
  )
}

interface SelectProps<T extends string> {
  label: string
  value: T
  options: [value: T, says: string][]
  set: (chosen: T) => void
}

function Select<T extends string>({ label, value, options, set }: SelectProps<T>) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => {
        const chosen = options.find(([one]) => one === currentTarget.value)
        if (chosen) set(chosen[0])
      }}
    >
      {options.map(([one, says]) => (
        <option key={one} value={one}>
          {says}
        </option>
      ))}
    </select>
  )
}

interface NamedProps {
  label: string
  /** What stands there where nothing is chosen. */
  none: string
  isRequired?: boolean
  of: { id: string; name: string }[]
  chosen: string
  set: (id: string) => void
}

function NamedSelect({ label, none, isRequired = false, of, chosen, set }: NamedProps) {
  return (
    <select
      required={isRequired}
      aria-label={label}
      value={chosen}
      onChange={(event) => set(event.currentTarget.value)}
    >
      <option value="">{none}</option>
      {chosen !== '' && !of.some(({ id }) => id === chosen) && <option value={chosen}>{chosen}</option>}
      {of.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}
