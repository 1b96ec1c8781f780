// Routes: which mail takes which relays, in order. Those of everybody, and of each workspace with relays of its own.

import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { get, put, toCall } from '../../api.ts'
import { useAct } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { CopyCurl } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Form } from '../../parts/form.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { toSearch } from '../../parts/pages.tsx'
import { usePlace } from '../../place.ts'
import type { Relay } from './in-words.tsx'
import { useActOfLists } from './issues.ts'
import { Ordered } from './ordered.tsx'
import { type Route, toDraft, toStored } from './route.ts'
import { RouteFields } from './route-fields.tsx'
import { words } from './route-words.ts'
import { Tabs } from './tabs.tsx'
import { words as shared } from './words.ts'

const path = '/v1/relay-routes'

async function loadAll(workspaceId: string, signal: AbortSignal) {
  const [{ routes }, { data }] = await Promise.all([
    get(path, { query: { workspaceId } }, signal),
    get('/v1/relays', {}, signal),
  ])
  // With whose they are: the address changes before they are there.
  return { workspaceId, routes: routes.map(toDraft), relays: data }
}

export default function Routes() {
  const { workspaceId = '' } = useLocation().query
  const page = useLoaded(workspaceId, (signal) => loadAll(workspaceId, signal))
  return (
    <>
      <header class="title">
        <h1>{shared.tabs.routes}</h1>
        <CopyCurl call={toCall('GET', path, { query: { workspaceId } })} />
      </header>
      <Tabs at="routes" />
      <p class="muted">{words.how}</p>
      <Show of={page}>
        {({ workspaceId: owner, routes, relays }) => (
          <>
            <Owners of={relays} at={workspaceId} />
            <RouteForm
              key={owner + JSON.stringify(routes)}
              workspaceId={owner || null}
              stored={routes}
              relays={relays.filter((one) => (one.workspaceId ?? '') === owner)}
              reload={page.reload}
            />
          </>
        )}
      </Show>
    </>
  )
}

/** Nothing where there is no choice. */
function Owners({ of, at }: { of: Relay[]; at: string }) {
  const { to, workspaces } = usePlace()
  const owners = [...new Set(of.map(({ workspaceId }) => workspaceId ?? ''))].filter(Boolean)
  if (owners.length === 0 && at === '') return null
  const nameOf = (id: string) => workspaces.find((one) => one.id === id)?.name ?? id
  return (
    <nav class="choices" aria-label={words.whose}>
      {['', ...owners].map((id) => (
        <a
          key={id}
          href={to('/relays/routes') + toSearch({ workspaceId: id })}
          aria-current={id === at ? 'true' : undefined}
        >
          {id === '' ? words.everybodys : nameOf(id)}
        </a>
      ))}
    </nav>
  )
}

interface FormProps {
  workspaceId: string | null
  stored: Route[]
  relays: Relay[]
  reload: () => void
}

function RouteForm({ workspaceId, stored, relays, reload }: FormProps) {
  const act = useActOfLists(useAct())
  const [routes, setRoutes] = useState(stored)
  const [first] = relays
  if (first === undefined && stored.length === 0)
    return <Empty says={words.noRelays} act={{ to: '/relays/new', says: shared.create }} />
  const save = () =>
    act.run(async () => {
      await put(path, { body: { workspaceId, routes: routes.map(toStored) } })
      announce(words.saved)
      reload()
    })
  const blank = (): Route => ({
    streams: [],
    domains: '',
    receivers: '',
    relays: [{ relayId: first?.id ?? '', weight: 1 }],
  })
  return (
    <Form act={act} says={words.save} submit={save} drawn={{ value: routes, set: setRoutes }}>
      {routes.length === 0 && <p class="muted">{words.none}</p>}
      <Ordered items={routes} set={setRoutes} nameOf={words.route}>
        {(route, at, change) => <RouteFields route={route} at={at} relays={relays} set={change} />}
      </Ordered>
      <p>
        <button type="button" onClick={() => setRoutes([...routes, blank()])}>
          {words.add}
        </button>
      </p>
    </Form>
  )
}
