// One locale of a mail while it is edited: its steps, its selection, and what is stored. Saving names the revision that was seen, so that
// nobody's work is overwritten unseen.

import { useEffect, useState } from 'preact/hooks'
import { type Call, Refusal } from '../../api.ts'
import { saysTheSame } from '../../parts/same.ts'
import { usePlace } from '../../place.ts'
import { begin, changed, type DraftText, doneAgain, type History, type StoredDraft, undone } from './history.ts'
import { duplicated, type Moved, movedAll, outermost, pasted, rowsBetween, takenAll, writeNodes } from './marks.ts'
import type { Owner } from './owner.ts'
import { nodeAt, type Path, shownPath, type TreeNode, type ways } from './tree.ts'
import { useHistory } from './use-history.ts'

export interface TemplateDraft {
  written: DraftText
  chosen: Path | null
  /** Marks only this one. */
  choose: (path: Path | null) => void
  /** Marks all from the one that was chosen to this one, which is the chosen one then. */
  extend: (path: Path) => void
  /** The chosen one and those marked with it, in the order of the tree, without what they hold. */
  marked: Path[]
  /** All rows that are marked. */
  rows: Path[]
  change: (next: Partial<DraftText>, what?: string) => void
  /** Changes the tree, and chooses. */
  rearrange: (content: TreeNode[], chosen: Path | null) => void
  move: (way: keyof typeof ways) => boolean
  remove: () => void
  /** The marked ones as JSON. */
  copy: () => string
  duplicate: () => void
  /** False where one of them may not stand. */
  paste: (nodes: TreeNode[]) => boolean
  /** Puts what was moved, and marks it. */
  arrange: (result: Moved) => void
  /** For who may only look: nothing of it changes. */
  isReadOnly: boolean
  undo?: () => void
  doAgain?: () => void
  /** Null while nothing of this locale is stored. */
  revisionId: string | null
  isDirty: boolean
  /** The call that saving makes. */
  call: Call
  /** False where somebody else has saved meanwhile. */
  save: () => Promise<boolean>
  /** What somebody else has saved meanwhile. */
  theirs: StoredDraft | null
  takeTheirs: () => void
  keepMine: () => Promise<boolean>
}

export function useDraft(owner: Owner, locale: string, loaded: StoredDraft, saved: () => void): TemplateDraft {
  const { member, workspace, mayChange } = usePlace()
  const key = `unsaved ${member.email} ${workspace.id} ${owner.id} ${locale}`
  const [unsaved] = useState(() => (mayChange ? readUnsaved(key, loaded) : null))
  const { revisionId } = unsaved ?? loaded
  const [stored, setStored] = useState(() => ({ written: writtenIn(loaded), revisionId }))
  const of = mayChange ? { member: member.email, mail: `${workspace.id} ${owner.id} ${locale}` } : null
  const [history, setHistory] = useHistory(() => resumed(stored.written, unsaved), of, stored.written)
  const [{ chosen, anchor }, mark] = useState<{ chosen: Path | null; anchor: Path | null }>({
    chosen: null,
    anchor: null,
  })
  const [theirs, setTheirs] = useState<StoredDraft | null>(null)
  const { now, past, future } = history
  const choose = (path: Path | null) => {
    const shown = path && shownPath(now.content, path)
    mark({ chosen: shown, anchor: shown })
  }
  const rows = chosen ? rowsBetween(now.content, anchor ?? chosen, chosen) : []
  const marked = outermost(rows)
  const isKept = now !== stored.written && past.length > 0
  const kept = isKept ? JSON.stringify({ ...now, revisionId: stored.revisionId }) : null
  useEffect(() => (kept === null ? sessionStorage.removeItem(key) : sessionStorage.setItem(key, kept)), [key, kept])
  const bodyAt = (revisionId: string | null) => ({ ...now, ...(revisionId && { expectedRevisionId: revisionId }) })
  const saveOver = async (revisionId: string | null) => {
    try {
      const answer = await owner.save(locale, bodyAt(revisionId))
      setStored({ written: now, revisionId: answer.revisionId })
      setTheirs(null)
      saved()
      return true
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'revision_mismatch') throw error
      setTheirs(await owner.load(locale))
      return false
    }
  }
  const rearrange = (content: TreeNode[], next: Path | null) => {
    setHistory(changed(history, { ...now, content }))
    mark({ chosen: next, anchor: next })
  }
  const arrange = ({ content, paths }: Moved) => {
    setHistory(changed(history, { ...now, content }))
    mark({ chosen: paths.at(-1) ?? null, anchor: paths[0] ?? null })
  }
  const go = (next: History) => {
    setHistory(next)
    if (chosen && !nodeAt(next.now.content, chosen)) choose(null)
  }
  const draft: Omit<TemplateDraft, 'isReadOnly'> = {
    written: now,
    chosen,
    choose,
    rearrange,
    change: (next, what) => setHistory(changed(history, { ...now, ...next }, what)),
    extend: (path) => mark({ chosen: path, anchor: anchor ?? path }),
    marked,
    rows,
    arrange,
    ...together({ content: now.content, marked, arrange, rearrange }),
    ...(past.length > 0 && { undo: () => go(undone(history)) }),
    ...(future.length > 0 && { doAgain: () => go(doneAgain(history)) }),
    revisionId: stored.revisionId,
    isDirty: now !== stored.written || stored.revisionId === null,
    call: owner.call(locale, bodyAt(stored.revisionId)),
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
  return mayChange ? { ...draft, isReadOnly: false } : { ...draft, ...unchanging }
}

const nothing = () => {}
const never = () => false

const unchanging = {
  isReadOnly: true,
  isDirty: false,
  change: nothing,
  rearrange: nothing,
  arrange: nothing,
  remove: nothing,
  duplicate: nothing,
  move: never,
  paste: never,
}

interface Together extends Pick<TemplateDraft, 'marked' | 'arrange' | 'rearrange'> {
  content: TreeNode[]
}

/** What is done to all that are marked. */
function together({ content, marked, arrange, rearrange }: Together) {
  const arranged = (result: Moved | null) => {
    if (result) arrange(result)
    return result !== null
  }
  return {
    move: (way: keyof typeof ways) => marked.length > 0 && arranged(movedAll(content, marked, way)),
    remove: () => {
      const [first] = marked
      if (!first) return
      const left = takenAll(content, marked)
      const next = [first, first.with(-1, (first.at(-1) ?? 0) - 1), first.slice(0, -1)]
      rearrange(left, next.find((one) => nodeAt(left, one)) ?? null)
    },
    copy: () => writeNodes(content, marked),
    duplicate: () => void (marked.length > 0 && arranged(duplicated(content, marked))),
    paste: (nodes: TreeNode[]) => arranged(pasted(content, nodes, marked.at(-1) ?? null)),
  }
}

/** Null also where it was saved after all, by a save whose answer did not come. */
function readUnsaved(key: string, loaded: StoredDraft): StoredDraft | null {
  const unsaved: StoredDraft | null = JSON.parse(sessionStorage.getItem(key) ?? 'null')
  return unsaved && saysTheSame(writtenIn(unsaved), writtenIn(loaded)) ? null : unsaved
}

/** What was not saved is there again until the browser is closed, as a change of the revision that it was made of. */
function resumed(stored: DraftText, unsaved: StoredDraft | null): History {
  const history = begin(stored)
  return unsaved ? changed(history, writtenIn(unsaved)) : history
}

function writtenIn({ subject, previewText, content }: StoredDraft): DraftText {
  return { subject, previewText, content }
}
