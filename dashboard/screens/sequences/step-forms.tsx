// The forms of steps: one for each type, and where each leads.

import { useState } from 'preact/hooks'
import type { Step } from '../../../db/tables/sequences.ts'
import { readConstant, writeConstant } from '../../parts/constant.ts'
import { usePlace } from '../../place.ts'
import { BranchForm } from './branch.tsx'
import { words } from './canvas-words.ts'
import type { SequenceChoices } from './choices.ts'
import {
  ConstantField,
  DateFields,
  EventConditionFields,
  EventName,
  PickNamed,
  PickOne,
  PickWay,
  SpanFields,
} from './fields.tsx'
import { weekday } from './in-words.ts'
import { changed, type StepOf, type StepType } from './steps.ts'

export interface StepFormProps<T extends StepType> {
  step: StepOf<T>
  set: (step: Step) => void
  /** Of the whole sequence. */
  steps: Step[]
  choices: SequenceChoices
}

export function StepForm({ step, ...rest }: StepFormProps<StepType>) {
  return (
    <>
      <OwnFields step={step} {...rest} />
      <PickWay
        {...rest}
        from={step.id}
        label={step.type === 'event' ? words.comes : step.type === 'branch' ? words.none : words.next}
        way={step.next}
        set={(next) => rest.set(changed(step, { next }))}
      />
      {step.type === 'event' && (
        <PickWay
          {...rest}
          from={step.id}
          label={words.otherwise}
          way={step.otherwise}
          set={(otherwise) => rest.set(changed(step, { otherwise }))}
        />
      )}
    </>
  )
}

function OwnFields({ step, ...rest }: StepFormProps<StepType>) {
  switch (step.type) {
    case 'send':
      return <SendForm step={step} {...rest} />
    case 'wait':
      return <WaitForm step={step} {...rest} />
    case 'event':
      return <EventForm step={step} {...rest} />
    case 'branch':
      return <BranchForm step={step} {...rest} />
    case 'update':
      return <UpdateForm step={step} {...rest} />
    case 'subscribe':
    case 'unsubscribe':
      return <ListForm step={step} {...rest} />
    case 'webhook':
      return (
        <p class="muted">
          {words.webhookHow} <code>{step.id}</code>
        </p>
      )
  }
}

function SendForm({ step, set, choices }: StepFormProps<'send'>) {
  const { to } = usePlace()
  const { templateId, variables } = step
  const template = choices.templates.find(({ id }) => id === templateId)
  // What it takes from the event needs no word of the step.
  const own = (template?.dataVariables ?? []).filter((name) => !name.startsWith('event.'))
  const names = [...new Set([...own, ...Object.keys(variables)])]
  const fill = (name: string, value: string | number | boolean) => {
    const { [name]: _, ...others } = variables
    set({ ...step, variables: value === '' ? others : { ...others, [name]: value } })
  }
  return (
    <>
      <PickNamed
        label={words.template}
        among={choices.templates}
        id={templateId}
        set={(id) => set({ ...step, templateId: id })}
      />
      {template && (
        <p>
          <a href={to(`/templates/${template.id}`)}>{words.openTemplate}</a>
        </p>
      )}
      {names.length > 0 && (
        <fieldset class="form">
          <legend>{words.variables}</legend>
          <p class="muted">{words.variablesHow}</p>
          {names.map((name) => (
            <ConstantField key={name} label={name} value={variables[name]} set={(value) => fill(name, value)} />
          ))}
        </fieldset>
      )}
    </>
  )
}

const waits = ['for', 'at', 'date'] as const
const days = [1, 2, 3, 4, 5, 6, 7]

function WaitForm({ step, set, choices }: StepFormProps<'wait'>) {
  const kind = step.date !== undefined ? 'date' : step.for !== undefined ? 'for' : 'at'
  const change = (parts: Partial<{ [Name in keyof typeof step]: (typeof step)[Name] | undefined }>) =>
    set(changed(step, parts))
  const become = (chosen: (typeof waits)[number]) =>
    change({
      for: chosen === 'for' ? { amount: 1, unit: 'd' } : undefined,
      date: chosen === 'date' ? '' : undefined,
      days: undefined,
      at: chosen === 'at' ? (step.at ?? '09:00') : step.at,
    })
  return (
    <>
      <PickOne label={words.waitFor} value={kind} options={waits.map((one) => [one, words.waits[one]])} set={become} />
      {step.for && <SpanFields span={step.for} set={(span) => change({ for: span })} />}
      {step.date !== undefined && (
        <>
          <DateFields date={step.date} days={step.days} set={change} choices={choices} hasCreatedAt />
          <p class="muted">{words.dateHow}</p>
        </>
      )}
      <label>
        {kind === 'at' ? words.at : words.thenAt}
        <input
          type="time"
          required={kind === 'at'}
          value={step.at ?? ''}
          onInput={({ currentTarget: { value } }) =>
            change(value === '' && kind !== 'at' ? { at: undefined, weekdays: undefined } : { at: value })
          }
        />
      </label>
      {step.at !== undefined && <Weekdays chosen={step.weekdays ?? []} set={(weekdays) => change({ weekdays })} />}
    </>
  )
}

