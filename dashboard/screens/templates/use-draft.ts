// One locale of a template while it is written: its steps, what is chosen, and what is stored. Who saves says which revision they saw, so
// that nobody's work is lost unseen.

import { useEffect, useState } from 'preact/hooks'
import { type Call, callOf, get, put, Refusal } from '../../api.ts'
import { usePlace } from '../../place.ts'
import { begin, changed, doneAgain, type History, undone, type Written } from './history.ts'
import { moved, nodeAt, type Path, type TreeNode, taken, ways } from './tree.ts'

const path = '/v1/transactional/:templateId/content/:locale'

/** What a locale holds; `revisionId` is null for one that has nothing yet. */
export interface Stored extends Written {
  revisionId: string | null
}

export interface Draft {
  written: Written
  chosen: Path | null
  choose: (path: Path | null) => void
  change: (next: Partial<Written>, what?: string) => void
  /** Changes the tree, and chooses. */
  rearrange: (content: TreeNode[], chosen: Path | null) => void
  move: (way: keyof typeof ways) => boolean
  remove: () => void
  undo?: () => void
  doAgain?: () => void
  /** Null while nothing of this locale is stored. */
  revisionId: string | null
  isDirty: boolean
  /** The call that saving makes. */
  call: Call
  save: () => Promise<void>
  /** What somebody else has saved meanwhile. */
  theirs: Stored | null
  takeTheirs: () => void
  keepMine: () => Promise<void>
}

interface Place {
  templateId: string
  locale: string
}

/** Null where the locale has no content. */
export async function loadStored(params: Place, signal?: AbortSignal): Promise<Stored | null> {
  try {
    const { content, subject, previewText, revisionId } = await get(path, { params }, signal)
    return { content: content as TreeNode[], subject, previewText, revisionId }
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return null
    throw error
  }
}

export function useDraft(params: Place, loaded: Stored, saved: () => void): Draft {
  const { workspace } = usePlace()
  const key = `unsaved ${workspace.id} ${params.templateId} ${params.locale}`
  const [unsaved] = useState((): Stored | null => JSON.parse(sessionStorage.getItem(key) ?? 'null'))
  const [history, setHistory] = useState<History>(() => resumed(loaded, unsaved))
  const { revisionId } = unsaved ?? loaded
  const [stored, setStored] = useState({ written: history.past[0] ?? history.now, revisionId })
  const [chosen, choose] = useState<Path | null>(null)
  const [theirs, setTheirs] = useState<Stored | null>(null)
  const { now, past, future } = history
  const isKept = now !== stored.written && past.length > 0
  const kept = JSON.stringify(isKept ? { ...now, revisionId: stored.revisionId } : null)
  useEffect(() => sessionStorage.setItem(key, kept), [key, kept])
  const bodyAt = (revisionId: string | null) => ({ ...now, ...(revisionId && { expectedRevisionId: revisionId }) })
  const saveOver = async (revisionId: string | null) => {
    try {
      const answer = await put(path, { params, body: bodyAt(revisionId) })
      setStored({ written: now, revisionId: answer.revisionId })
      setTheirs(null)
      saved()
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'revision_mismatch') throw error
      setTheirs(await loadStored(params))
    }
  }
  const rearrange = (content: TreeNode[], next: Path | null) => {
    setHistory(changed(history, { ...now, content }))
    choose(next)
  }
  const go = (next: History) => {
    setHistory(next)
    if (chosen && !nodeAt(next.now.content, chosen)) choose(null)
  }
  return {
    written: now,
    chosen,
    choose,
    rearrange,
    change: (next, what) => setHistory(changed(history, { ...now, ...next }, what)),
    move: (way) => {
      const result = chosen && moved(now.content, chosen, ways[way](now.content, chosen))
      if (result) rearrange(result.content, result.path)
      return result !== null
    },
    remove: () => {
      if (!chosen) return
      const content = taken(now.content, chosen)
      const next = [chosen, chosen.with(-1, (chosen.at(-1) ?? 0) - 1), chosen.slice(0, -1)]
      rearrange(content, next.find((one) => nodeAt(content, one)) ?? null)
    },
    ...(past.length > 0 && { undo: () => go(undone(history)) }),
    ...(future.length > 0 && { doAgain: () => go(doneAgain(history)) }),
    revisionId: stored.revisionId,
    isDirty: now !== stored.written || stored.revisionId === null,
    call: callOf('PUT', path, { params, body: bodyAt(stored.revisionId) }),
    save: () => saveOver(stored.revisionId),
    theirs,
    takeTheirs: () => {
      if (!theirs) return
      const written = writtenIn(theirs)
      setHistory(changed(history, written))
      setStored({ written, revisionId: theirs.revisionId })
      setTheirs(null)
      choose(null)
    },
    keepMine: () => saveOver(theirs?.revisionId ?? null),
  }
}

/** What was not saved is there again until the browser is closed, as a change of the revision that it was made of. */
function resumed(loaded: Stored, unsaved: Stored | null): History {
  const history = begin(writtenIn(loaded))
  return unsaved ? changed(history, writtenIn(unsaved)) : history
}

function writtenIn({ subject, previewText, content }: Stored): Written {
  return { subject, previewText, content }
}
