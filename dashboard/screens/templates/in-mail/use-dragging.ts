// Components that are dragged in the outline, out of the palette, and in the mail: what is dragged, and where in the mail it would land.

import { useRef, useState } from 'preact/hooks'
import { dragType, type FromFrame, type Landing, type Over, type ToFrame } from '../../../in-mail/messages.ts'
import { type Moved, movedTo } from '../marks.ts'
import { findForm, moved, nodeAt, type Path, readPlace, shownPath, type TreeNode, toTreePath } from '../tree.ts'
import type { TemplateDraft } from '../use-draft.ts'

/** Some that are there, or a new one. */
type Source = Path[] | TreeNode

export interface Dragging {
  start: (source: Source, event?: DragEvent) => void
  /** The tree with what is dragged at a place of it. Null where it may not stand, and while nothing is dragged. */
  to: (place: Path) => Moved | null
  end: () => void
  hear: (message: FromFrame) => void
  /** It began in the page, not in the mail. */
  isOfPage: boolean
  /** The marked ones where this is one of them. */
  withMarked: (path: Path) => Path[]
}

export function useDragging(
  { written: { content }, marked, arrange, isReadOnly }: TemplateDraft,
  send: { current: ((message: ToFrame) => void) | null },
): Dragging {
  const source = useRef<Source | null>(null)
  const [isOfPage, setOfPage] = useState(false)
  const over = useRef<Moved | null>(null)
  const to = (place: Path) => {
    const { current } = source
    if (current === null) return null
    return Array.isArray(current) ? movedTo(content, current, place) : added(content, current, place)
  }
  const show = (there: { moved: Moved; landing: Landing } | null) => {
    over.current = there?.moved ?? null
    send.current?.({ landing: there?.landing ?? null })
  }
  const start = (next: Source, event?: DragEvent) => {
    event?.dataTransfer?.setData(dragType, '')
    if (isReadOnly) return
    source.current = next
    setOfPage(event !== undefined)
  }
  const end = () => {
    source.current = null
    setOfPage(false)
    show(null)
  }
  const withMarked = (path: Path) => (marked.some((one) => toTreePath(one) === toTreePath(path)) ? marked : [path])
  const hear = (message: FromFrame) => {
    if ('dragged' in message) {
      const path = message.dragged === null ? null : (readPlace(message.dragged)?.path ?? null)
      if (path) start(withMarked(shownPath(content, path)))
      else end()
    }
    if ('over' in message) show(message.over && landingFor(content, message.over, to))
    if ('dropped' in message) {
      if (over.current) arrange(over.current)
      end()
    }
  }
  return { start, to, end, hear, isOfPage, withMarked }
}

/** A new one, at the end of all and from there to its place, by the rules for what may stand where. */
function added(content: TreeNode[], node: TreeNode, place: Path): Moved | null {
  const result = moved([...content, node], [content.length], place)
  return result && { content: result.content, paths: [result.path] }
}

/** At the next edge of what it is over, or within; where it may not stand there, the same of what that is in. */
function landingFor(content: TreeNode[], { place, x, y }: Over, to: Dragging['to']) {
  const path = readPlace(place)?.path
  for (let at = path ? shownPath(content, path) : []; at.length > 0; at = at.slice(0, -1)) {
    for (const { edge, path } of edgesOf(content, at, { x, y })) {
      const result = to(path)
      if (result) return { moved: result, landing: { place: toTreePath(at), edge } }
    }
  }
  return null
}

function edgesOf(content: TreeNode[], at: Path, { x, y }: Omit<Over, 'place'>) {
  const node = nodeAt(content, at)
  const children = node?.children?.length ?? 0
  const isWithin = findForm(node?.type ?? '')?.isBranch === true && (children === 0 || (y > 0.25 && y < 0.75))
  const columns = nodeAt(content, at.slice(0, -1))?.['columns']
  const isBeside = typeof columns === 'number' && columns > 1
  const isBehind = (isBeside ? x : y) > 0.5
  const edge: Landing['edge'] = isBeside ? (isBehind ? 'right' : 'left') : isBehind ? 'bottom' : 'top'
  const beside = { edge, path: at.with(-1, (at.at(-1) ?? 0) + (isBehind ? 1 : 0)) }
  return isWithin ? [{ edge: 'inside' as const, path: [...at, children] }, beside] : [beside]
}
