// The menu: a sidebar of groups whose head and foot stay in sight however long it is; in a narrow window a drawer over the screen.

import { BookOpen, Keyboard, LogOut, Menu as MenuIcon, Search, Ship, X } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { forgetHistories } from './forget.ts'
import { Dialog } from './parts/dialog.tsx'
import { Icon } from './parts/icon.tsx'
import { pathIn, usePlace } from './place.ts'
import { type Entry, entriesFor, groups } from './screens.ts'
import { inLanguage, language, languages, speakIn } from './words.ts'

const words = inLanguage(catalogue.frame.menu)

interface Props {
  openPalette: () => void
  openKeys: () => void
}

export function Menu({ openPalette, openKeys }: Props) {
  const { path } = useLocation()
  const { to } = usePlace()
  /** Where the drawer was opened: going anywhere closes it. */
  const [openAt, setOpenAt] = useState<string | null>(null)
  const close = () => setOpenAt(null)
  return (
    <header class="menu">
      <div class="menu-head">
        <a class="brand" href={to('/')} aria-label="Paquebot" title="Paquebot">
          <Icon of={Ship} />
        </a>
        <ChooseWorkspace />
        <button type="button" class="find" onClick={openPalette}>
          <Icon of={Search} />
          <span>{words.palette}</span> <kbd>Ctrl K</kbd>
        </button>
        <button
          type="button"
          class="open-menu"
          aria-haspopup="dialog"
          aria-expanded={openAt === path}
          onClick={() => setOpenAt(path)}
        >
          <Icon of={MenuIcon} />
          <span class="unseen">{words.menu}</span>
        </button>
      </div>
      <Ways openKeys={openKeys} />
      {openAt === path && (
        <Dialog title={words.menu} look="drawer" close={close}>
          <button type="button" class="quiet close" onClick={close}>
            <Icon of={X} /> {words.close}
          </button>
          <Ways
            openKeys={() => {
              close()
              openKeys()
            }}
          />
        </Dialog>
      )}
    </header>
  )
}

function ChooseWorkspace() {
  const { route } = useLocation()
  const { workspace, workspaces } = usePlace()
  const go = ({ currentTarget: select }: { currentTarget: HTMLSelectElement }) => {
    const wanted = select.value
    // Unsaved input asks first, and may prevent leaving.
    select.value = workspace.slug
    route(pathIn(wanted, '/'))
  }
  return (
    <label class="place">
      <span class="unseen">{words.workspace}</span>
      <select value={workspace.slug} onChange={go}>
        {workspaces.map(({ slug, name }) => (
          <option key={slug} value={slug}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Where one can go, and what is about oneself. */
function Ways({ openKeys }: { openKeys: () => void }) {
  return (
    <>
      <Groups />
      <Foot openKeys={openKeys} />
    </>
  )
}

function Groups() {
  const { path } = useLocation()
  const { workspace } = usePlace()
  const nav = useRef<HTMLElement>(null)
  useEffect(() => nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }), [path])
  const entries = entriesFor(workspace)
  return (
    <nav aria-label={words.screens} ref={nav}>
      <Entries of={entries.filter(({ group }) => group === undefined)} />
      {Object.entries(groups).map(([group, name]) => (
        <div key={group} class="group">
          <p aria-hidden="true">{name}</p>
          <Entries of={entries.filter((one) => one.group === group)} label={name} />
        </div>
      ))}
    </nav>
  )
}

function Entries({ of, label }: { of: Entry[]; label?: string }) {
  const { path } = useLocation()
  const { to } = usePlace()
  const isHere = (one: string) => (one === '/' ? path === to('/') || `${path}/` === to('/') : path.startsWith(to(one)))
  return (
    <ul aria-label={label}>
      {of.map((one) => (
        <li key={one.path}>
          <a href={to(one.path)} aria-current={isHere(one.path) ? 'page' : undefined}>
            <Icon of={one.icon} />
            {one.name}
          </a>
        </li>
      ))}
    </ul>
  )
}

function Foot({ openKeys }: { openKeys: () => void }) {
  const { member } = usePlace()
  return (
    <div class="menu-foot">
      <div class="tools">
        <a href="/docs" title={words.documentation}>
          <Icon of={BookOpen} />
          <span class="unseen">{words.documentation}</span>
        </a>
        <button type="button" class="quiet" title={`${words.keys} (?)`} onClick={openKeys}>
          <Icon of={Keyboard} />
          <span class="unseen">{words.keys}</span>
        </button>
        <label>
          <span class="unseen">{words.language}</span>
          <select value={language} onChange={(event) => speakIn(event.currentTarget.value)}>
            {Object.entries(languages).map(([code, name]) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <form method="post" action="/logout" onSubmit={forgetHistories}>
        <span class="who" title={member.email}>
          {member.name ?? member.email}
        </span>
        <button type="submit" class="quiet">
          <Icon of={LogOut} />
          {words.signOut}
        </button>
      </form>
    </div>
  )
}
