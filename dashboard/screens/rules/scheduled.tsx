// The scheduled mails of a rule: how many on which day, and for whom, the next first.

import { type Got, get } from '../../api.ts'
import { CopyCurl } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { ListRows, useList } from '../../parts/list.tsx'
import { useRepeat } from '../../parts/repeat.ts'
import { Table } from '../../parts/table.tsx'
import { usePlace } from '../../place.ts'
import { count, locale, moment } from '../../words.ts'
import { words } from './words.ts'

const path = '/v1/event-rules/:ruleId/scheduled'
const lookAgainMs = 3_000
const days = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' })

type Calendar = Got<'/v1/event-rules/:ruleId/calendar'>

export function Scheduled({ ruleId, calendar, round }: { ruleId: string; calendar: Calendar; round: number }) {
  const { to } = usePlace()
  const params = { ruleId }
  const list = useList({
    screen: `/rules/${ruleId}`,
    path,
    params,
    filters: [],
    round,
    load: (query, signal) => get(path, { params, query }, signal),
  })
  useRepeat(list.cursor === '' ? lookAgainMs : null, list.page.reload)
  return (
    <section>
      <header class="title">
        <h2>{words.scheduled}</h2>
        <CopyCurl call={list.call} />
      </header>
      {calendar.days.length > 0 && <Days calendar={calendar} />}
      <ListRows of={list} empty={<Empty says={words.noneScheduled} act={null} />} emptyFiltered="">
        {({ data }) => (
          <Table
            caption={words.scheduled}
            rows={data}
            keyOf={({ jobId }) => jobId}
            hrefOf={({ contactId }) => to(`/contacts/${contactId}`)}
            columns={[
              { name: words.contact, show: ({ email }) => email ?? words.erased, isLink: true },
              { name: words.due, isFigure: true, show: ({ runAt }) => moment(runAt) },
              { name: words.event, show: ({ eventId }) => <a href={to(`/events/${eventId}`)}>{words.theEvent}</a> },
            ]}
          />
        )}
      </ListRows>
    </section>
  )
}

/** Each day with a bar; the figures stand beside it. */
function Days({ calendar: { days: rows, isComplete } }: { calendar: Calendar }) {
  const most = Math.max(...rows.map((one) => one.count))
  return (
    <figure class="days">
      <table>
        <caption>{words.calendar}</caption>
        <thead>
          <tr>
            <th scope="col">{words.day}</th>
            <th scope="col">{words.count}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {rows.map(({ day, count: n }) => (
            <tr key={day}>
              <th scope="row">{days.format(new Date(day))}</th>
              <td>{count(n)}</td>
              <td>
                <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                  <rect class="going" width={(n / most) * 100} height="10" />
                </svg>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {!isComplete && <p class="muted">{words.more}</p>}
    </figure>
  )
}
