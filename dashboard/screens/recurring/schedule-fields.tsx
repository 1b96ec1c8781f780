// When a recurring campaign is due: its days, its time of day and where that is meant.

import { PickOne } from '../../parts/pick.tsx'
import { Weekdays } from '../../parts/weekdays.tsx'
import type { RecurringDraft } from './draft.ts'
import { words } from './words.ts'

const rhythms = ['day', 'week', 'month'] as const

interface Props {
  draft: RecurringDraft
  set: (change: Partial<RecurringDraft>) => void
}

export function ScheduleFields({ draft, set }: Props) {
  const { every, at, weekdays, dayOfMonth, inRecipientZone, timeZone } = draft
  return (
    <>
      <PickOne
        name="schedule.every"
        label={words.every}
        value={every}
        options={rhythms.map((one) => [one, words.rhythms[one]])}
        set={(chosen) => set({ every: chosen })}
      />
      {every === 'week' && (
        <Weekdays legend={words.weekdays} chosen={weekdays} set={(chosen) => set({ weekdays: chosen })} />
      )}
      {every === 'month' && (
        <label>
          {words.dayOfMonth}
          <input
            name="schedule.dayOfMonth"
            type="number"
            required
            min={1}
            max={31}
            value={dayOfMonth || ''}
            onInput={(event) => set({ dayOfMonth: event.currentTarget.valueAsNumber || 0 })}
          />
        </label>
      )}
      <label>
        {words.at}
        <input
          name="schedule.at"
          type="time"
          required
          value={at}
          onInput={(event) => set({ at: event.currentTarget.value })}
        />
      </label>
      <label class="check">
        <input
          name="schedule.inRecipientZone"
          type="checkbox"
          checked={inRecipientZone}
          onChange={(event) => set({ inRecipientZone: event.currentTarget.checked })}
        />{' '}
        {words.inRecipientZone}
      </label>
      {inRecipientZone ? (
        <p class="muted">{words.inRecipientZoneHow}</p>
      ) : (
        <label>
          {words.timeZone}
          <input
            name="timeZone"
            required
            maxLength={64}
            list="time-zones"
            value={timeZone}
            onInput={(event) => set({ timeZone: event.currentTarget.value })}
          />
        </label>
      )}
      <datalist id="time-zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  )
}
