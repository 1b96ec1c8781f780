// `?`: the keys that do something here.

import { activeShortcuts } from './keys.ts'
import { Dialog } from './parts/dialog.tsx'
import { inLanguage } from './words.ts'

const words = inLanguage(catalogue.frame.shortcutList)

export function ShortcutList({ close }: { close: () => void }) {
  const rows = [...activeShortcuts(), { keys: 'Enter', says: words.enter }, { keys: 'Escape', says: words.escape }]
  return (
    <Dialog title={words.title} close={close}>
      <h2>{words.title}</h2>
      <dl class="keys">
        {rows.map(({ keys, says }) => (
          <div key={keys}>
            <dt>
              {keys
                .replace('Mod', 'Ctrl')
                .split(' ')
                .map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
            </dt>
            <dd>{says}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={close}>
        {words.escape}
      </button>
    </Dialog>
  )
}
