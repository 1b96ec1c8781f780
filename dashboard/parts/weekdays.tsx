// Days of the week to be ticked: 1 is Monday, 7 is Sunday.

import { weekday } from '../words.ts'

const days = [1, 2, 3, 4, 5, 6, 7]

interface Props {
  legend: string
  chosen: number[]
  set: (chosen: number[]) => void
}

export function Weekdays({ legend, chosen, set }: Props) {
  const turn = (day: number) =>
    set(chosen.includes(day) ? chosen.filter((one) => one !== day) : [...chosen, day].sort())
  return (
    <fieldset class="choices weekdays">
      <legend>{legend}</legend>
      {days.map((day) => (
        <label key={day}>
          <input type="checkbox" checked={chosen.includes(day)} onChange={() => turn(day)} /> {weekday(day)}
        </label>
      ))}
    </fieldset>
  )
}
