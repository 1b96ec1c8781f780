// Sequences, newest first, each with the people in it.

import { ownValue } from '../../../src/kit/own-value.ts'
import { get, toCurl } from '../../api.ts'
import { Code } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { ListPage, useList } from '../../parts/list.tsx'
import { useRepeat } from '../../parts/repeat.ts'
import { Status } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { RecipeList } from './recipe-list.tsx'
import { recipes } from './recipes.ts'
import { openPeople, orNothing, words } from './words.ts'

const path = '/v1/sequences'
const lookAgainMs = 3_000
const first = { method: 'POST', path, body: { name: 'Birthday', definition: recipes.birthday } }

export default function SequenceList() {
  const { to, mayChange } = usePlace()
  const list = useList({
    screen: '/sequences',
    path,
    filters: [],
    load: (query, signal) => get(path, { query }, signal),
  })
  useRepeat(list.cursor === '' ? lookAgainMs : null, list.page.reload)
  return (
    <ListPage
      of={list}
      title={words.title}
      tools={
        mayChange && (
          <p>
            <a class="button main" href={to('/sequences/new')}>
              {words.create}
            </a>
          </p>
        )
      }
      emptyFiltered=""
      empty={
        <>
          <Empty says={words.empty} act={{ to: '/sequences/new', says: words.blank }}>
            <Code>{toCurl(first)}</Code>
          </Empty>
          {mayChange && <RecipeList />}
        </>
      }
    >
      {({ data }) => (
        <Table
          caption={words.caption}
          rows={data}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => to(`/sequences/${id}`)}
          columns={[
            {
              name: words.state,
              show: ({ state, waitsFor }) => (
                <>
                  <Status status={state} /> {waitsFor !== null && (ownValue(words.waitsFor, waitsFor) ?? waitsFor)}
                </>
              ),
            },
            { name: words.name, show: ({ name }) => name, isLink: true },
            { name: words.inIt, isFigure: true, show: ({ people }) => orNothing(openPeople(people)) },
            { name: words.uncertain, isFigure: true, show: ({ people }) => orNothing(people.uncertain) },
            { name: words.failed, isFigure: true, show: ({ people }) => orNothing(people.failed) },
            { name: words.completed, isFigure: true, show: ({ people }) => orNothing(people.completed) },
            { name: words.exited, isFigure: true, show: ({ people }) => orNothing(people.exited) },
            { name: words.version, isFigure: true, show: ({ version }) => version },
            { name: words.changed, isFigure: true, show: ({ updatedAt }) => <Time at={updatedAt} /> },
          ]}
        />
      )}
    </ListPage>
  )
}
