// The text that is edited in the mail: found in it, given to the editor, and kept through every new drawing of the mail around it.

import type { TextEditor } from './editor.ts'
import { findMarked, markedAround, textsOf } from './marked.ts'
import type { Command, Edit, SendToPage, Spot } from './messages.ts'

/** Of the frame's own page, which the mail replaces. */
const editorScript = document.currentScript?.dataset['editor'] ?? ''
const styles = `
.typed { display: block; min-height: 1em; outline: 1px dotted #2563eb; outline-offset: 2px; white-space: break-spaces; overflow-wrap: break-word; cursor: text; -webkit-user-modify: read-write }
a .typed { display: inline-block; min-width: 1em }
.typed u { text-underline-offset: 2px }
.typed .placeholder { background: rgb(37 99 235 / 16%); border-radius: 4px; padding: 0 4px; cursor: default }
.typed .ProseMirror-selectednode { outline: 2px solid #2563eb }
.typed img.ProseMirror-separator { display: inline !important; border: none !important; margin: 0 !important; width: 0; height: 0 }`

let currentEdit: Edit | null = null
let editor: TextEditor | null = null
let isLoading = false
/** Where the mouse was pressed last, for the letter that it meant. */
let pressed: { element: HTMLElement; left: number; top: number } | null = null

/** Which text of which node an element is, or is in. */
export function spotOf(target: Node, { clientX, clientY }: MouseEvent): { place: string; spot: Spot | null } | null {
  const marked = markedAround(target)
  if (!marked) return null
  const all = textsOf(marked)
  const index = all.findIndex((one) => one.contains(target))
  const element = all[index]
  pressed = element ? { element, left: clientX, top: clientY } : null
  return { place: marked.place, spot: index < 0 ? null : { index, count: all.length } }
}

export const isEdited = (target: Node) => editor?.element.contains(target) === true

/** While a letter is composed the mail stays as it is. */
export const mustStay = () => editor?.isComposing() === true

export const isSamePlace = (one: Edit, other: Edit | null) => one.place === other?.place && one.index === other.index

/** After each drawing of the mail, and for each change of the text from elsewhere. */
export function edit(next: Edit | null, tell: SendToPage): void {
  const before = currentEdit
  currentEdit = next
  if (editor && (!next || !before || !isSamePlace(next, before))) close()
  if (!next) return
  const host = hostOf(next)
  if (!host) return
  if (!window.openInlineEditor) {
    load(tell)
    return
  }
  addStyles()
  if (editor) {
    if (!host.contains(editor.element)) host.replaceChildren(editor.element)
    if (document.activeElement !== editor.element && hadFocus) editor.focus()
    editor.set(next)
    editor.tellCaret()
    return
  }
  editor = window.openInlineEditor(next, tell)
  editor.element.classList.add('typed')
  // A list item and a link take the room of their words.
  host.replaceChildren(editor.element)
  const isPressed =
    pressed !== null && host.contains(pressed.element) ? pressed : pressed?.element.contains(host) && pressed
  editor.focus(isPressed ? { left: isPressed.left, top: isPressed.top } : null)
  pressed = null
}

/** Whether the editor had the focus before the mail was drawn anew; what was marked is marked again. */
let hadFocus = false
export function rememberFocus(): void {
  hadFocus = editor !== null && document.activeElement === editor.element
  editor?.readSelection()
}

function hostOf(wanted: Edit): HTMLElement | undefined {
  const near = pressed && markedAround(pressed.element)
  const marked = near?.place === wanted.place && pressed?.element.isConnected ? near : findMarked(wanted.place)
  const host = marked && textsOf(marked)[wanted.index]
  const [only, ...others] = host?.children ?? []
  // The words of a link that is alone in its line.
  return only instanceof HTMLAnchorElement &&
    others.length === 0 &&
    only.textContent === host?.textContent &&
    wanted.format === 'plain'
    ? only
    : host
}

export function runCommand(command: Command): void {
  editor?.run(command)
}

/** The entry that Enter makes is there at once, so that no letter is typed into another one. */
export function makeRoom(): void {
  const entry = editor?.element.closest('li')
  const next = entry?.cloneNode(false)
  if (next) entry?.after(next)
}

window.addEventListener('scroll', () => editor?.tellCaret(), { passive: true })

let isKept = false

/** Of the text whose editing ends now, until the mail is drawn with them. */
export function keepWords(): void {
  isKept = true
}

function close(): void {
  const host = editor?.element.parentElement
  const words = isKept ? Array.from(editor?.element.childNodes ?? [], (one) => one.cloneNode(true)) : []
  isKept = false
  editor?.close()
  editor?.element.remove()
  host?.append(...words)
  editor = null
}

function load(tell: SendToPage): void {
  if (isLoading) return
  isLoading = true
  const script = document.createElement('script')
  script.src = editorScript
  script.addEventListener('load', () => edit(currentEdit, tell))
  script.addEventListener('error', () => {
    isLoading = false
  })
  document.head.append(script)
}

function addStyles(): void {
  if (document.querySelector('style[data-typed]')) return
  const sheet = document.createElement('style')
  sheet.dataset['typed'] = ''
  sheet.textContent = styles
  document.head.append(sheet)
}
