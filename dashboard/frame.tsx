// The frame around every screen: navigation, the signed-in person, the palette and the list of keys.

import { type ComponentChildren, Fragment } from 'preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { useShortcuts } from './keys.ts'
import { Palette } from './palette.tsx'
import { Announcer } from './parts/announce.tsx'
import { Leaving } from './parts/leaving.tsx'
import { TestClock } from './parts/test-clock.tsx'
import { UndoBar } from './parts/undo.tsx'
import { pathIn, usePlace } from './place.ts'
import { entriesFor } from './screens.ts'
import { ShortcutList } from './shortcut-list.tsx'
import { inLanguage, language, languages, speak } from './words.ts'

const words = inLanguage({
  en: {
    documentation: 'Documentation',
    skip: 'Skip to content',
    workspace: 'Workspace',
    palette: 'Find or do…',
    keys: 'Keys',
    signOut: 'Sign out',
    language: 'Language',
    screens: 'Screens',
    menu: 'Menu',
    test: 'Test: no mail leaves this workspace.',
    testHow: 'How tests work',
  },
  de: {
    documentation: 'Dokumentation',
    skip: 'Zum Inhalt',
    workspace: 'Arbeitsbereich',
    palette: 'Suchen …',
    keys: 'Tasten',
    signOut: 'Abmelden',
    language: 'Sprache',
    screens: 'Ansichten',
    menu: 'Menü',
    test: 'Test: Aus diesem Arbeitsbereich geht keine Mail hinaus.',
    testHow: 'Wie Tests gehen',
  },
})

type Overlay = 'palette' | 'keys' | null

export function Frame({ children }: { children: ComponentChildren }) {
  const { route } = useLocation()
  const { to, workspace } = usePlace()
  const entries = entriesFor(workspace)
  const [overlay, setOverlay] = useState<Overlay>(null)
  /** After the clock was moved, the screen is rendered again. */
  const [round, setRound] = useState(0)
  /** The close event of a dialog comes a moment later, when another dialog may be open already. */
  const close = (which: Overlay) => () => setOverlay((now) => (now === which ? null : now))
  useShortcuts([
    { keys: 'Mod+k', says: words.palette, run: () => setOverlay('palette') },
    { keys: '?', says: words.keys, run: () => setOverlay('keys') },
    ...entries.map(({ keys, name, path }) => ({ keys, says: name, run: () => route(to(path)) })),
  ])
  return (
    <>
      <a class="skip" href="#content">
        {words.skip}
      </a>
      <div class="frame">
        <Menu openPalette={() => setOverlay('palette')} openKeys={() => setOverlay('keys')} />
        <main id="content" tabIndex={-1}>
          {workspace.test && (
            <div class="notice test">
              <p>
                {words.test} <a href="/docs/testing">{words.testHow}</a>
              </p>
              <TestClock key={workspace.id} moved={() => setRound((before) => before + 1)} />
            </div>
          )}
          <Fragment key={round}>{children}</Fragment>
        </main>
      </div>
      {overlay === 'palette' && <Palette screens={entries} close={close('palette')} />}
      {overlay === 'keys' && <ShortcutList close={close('keys')} />}
      <Leaving />
      <UndoBar />
      <Announcer />
    </>
  )
}

function Menu({ openPalette, openKeys }: { openPalette: () => void; openKeys: () => void }) {
  const { path, route } = useLocation()
  const { to, member, workspace, workspaces } = usePlace()
  // On a narrow screen the rest of the menu is shown when it is asked for.
  const [openAt, setOpenAt] = useState<string | null>(null)
  const isOpen = openAt === path
  const go = ({ currentTarget: select }: { currentTarget: HTMLSelectElement }) => {
    const wanted = select.value
    // Unsaved input asks first, and may prevent leaving.
    select.value = workspace.slug
    route(pathIn(wanted, '/'))
  }
  const isHere = (one: string) => (one === '/' ? path === to('/') || `${path}/` === to('/') : path.startsWith(to(one)))
  return (
    <header class={isOpen ? 'menu is-open' : 'menu'}>
      <a class="brand" href={to('/')}>
        Paquebot
      </a>
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
      <button type="button" class="open-menu" aria-expanded={isOpen} onClick={() => setOpenAt(isOpen ? null : path)}>
        {words.menu}
      </button>
      <nav aria-label={words.screens}>
        <ul>
          {entriesFor(workspace).map((one) => (
            <li key={one.path}>
              <a href={to(one.path)} aria-current={isHere(one.path) ? 'page' : undefined}>
                {one.name}
              </a>
            </li>
          ))}
          <li>
            <a href="/docs">{words.documentation}</a>
          </li>
        </ul>
      </nav>
      <div class="tools">
        <button type="button" class="find" onClick={openPalette}>
          {words.palette} <kbd>Ctrl K</kbd>
        </button>
        <button type="button" class="quiet" onClick={openKeys}>
          {words.keys} <kbd>?</kbd>
        </button>
      </div>
      <div class="account">
        <label>
          <span class="unseen">{words.language}</span>
          <select value={language} onChange={(event) => speak(event.currentTarget.value === 'de' ? 'de' : 'en')}>
            {Object.entries(languages).map(([code, name]) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <form method="post" action="/logout">
          <span class="who">{member.name ?? member.email}</span>
          <button type="submit" class="quiet">
            {words.signOut}
          </button>
        </form>
      </div>
    </header>
  )
}
