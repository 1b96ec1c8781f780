// Contacts: searched by a text, and narrowed down by list, state, property or segment; a million cost what ten do.

import { useState } from 'preact/hooks'
import type { SuppressionReason } from '../../../db/tables/contacts.ts'
import { type Got, get, type Listed, toCurl } from '../../api.ts'
import { Breakable } from '../../parts/breakable.tsx'
import { Code } from '../../parts/copy.tsx'
import { Download } from '../../parts/download.tsx'
import { Empty } from '../../parts/empty.tsx'
import { type List, ListPage, SearchBy, useList } from '../../parts/list.tsx'
import { SavedViews } from '../../parts/saved-views.tsx'
import { suppressionReasons } from '../../parts/suppressed.ts'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { Bulk } from './bulk.tsx'
import { Filters, narrowing } from './filters.tsx'
import { words } from './words.ts'

const path = '/v1/contacts'
type Contact = Listed<typeof path>
type ContactPage = Got<typeof path>
/** Longer lists stop counting there. */
const countedTo = 10_000

const first = {
  method: 'POST',
  path: '/v1/contacts/create',
  body: { email: 'ada@example.net', firstName: 'Ada', subscribed: true },
}

export default function ContactList() {
  const { to, workspace } = usePlace()
  const list = useList({
    screen: '/contacts',
    path,
    filters: ['q', ...narrowing],
    sorts: { first: '-createdAt', names: sortsIn },
    load: (query, signal) => load(query as Query, signal),
  })
  return (
    <ListPage
      of={list}
      title={words.title}
      tools={
        <>
          {workspace.role !== 'viewer' && (
            <div class="actions">
              <a class="button main" href={to('/contacts/new')}>
                {words.add}
              </a>
              <a class="button" href={to('/contacts/import')}>
                {words.importThem}
              </a>
              <Download path="/v1/contacts/export" name="contacts.csv" says={words.exportAll} />
            </div>
          )}
          <SearchBy of={list} name="q" label={words.search} hint={words.searchHint} />
          <Filters of={list} />
          <SavedViews of={list} screen="/contacts" />
        </>
      }
      emptyFiltered={words.emptyFiltered}
      empty={
        <Empty says={words.empty} act={{ to: '/contacts/new', says: words.addFirst }}>
          <Code>{toCurl(first)}</Code>
        </Empty>
      }
    >
      {(page) => <Rows of={list} page={page} />}
    </ListPage>
  )
}

/** No index has the addresses of some contacts in their order. */
function sortsIn(filter: Record<string, string | undefined>): readonly ('createdAt' | 'email')[] {
  return ['q', ...narrowing].some((name) => filter[name]) ? ['createdAt'] : ['createdAt', 'email']
}

const nobody: ReadonlyMap<string, Contact> = new Map()

interface RowsProps {
  of: List<Contact>
  page: ContactPage
}

/** Whoever is chosen is chosen on this page, until another is shown. */
function Rows({ of: list, page: { data, pagination, suppressed } }: RowsProps) {
  const { to, mayChange } = usePlace()
  const [{ on, chosen: kept }, setKept] = useState({ on: list.call.path, chosen: nobody })
  const chosen = on === list.call.path ? kept : nobody
  const setChosen = (chosen: ReadonlyMap<string, Contact>) => setKept({ on: list.call.path, chosen })
  const choosing = {
    isChosen: ({ id }: Contact) => chosen.has(id),
    choose: (one: Contact, isChosen: boolean) => {
      const next = new Map(chosen)
      if (isChosen) next.set(one.id, one)
      else next.delete(one.id)
      setChosen(next)
    },
    nameOf: ({ email }: Contact) => email,
  }
  return (
    <>
      <p class="muted">{foundText(pagination, list.filter)}</p>
      {mayChange && (
        <Bulk
          page={data}
          hasMore={pagination.nextCursor !== null || list.cursor !== ''}
          filter={{ ...list.filter, ...(list.sorting && { sort: list.sorting.now }) }}
          chosen={[...chosen.values()]}
          choose={(some) => setChosen(new Map(some.map((one) => [one.id, one])))}
          done={list.page.reload}
        />
      )}
      <Table
        caption={words.caption}
        sorting={list.sorting}
        rows={data}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => to(`/contacts/${id}`)}
        choosing={mayChange ? choosing : undefined}
        columns={[
          { name: words.address, sort: 'email', show: ({ email }) => <Breakable text={email} />, isLink: true },
          { name: words.name, show: ({ firstName, lastName }) => [firstName, lastName].filter(Boolean).join(' ') },
          { name: words.consent, isFigure: true, show: (one) => <Mailable of={one} suppressed={suppressed[one.id]} /> },
          { name: words.userId, isFigure: true, show: ({ userId }) => String(userId ?? '') },
          { name: words.since, sort: '-createdAt', isFigure: true, show: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </>
  )
}

interface MailableProps {
  of: { subscribed: boolean }
  suppressed: SuppressionReason | undefined
}

/** A suppression comes before what they agreed to. */
function Mailable({ of, suppressed }: MailableProps) {
  if (suppressed) return <span class="status warn">{words.suppressed(suppressionReasons[suppressed])}</span>
  return <>{of.subscribed ? words.yes : words.no}</>
}

type Query = NonNullable<NonNullable<Parameters<typeof get<typeof path>>[1]>['query']>

/** A page of a search may be empty and have a next one: then it is that one that is wanted. */
async function load(query: Query, signal: AbortSignal) {
  for (let asked = query; ; ) {
    const page = await get(path, { query: asked }, signal)
    const { nextCursor } = page.pagination
    if (page.data.length > 0 || nextCursor === null) return page
    asked = { ...asked, cursor: nextCursor }
  }
}

/** A search by anything but one list, state or property counts what it has found so far. */
function foundText(
  { totalResults, nextCursor }: { totalResults: number; nextCursor: string | null },
  { q, suppressed, segmentId, property, listId, state }: Record<string, string>,
) {
  const isCounted = !q && !suppressed && !segmentId && !(property && (listId || state))
  const isPart = isCounted ? totalResults >= countedTo : nextCursor !== null
  return isPart ? words.atLeast(totalResults) : words.found(totalResults)
}
