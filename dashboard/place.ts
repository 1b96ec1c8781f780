// Where in the dashboard somebody is: the workspace and the screen, both in the address, so that any of it can be sent to a colleague.

import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { ownValue } from '../src/kit/own-value.ts'

interface Member {
  email: string
  name: string | null
}

interface Workspace {
  id: string
  slug: string
  name: string
  role: 'owner' | 'member' | 'viewer'
  /** It is the test workspace of another: nothing in it leaves. */
  test: boolean
  /** The installation is theirs, too. */
  operator: boolean
}

export interface DashboardContext {
  member: Member
  workspace: Workspace
  workspaces: Workspace[]
  /** After a change of what workspaces there are. */
  reload: () => void
}

export const PlaceContext = createContext<DashboardContext | null>(null)

/** `mayChange`: false for viewers, who may still change their own sign-in. */
export function usePlace(): DashboardContext & { mayChange: boolean; to: (path: string) => string } {
  const place = useContext(PlaceContext)
  if (!place) throw new Error('a screen is drawn within a workspace')
  const mayChange = place.workspace.role !== 'viewer'
  return { ...place, mayChange, to: (path) => pathIn(place.workspace.slug, path) }
}

export function pathIn(slug: string, path: string): string {
  return `/dashboard/${slug}${path}`
}

/** Which screen shows what an id names, by its prefix. */
const screens: Record<string, (id: string) => string> = {
  msg: (id) => `/activity/${id}`,
  con: (id) => `/contacts/${id}`,
  whe: (id) => `/webhooks/${id}`,
  lst: (id) => `/lists/${id}`,
  med: (id) => `/media/${id}`,
  seg: (id) => `/segments/${id}`,
  src: (id) => `/lists/sources/${id}`,
  mtk: (id) => `/agents/${id}`,
  act: (id) => `/approvals/${id}`,
  dom: (id) => `/domains/${id}`,
  rel: (id) => `/relays/${id}`,
  mbx: (id) => `/mailboxes/${id}`,
  rule: (id) => `/rules/${id}`,
  evt: (id) => `/events/${id}`,
  cmp: (id) => `/campaigns/${id}`,
  rec: (id) => `/campaigns/recurring/${id}`,
  seq: (id) => `/sequences/${id}`,
  key: () => '/settings/keys',
  usr: () => '/settings/people',
  inv: () => '/settings/people',
  ses: () => '/settings/sign-in',
}

/** Null for what is no id of ours, or of something without a screen. */
export function screenOf(pasted: string): string | null {
  const [, prefix] = /^([a-z]{2,5})_[0-9a-f]{32}$/.exec(pasted.trim()) ?? []
  return prefix === undefined ? null : (ownValue(screens, prefix)?.(pasted.trim()) ?? null)
}
