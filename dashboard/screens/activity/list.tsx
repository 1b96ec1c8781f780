// Activity: what became of every mail, newest first or, where nothing is searched for, oldest first. The search is in the address, and the
// first page follows what happens.

import { get } from '../../api.ts'
import { Empty } from '../../parts/empty.tsx'
import { FirstMail } from '../../parts/first-mail.tsx'
import { ListPage, SearchBy, useList } from '../../parts/list.tsx'
import { Mails } from '../../parts/mails.tsx'
import { SavedViews } from '../../parts/saved-views.tsx'
import { useTail } from '../../parts/tail.ts'
import { words } from './words.ts'

const path = '/v1/activity'

export default function ActivityList() {
  const list = useList({
    screen: '/activity',
    path,
    filters: ['q'],
    sorts: { first: '-createdAt', names: ({ q }) => (q ? [] : ['createdAt']) },
    load: (query, signal) => get(path, { query }, signal),
  })
  // Further pages stay as they are.
  useTail(list.cursor === '' ? list.call.path : null, list.page.reload)
  return (
    <ListPage
      of={list}
      title={words.title}
      tools={
        <>
          <SearchBy of={list} name="q" label={words.search} hint={words.hint} />
          <SavedViews of={list} screen="/activity" />
        </>
      }
      emptyFiltered={words.emptyFiltered}
      empty={
        <Empty says={words.empty} act={{ to: '/templates', says: words.firstMail }}>
          <FirstMail />
        </Empty>
      }
    >
      {({ data }) => <Mails caption={words.caption} mails={data} sorting={list.sorting} showsKind />}
    </ListPage>
  )
}
