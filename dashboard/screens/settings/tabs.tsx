// The pages of Settings side by side; those for owners are shown to owners only, and workspaces to those of the first one.

import { usePlace } from '../../place.ts'
import { words } from './words.ts'

export type Tab = keyof typeof rooms

const rooms = {
  brand: '/settings',
  people: '/settings/people',
  signIn: '/settings/sign-in',
  keys: '/settings/keys',
  providers: '/settings/providers',
  audit: '/settings/audit',
  installation: '/settings/installation',
  workspaces: '/settings/workspaces',
} as const
const forOwners: Tab[] = ['audit', 'installation']

export function Tabs({ at }: { at: Tab }) {
  const { to, workspace } = usePlace()
  const shown = Object.entries(rooms).filter(
    ([tab]) =>
      (workspace.role === 'owner' || !forOwners.some((one) => one === tab)) &&
      (workspace.operator || tab !== 'workspaces'),
  )
  return (
    <nav class="choices" aria-label={words.title}>
      {shown.map(([tab, path]) => (
        <a key={tab} href={to(path)} aria-current={tab === at ? 'page' : undefined}>
          {words.tabs[tab as Tab]}
        </a>
      ))}
    </nav>
  )
}
