// Segments: saved searches over contacts, with how many are in each, or how far that is known.

import { type Got, get, toCurl } from '../../api.ts'
import { Code } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { ListPage, useList } from '../../parts/list.tsx'
import { useLoaded } from '../../parts/load.tsx'
import { useRepeat } from '../../parts/repeat.ts'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { count } from '../../words.ts'
import { words } from './words.ts'

const path = '/v1/segments'
const againMs = 2_000

type SegmentSize = Pick<Got<`${typeof path}/:segmentId`>, 'id' | 'state' | 'builtPercent' | 'contacts' | 'updatedAt'>

const first = { method: 'POST', path, body: { name: 'Pro', filter: { field: 'plan', op: 'eq', value: 'pro' } } }

export default function SegmentList() {
  const { to, mayChange } = usePlace()
  const list = useList({
    screen: '/segments',
    path,
    filters: [],
    sorts: { first: 'createdAt', names: () => ['name'] },
    load: (query, signal) => get(path, { query }, signal),
  })
  return (
    <ListPage
      of={list}
      title={words.title}
      tools={
        mayChange && (
          <p>
            <a class="button main" href={to('/segments/new')}>
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
          sorting={list.sorting}
          rows={data}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => to(`/segments/${id}`)}
          columns={[
            { name: words.name, sort: 'name', show: ({ name }) => name, isLink: true },
            { name: words.contacts, isFigure: true, show: (one) => <HowMany of={one} /> },
            { name: words.changed, isFigure: true, show: ({ updatedAt }) => <Time at={updatedAt} /> },
          ]}
        />
      )}
    </ListPage>
  )
}

/** While one is built, it is looked at again. */
function HowMany({ of }: { of: SegmentSize }) {
  const now = useLoaded(`${of.id} ${of.updatedAt}`, async (signal) =>
    of.state === 'ready' ? of : await get(`${path}/:segmentId`, { params: { segmentId: of.id } }, signal),
  )
  const { state, builtPercent, contacts } = now.value ?? of
  useRepeat(state === 'building' ? againMs : null, now.reload)
  return <>{state === 'building' ? words.building(builtPercent) : count(contacts ?? 0)}</>
}
