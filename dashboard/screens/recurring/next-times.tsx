// The next five times of a schedule that is being written, on the clock of its zone.

import { post } from '../../api.ts'
import { useAnswer } from '../../parts/asked.ts'
import { wallTime, weekdayOf } from '../../words.ts'
import { planOf, type RecurringDraft, scheduleOf } from './draft.ts'
import { scheduleInWords } from './in-words.ts'
import { words } from './words.ts'

const path = '/v1/recurring-campaigns/plan'

export function NextTimes({ draft }: { draft: RecurringDraft }) {
  const { answer } = useAnswer(
    () => planOf(draft),
    (body) => post(path, { body }),
  )
  return (
    <section aria-labelledby="next-times">
      <h2 id="next-times">{words.nextTimes}</h2>
      <div role="status">
        {answer === null ? (
          <p class="muted">{words.noTimes}</p>
        ) : (
          <>
            <p>{scheduleInWords({ schedule: scheduleOf(draft), timeZone: draft.timeZone })}</p>
            <ol>
              {answer.times.map(({ at, localTime }) => (
                <li key={at}>
                  <time dateTime={at}>
                    {weekdayOf(localTime)} {wallTime(localTime)}
                  </time>
                </li>
              ))}
            </ol>
          </>
        )}
      </div>
    </section>
  )
}
