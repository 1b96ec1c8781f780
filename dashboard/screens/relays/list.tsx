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

/** By relay, how many mails receivers took in the last 24 hours. */
async function loadTaken(signal: AbortSignal): Promise<Map<string, number>> {
  const { data } = await get('/v1/receivers', {}, signal)
  const taken = new Map<string, number>()
  for (const { relayId, day } of data) taken.set(relayId, (taken.get(relayId) ?? 0) + day.accepted)
  return taken
}

export default function RelayList() {
  const { to, workspaces } = usePlace()
  const page = useLoaded('', (signal) => get(path, {}, signal))
  useRepeat(lookEveryMs, page.reload)
  const taken = useLoaded('taken', loadTaken).value
  return (
    <>
      <header class="title">
        <h1>{words.title}</h1>
        <CopyCurl call={toCall('GET', path)} />
      </header>
      <Tabs at="relays" />
      <p class="muted">{words.how}</p>
      <p class="actions">
        <a class="button main" href={to('/relays/new')}>
          {words.create}
        </a>
      </p>
      <Show of={page}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty says={words.empty} act={{ to: '/relays/new', says: words.create }}>
              <Code>{toCurl(first)}</Code>
            </Empty>
          ) : (
            <>
              {data.map(
                ({ id, name, fault }) =>
                  fault && <Fault key={id} fault={fault} name={<a href={to(`/relays/${id}`)}>{name}</a>} />,
              )}
              <div class="relays">
                <Table
                  caption={words.caption}
                  rows={data}
                  keyOf={({ id }) => id}
                  columns={[
                    { name: words.state, show: (relay) => <RelayState relay={relay} /> },
                    {
                      name: words.name,
                      show: ({ id, name, address }) => (
                        <>
                          <a class="row-link" href={to(`/relays/${id}`)}>
                            {name}
                          </a>
                          <div>
                            <code>{address}</code>
                          </div>
                        </>
                      ),
                    },
                    { name: words.share, isFigure: true, show: shareOf },
                    { name: words.limits, isFigure: true, show: limitsOf },
                    { name: words.streams, isFigure: true, show: streamsOf },
                    { name: words.whose, isFigure: true, show: (relay) => whoseOf(relay, workspaces) },
                    { name: words.taken, isFigure: true, show: ({ id }) => taken && count(taken.get(id) ?? 0) },
                    { name: words.inFlight, isFigure: true, show: ({ inFlight }) => count(inFlight) },
                  ]}
                />
              </div>
            </>
          )
        }
      </Show>
    </>
  )
}
