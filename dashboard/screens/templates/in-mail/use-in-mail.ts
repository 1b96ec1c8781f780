// What is done to a tree in the mail itself: its texts are edited where they stand. The frame tells what was typed; the tree, its steps and
// its history stay here.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Caret, Edit, FromFrame, Spot, ToFrame } from '../../../in-mail/messages.ts'
import { typeName } from '../property-words.ts'
import { listRows, nodeAt, type Path, readPlace, replaced, type TreeNode, toTreePath } from '../tree.ts'
import type { TemplateDraft } from '../use-draft.ts'
import { numberOf, splitEntry, spotsOf, type TextSpot, withoutEntry, withText } from './spots.ts'
import { words } from './words.ts'

/** The text that is edited: which of a node, and which in the mail where it stands there more than once. */
interface Editing {
  path: Path
  number: number
  index: number
}

export interface InMail {
  edit: Edit | null
  /** The node whose text is edited. */
  node: TreeNode | null
  caret: Caret | null
  /** Tools that the keyboard asked for. */
  wanted: { tool: 'link' | 'tools' } | null
  send: { current: ((message: ToFrame) => void) | null }
  hear: (message: FromFrame) => void
  /** Chooses what was clicked, and begins where it was a text. */
  click: (place: string, spot: Spot | null) => void
  /** Begins with the first text of a node. False where it has none. */
  begin: (path: Path) => boolean
}

export function useInMail(draft: TemplateDraft, save: () => unknown): InMail {
  const { written, chosen, isReadOnly } = draft
  const [editing, setEditing] = useState<Editing | null>(null)
  const [caret, setCaret] = useState<Caret | null>(null)
  const [wanted, setWanted] = useState<InMail['wanted']>(null)
  const send = useRef<((message: ToFrame) => void) | null>(null)
  const seen = useRef(0)
  const isHere = editing !== null && chosen !== null && toTreePath(chosen) === toTreePath(editing.path)
  const node = isHere ? (nodeAt(written.content, editing.path) ?? null) : null
  const spot = node && editing ? spotsOf(node)[editing.number] : undefined
  const start = (next: Editing | null) => {
    setCaret(null)
    setWanted(null)
    setEditing(next)
    if (next) draft.choose(next.path)
  }
  const begin = (path: Path) => {
    const found = nodeAt(written.content, path)
    const isText = !isReadOnly && found !== undefined && spotsOf(found).length > 0
    if (isText) start({ path, number: 0, index: 0 })
    return isText
  }
  const click = (place: string, clicked: Spot | null) => {
    const path = readPlace(place)?.path ?? null
    const text = path && clicked && !isReadOnly ? clickedText(written.content, path, clicked) : null
    if (text) return start(text)
    start(null)
    draft.choose(path)
  }
  const put = (next: TreeNode, what?: string) =>
    editing && draft.change({ content: replaced(written.content, editing.path, next) }, what)
  const end = () => {
    start(null)
    document.querySelector<HTMLElement>('.outline [tabindex="0"]')?.focus()
  }
  const step = (by: 1 | -1) => {
    const next = editing && besides(written.content, editing, by)
    return next ? start(next) : end()
  }
  const keys = {
    save,
    undo: () => draft.undo?.(),
    redo: () => draft.doAgain?.(),
    link: () => setWanted({ tool: 'link' }),
    tools: () => setWanted({ tool: 'tools' }),
    end,
    next: () => step(1),
    before: () => step(-1),
    erase: () => {
      if (!node || !spot || !editing || spotsOf(node).length < 2) return
      put(withoutEntry(node, spot))
      start({ ...editing, number: Math.max(0, editing.number - 1), index: Math.max(0, editing.index - 1) })
    },
  }
  const ask = useInTurn((key: keyof typeof keys) => keys[key]())
  const hear = (message: FromFrame) => {
    if ('caret' in message) setCaret(message.caret)
    if ('key' in message && !isReadOnly) ask(message.key)
    if (!node || !spot || !editing) return
    if (
      'typed' in message &&
      message.typed.place === toTreePath(editing.path) &&
      message.typed.index === editing.index
    ) {
      const { text, format, change, step } = message.typed
      seen.current = change
      put(withText(node, spot, text, format), `${message.typed.place} ${spot.keys.join(' ')} ${step}`)
    }
    if ('split' in message) {
      put(splitEntry(node, spot, message.split))
      start({ ...editing, number: editing.number + 1, index: editing.index + 1 })
    }
  }
  return {
    edit: node && spot && editing ? toEdit(node, spot, editing, seen.current) : null,
    caret: spot ? caret : null,
    ...{ node, wanted, send, hear, click, begin },
  }
}

/** One after the other, each once the page knows what was typed before it. */
function useInTurn<Key>(run: (key: Key) => unknown): (key: Key) => void {
  const [asked, setAsked] = useState<Key[]>([])
  useLayoutEffect(() => {
    const [key, ...others] = asked
    if (key === undefined) return
    setAsked(others)
    run(key)
  }, [asked])
  return (key) => setAsked((before) => [...before, key])
}

/** Null for what is no text, or of a block, which is written elsewhere. */
function clickedText(content: TreeNode[], path: Path, clicked: Spot): Editing | null {
  const node = nodeAt(content, path)
  const number = node ? numberOf(node, clicked) : -1
  return node && spotsOf(node)[number] ? { path, number, index: clicked.index } : null
}

/** The text before or behind it in the mail. */
function besides(content: TreeNode[], editing: Editing, by: 1 | -1): Editing | undefined {
  const all = listRows(content).flatMap(({ path, node }) =>
    spotsOf(node).map((_, number) => ({ path, number, index: number })),
  )
  return all[all.findIndex((one) => isSame(one, editing)) + by]
}

const isSame = (one: Editing, other: Editing) =>
  toTreePath(one.path) === toTreePath(other.path) && one.number === other.number

function toEdit({ type }: TreeNode, spot: TextSpot, { path, index }: Editing, seen: number): Edit {
  const { text, format, mayBeMarkdown, enter } = spot
  const label = words.textOf(typeName(type))
  return { place: toTreePath(path), index, text, format, mayBeMarkdown, enter, label, help: words.help, seen }
}
