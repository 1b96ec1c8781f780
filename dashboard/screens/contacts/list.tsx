// Contacts: found by the beginning of their address; a million cost what ten do.

import { useLocation } from 'preact-iso'
import { callOf, curlOf, get } from '../../api.ts'
import { Code, CopyCurl } from '../../parts/copy.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { Pages, searchOf } from '../../parts/pages.tsx'
import { Search } from '../../parts/search.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { count } from '../../words.ts'
import { words } from './words.ts'

const path = '/v1/contacts'
const perPage = 50
/** Longer lists stop counting there. */
const countedTo = 10_000

const first = {
  method: 'POST',
  path: '/v1/contacts/create',
  body: { email: 'ada@example.net', firstName: 'Ada', subscribed: true },
}

export default function ContactList() {
  const { query, route } = useLocation()
  const { to } = usePlace()
  const { email = '', cursor = '' } = query
  const wanted = { perPage, ...(email && { email }), ...(cursor && { cursor }) }
  const call = callOf('GET', path, { query: wanted })
  const page = useLoaded(call.path, (signal) => get(path, { query: wanted }, signal))
  const hrefOf = (given: Record<string, string | undefined>) => to('/contacts') + searchOf(given)
  return (
    <>
      <header class="title">
        <h1>{words.title}</h1>
        <CopyCurl call={call} />
      </header>
      <Search label={words.search} text={email} search={(text) => route(hrefOf({ email: text }))} />
      <Show of={page}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <Nothing isFiltered={email !== ''} />
          ) : (
            <>
              <p class="muted">{words.found(total(pagination.totalResults))}</p>
              <Table
                caption={words.caption}
                rows={data}
                keyOf={({ id }) => id}
                hrefOf={({ id }) => to(`/contacts/${id}`)}
                columns={[
                  { name: words.address, show: (one) => one.email, isLink: true },
                  {
                    name: words.name,
                    show: ({ firstName, lastName }) => [firstName, lastName].filter(Boolean).join(' '),
                  },
                  { name: words.consent, show: ({ subscribed }) => (subscribed ? words.yes : words.no) },
                  { name: words.userId, show: ({ userId }) => String(userId ?? '') },
                  { name: words.since, show: ({ createdAt }) => <Time at={createdAt} /> },
                ]}
              />
              <Pages
                cursor={cursor}
                nextCursor={pagination.nextCursor}
                hrefAt={(at) => hrefOf({ email, cursor: at })}
              />
            </>
          )
        }
      </Show>
    </>
  )
}

function total(results: number): string {
  return results >= countedTo ? `${count(countedTo)}+` : count(results)
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <p>{words.emptyFiltered}</p>
  return (
    <>
      <p>{words.empty}</p>
      <Code>{curlOf(first)}</Code>
    </>
  )
}
