// Mailing lists: how many are on each, and how one joins.

import { get, toCurl } from '../../api.ts'
import { Code } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { ListPage, useList } from '../../parts/list.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { count } from '../../words.ts'
import { Tabs } from './tabs.tsx'
import { words } from './words.ts'

const path = '/v1/mailing-lists'
const first = { method: 'POST', path, body: { name: 'News', isPublic: true, optIn: 'double' } }

export default function Lists() {
  const { to } = usePlace()
  const list = useList({
    screen: '/lists',
    path,
    filters: [],
    sorts: { first: 'createdAt', names: () => ['createdAt', 'name'] },
    load: (query, signal) => get(path, { query }, signal),
  })
  return (
    <ListPage
      of={list}
      title={words.title}
      tools={<Tabs at="lists" />}
      emptyFiltered=""
      empty={
        <Empty says={words.empty} act={{ to: '/lists/new' }}>
          <Code>{toCurl(first)}</Code>
        </Empty>
      }
    >
      {({ data }) => (
        <Table
          caption={words.listsCaption}
          sorting={list.sorting}
          rows={data}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => to(`/lists/${id}`)}
          columns={[
            { name: words.name, sort: 'name', show: ({ name }) => name, isLink: true },
            { name: words.people, isFigure: true, show: ({ contactCount }) => count(contactCount) },
            { name: words.optIn, isFigure: true, show: ({ optIn }) => words[optIn] },
            {
              name: words.visible,
              isFigure: true,
              show: ({ isPublic }) => (isPublic ? words.everybody : words.subscribers),
            },
            { name: words.made, sort: 'createdAt', isFigure: true, show: ({ createdAt }) => <Time at={createdAt} /> },
          ]}
        />
      )}
    </ListPage>
  )
}
