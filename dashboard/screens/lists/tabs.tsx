// Lists and sources side by side.

import { usePlace } from '../../place.ts'
import { words } from './words.ts'

export function Tabs({ at }: { at: 'lists' | 'sources' }) {
  const { to, workspace } = usePlace()
  return (
    <div class="actions">
      <nav class="choices" aria-label={words.kind}>
        <a href={to('/lists')} aria-current={at === 'lists' ? 'page' : undefined}>
          {words.title}
        </a>
        <a href={to('/lists/sources')} aria-current={at === 'sources' ? 'page' : undefined}>
          {words.sources}
        </a>
      </nav>
      {workspace.role !== 'viewer' && (
        <a class="button main" href={to(at === 'lists' ? '/lists/new' : '/lists/sources/new')}>
          {at === 'lists' ? words.newList : words.newSource}
        </a>
      )}
    </div>
  )
}
