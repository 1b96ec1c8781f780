// The dashboard: who is signed in, in which workspace, and the screen of the address.

import { render } from 'preact'
import { LocationProvider, Route, Router, useLocation } from 'preact-iso'
import { type Got, get, workIn } from './api.ts'
import { Frame } from './frame.tsx'
import { listenToKeys } from './keys.ts'
import { AskedLocation, listenToLeaving } from './parts/leaving.tsx'
import { Show, useLoaded } from './parts/load.tsx'
import { Nowhere } from './parts/nowhere.tsx'
import { PlaceContext, pathIn } from './place.ts'
import { type Screen, screens } from './screens.ts'
import './style/style.css'
import './style/direction.css'
import './style/editor.css'
import './style/forms.css'
import './style/frame.css'
import './style/home.css'
import './style/pictures.css'
import './style/relays.css'
import './style/sequences.css'
import './style/starters.css'
import { inLanguage } from './words.ts'

const words = inLanguage(catalogue.frame.main)

function Dashboard() {
  const session = useLoaded('session', (signal) => get('/v1/auth/session', {}, signal))
  const { reload } = session
  return <Show of={session}>{({ user, workspaces }) => <Places {...{ user, workspaces, reload }} />}</Show>
}

type Session = Got<'/v1/auth/session'>

function Places({ user, workspaces, reload }: Pick<Session, 'user' | 'workspaces'> & { reload: () => void }) {
  const { path, route } = useLocation()
  const slug = path.split('/')[2] ?? ''
  const workspace = workspaces.find((one) => one.slug === slug)
  const [first] = workspaces
  if (!first) return <p>{words.none}</p>
  if (slug === '') {
    route(pathIn(first.slug, '/'), true)
    return null
  }
  if (!workspace)
    return (
      <main>
        <Nowhere />
      </main>
    )
  workIn(workspace.id)
  const base = pathIn(':slug', '')
  const isClosed = ({ changes, ofOperators }: Screen) =>
    (changes && workspace.role === 'viewer') || (ofOperators && !workspace.operator)
  return (
    <PlaceContext.Provider value={{ member: user, workspace, workspaces, reload }}>
      <Frame>
        <Router key={workspace.id} onRouteChange={() => document.querySelector<HTMLElement>('#content')?.focus()}>
          {screens.map((one) => (
            <Route key={one.path} path={`${base}${one.path}`} component={isClosed(one) ? Nowhere : one.show} />
          ))}
          <Route default component={Nowhere} />
        </Router>
      </Frame>
    </PlaceContext.Provider>
  )
}

listenToKeys()
listenToLeaving()
const root = document.querySelector('#dashboard')
if (root) {
  root.replaceChildren()
  render(
    <LocationProvider scope="/dashboard">
      <AskedLocation>
        <Dashboard />
      </AskedLocation>
    </LocationProvider>,
    root,
  )
}
