// Components that are dragged in the mail: by a handle beside the one that the mouse is over, and from outside. The page around says where
// they would land, for it knows what may stand where.

import { boxOf, findMarked, markedAround } from './marked.ts'
import { dragType, type Landing, type Over, type SendToPage } from './messages.ts'

const blue = '#2563eb'
const handle = document.createElement('div')
const line = document.createElement('div')
let handled: string | null = null

Object.assign(line.style, { position: 'absolute', zIndex: '9', pointerEvents: 'none', boxSizing: 'border-box' })
Object.assign(handle.style, {
  position: 'absolute',
  zIndex: '10',
  width: '18px',
  height: '26px',
  font: '16px/26px system-ui, sans-serif',
  textAlign: 'center',
  color: '#fff',
  background: blue,
  borderRadius: '5px',
  cursor: 'grab',
  userSelect: 'none',
})
handle.textContent = '⠿'
handle.draggable = true

export function listenToDragging(tell: SendToPage): void {
  handle.addEventListener('dragstart', ({ dataTransfer }) => {
    dataTransfer?.setData(dragType, handled ?? '')
    const marked = handled === null ? undefined : findMarked(handled)
    const shown = marked?.begins.nextElementSibling
    if (shown) dataTransfer?.setDragImage(shown, 0, 0)
    tell({ dragged: handled })
  })
  handle.addEventListener('dragend', () => tell({ dragged: null }))
  handle.addEventListener('click', () => handled !== null && tell({ chosen: handled, spot: null }))
  document.addEventListener('mousemove', ({ target }) => target instanceof Node && showHandleAt(target))
  document.addEventListener('dragover', (event) => {
    if (!isOfComponents(event)) return
    event.preventDefault()
    tellOver(overAt(event.clientX, event.clientY), tell)
  })
  document.addEventListener('dragleave', (event) => {
    if (isOfComponents(event) && event.relatedTarget === null) tellOver(null, tell)
  })
  document.addEventListener('drop', (event) => {
    if (!isOfComponents(event)) return
    event.preventDefault()
    tell({ dropped: true })
  })
}

const isOfComponents = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes(dragType) === true

/** Near an edge of the window the mail moves along. */
export function dragTo(point: { x: number; y: number } | null, tell: SendToPage): void {
  if (point) window.scrollBy(0, point.y < edgePx ? -stepPx : point.y > innerHeight - edgePx ? stepPx : 0)
  tellOver(point && overAt(point.x, point.y), tell)
}

const edgePx = 48
const stepPx = 16
let lastOver: string | null = null

function tellOver(over: Over | null, tell: SendToPage): void {
  const text = JSON.stringify(over)
  if (text === lastOver) return
  lastOver = text
  tell({ over })
}

function overAt(x: number, y: number): Over | null {
  const target = document.elementFromPoint(x, y)
  const marked = target ? markedAround(target) : undefined
  if (!marked) return null
  const { left, top, width, height } = boxOf(marked)
  const part = (at: number, begin: number, size: number) => Math.round(((at - begin) / Math.max(1, size)) * 20) / 20
  return { place: marked.place, x: part(x, left, width), y: part(y, top, height) }
}

let label: string | null = null

/** Null: nothing is dragged in this mail. Called whenever the mail was drawn anew, which takes both away. */
export function allowDragging(name: string | null): void {
  label = name
  handled = null
  handle.remove()
}

function showHandleAt(target: Node): void {
  if (label === null || target === handle) return
  const marked = markedAround(target)
  if (!marked || marked.place === handled) return
  handled = marked.place
  const { left, top } = boxOf(marked)
  handle.title = label
  Object.assign(handle.style, {
    left: `${Math.max(0, left + window.scrollX - 22)}px`,
    top: `${top + window.scrollY}px`,
  })
  document.body.append(handle)
}

/** The line at which what is dragged would stand, or the box that would hold it. */
export function showLanding(landing: Landing | null): void {
  if (!landing) lastOver = null
  const marked = landing && findMarked(landing.place)
  if (!marked) {
    line.remove()
    return
  }
  const { left, top, width, height } = boxOf(marked)
  const { edge } = landing
  line.dataset['landing'] = edge
  const isUpright = edge === 'left' || edge === 'right'
  const isInside = edge === 'inside'
  Object.assign(line.style, {
    left: `${left + window.scrollX + (edge === 'right' ? width : 0) - (isUpright ? 2 : 0)}px`,
    top: `${top + window.scrollY + (edge === 'bottom' ? height : 0) - (isUpright || isInside ? 0 : 2)}px`,
    width: isUpright ? '4px' : `${width}px`,
    height: isUpright || isInside ? `${Math.max(16, height)}px` : '4px',
    background: isInside ? 'rgb(37 99 235 / 12%)' : blue,
    border: isInside ? `2px dashed ${blue}` : '0',
  })
  document.body.append(line)
}
