// Templates: found by a part of their name, drafts among them; a new one is made here and opened.

import { get, post } from '../../api.ts'
import { AddByName } from '../../parts/add-by-name.tsx'
import { Empty } from '../../parts/empty.tsx'
import { FirstMail } from '../../parts/first-mail.tsx'
import { ChooseBy, ListPage, SearchBy, useList } from '../../parts/list.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { comma } from '../../words.ts'
import { Gallery } from '../starters/gallery.tsx'
import { words } from './words.ts'

const path = '/v1/transactional'
const statuses = ['active', 'draft', 'archived'] as const

export default function TemplateList() {
  const { to, mayChange } = usePlace()
  const list = useList({
    screen: '/templates',
    path,
    filters: ['q', 'status'],
    sorts: { first: '-createdAt', names: () => ['name', 'updatedAt'] },
    always: { status: 'all' },
    load: (query, signal) => {
      const status = statuses.find((one) => one === query.status) ?? 'all'
      return get(path, { query: { ...query, status } }, signal)
    },
  })
  return (
    <ListPage
      of={list}
      title={words.title}
      tools={
        <>
          <div class="two">
            <SearchBy of={list} name="q" label={words.search} />
            {mayChange && <Add />}
          </div>
          <ChooseBy
            of={list}
            name="status"
            label={words.status}
            choices={[['', words.all], ...statuses.map((one): [string, string] => [one, words[one]])]}
          />
          <p class="actions">
            {mayChange && (
              <a class="button" href={to('/starters')}>
                {words.start}
              </a>
            )}
            <a href={to('/blocks')}>{words.blocks}</a>
          </p>
        </>
      }
      emptyFiltered={words.emptyFiltered}
      empty={
        <>
          <Empty says={words.empty} act={{ field: 'template' }}>
            <FirstMail />
          </Empty>
          {mayChange && (
            <section aria-labelledby="starters">
              <h2 id="starters">{words.start}</h2>
              <Gallery />
            </section>
          )}
        </>
      }
    >
      {({ data }) => (
        <Table
          caption={words.caption}
          sorting={list.sorting}
          rows={data}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => to(`/templates/${id}`)}
          columns={[
            { name: words.name, sort: 'name', show: ({ name }) => name, isLink: true },
            { name: words.subject, show: ({ subject }) => subject },
            {
              name: words.status,
              show: ({ status }) => <span class={status === 'active' ? 'status good' : 'status'}>{words[status]}</span>,
            },
            { name: words.locales, isFigure: true, show: ({ locales }) => locales.join(comma) },
            { name: words.id, show: ({ id }) => <code>{id}</code> },
            { name: words.since, sort: '-updatedAt', isFigure: true, show: ({ updatedAt }) => <Time at={updatedAt} /> },
          ]}
        />
      )}
    </ListPage>
  )
}

/** A draft without content, which is then written. */
function Add() {
  const make = async (name: string) => {
    const { id } = await post(`${path}/create`, { body: { name, subject: name } })
    return `/templates/${id}`
  }
  return <AddByName field="template" label={words.add} button={words.addIt} keys="n" make={make} />
}
