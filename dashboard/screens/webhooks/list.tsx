// Webhooks: the endpoints, each with its last deliveries. They are managed by people, so the way without a browser is the command line.

import { get } from '../../api.ts'
import { Breakable } from '../../parts/breakable.tsx'
import { Code, CopyCommand } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { Status } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { usePlace } from '../../place.ts'
import { comma } from '../../words.ts'
import { HealthOf } from './health.tsx'
import { words } from './words.ts'

const path = '/v1/webhook-endpoints'

export default function WebhookList() {
  const { to, workspace } = usePlace()
  const page = useLoaded('', (signal) => get(path, {}, signal))
  return (
    <>
      <header class="title">
        <h1>{words.title}</h1>
        <CopyCommand command={`paquebot webhook list --workspace ${workspace.slug}`} />
      </header>
      <p class="actions">
        {workspace.role !== 'viewer' && (
          <a class="button main" href={to('/webhooks/new')}>
            {words.create}
          </a>
        )}
        <a href={to('/webhooks/events')}>{words.catalogue}</a>
      </p>
      <Show of={page}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty says={words.empty} act={{ to: '/webhooks/new' }}>
              <Code>{`paquebot webhook create --workspace ${workspace.slug} --url https://hooks.example.com/paquebot --event 'email.*'`}</Code>
            </Empty>
          ) : (
            <Table
              caption={words.caption}
              rows={data}
              keyOf={({ id }) => id}
              hrefOf={({ id }) => to(`/webhooks/${id}`)}
              columns={[
                { name: words.state, show: ({ status }) => <Status status={status} /> },
                { name: words.url, show: ({ url }) => <Breakable text={url} />, isLink: true },
                { name: words.events, show: ({ eventFilters }) => toEvents(eventFilters) },
                { name: words.health, show: ({ id }) => <HealthOf endpointId={id} /> },
              ]}
            />
          )
        }
      </Show>
    </>
  )
}

export function toEvents(filters: string[]): string {
  return filters.includes('*') ? words.everything : filters.join(comma)
}
