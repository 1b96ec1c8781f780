// Until when a step waits.

import type { WaitStep } from '../../../db/tables/sequences.ts'
import { PickOne } from '../../parts/pick.tsx'
import { Weekdays } from '../../parts/weekdays.tsx'
import { words } from './canvas-words.ts'
import type { SequenceChoices } from './choices.ts'
import { DateFields, SpanFields } from './fields.tsx'

const waits = ['for', 'at', 'date'] as const

type Until = Pick<WaitStep, 'for' | 'at' | 'weekdays' | 'date' | 'days'>

interface Props {
  label: string
  /** Which may be chosen. Default: all. */
  kinds?: readonly (typeof waits)[number][]
  until: Until
  set: (parts: { [Name in keyof Until]: Until[Name] | undefined }) => void
  choices: SequenceChoices
}

export function WaitFields({ label, kinds = waits, until, set: change, choices }: Props) {
  const kind = until.date !== undefined ? 'date' : until.for !== undefined ? 'for' : 'at'
  const become = (chosen: (typeof waits)[number]) =>
    change({
      for: chosen === 'for' ? { amount: 1, unit: 'd' } : undefined,
      date: chosen === 'date' ? '' : undefined,
      days: undefined,
      at: chosen === 'at' ? (until.at ?? '09:00') : until.at,
    })
  return (
    <>
      <PickOne label={label} value={kind} options={kinds.map((one) => [one, words.waits[one]])} set={become} />
      {until.for && <SpanFields span={until.for} set={(span) => change({ for: span })} />}
      {until.date !== undefined && (
        <>
          <DateFields date={until.date} days={until.days} set={change} choices={choices} hasCreatedAt />
          <p class="muted">{words.dateHow}</p>
        </>
      )}
      <label>
        {kind === 'at' ? words.at : words.thenAt}
        <input
          type="time"
          required={kind === 'at'}
          value={until.at ?? ''}
          onInput={({ currentTarget: { value } }) =>
            change(value === '' && kind !== 'at' ? { at: undefined, weekdays: undefined } : { at: value })
          }
        />
      </label>
      {until.at !== undefined && (
        <Weekdays
          legend={words.weekdays}
          chosen={until.weekdays ?? []}
          set={(days) => change({ weekdays: days.length === 0 ? undefined : days })}
        />
      )}
    </>
  )
}
