// The frame around every screen: the menu beside it, the palette and the list of keys.

import { type ComponentChildren, Fragment } from 'preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { useShortcuts } from './keys.ts'
import { Menu } from './menu.tsx'
import { Palette } from './palette.tsx'
import { Announcer } from './parts/announce.tsx'
import { Leaving } from './parts/leaving.tsx'
import { TestClock } from './parts/test-clock.tsx'
import { UndoBar } from './parts/undo.tsx'
import { usePlace } from './place.ts'
import { entriesFor } from './screens.ts'
import { ShortcutList } from './shortcut-list.tsx'
import { inLanguage } from './words.ts'

const words = inLanguage(catalogue.frame.frame)

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
