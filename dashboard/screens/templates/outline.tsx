// The tree as an outline: the arrows choose, Alt and the arrows move, Tab takes in and out, and the mouse drags.

import { useEffect, useRef, useState } from 'preact/hooks'
import { words } from './editor-words.ts'
import { typeName } from './property-words.ts'
import { formOf, moved, type Path, placeOf, rowsOf, summaryOf, type TreeNode } from './tree.ts'
import type { Draft } from './use-draft.ts'

interface Props {
  draft: Draft
  /** How many findings each place has. */
  findingsAt: Map<string, number>
  /** Goes to the first field of what is chosen. */
  edit: () => void
}

export function Outline({ draft, findingsAt, edit }: Props) {
  const { written, chosen } = draft
  const tree = useRef<HTMLDivElement>(null)
  const rows = rowsOf(written.content)
  const at = chosen === null ? -1 : rows.findIndex(({ path }) => placeOf(path) === placeOf(chosen))
  // Who works in the outline stays in it wherever the chosen one goes.
  useEffect(() => {
    const isHere = tree.current?.contains(document.activeElement)
    if (isHere) tree.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  }, [placeOf(chosen ?? []), rows.length])
  const onKeyDown = useKeys({
    draft,
    edit,
    step: (by) => draft.choose(rows[within(at + by, rows.length)]?.path ?? null),
  })
  const drag = useDrag(draft)
  return (
    <div ref={tree} role="tree" aria-label={words.outline} class="outline" onKeyDown={onKeyDown}>
      {rows.map(({ node, path, siblings }, number) => (
        <Row
          key={placeOf(path)}
          node={node}
          path={path}
          siblings={siblings}
          isChosen={number === at}
          isStop={number === Math.max(at, 0)}
          findings={findingsAt.get(placeOf(path)) ?? 0}
          choose={() => draft.choose(path)}
          drag={drag}
        />
      ))}
    </div>
  )
}

function within(at: number, length: number): number {
  return Math.max(0, Math.min(length - 1, at))
}

function useKeys({ draft, edit, step }: { draft: Draft; edit: () => void; step: (by: number) => void }) {
  // After Escape, Tab leaves the outline as it leaves anything else.
  const leaves = useRef(false)
  const keys: Record<string, () => unknown> = {
    ArrowUp: () => step(-1),
    ArrowDown: () => step(1),
    'Alt+ArrowUp': () => draft.move('up'),
    'Alt+ArrowDown': () => draft.move('down'),
    'Alt+ArrowLeft': () => draft.move('out'),
    'Alt+ArrowRight': () => draft.move('in'),
    Enter: edit,
    Delete: draft.remove,
    Backspace: draft.remove,
    Tab: () => draft.move('in'),
    'Shift+Tab': () => draft.move('out'),
  }
  return (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey) return
    const name = `${event.altKey ? 'Alt+' : ''}${event.shiftKey ? 'Shift+' : ''}${event.key}`
    const isLeaving = leaves.current && event.key === 'Tab'
    leaves.current = event.key === 'Escape'
    const run = isLeaving ? undefined : keys[name]
    // Tab that has nowhere to go goes on as usual.
    if (run && run() !== false) event.preventDefault()
  }
}

type Side = 'before' | 'after' | 'into'

interface Drag {
  over: { place: string; side: Side } | null
  start: (path: Path) => void
  hover: (event: DragEvent, path: Path, node: TreeNode) => void
  drop: () => void
  end: () => void
}

function useDrag({ written, rearrange }: Draft): Drag {
  const [from, setFrom] = useState<Path | null>(null)
  const [over, setOver] = useState<{ path: Path; side: Side; count: number } | null>(null)
  const end = () => {
    setFrom(null)
    setOver(null)
  }
  const result = () => from && over && moved(written.content, from, target(over))
  return {
    over: over && { place: placeOf(over.path), side: over.side },
    start: setFrom,
    hover: (event, path, node) => {
      if (!from) return
      const next = { path, side: sideOf(event, node), count: node.children?.length ?? 0 }
      if (!moved(written.content, from, target(next))) return setOver(null)
      event.preventDefault()
      setOver(next)
    },
    drop: () => {
      const there = result()
      if (there) rearrange(there.content, there.path)
      end()
    },
    end,
  }
}

function target({ path, side, count }: { path: Path; side: Side; count: number }): Path {
  if (side === 'into') return [...path, count]
  return path.with(-1, (path.at(-1) ?? 0) + (side === 'after' ? 1 : 0))
}

/** The middle of what can hold others is into it. */
function sideOf(event: DragEvent, { type }: TreeNode): Side {
  const { top, height } =
    event.currentTarget instanceof Element ? event.currentTarget.getBoundingClientRect() : { top: 0, height: 1 }
  const part = (event.clientY - top) / height
  if (formOf(type)?.isBranch && part > 0.3 && part < 0.7) return 'into'
  return part < 0.5 ? 'before' : 'after'
}

interface RowProps {
  node: TreeNode
  path: Path
  siblings: number
  isChosen: boolean
  /** Where Tab enters the outline. */
  isStop: boolean
  findings: number
  choose: () => void
  drag: Drag
}

function Row({ node, path, siblings, isChosen, isStop, findings, choose, drag }: RowProps) {
  const { over } = drag
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the arrows of the outline do the same.
    <div
      role="treeitem"
      aria-level={path.length}
      aria-posinset={(path.at(-1) ?? 0) + 1}
      aria-setsize={siblings}
      aria-selected={isChosen}
      tabIndex={isStop ? 0 : -1}
      class={over?.place === placeOf(path) ? `node drop-${over.side}` : 'node'}
      style={{ paddingInlineStart: `${path.length * 0.9 - 0.3}rem` }}
      onClick={choose}
      draggable
      onDragStart={() => drag.start(path)}
      onDragOver={(event) => drag.hover(event, path, node)}
      onDrop={(event) => {
        event.preventDefault()
        drag.drop()
      }}
      onDragEnd={drag.end}
    >
      <span>{typeName(node.type)}</span> <span class="muted">{summaryOf(node)}</span>
      {findings > 0 && <span class="status warn">{words.findingsAt(findings)}</span>}
    </div>
  )
}
