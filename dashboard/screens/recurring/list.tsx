// Recurring campaigns, newest first, each with its next time.

import { get, toCurl } from '../../api.ts'
import { Code } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { ListPage, useList } from '../../parts/list.tsx'
import { Status } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { count } from '../../words.ts'
import { digest } from './digest.ts'
import { scheduleInWords } from './in-words.ts'
import { words } from './words.ts'

const path = '/v1/recurring-campaigns'
const first = {
  method: 'POST',
  path,
  body: {
    name: 'Blog',
    subject: '{{feed.newest}}',
    mailingListId: 'lst_…',
    schedule: { every: 'week', weekdays: ['monday'], at: '09:00' },
    feed: { url: 'https://blog.example.com/feed.xml' },
    content: digest,
  },
}

export default function RecurringList() {
  const { to, mayChange } = usePlace()
  const list = useList({
    screen: '/campaigns/recurring',
    path,
    filters: [],
    load: (query, signal) => get(path, { query }, signal),
  })
  return (
    <>
      <p>
        <a class="back" href={to('/campaigns')}>
          {words.campaigns}
        </a>
      </p>
      <ListPage
        of={list}
        title={words.title}
        tools={
          mayChange && (
            <p>
              <a class="button main" href={to('/campaigns/recurring/new')}>
                {words.create}
              </a>
            </p>
          )
        }
        emptyFiltered=""
        empty={
          <Empty says={words.empty} act={{ to: '/campaigns/recurring/new' }}>
            <Code>{toCurl(first)}</Code>
          </Empty>
        }
      >
        {({ data }) => (
          <Table
            caption={words.caption}
            rows={data}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => to(`/campaigns/recurring/${id}`)}
            columns={[
              { name: words.state, show: ({ state }) => <Status status={state} /> },
              { name: words.name, show: ({ name }) => name, isLink: true },
              { name: words.when, show: scheduleInWords },
              { name: words.feed, show: ({ feed }) => feed && new URL(feed.url).hostname },
              { name: words.next, isFigure: true, show: ({ nextAt }) => nextAt && <Time at={nextAt} /> },
              {
                name: words.failures,
                isFigure: true,
                show: ({ failures }) => failures > 0 && <span class="status bad">{count(failures)}</span>,
              },
            ]}
          />
        )}
      </ListPage>
    </>
  )
}
