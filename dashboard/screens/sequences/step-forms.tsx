// The forms of steps: one for each type, and where each leads.

import { useState } from 'preact/hooks'
import type { Step } from '../../../db/tables/sequences.ts'
import { readConstant, writeConstant } from '../../parts/constant.ts'
import { PickNamed } from '../../parts/pick.tsx'
import { BranchForm } from './branch.tsx'
import { words } from './canvas-words.ts'
import type { SequenceChoices } from './choices.ts'
import { DigestForm } from './digest.tsx'
import { EventConditionFields, EventName, PickWay, SpanFields } from './fields.tsx'
import { MailFields } from './mail.tsx'
import { StepTestFields } from './step-test.tsx'
import { changed, type StepOf, type StepType } from './steps.ts'
import { WaitFields } from './wait.tsx'

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
      return (
        <>
          <MailFields step={step} {...rest} />
          <StepTestFields step={step} set={rest.set} choices={rest.choices} />
        </>
      )
    case 'wait':
      return (
        <WaitFields
          label={words.waitFor}
          until={step}
          set={(parts) => rest.set(changed(step, parts))}
          choices={rest.choices}
        />
      )
    case 'event':
      return <EventForm step={step} {...rest} />
    case 'digest':
      return <DigestForm step={step} {...rest} />
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
