// The imports of the last 30 days.

import { get } from '../../api.ts'
import { Empty } from '../../parts/empty.tsx'
import { ListPage, useList } from '../../parts/list.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { count } from '../../words.ts'
import { type Format, words } from './import-words.ts'

const path = '/v1/contact-imports'

export default function Imports() {
  const { to, workspace } = usePlace()
  const list = useList({
    screen: '/contacts/imports',
    path,
    filters: [],
    load: (query, signal) => get(path, { query }, signal),
  })
  return (
    <ListPage
      of={list}
      title={words.imports}
      tools={workspace.role !== 'viewer' && <a href={to('/contacts/import')}>{words.title}</a>}
      emptyFiltered=""
      empty={<Empty says={words.noImports} act={{ to: '/contacts/import', says: words.title }} />}
    >
      {({ data }) => (
        <Table
          caption={words.caption}
          rows={data}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => to(`/contacts/imports/${id}`)}
          columns={[
            { name: words.began, show: ({ createdAt }) => <Time at={createdAt} />, isLink: true },
            { name: words.format, show: ({ format }) => words.formats[format as Format] ?? 'CSV' },
            { name: words.state, show: ({ state }) => words.states[state] },
            { name: words.counts.created, show: ({ created }) => count(created), isFigure: true },
            { name: words.counts.updated, show: ({ updated }) => count(updated), isFigure: true },
            { name: words.counts.bad, show: ({ bad }) => count(bad), isFigure: true },
          ]}
        />
      )}
    </ListPage>
  )
}
