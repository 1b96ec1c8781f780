// The tree as an outline: the arrows choose, with Shift several, Alt and the arrows move, Tab takes in and out, and the mouse drags. What
// is copied from it is JSON, as the API takes it, and is pasted into any other.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { announce } from '../../parts/announce.tsx'
import { words } from './editor-words.ts'
import type { Dragging } from './in-mail/use-dragging.ts'
import { typeName } from './property-words.ts'
import { findForm, listRows, type Path, summarize, type TreeNode, toTreePath } from './tree.ts'
import { type NamedBlock, useBlocks } from './use-blocks.ts'
import type { TemplateDraft } from './use-draft.ts'

interface Props {
  draft: TemplateDraft
  /** How many findings each place has. */
  findingsAt: Map<string, number>
  /** Goes to the first field of what is chosen. */
  edit: () => void
  /** Goes to its text in the mail. */
  editInMail: () => void
  dragging: Dragging
  paste: (text: string) => void
}

export function Outline({ draft, findingsAt, edit, editInMail, dragging, paste }: Props) {
  const { written, chosen } = draft
  const tree = useRef<HTMLDivElement>(null)
  const rows = listRows(written.content)
  const marked = new Set(draft.rows.map(toTreePath))
  const at = chosen === null ? -1 : rows.findIndex(({ path }) => toTreePath(path) === toTreePath(chosen))
  // Who works in the outline stays in it wherever the chosen one goes, also when its row is drawn anew.
  const isHere = tree.current?.contains(document.activeElement)
  useLayoutEffect(() => {
    if (isHere) tree.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  }, [toTreePath(chosen ?? []), rows.length])
  const rowAt = (by: number) => rows[clampIndex(at + by, rows.length)]?.path ?? null
  const onKeyDown = useKeys({
    draft,
    edit,
    editInMail,
    step: (by) => draft.choose(rowAt(by)),
    extend: (by) => {
      const path = rowAt(by)
      if (path) draft.extend(path)
    },
  })
  const copy = (event: ClipboardEvent) => {
    if (draft.marked.length === 0) return
    event.preventDefault()
    event.clipboardData?.setData('text/plain', draft.copy())
    announce(words.copied(draft.marked.length))
  }
  const drag = useDrag(draft, dragging)
  return (
    <div
      ref={tree}
      role="tree"
      aria-label={words.outline}
      aria-multiselectable="true"
      class="outline"
      onKeyDown={onKeyDown}
      onCopy={copy}
      onCut={(event) => {
        copy(event)
        draft.remove()
      }}
      onPaste={(event) => {
        event.preventDefault()
        paste(event.clipboardData?.getData('text/plain') ?? '')
      }}
    >
      {rows.map(({ node, path, siblings }, number) => (
        <OutlineRow
          key={toTreePath(path)}
          node={node}
          path={path}
          siblings={siblings}
          isMarked={marked.has(toTreePath(path))}
          isStop={number === Math.max(at, 0)}
          findings={findingsAt.get(toTreePath(path)) ?? 0}
          choose={(isMore) => (isMore ? draft.extend(path) : draft.choose(path))}
          drag={drag}
          isReadOnly={draft.isReadOnly}
        />
      ))}
    </div>
  )
}

function clampIndex(at: number, length: number): number {
  return Math.max(0, Math.min(length - 1, at))
}

interface Keys {
  draft: TemplateDraft
  edit: () => void
  editInMail: () => void
  step: (by: number) => void
  extend: (by: number) => void
}

function useKeys({ draft, edit, editInMail, step, extend }: Keys) {
  // After Escape, Tab leaves the outline as it leaves anything else.
  const leaves = useRef(false)
  const keys: Record<string, () => unknown> = {
    ArrowUp: () => step(-1),
    ArrowDown: () => step(1),
    'Shift+ArrowUp': () => extend(-1),
    'Shift+ArrowDown': () => extend(1),
    'Mod+d': draft.duplicate,
    'Alt+ArrowUp': () => draft.move('up'),
    'Alt+ArrowDown': () => draft.move('down'),
    'Alt+ArrowLeft': () => draft.move('out'),
    'Alt+ArrowRight': () => draft.move('in'),
    Enter: edit,
    F2: editInMail,
    Delete: draft.remove,
    Backspace: draft.remove,
    Tab: () => draft.move('in'),
    'Shift+Tab': () => draft.move('out'),
  }
  return (event: KeyboardEvent) => {
    const name = `${event.ctrlKey || event.metaKey ? 'Mod+' : ''}${event.altKey ? 'Alt+' : ''}${event.shiftKey ? 'Shift+' : ''}${event.key}`
    const isLeaving = leaves.current && event.key === 'Tab'
    leaves.current = event.key === 'Escape'
    const run = isLeaving ? undefined : keys[name]
    // Tab that has nowhere to go goes on as usual.
    if (run && run() !== false) event.preventDefault()
  }
}

