// The revisions of a template, a campaign or a block: who wrote what when, in each language.

import { useRoute } from 'preact-iso'
import { Empty } from '../../parts/empty.tsx'
import { ListPage, SearchBy, useList } from '../../parts/list.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { type Revision, toRevised } from './revised.ts'
import { words } from './words.ts'

export default function RevisionList() {
  const { to } = usePlace()
  const of = toRevised(useRoute().params)
  const screen = `${of.screen}/revisions`
  const list = useList({ screen, path: of.path, params: of.params, filters: ['locale'], load: of.list })
  return (
    <>
      <p>
        <a class="back" href={to(of.screen)}>
          {words.back}
        </a>
      </p>
      <ListPage
        of={list}
        title={words.title}
        tools={<SearchBy of={list} name="locale" label={words.locale} hint="en" />}
        emptyFiltered={words.emptyFiltered}
        empty={<Empty says={words.empty} act={null} />}
      >
        {({ data }) => (
          <Table
            caption={words.caption}
            rows={data}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => to(`${screen}/${id}`)}
            columns={[
              { name: words.when, show: ({ createdAt }) => <Time at={createdAt} />, isLink: true },
              { name: words.who, show: authorOf },
              { name: words.locale, show: ({ locale }) => locale },
              ...(of.kind === 'block' ? [] : [{ name: words.subject, show: ({ subject }: Revision) => subject }]),
              {
                name: words.state,
                show: ({ isCurrent }) => (
                  <span class={isCurrent ? 'status good' : 'muted'}>{isCurrent ? words.current : words.earlier}</span>
                ),
              },
            ]}
          />
        )}
      </ListPage>
    </>
  )
}

export function authorOf({ author }: Pick<Revision, 'author'>): string {
  return author?.name ?? author?.id ?? words.unknown
}
