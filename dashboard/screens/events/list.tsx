// Events as they arrive, newest first: filtered by name, contact and time, and refreshed while somebody follows them.

import { useState } from 'preact/hooks'
import { get } from '../../api.ts'
import { Empty } from '../../parts/empty.tsx'
import { ChooseBy, ListPage, SearchBy, useList } from '../../parts/list.tsx'
import { useRepeat } from '../../parts/repeat.ts'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { SendEvent } from './send.tsx'
import { words } from './words.ts'

const path = '/v1/events'
const lookAgainMs = 2_000
const dayMs = 86_400_000

/** Since when: from midnight (UTC), so that the address of a list stays the same for a day. */
function times(): [from: string, says: string][] {
  const today = Math.floor(Date.now() / dayMs)
  const since = (days: number) => new Date((today - days) * dayMs).toISOString()
  return [
    ['', words.anyTime],
    [since(0), words.today],
    [since(6), words.week],
    [since(29), words.month],
  ]
}

export default function EventList() {
  const { to } = usePlace()
  const [round, setRound] = useState(0)
  const [isFollowed, setFollowed] = useState(true)
  const list = useList({
    screen: '/events',
    path,
    filters: ['name', 'email', 'from'],
    round,
    load: (query, signal) => get(path, { query }, signal),
  })
  useRepeat(isFollowed && list.cursor === '' ? lookAgainMs : null, () => setRound((before) => before + 1))
  return (
    <ListPage
      of={list}
      title={words.title}
      tools={
        <>
          <div class="actions">
            <a class="button" href={to('/events/names')}>
              {words.names}
            </a>
            <button type="button" aria-pressed={isFollowed} onClick={() => setFollowed(!isFollowed)}>
              {words.follow}
            </button>
          </div>
          <div class="two">
            <SearchBy of={list} name="name" label={words.name} hint="trialStarted" />
            <SearchBy of={list} name="email" label={words.search} hint={words.hint} />
          </div>
          <ChooseBy of={list} name="from" label={words.when} choices={times()} />
        </>
      }
      emptyFiltered={words.emptyFiltered}
      empty={
        <Empty says={words.empty} act={{ to: '/settings/keys', says: words.makeKey }}>
          <SendEvent />
        </Empty>
      }
    >
      {({ data }) => (
        <>
          <Table
            caption={words.caption}
            rows={data}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => to(`/events/${id}`)}
            columns={[
              { name: words.name, show: ({ name }) => name, isLink: true },
              {
                name: words.contact,
                show: ({ email, contactId }) =>
                  email === null ? words.erased : <a href={to(`/contacts/${contactId}`)}>{email}</a>,
              },
              { name: words.origin, isFigure: true, show: ({ origin }) => words.origins[origin] },
              { name: words.when, show: ({ createdAt }) => <Time at={createdAt} /> },
            ]}
          />
          <details>
            <summary>{words.send}</summary>
            <SendEvent />
          </details>
        </>
      )}
    </ListPage>
  )
}
