// Fields of which the forms of steps are made.

import { useState } from 'preact/hooks'
import type { Span, Step } from '../../../db/tables/sequences.ts'
import { readConstant, writeConstant } from '../../parts/constant.ts'
import { operators, operatorWords, takesValue } from '../../parts/operators.ts'
import { PickNamed, PickOne } from '../../parts/pick.tsx'
import { colon } from '../../words.ts'
import { words } from './canvas-words.ts'
import type { SequenceChoices } from './choices.ts'
import { wayInWords } from './in-words.ts'
import { changed, type EventConditions, type Way } from './steps.ts'

const units = ['m', 'h', 'd'] as const

interface SpanProps {
  label?: string
  span: Span
  set: (span: Span) => void
}

export function SpanFields({ label = words.amount, span, set }: SpanProps) {
  return (
    <div class="pair">
      <label>
        {label}
        <input
          type="number"
          min={1}
          required
          value={span.amount || ''}
          onInput={(event) => set({ ...span, amount: event.currentTarget.valueAsNumber || 0 })}
        />
      </label>
      <PickOne
        label={words.unit}
        value={span.unit}
        options={units.map((unit) => [unit, words.units[unit](span.amount)])}
        set={(unit) => set({ ...span, unit })}
      />
    </div>
  )
}

interface WayProps {
  label: string
  way: Way
  set: (way: Way) => void
  steps: Step[]
  choices: SequenceChoices
  /** The step whose way it is, if it leads to the one below by itself. */
  from?: string
}

export function PickWay({ label, way, set, steps, choices, from }: WayProps) {
  // Below the last is the end already.
  const isEnd = from !== undefined && steps.at(-1)?.id === from && way !== null
  const others = steps.map(({ id }) => id).filter((id) => id !== from)
  const ways: Way[] = [...(from === undefined ? [] : [undefined]), ...others, ...(isEnd ? [] : [null])]
  const at = ways.indexOf(way)
  return (
    <label>
      {label}
      <select value={at} onChange={(event) => set(ways[Number(event.currentTarget.value)])}>
        {at < 0 && <option value={-1}>{wayInWords(way, steps, choices)}</option>}
        {ways.map((one, number) => (
          <option key={one ?? number} value={number}>
            {wayInWords(one, steps, choices, from)}
          </option>
        ))}
      </select>
    </label>
  )
}

export function EventName({
  label = words.event,
  name,
  set,
}: {
  label?: string
  name: string
  set: (name: string) => void
}) {
  return (
    <label>
      {label}
      <input
        required
        list="event-names"
        maxLength={100}
        placeholder="signedUp"
        value={name}
        onInput={(event) => set(event.currentTarget.value)}
      />
    </label>
  )
}

interface ConstantProps {
  label: string
  value: string | number | boolean | null | undefined
  set: (value: string | number | boolean) => void
  hint?: string
}

/** A field with its name above it. */
export function ConstantField({ label, ...props }: ConstantProps) {
  return (
    <div class="named">
      <span aria-hidden="true">{label}</span>
      <ConstantInput label={label} {...props} />
    </div>
  )
}

/** What is typed stays as it is until the field is left. */
function ConstantInput({ label, value, set, hint }: ConstantProps) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <input
      aria-label={label}
      placeholder={hint}
      value={typed ?? writeConstant(value)}
      onInput={({ currentTarget: { value } }) => {
        setTyped(value)
        set(readConstant(value))
      }}
      onBlur={() => setTyped(null)}
    />
  )
}

interface ConditionsProps {
  conditions: EventConditions
  set: (conditions: EventConditions) => void
}

/** On the properties of an event: all of them must hold. */
export function EventConditionFields({ conditions, set }: ConditionsProps) {
  return (
    <div class="rows">
      {conditions.map((one, at) => {
        const label = words.condition(at + 1)
        return (
          <div key={at} class="condition">
            <input
              required
              aria-label={`${label}${colon}${words.property}`}
              placeholder="plan"
              value={one.property}
              onInput={(event) => set(conditions.with(at, { ...one, property: event.currentTarget.value }))}
            />
            <select
              aria-label={`${label}${colon}${words.operator}`}
              value={one.operator}
              onChange={({ currentTarget: { value } }) => {
                const operator = operators.find((name) => name === value) ?? 'equals'
                set(
                  conditions.with(
                    at,
                    changed(one, { operator, value: takesValue(operator) ? (one.value ?? '') : undefined }),
                  ),
                )
              }}
            >
              {operators.map((name) => (
                <option key={name} value={name}>
                  {operatorWords[name]}
                </option>
              ))}
            </select>
            {takesValue(one.operator) && (
              <ConstantInput
                label={`${label}${colon}${words.value}`}
                hint="pro"
                value={one.value}
                set={(value) => set(conditions.with(at, { ...one, value }))}
              />
            )}
            <button
              type="button"
              class="quiet"
              aria-label={words.removeOne(label)}
              onClick={() => set(conditions.toSpliced(at, 1))}
            >
              ×
            </button>
          </div>
        )
      })}
      <div>
        <button type="button" onClick={() => set([...conditions, { property: '', operator: 'equals', value: '' }])}>
          {words.addCondition}
        </button>
      </div>
    </div>
  )
}

interface DateProps {
  date: string
  days: number | undefined
  set: (change: { date?: string; days?: number | undefined }) => void
  choices: SequenceChoices
  /** The day on which the contact was added is one, too. */
  hasCreatedAt?: boolean
}

/** A date property of the contact, and how many days after it. */
export function DateFields({ date, days, set, choices: { properties }, hasCreatedAt = false }: DateProps) {
  const dates = properties.filter(({ type }) => type === 'date').map(({ key }) => ({ id: key, name: key }))
  return (
    <div class="pair">
      <PickNamed
        label={words.date}
        among={hasCreatedAt ? [{ id: 'createdAt', name: words.createdAt }, ...dates] : dates}
        id={date}
        set={(chosen) => set({ date: chosen })}
      />
      <label>
        {words.days}
        <input
          type="number"
          min={-400}
          max={400}
          value={days ?? 0}
          onInput={({ currentTarget: { valueAsNumber: n } }) => set({ days: Number.isNaN(n) ? undefined : n })}
        />
      </label>
    </div>
  )
}
