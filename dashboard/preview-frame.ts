// Runs alone inside the frame that shows a preview: the mail's own document replaces the frame's. The frame has no origin, so it reaches
// the dashboard only by messages, through a channel that it hands to the page that loaded it.

import { ownValue } from '../src/kit/own-value.ts'
import { filesGiven, hasFiles } from './files-given.ts'

export interface ToFrame {
  /** With the comments that say which node made what. */
  html: string
  isDark: boolean
  hasPictures: boolean
  /** Text of 200 %, as a reader who sees less sets it. */
  isLarge: boolean
  isRightToLeft: boolean
  /** The place of the chosen node: `content[0]`. */
  chosen: string | null
  /** What stands beside a link, by its address. */
  labels: Record<string, string>
}

/** The place of the node that was clicked; or files that were dropped or pasted, and the node that they were dropped on. */
export type FromFrame = { chosen: string } | { files: File[]; at: string | null }

const unwanted = 'embed, frame, iframe, link, meta[http-equiv="refresh" i], object, script'
const { port1: channel, port2: toParent } = new MessageChannel()
let lastChosen: string | null = null

channel.onmessage = ({ data }: MessageEvent<ToFrame>) => showMail(data)
document.addEventListener('click', (event) => {
  event.preventDefault()
  const place = event.target instanceof Node ? readNodePath(event.target) : undefined
  if (place !== undefined) channel.postMessage({ chosen: place } satisfies FromFrame)
})
// Also where nobody wants them: the browser would leave the page for a file.
document.addEventListener('dragover', (event) => hasFiles(event) && event.preventDefault())
document.addEventListener('drop', giveFiles)
document.addEventListener('paste', giveFiles)
// The page that may show it is of where it came from.
window.parent.postMessage(null, new URL(location.href).origin, [toParent])

function giveFiles(event: DragEvent | ClipboardEvent): void {
  const files = filesGiven(event)
  if (files.length === 0) return
  event.preventDefault()
  const at = event.type === 'drop' && event.target instanceof Node ? readNodePath(event.target) : undefined
  channel.postMessage({ files, at: at ?? null } satisfies FromFrame)
}

function showMail({ html, isDark, hasPictures, isLarge, isRightToLeft, chosen, labels }: ToFrame): void {
  const top = window.scrollY
  const page = new DOMParser().parseFromString(inScheme(html, isDark), 'text/html')
  // Elements that a stranger's mail may contain and no reader wants. The policies of the page and its parent forbid whatever else would be
  // loaded, also by styles.
  for (const one of page.querySelectorAll(unwanted)) one.remove()
  // Fonts of other hosts, which the policy forbids, too.
  for (const sheet of page.querySelectorAll('style'))
    sheet.textContent = (sheet.textContent ?? '').replaceAll(/@import\b[^;{}]*;/g, '')
  if (!hasPictures)
    for (const picture of page.querySelectorAll('[src], [srcset], [background]'))
      for (const name of ['src', 'srcset', 'background']) picture.removeAttribute(name)
  if (isLarge) enlarge(page)
  if (isRightToLeft) mirror(page)
  document.documentElement.replaceWith(document.adoptNode(page.documentElement))
  for (const link of document.querySelectorAll('a')) label(link, labels[link.getAttribute('href') ?? ''])
  window.scrollTo(0, top)
  const made = findElement(chosen ?? '')
  if (made) made.style.outline = '2px solid #2563eb'
  if (made && chosen !== lastChosen) made.scrollIntoView({ block: 'nearest' })
  lastChosen = chosen
}

/** Only text, and the lines that it stands in: pictures and columns stay as wide as they are. */
function enlarge(page: Document): void {
  for (const { style } of page.querySelectorAll<HTMLElement>('[style]'))
    for (const property of ['font-size', 'line-height']) {
      const [, px] = /^([\d.]+)px$/.exec(style.getPropertyValue(property)) ?? []
      // Also where a rule for phones says otherwise.
      if (px !== undefined && Number(px) > 2) style.setProperty(property, `${Number(px) * 2}px`, 'important')
    }
}

const otherSide: Record<string, string> = { left: 'right', right: 'left' }

/** As for readers of Arabic: what begins on the left begins on the right. */
function mirror(page: Document): void {
  for (const element of page.querySelectorAll<HTMLElement>('html, [dir], [align], [style]')) {
    if (element.matches('html, [dir]')) element.dir = 'rtl'
    const [align, textAlign] = [element.getAttribute('align'), element.style.textAlign]
    if (align) element.setAttribute('align', ownValue(otherSide, align) ?? align)
    if (textAlign) element.style.textAlign = ownValue(otherSide, textAlign) ?? textAlign
  }
}

function label(link: HTMLAnchorElement, text: string | undefined): void {
  if (text === undefined) return
  const badge = document.createElement('span')
  badge.textContent = text
  Object.assign(badge.style, {
    marginInlineStart: '4px',
    padding: '1px 7px',
    borderRadius: '9px',
    background: '#1d4ed8',
    color: '#fff',
    font: '600 12px/1.4 system-ui, sans-serif',
    whiteSpace: 'nowrap',
  })
  link.style.outline = '2px solid #1d4ed8'
  link.after(badge)
}

/** As shown by a client in light or in dark mode, whichever this browser uses. */
function inScheme(html: string, isDark: boolean): string {
  const wanted = isDark ? 'dark' : 'light'
  return html
    .replaceAll(/\(prefers-color-scheme:\s*(\w+)\)/g, (_, scheme) =>
      scheme === wanted ? '(min-width:0)' : '(max-width:0)',
    )
    .replaceAll('content="light dark"', `content="${wanted}"`)
}

function* marks(): Generator<Comment> {
  const comments = document.createTreeWalker(document, NodeFilter.SHOW_COMMENT)
  while (comments.nextNode()) if (comments.currentNode instanceof Comment) yield comments.currentNode
}

/** The innermost node that made an element: the last that opens before it and closes behind it. */
function readNodePath(element: Node): string | undefined {
  const all = [...marks()]
  const opening = all.filter((mark) => {
    const end = all.find(({ data }) => data === `/${mark.data}`)
    return end && isBefore(mark, element) && isBefore(element, end)
  })
  return opening.at(-1)?.data
}

function isBefore(one: Node, other: Node): boolean {
  const place = one.compareDocumentPosition(other)
  return (place & Node.DOCUMENT_POSITION_FOLLOWING) > 0 && (place & Node.DOCUMENT_POSITION_CONTAINED_BY) === 0
}

function findElement(place: string): HTMLElement | null {
  for (const mark of marks()) {
    if (mark.data !== place) continue
    let next = mark.nextSibling
    while (next && !(next instanceof HTMLElement)) next = next.nextSibling
    return next
  }
  return null
}
