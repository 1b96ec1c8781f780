// The names of events that were received, each with the time of the last one.

import { get } from '../../api.ts'
import { Empty } from '../../parts/empty.tsx'
import { ListPage, useList } from '../../parts/list.tsx'
import { toSearch } from '../../parts/pages.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { SendEvent } from './send.tsx'
import { words } from './words.ts'

const path = '/v1/event-names'

export default function EventNames() {
  const { to } = usePlace()
  const list = useList({
    screen: '/events/names',
    path,
    filters: [],
    load: (query, signal) => get(path, { query }, signal),
  })
  return (
    <>
      <p>
        <a class="back" href={to('/events')}>
          {words.all}
        </a>
      </p>
      <ListPage
        of={list}
        title={words.names}
        emptyFiltered=""
        empty={
          <Empty says={words.empty} act={{ to: '/settings/keys', says: words.makeKey }}>
            <SendEvent />
          </Empty>
        }
      >
        {({ data }) => (
          <Table
            caption={words.namesCaption}
            rows={data}
            keyOf={({ name }) => name}
            hrefOf={({ name }) => to('/events') + toSearch({ name })}
            columns={[
              { name: words.name, show: ({ name }) => name, isLink: true },
              {
                name: words.last,
                show: ({ lastEventId, lastAt }) => (
                  <a href={to(`/events/${lastEventId}`)}>
                    <Time at={lastAt} />
                  </a>
                ),
              },
              {
                name: words.rule,
                show: ({ name }) => <a href={to('/rules/new') + toSearch({ event: name })}>{words.newRule}</a>,
              },
            ]}
          />
        )}
      </ListPage>
    </>
  )
}