type Side = 'before' | 'after' | 'into'

interface Over {
  path: Path
  side: Side
  /** How many it holds. */
  count: number
}

interface Drag {
  over: { place: string; side: Side } | null
  start: (event: DragEvent, path: Path) => void
  hover: (event: DragEvent, path: Path, node: TreeNode) => void
  drop: () => void
  end: () => void
}

function useDrag({ arrange }: TemplateDraft, dragging: Dragging): Drag {
  const [over, setOver] = useState<Over | null>(null)
  const end = () => {
    dragging.end()
    setOver(null)
  }
  return {
    over: over && { place: toTreePath(over.path), side: over.side },
    // Whoever takes one of the marked takes all of them.
    start: (event, path) => dragging.start(dragging.withMarked(path), event),
    hover: (event, path, node) => {
      const next = { path, side: dropSide(event, node), count: node.children?.length ?? 0 }
      if (!dragging.to(target(next))) return setOver(null)
      event.preventDefault()
      setOver(next)
    },
    drop: () => {
      const there = over && dragging.to(target(over))
      if (there) arrange(there)
      end()
    },
    end,
  }
}

function target({ path, side, count }: Over): Path {
  if (side === 'into') return [...path, count]
  return path.with(-1, (path.at(-1) ?? 0) + (side === 'after' ? 1 : 0))
}

/** The middle of what can hold others is into it. */
function dropSide(event: DragEvent, { type }: TreeNode): Side {
  const { top, height } =
    event.currentTarget instanceof Element ? event.currentTarget.getBoundingClientRect() : { top: 0, height: 1 }
  const part = (event.clientY - top) / height
  if (findForm(type)?.isBranch && part > 0.3 && part < 0.7) return 'into'
  return part < 0.5 ? 'before' : 'after'
}

interface RowProps {
  node: TreeNode
  path: Path
  siblings: number
  isMarked: boolean
  /** Where Tab enters the outline. */
  isStop: boolean
  findings: number
  /** With Shift: also what lies between. */
  choose: (isMore: boolean) => void
  drag: Drag
  isReadOnly: boolean
}

function OutlineRow({ node, path, siblings, isMarked, isStop, findings, choose, drag, isReadOnly }: RowProps) {
  const { over } = drag
  const blocks = useBlocks()
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the arrows of the outline do the same.
    <div
      role="treeitem"
      aria-level={path.length}
      aria-posinset={(path.at(-1) ?? 0) + 1}
      aria-setsize={siblings}
      aria-selected={isMarked}
      tabIndex={isStop ? 0 : -1}
      class={over?.place === toTreePath(path) ? `node drop-${over.side}` : 'node'}
      style={{ paddingInlineStart: `${path.length * 0.9 - 0.3}rem` }}
      onClick={({ shiftKey }) => choose(shiftKey)}
      draggable={!isReadOnly}
      onDragStart={(event) => drag.start(event, path)}
      onDragOver={(event) => drag.hover(event, path, node)}
      onDrop={(event) => {
        event.preventDefault()
        drag.drop()
      }}
      onDragEnd={drag.end}
    >
      <span>{typeName(node.type)}</span>{' '}
      <span class="muted" dir="auto">
        {summarize(node) || nameOf(blocks, node)}
      </span>
      {findings > 0 && <span class="status warn">{words.findingsAt(findings)}</span>}
    </div>
  )
}

function nameOf(blocks: NamedBlock[], { blockId }: TreeNode): string {
  return blocks.find(({ id }) => id === blockId)?.name ?? ''
}
