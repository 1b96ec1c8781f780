// Activity: what became of every mail, newest first. The search is in the address.

import { useLocation } from 'preact-iso'
import { callOf, get } from '../../api.ts'
import { CopyCurl } from '../../parts/copy.tsx'
import { FirstMail } from '../../parts/first-mail.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { Mails } from '../../parts/mails.tsx'
import { Pages, searchOf } from '../../parts/pages.tsx'
import { Search } from '../../parts/search.tsx'
import { usePlace } from '../../place.ts'
import { words } from './words.ts'

const path = '/v1/activity'
const perPage = 50

export default function ActivityList() {
  const { query, route } = useLocation()
  const { to } = usePlace()
  const { q = '', cursor = '' } = query
  const wanted = { perPage, ...(q && { q }), ...(cursor && { cursor }) }
  const call = callOf('GET', path, { query: wanted })
  const page = useLoaded(call.path, (signal) => get(path, { query: wanted }, signal))
  const hrefOf = (given: Record<string, string | undefined>) => to('/activity') + searchOf(given)
  return (
    <>
      <header class="title">
        <h1>{words.title}</h1>
        <CopyCurl call={call} />
      </header>
      <Search label={words.search} hint={words.hint} text={q} search={(text) => route(hrefOf({ q: text }))} />
      <Show of={page}>
        {({ data, pagination }) =>
          data.length === 0 && pagination.nextCursor === null ? (
            <Nothing isFiltered={q !== ''} />
          ) : (
            <>
              <Mails caption={words.caption} mails={data} showsKind />
              <Pages cursor={cursor} nextCursor={pagination.nextCursor} hrefAt={(at) => hrefOf({ q, cursor: at })} />
            </>
          )
        }
      </Show>
    </>
  )
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <p>{words.emptyFiltered}</p>
  return (
    <>
      <p>{words.empty}</p>
      <FirstMail />
    </>
  )
}