function Weekdays({ chosen, set }: { chosen: number[]; set: (chosen: number[] | undefined) => void }) {
  const turn = (day: number) => {
    const next = chosen.includes(day) ? chosen.filter((one) => one !== day) : [...chosen, day].sort()
    set(next.length === 0 ? undefined : next)
  }
  return (
    <fieldset class="choices weekdays">
      <legend>{words.weekdays}</legend>
      {days.map((day) => (
        <label key={day}>
          <input type="checkbox" checked={chosen.includes(day)} onChange={() => turn(day)} /> {weekday(day)}
        </label>
      ))}
    </fieldset>
  )
}

function EventForm({ step, set }: StepFormProps<'event'>) {
  const { event, filter = [], atMost, lookBack } = step
  return (
    <>
      <EventName name={event} set={(name) => set({ ...step, event: name })} />
      <EventConditionFields
        conditions={filter}
        set={(conditions) => set(changed(step, { filter: conditions.length === 0 ? undefined : conditions }))}
      />
      <SpanFields label={words.atMost} span={atMost} set={(span) => set({ ...step, atMost: span })} />
      <label class="check">
        <input
          type="checkbox"
          checked={lookBack !== undefined}
          onChange={({ currentTarget: { checked } }) =>
            set(changed(step, { lookBack: checked ? { amount: 1, unit: 'd' } : undefined }))
          }
        />{' '}
        {words.lookBack}
      </label>
      {lookBack && (
        <SpanFields label={words.lookBackFor} span={lookBack} set={(span) => set({ ...step, lookBack: span })} />
      )}
    </>
  )
}

/** As rows while it is edited: two of one name would be one. */
function UpdateForm({ step, set }: StepFormProps<'update'>) {
  const [rows, setRows] = useState(() => {
    const stored = Object.entries(step.properties).map(([name, value]) => ({ name, value: writeConstant(value) }))
    return stored.length === 0 ? [{ name: '', value: '' }] : stored
  })
  const change = (next: typeof rows) => {
    setRows(next)
    const pairs = next.flatMap(({ name, value }) =>
      name.trim() === '' ? [] : [[name.trim(), value.trim() === 'null' ? null : readConstant(value)] as const],
    )
    set({ ...step, properties: Object.fromEntries(pairs) })
  }
  return (
    <fieldset class="form">
      <legend>{words.properties}</legend>
      <p class="muted">{words.nullHow}</p>
      {rows.map((row, at) => (
        <div key={at} class="condition">
          <input
            required
            list="property-names"
            aria-label={`${words.property} ${at + 1}`}
            placeholder="plan"
            value={row.name}
            onInput={(event) => change(rows.with(at, { ...row, name: event.currentTarget.value }))}
          />
          {' = '}
          <input
            aria-label={`${words.value} ${at + 1}`}
            placeholder="{{event.plan}}"
            value={row.value}
            onInput={(event) => change(rows.with(at, { ...row, value: event.currentTarget.value }))}
          />
          {rows.length > 1 && (
            <button
              type="button"
              class="quiet"
              aria-label={words.removeOne(row.name || `${words.property} ${at + 1}`)}
              onClick={() => change(rows.toSpliced(at, 1))}
            >
              ×
            </button>
          )}
        </div>
      ))}
      <div>
        <button type="button" onClick={() => setRows([...rows, { name: '', value: '' }])}>
          {words.addProperty}
        </button>
      </div>
    </fieldset>
  )
}

function ListForm({ step, set, choices }: StepFormProps<'subscribe' | 'unsubscribe'>) {
  const lists = choices.lists.filter(
    ({ status, optIn }) => status === 'active' && (step.type === 'unsubscribe' || optIn === 'single'),
  )
  return (
    <>
      <PickNamed label={words.list} among={lists} id={step.list} set={(list) => set({ ...step, list })} />
      {step.type === 'subscribe' && <p class="muted">{words.noList}</p>}
    </>
  )
}
