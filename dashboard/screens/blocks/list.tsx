// Blocks: found by a part of their name; a new one is made here and opened.

import { get, post } from '../../api.ts'
import { AddByName } from '../../parts/add-by-name.tsx'
import { Empty } from '../../parts/empty.tsx'
import { ListPage, SearchBy, useList } from '../../parts/list.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { comma } from '../../words.ts'
import { words } from './words.ts'

const path = '/v1/blocks'

export default function BlockList() {
  const { to, mayChange } = usePlace()
  const list = useList({
    screen: '/blocks',
    path,
    filters: ['q'],
    load: (query, signal) => get(path, { query }, signal),
  })
  return (
    <>
      <p>
        <a class="back" href={to('/templates')}>
          {words.templates}
        </a>
      </p>
      <ListPage
        of={list}
        title={words.title}
        tools={
          <div class="two">
            <SearchBy of={list} name="q" label={words.search} />
            {mayChange && <Add />}
          </div>
        }
        emptyFiltered={words.emptyFiltered}
        empty={<Empty says={words.empty} act={{ field: 'block' }} />}
      >
        {({ data }) => (
          <Table
            caption={words.caption}
            rows={data}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => to(`/blocks/${id}`)}
            columns={[
              { name: words.name, show: ({ name }) => name, isLink: true },
              { name: words.locales, isFigure: true, show: ({ locales }) => locales.join(comma) },
              { name: words.since, isFigure: true, show: ({ updatedAt }) => <Time at={updatedAt} /> },
            ]}
          />
        )}
      </ListPage>
    </>
  )
}

/** A paragraph of its name, which is then written. */
function Add() {
  const make = async (name: string) => {
    const { id } = await post(path, { body: { name, content: [{ type: 'text', text: name }] } })
    return `/blocks/${id}`
  }
  return <AddByName field="block" label={words.add} button={words.addIt} make={make} />
}
