// The form of a digest: what it gathers, until when, and the mail that shows it.

import { digestOrders } from '../../../db/tables/sequences.ts'
import { PickOne } from '../../parts/pick.tsx'
import { inLanguage } from '../../words.ts'
import type { SequenceChoices } from './choices.ts'
import { EventConditionFields, EventName } from './fields.tsx'
import { MailFields } from './mail.tsx'
import { changed, type StepOf } from './steps.ts'
import { WaitFields } from './wait.tsx'

const words = inLanguage(catalogue.sequences.digest)

interface Props {
  step: StepOf<'digest'>
  set: (step: StepOf<'send' | 'digest'>) => void
  choices: SequenceChoices
}

export function DigestForm({ step, set, choices }: Props) {
  const { event, filter = [], items, order } = step
  return (
    <>
      <EventName name={event} set={(name) => set({ ...step, event: name })} />
      <EventConditionFields
        conditions={filter}
        set={(conditions) => set(changed(step, { filter: conditions.length === 0 ? undefined : conditions }))}
      />
      <WaitFields
        label={words.gather}
        kinds={['for', 'at']}
        until={step}
        set={({ date: _, days: __, ...parts }) => set(changed(step, parts))}
        choices={choices}
      />
      <MailFields step={step} set={set} choices={choices} />
      <p class="muted">{words.how}</p>
      <label>
        {words.items}
        <input
          type="number"
          min={1}
          max={50}
          required
          value={items || ''}
          onInput={({ currentTarget }) => set({ ...step, items: currentTarget.valueAsNumber || 0 })}
        />
      </label>
      <PickOne
        label={words.order}
        value={order}
        options={digestOrders.map((one) => [one, words.orders[one]])}
        set={(chosen) => set({ ...step, order: chosen })}
      />
    </>
  )
}
