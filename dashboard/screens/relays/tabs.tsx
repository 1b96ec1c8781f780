// The pages about relays side by side.

import { usePlace } from '../../place.ts'
import { words } from './words.ts'

const rooms = {
  relays: '/relays',
  routes: '/relays/routes',
  receivers: '/relays/receivers',
  rules: '/relays/rules',
} as const

export function Tabs({ at }: { at: keyof typeof rooms }) {
  const { to } = usePlace()
  return (
    <nav class="choices" aria-label={words.title}>
      {(Object.keys(rooms) as (keyof typeof rooms)[]).map((tab) => (
        <a key={tab} href={to(rooms[tab])} aria-current={tab === at ? 'page' : undefined}>
          {words.tabs[tab]}
        </a>
      ))}
    </nav>
  )
}
