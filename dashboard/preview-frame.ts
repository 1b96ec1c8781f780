// Runs alone inside the frame that shows a preview: the mail's own document replaces the frame's. The frame has no origin, so it reaches
// the dashboard only by messages, through a channel that it hands to the page that loaded it.

import { ownValue } from '../src/kit/own-value.ts'
import { filesGiven, hasFiles } from './files-given.ts'
import { allowDragging, dragTo, listenToDragging, showLanding } from './in-mail/dragging.ts'
import {
  edit,
  isEdited,
  isSamePlace,
  keepWords,
  makeRoom,
  mustStay,
  rememberFocus,
  runCommand,
  spotOf,
} from './in-mail/editing.ts'
import { findMarked, firstElement, markedAround } from './in-mail/marked.ts'
import type { Edit, FromFrame, ShownMail, ToFrame } from './in-mail/messages.ts'

const unwanted = 'embed, frame, iframe, link, meta[http-equiv="refresh" i], object, script'
const { port1: channel, port2: toParent } = new MessageChannel()
let last: ShownMail | null = null
/** The text that was edited when the mail was drawn. */
let drawn: Edit | null = null

channel.onmessage = ({ data }: MessageEvent<ToFrame>) => {
  if ('mail' in data) take(data.mail)
  if ('command' in data) runCommand(data.command)
  if ('landing' in data) showLanding(data.landing)
  if ('point' in data) dragTo(data.point, tell)
}
document.addEventListener('click', (event) => {
  event.preventDefault()
  const { target } = event
  if (!(target instanceof Node) || isEdited(target)) return
  const found = spotOf(target, event)
  if (found) tell({ chosen: found.place, spot: found.spot })
})
document.addEventListener('keydown', (event) => {
  const key = keyOf(event)
  if (key === null) return
  event.preventDefault()
  tell({ key })
})
document.addEventListener('compositionend', () => setTimeout(() => last && take(last)))
listenToDragging(tell)
// Also where nobody wants them: the browser would leave the page for a file.
document.addEventListener('dragover', (event) => hasFiles(event) && event.preventDefault())
document.addEventListener('drop', giveFiles)
document.addEventListener('paste', giveFiles)
// The page that may show it is of where it came from.
window.parent.postMessage(null, new URL(location.href).origin, [toParent])

function tell(message: FromFrame): void {
  if ('split' in message) makeRoom()
  channel.postMessage(message)
}

/** The keys of the page around that work on the whole mail. */
function keyOf({ ctrlKey, metaKey, shiftKey, altKey, key }: KeyboardEvent): 'save' | 'undo' | 'redo' | null {
  if (!(ctrlKey || metaKey) || altKey) return null
  if (key.toLowerCase() === 's') return 'save'
  if (key.toLowerCase() === 'z') return shiftKey ? 'redo' : 'undo'
  return key.toLowerCase() === 'y' ? 'redo' : null
}

function giveFiles(event: DragEvent | ClipboardEvent): void {
  const files = filesGiven(event)
  if (files.length === 0) return
  event.preventDefault()
  const at = event.type === 'drop' && event.target instanceof Node ? markedAround(event.target)?.place : undefined
  tell({ files, at: at ?? null })
}

function take(mail: ShownMail): void {
  if (mustStay()) {
    last = mail
    return
  }
  const isNew = !last || drawsAnew(last, mail)
  const isOver = drawn !== null && !isSamePlace(drawn, mail.edit)
  // Words whose mail is still to come stay as they were typed.
  const areNewer = isOver && last?.edit?.text !== drawn?.text
  last = mail
  rememberFocus()
  if (!isNew && areNewer) keepWords()
  else if (isNew || isOver) show(mail)
  if (isNew || isOver) drawn = mail.edit
  edit(mail.edit, tell)
}

function drawsAnew({ edit: _, ...before }: ShownMail, { edit: __, ...now }: ShownMail): boolean {
  return JSON.stringify(before) !== JSON.stringify(now)
}

function show({ html, isDark, hasPictures, isLarge, isRightToLeft, chosen, labels, handle }: ShownMail): void {
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
  const marked = chosen === null ? undefined : findMarked(chosen)
  const made = marked && firstElement(marked)
  if (made) made.style.outline = '2px solid #2563eb'
  if (made && chosen !== lastChosen) made.scrollIntoView({ block: 'nearest' })
  lastChosen = chosen
  allowDragging(handle)
}

let lastChosen: string | null = null

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
