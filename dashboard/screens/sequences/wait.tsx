// Until when a step waits.

import type { WaitStep } from '../../../db/tables/sequences.ts'
import { words } from './canvas-words.ts'
import type { SequenceChoices } from './choices.ts'
import { DateFields, PickOne, SpanFields } from './fields.tsx'
import { weekday } from './in-words.ts'

const waits = ['for', 'at', 'date'] as const
const days = [1, 2, 3, 4, 5, 6, 7]

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
      {until.at !== undefined && <Weekdays chosen={until.weekdays ?? []} set={(weekdays) => change({ weekdays })} />}
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
