// The test data of a mail, as it is typed: kept for this mail until the browser is closed.

import { useState } from 'preact/hooks'
import { usePlace } from '../../place.ts'
import type { Preview } from './owner.ts'

/** By the name of the variable. */
export type Typed = Record<string, string>

const keyOf = (workspaceId: string, ownerId: string) => `test data ${workspaceId} ${ownerId}`

export function useTestData(ownerId: string): [Typed, (next: Typed) => void] {
  const { workspace } = usePlace()
  const key = keyOf(workspace.id, ownerId)
  const [typed, setTyped] = useState<Typed>(() => JSON.parse(sessionStorage.getItem(key) ?? '{}'))
  const set = (next: Typed) => {
    sessionStorage.setItem(key, JSON.stringify(next))
    setTyped(next)
  }
  return [typed, set]
}

/** For a mail that nobody has opened yet. */
export function keepTestData(workspaceId: string, ownerId: string, data: Record<string, unknown>): void {
  const typed = Object.entries(data).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  sessionStorage.setItem(keyOf(workspaceId, ownerId), JSON.stringify(Object.fromEntries(typed)))
}

/** Under a name that no variable has: the address of the contact whose data is shown. */
const contactKey = '@'

export const contactIn = (typed: Typed): string | undefined => typed[contactKey]

export function withContact({ [contactKey]: _, ...others }: Typed, email: string | null): Typed {
  return email === null ? others : { ...others, [contactKey]: email }
}

/** What was typed, as the types that the mail uses them with. What is empty, or no JSON yet, is left out. */
export function toData(typed: Typed, variables: Preview['variables']): Record<string, unknown> {
  const values = variables.flatMap(({ name, dataType }) => {
    const value = readTyped(typed[name] ?? '', dataType)
    return value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(values)
}

export const isText = (dataType: string) => ['string', 'date', 'url'].includes(dataType)

function readTyped(text: string, dataType: string): unknown {
  if (text === '' || isText(dataType)) return text || undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
