// Who is in a segment now, page by page.

import { get } from '../../api.ts'
import { Breakable } from '../../parts/breakable.tsx'
import { CopyCurl } from '../../parts/copy.tsx'
import { ListRows, useList } from '../../parts/list.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { words } from './words.ts'

const path = '/v1/segments/:segmentId/contacts'

export function Members({ segmentId, round }: { segmentId: string; round: number }) {
  const { to } = usePlace()
  const params = { segmentId }
  const list = useList({
    screen: `/segments/${segmentId}`,
    path,
    params,
    filters: [],
    round,
    load: (query, signal) => get(path, { params, query }, signal),
  })
  return (
    <section>
      <header class="title">
        <h2>{words.members}</h2>
        <CopyCurl call={list.call} />
      </header>
      <ListRows of={list} empty={<p class="muted">{words.nobody}</p>} emptyFiltered="">
        {({ data, pagination }) => (
          <>
            <p class="muted">
              {words.found(pagination.totalResults)}{' '}
              <a href={to(`/contacts?segmentId=${segmentId}`)}>{words.searchThem}</a>
            </p>
            <Table
              caption={words.membersCaption}
              rows={data}
              keyOf={({ id }) => id}
              hrefOf={({ id }) => to(`/contacts/${id}`)}
              columns={[
                { name: words.address, show: ({ email }) => <Breakable text={email} />, isLink: true },
                {
                  name: words.person,
                  show: ({ firstName, lastName }) => [firstName, lastName].filter(Boolean).join(' '),
                },
                { name: words.consent, isFigure: true, show: ({ subscribed }) => words.yesOrNo(subscribed) },
                { name: words.since, isFigure: true, show: ({ createdAt }) => <Time at={createdAt} /> },
              ]}
            />
          </>
        )}
      </ListRows>
    </section>
  )
}
