// Activity: what became of every mail, newest first. The filters are in the address.

import { useLocation } from 'preact-iso'
import { callOf, get } from '../../api.ts'
import { CopyCurl } from '../../parts/copy.tsx'
import { FirstMail } from '../../parts/first-mail.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { Status, statusWord } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { words } from './words.ts'

const path = '/v1/activity'
const perPage = 50
const statuses = [
  'queued',
  'sending',
  'sent',
  'delivered',
  'delayed',
  'bounced',
  'complained',
  'suppressed',
  'failed',
  'cancelled',
  'uncertain',
] as const
type Wanted = (typeof statuses)[number]

export default function ActivityList() {
  const { query, route } = useLocation()
  const { to } = usePlace()
  const { email = '', cursor = '' } = query
  const status = statuses.find((one) => one === query.status)
  const wanted = { perPage, ...(email && { email }), ...(status && { status }), ...(cursor && { cursor }) }
  const call = callOf('GET', path, { query: wanted })
  const page = useLoaded(call.path, (signal) => get(path, { query: wanted }, signal))
  const show = (filter: Record<string, string>) => route(`${to('/activity')}${searchOf(filter)}`)
  return (
    <>
      <header class="title">
        <h1>{words.title}</h1>
        <CopyCurl call={call} />
      </header>
      <Filter email={email} status={status} show={show} />
      <Show of={page}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <Nothing isFiltered={email !== '' || status !== undefined} />
          ) : (
            <>
              <Table
                caption={words.caption}
                rows={data}
                keyOf={({ messageId }) => messageId}
                hrefOf={({ messageId }) => to(`/activity/${messageId}`)}
                columns={[
                  { name: words.status, show: (one) => <Status status={one.status} /> },
                  { name: words.subject, show: (one) => one.subject || words.noSubject, isLink: true },
                  { name: words.to, show: ({ email }) => email },
                  { name: words.kind, show: ({ kind }) => kind },
                  { name: words.when, show: ({ createdAt }) => <Time at={createdAt} /> },
                ]}
              />
              <nav class="pages" aria-label={words.caption}>
                {cursor !== '' && <a href={to('/activity') + searchOf({ email, status })}>{words.newest}</a>}
                {pagination.nextCursor !== null && (
                  <a href={to('/activity') + searchOf({ email, status, cursor: pagination.nextCursor })}>
                    {words.older}
                  </a>
                )}
              </nav>
            </>
          )
        }
      </Show>
    </>
  )
}

function Filter({
  email,
  status,
  show,
}: {
  email: string
  status: Wanted | undefined
  show: (filter: Record<string, string>) => void
}) {
  const onSubmit = (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    show({ email: String(given.get('email')).trim(), status: String(given.get('status')) })
  }
  return (
    <search>
      <form class="filter" onSubmit={onSubmit}>
        <label>
          {words.address} <input type="search" name="email" value={email} />
        </label>
        <label>
          {words.status}{' '}
          <select name="status" value={status ?? ''}>
            <option value="">{words.any}</option>
            {statuses.map((one) => (
              <option key={one} value={one}>
                {statusWord(one)}
              </option>
            ))}
          </select>
        </label>
        <button type="submit">{words.filter}</button>
      </form>
    </search>
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

function searchOf(filter: Record<string, string | undefined>): string {
  const given = Object.entries(filter).flatMap(([name, value]) => (value ? [[name, value]] : []))
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}
