// Sources: where people give consent, to which text, and which lists they join by it.

import { get, toCurl } from '../../api.ts'
import { Code } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { ListPage, useList } from '../../parts/list.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { HeldSignUps } from './held.tsx'
import { Tabs } from './tabs.tsx'
import { words } from './words.ts'

const path = '/v1/subscription-sources'
const first = {
  method: 'POST',
  path: `${path}/create`,
  body: { name: 'Footer of the shop', type: 'form', consentText: 'Send me the letter. I can leave at any time.' },
}

export default function Sources() {
  const { to } = usePlace()
  const list = useList({
    screen: '/lists/sources',
    path,
    filters: [],
    load: (query, signal) => get(path, { query }, signal),
  })
  return (
    <ListPage
      of={list}
      title={words.sources}
      tools={
        <>
          <Tabs at="sources" />
          <HeldSignUps />
        </>
      }
      emptyFiltered=""
      empty={
        <Empty says={words.emptySources} act={{ to: '/lists/sources/new' }}>
          <Code>{toCurl(first)}</Code>
        </Empty>
      }
    >
      {({ data }) => (
        <Table
          caption={words.sourcesCaption}
          rows={data}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => to(`/lists/sources/${id}`)}
          columns={[
            { name: words.name, show: ({ name }) => name, isLink: true },
            { name: words.type, show: ({ type }) => words.types[type] },
            { name: words.consent, show: ({ consentText }) => consentText },
            { name: words.isActive, isFigure: true, show: ({ active }) => (active ? words.yes : words.no) },
            { name: words.made, show: ({ createdAt }) => <Time at={createdAt} /> },
          ]}
        />
      )}
    </ListPage>
  )
}
