// The workspaces of the installation, for owners of the first one: each with its state, and what it used of its plan.

import { useLocation } from 'preact-iso'
import { get } from '../../api.ts'
import { CopyCurl } from '../../parts/copy.tsx'
import { ListRows, useList } from '../../parts/list.tsx'
import { Search } from '../../parts/search.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { Tabs } from '../settings/tabs.tsx'
import { words as settings } from '../settings/words.ts'
import type { Tenant } from './fields.tsx'
import { UsedOf } from './used.tsx'
import { words } from './words.ts'

const path = '/v1/workspaces'
const screen = '/settings/workspaces'

export default function TenantList() {
  const { to } = usePlace()
  const { route } = useLocation()
  const list = useList({
    screen,
    path,
    filters: ['search'],
    load: (query, signal) => get(path, { query }, signal),
  })
  return (
    <>
      <header class="title">
        <h1>{settings.tabs.workspaces}</h1>
        <CopyCurl call={list.call} />
      </header>
      <Tabs at="workspaces" />
      <p class="muted">{words.how}</p>
      <p class="actions">
        <a class="button main" href={to(`${screen}/new`)}>
          {words.create}
        </a>
      </p>
      <Search
        label={words.search}
        text={list.filter['search'] ?? ''}
        search={(search) => route(list.hrefOf({ search }))}
      />
      <ListRows of={list} empty={<p>{words.noneFound}</p>} emptyFiltered={words.noneFound}>
        {({ data }) => (
          <Table
            caption={settings.tabs.workspaces}
            rows={data}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => to(`${screen}/${id}`)}
            columns={[
              { name: words.state, show: (tenant) => <State of={tenant} /> },
              { name: words.slug, show: ({ slug }) => slug, isLink: true },
              { name: words.name, show: ({ name }) => name },
              { name: words.used, show: (tenant) => <UsedOf tenant={tenant} /> },
              { name: words.made, isFigure: true, show: ({ createdAt }) => <Time at={createdAt} /> },
            ]}
          />
        )}
      </ListRows>
    </>
  )
}

export function State({ of: { suspendedAt } }: { of: Tenant }) {
  return suspendedAt === null ? (
    <span class="status good">{words.open}</span>
  ) : (
    <span class="status bad">{words.suspended}</span>
  )
}
