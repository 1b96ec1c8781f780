// Relays: the mail servers that carry mail onward, each with its state, what it may carry and what is wrong with it.

import { get, toCall, toCurl } from '../../api.ts'
import { Code, CopyCurl } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { useRepeat } from '../../parts/repeat.ts'
import { Table } from '../../parts/table.tsx'
import { usePlace } from '../../place.ts'
import { count } from '../../words.ts'
import { Fault, limitsOf, RelayState, shareOf, streamsOf, whoseOf } from './in-words.tsx'
import { Tabs } from './tabs.tsx'
import { words } from './words.ts'

const path = '/v1/relays'
const first = toCall('POST', path, { body: { name: 'Second', url: 'smtp://user:secret@smtp.example.com:587' } })
const lookEveryMs = 5_000

export default function RelayList() {
  const { to, workspaces } = usePlace()
  const page = useLoaded('', (signal) => get(path, {}, signal))
  useRepeat(lookEveryMs, page.reload)
  return (
    <>
      <header class="title">
        <h1>{words.title}</h1>
        <CopyCurl call={toCall('GET', path)} />
      </header>
      <Tabs at="relays" />
      <p class="muted">{words.how}</p>
      <p>
        <a class="button" href={to('/relays/new')}>
          {words.create}
        </a>
      </p>
      <Show of={page}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty says={words.empty} act={{ to: '/relays/new' }}>
              <Code>{toCurl(first)}</Code>
            </Empty>
          ) : (
            <>
              {data.map(
                ({ id, name, fault }) =>
                  fault && <Fault key={id} fault={fault} name={<a href={to(`/relays/${id}`)}>{name}</a>} />,
              )}
              <Table
                caption={words.caption}
                rows={data}
                keyOf={({ id }) => id}
                hrefOf={({ id }) => to(`/relays/${id}`)}
                columns={[
                  { name: words.state, show: (relay) => <RelayState relay={relay} /> },
                  { name: words.name, show: ({ name }) => name, isLink: true },
                  { name: words.address, show: ({ address }) => <code>{address}</code> },
                  { name: words.share, isFigure: true, show: shareOf },
                  { name: words.limits, isFigure: true, show: limitsOf },
                  { name: words.streams, isFigure: true, show: streamsOf },
                  { name: words.whose, isFigure: true, show: (relay) => whoseOf(relay, workspaces) },
                  { name: words.inFlight, isFigure: true, show: ({ inFlight }) => count(inFlight) },
                ]}
              />
            </>
          )
        }
      </Show>
    </>
  )
}
