// The lists of an export: matched by name to existing ones, or created.

import type { ExportReport } from '../../../../db/tables/contacts.ts'
import { type App, write } from '../../../core/app.ts'
import { newId } from '../../../kit/id.ts'
import type { ListState } from '../../contacts/imports/evidence.ts'
import { createList, listLists } from '../lists.ts'

interface FoundList {
  name: string
  optIn: 'single' | 'double'
  mailingListId: string | null
  isNew: boolean
  contacts: number
}

export interface FoundLists {
  /** Named by the export, with or without people on it. */
  know(name: string, optIn?: 'single' | 'double'): void
  /** How a row says that somebody stands like this on a list; nothing while the list does not exist. */
  cell(name: string, state: ListState): string[]
  /** Somebody will be on it. */
  count(name: string): void
  report(): ExportReport['lists']
}

const maxLists = 10_000
const maxNameLength = 200

/** `makes`: rows may name lists that make() will make. The same export again finds them by their names. */
export async function findExportLists(
  app: App,
  workspaceId: string,
  makes: boolean,
): Promise<FoundLists & { make(): Promise<void> }> {
  const there = await listLists(app, workspaceId, { limit: maxLists })
  const byName = new Map(there.map(({ name, id }) => [name.toLowerCase(), id]))
  const found = new Map<string, FoundList>()
  const know = (written: string, optIn: 'single' | 'double' = 'single') => {
    const name = written.trim().slice(0, maxNameLength)
    const key = name.toLowerCase()
    const known = found.get(key)
    if (known || key === '') return known
    const there = byName.get(key)
    const mailingListId = there ?? (makes ? newId(app, 'lst', app.clock.now()) : null)
    const list = { name, optIn, mailingListId, isNew: there === undefined, contacts: 0 }
    found.set(key, list)
    return list
  }
  return {
    know,
    cell(name, state) {
      const list = know(name)
      if (!list) return []
      return list.mailingListId === null ? [] : [`${list.mailingListId}:${state}`]
    },
    count(name) {
      const list = know(name)
      if (list) list.contacts++
    },
    report: () => [...found.values()].map(({ optIn: _, ...list }) => list),
    async make() {
      const missing = [...found.values()].filter(({ isNew }) => isNew)
      await write(app, async (tx) => {
        for (const { name, optIn, mailingListId } of missing)
          if (mailingListId !== null) await createList(tx, workspaceId, { id: mailingListId, name, optIn })
      })
    },
  }
}
