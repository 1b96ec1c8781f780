// Segments: saved searches over contacts, with how many are in each now.

import { get, toCurl } from '../../api.ts'
import { Code } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { ListPage, useList } from '../../parts/list.tsx'
import { useLoaded } from '../../parts/load.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { count } from '../../words.ts'
import { words } from './words.ts'

const path = '/v1/segments'
const first = { method: 'POST', path, body: { name: 'Pro', filter: { field: 'plan', op: 'eq', value: 'pro' } } }

export default function SegmentList() {
  const { to, mayChange } = usePlace()
  const list = useList({
    screen: '/segments',
    path,
    filters: [],
    load: (query, signal) => get(path, { query }, signal),
  })
  return (
    <ListPage
      of={list}
      title={words.title}
      tools={
        mayChange && (
          <p>
            <a class="button" href={to('/segments/new')}>
              {words.create}
            </a>
          </p>
        )
      }
      emptyFiltered=""
      empty={
        <Empty says={words.empty} act={{ to: '/segments/new' }}>
          <Code>{toCurl(first)}</Code>
        </Empty>
      }
    >
      {({ data }) => (
        <Table
          caption={words.caption}
          rows={data}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => to(`/segments/${id}`)}
          columns={[
            { name: words.name, show: ({ name }) => name, isLink: true },
            { name: words.contacts, isFigure: true, show: (one) => <HowMany of={one} /> },
            { name: words.changed, isFigure: true, show: ({ updatedAt }) => <Time at={updatedAt} /> },
          ]}
        />
      )}
    </ListPage>
  )
}

/** Who is in one is looked up when it is asked for, which takes a moment where there are many contacts. */
function HowMany({ of: { id, updatedAt } }: { of: { id: string; updatedAt: string } }) {
  const members = useLoaded(`${id} ${updatedAt}`, (signal) =>
    get(`${path}/:segmentId/contacts`, { params: { segmentId: id }, query: { perPage: 1 } }, signal),
  )
  return <>{members.value ? count(members.value.pagination.totalResults) : '…'}</>
}
