// What the server keeps for this person in this workspace. What an earlier version kept in the browser is moved there once.

import { get, put } from '../api.ts'
import { type DashboardContext, usePlace } from '../place.ts'
import { type Loaded, useLoaded } from './load.tsx'

const path = '/v1/auth/preferences'

/** By key. */
type Preferences = ReadonlyMap<string, string>

interface KeptForPerson {
  /** Undefined until it is known. */
  preferences: Preferences | undefined
  /** Null forgets it. */
  keep: (key: string, value: string | null) => Promise<void>
}

export function usePreferences(): KeptForPerson {
  const place = usePlace()
  const found: Loaded<Preferences> = useLoaded(`preferences ${place.workspace.id}`, async (signal) => {
    const { data } = await get(path, {}, signal)
    const moved = await moveHere(place)
    return toMap(moved ?? data)
  })
  const keep = async (key: string, value: string | null) => {
    await put(path, { body: { key, value } })
    found.reload()
  }
  return { preferences: found.value, keep }
}

const toMap = (data: { key: string; value: string }[]): Preferences =>
  new Map(data.map(({ key, value }) => [key, value]))

export const hiddenSteps = 'hidden.first-steps'

/** A view of a list, in the order in which they are made. */
export function viewKey(screen: string): string {
  return `${viewsOf(screen)}${Date.now().toString(36)}-0`
}

/** Before all others, and the same for whoever else moves it at that moment: the page is loaded twice, or in two tabs. */
const movedViewKey = (screen: string, at: number) => `${viewsOf(screen)}0-${at}`

export const viewsOf = (screen: string) => `view${screen.replaceAll('/', '.')}.`

/** All there is afterwards; null where nothing was kept in the browser. */
async function moveHere({ member, workspace }: DashboardContext) {
  const whose = ` ${workspace.id} ${member.email}`
  const views = /^views of (\S+)$/
  let all: { key: string; value: string }[] | null = null
  const move = async (key: string, value: string) => {
    all = (await put(path, { body: { key, value } })).data
  }
  for (const name of Object.keys(localStorage).filter((one) => one.endsWith(whose))) {
    const what = name.slice(0, -whose.length)
    const [, screen] = views.exec(what) ?? []
    const text = localStorage.getItem(name) ?? '[]'
    if (what === 'first steps hidden') await move(hiddenSteps, 'yes')
    else if (screen)
      for (const [at, view] of (JSON.parse(text) as unknown[]).entries())
        await move(movedViewKey(screen, at), JSON.stringify(view))
    else continue
    localStorage.removeItem(name)
  }
  return all
}
