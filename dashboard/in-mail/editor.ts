// Editing a text in the mail itself, by ProseMirror: a script of its own that the frame of the mail loads with the first text that is
// clicked. It knows line breaks, placeholders, and what markdown has; everything else is left out of what is pasted.

import { toggleMark } from 'prosemirror-commands'
import { keymap } from 'prosemirror-keymap'
import { Fragment, Slice } from 'prosemirror-model'
import { type Command as Act, EditorState, Plugin, TextSelection, type Transaction } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import {
  linkAround,
  marksBetween,
  onlyText,
  readText,
  type StoredForm,
  schema,
  toFragment,
  toRuns,
  withPlaceholders,
  writeText,
} from './inline-doc.ts'
import { plainRuns, textOf } from './inline-text.ts'
import type { Caret, Command, Edit, FromFrame, Mark, SendToPage, Typed } from './messages.ts'

export type OpenEditor = (edit: Edit, tell: SendToPage) => TextEditor

declare global {
  interface Window {
    openInlineEditor?: OpenEditor
  }
}

window.openInlineEditor = (edit, tell) => new TextEditor(edit, tell)

/** What is typed after such a pause is a step of its own. */
const pauseMs = 1_000

export class TextEditor {
  /** What is typed in, to be put into the mail. */
  readonly element = document.createElement('span')
  readonly #tell: SendToPage
  readonly #view: EditorView
  #edit: Edit
  #stored: StoredForm
  #change: number
  #step: number
  #typedAt = 0

  constructor(edit: Edit, tell: SendToPage) {
    this.#edit = edit
    this.#tell = tell
    this.#change = edit.seen
    this.#step = edit.seen
    const { doc, stored } = readText(edit)
    this.#stored = stored
    this.#view = new EditorView(
      { mount: this.element },
      {
        state: EditorState.create({ doc, plugins: this.#plugins() }),
        attributes: {
          role: 'textbox',
          'aria-multiline': String(edit.enter === 'break'),
          'aria-label': edit.label,
          'aria-description': edit.help,
        },
        handleKeyDown: () => {
          this.readSelection()
          return false
        },
        transformPasted: onlyText,
        clipboardTextSerializer: ({ content }) => textOf(toRuns(content)),
        handleDOMEvents: { paste: (_, event) => this.#paste(event), focus: () => this.tellCaret() },
        dispatchTransaction: (transaction) => this.#dispatch(transaction),
      },
    )
  }

  /** While a letter is composed of several keys. */
  isComposing(): boolean {
    return this.#view.composing
  }

  /** Takes the focus; to the letter at a point of the window, else to the end. */
  focus(at?: { left: number; top: number } | null): void {
    const view = this.#view
    view.focus()
    if (at === undefined) return
    const place = (at && view.posAtCoords(at)?.pos) ?? view.state.doc.content.size
    view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, place)))
  }

  /** Puts a text that was changed elsewhere. */
  set(edit: Edit): void {
    this.#edit = edit
    const now = this.#write()
    if (edit.seen !== this.#change || (now?.text === edit.text && now.format === edit.format)) return
    const { doc, stored } = readText(edit)
    this.#stored = stored
    const { tr } = this.#view.state
    tr.replaceWith(0, tr.doc.content.size, doc.content).setMeta('isElsewhere', true)
    this.#view.dispatch(tr)
  }

  run(command: Command): void {
    const { state, dispatch } = this.#view
    if ('mark' in command) this.#toggle(command.mark)(state, dispatch, this.#view)
    if ('link' in command) this.#setLink(command.link)
    if ('insert' in command) this.#insert(toFragment(plainRuns(command.insert)))
    this.#view.focus()
  }

  close(): void {
    this.#view.destroy()
  }

  #plugins(): Plugin[] {
    const enter = () => this.#enter()
    return [
      keymap(tellingKeys(this.#edit, this.#tell)),
      keymap({ 'Mod-b': this.#toggle('strong'), 'Mod-i': this.#toggle('em'), Enter: enter, 'Shift-Enter': enter }),
      new Plugin({
        // What cannot be stored is not done.
        filterTransaction: ({ docChanged, doc }) => !docChanged || writeText(doc, this.#stored) !== null,
        appendTransaction: (_, __, state) => withPlaceholders(state),
      }),
    ]
  }

  /** The browser tells of a selection a moment later: the next key may have been pressed by then, or the mail drawn anew. */
  readSelection(): void {
    const { anchorNode, anchorOffset, focusNode, focusOffset } = document.getSelection() ?? {}
    if (!anchorNode || !focusNode || !this.element.contains(anchorNode) || !this.element.contains(focusNode)) return
    const view = this.#view
    const [anchor, head] = [view.posAtDOM(anchorNode, anchorOffset ?? 0), view.posAtDOM(focusNode, focusOffset ?? 0)]
    const { selection, doc, tr } = view.state
    const isOther = selection.anchor !== anchor || selection.head !== head
    if (isOther && !view.composing) view.dispatch(tr.setSelection(TextSelection.create(doc, anchor, head)))
  }

  #write() {
    return writeText(this.#view.state.doc, this.#stored)
  }

  #toggle(mark: Mark): Act {
    return (state, dispatch, view) => this.#stored.hasLooks && toggleMark(schema.marks[mark])(state, dispatch, view)
  }

  #enter(): boolean {
    const { enter } = this.#edit
    const { doc, selection } = this.#view.state
    const part = (from: number, to: number) => writeText(doc.cut(from, to), this.#stored)?.text ?? ''
    if (enter === 'break') this.#insert(Fragment.from(schema.nodes.break.create()))
    else if (enter === 'end') this.#tell({ key: 'end' })
    else this.#tell({ split: [part(0, selection.from), part(selection.to, doc.content.size)] })
    return true
  }

  #insert(content: Fragment): void {
    const { tr, storedMarks, selection } = this.#view.state
    const marks = storedMarks ?? selection.$from.marks()
    const nodes = content.content.map((node) => node.mark(marks))
    this.#view.dispatch(tr.replaceSelection(new Slice(Fragment.from(nodes), 0, 0)).scrollIntoView())
  }

  /** Files go to whoever takes pictures; of everything else the words. */
  #paste(event: ClipboardEvent): boolean {
    const text = (event.clipboardData?.getData('text/plain') ?? '').replaceAll(/\r\n?/g, '\n')
    if (text === '') return false
    event.preventDefault()
    event.stopPropagation()
    const words = this.#edit.enter === 'break' ? text : inOneLine(text)
    this.#insert(toFragment(plainRuns(words)))
    return true
  }

  #setLink(href: string | null): void {
    const { link } = schema.marks
    const { tr, selection, doc } = this.#view.state
    const { from, to } = selection.empty ? linkAround(doc, selection.from) : selection
    if (from === to && href === null) return
    tr.removeMark(from, to, link)
    if (href !== null && from === to) tr.insert(from, schema.text(href, [link.create({ href })]))
    else if (href !== null) tr.addMark(from, to, link.create({ href }))
    this.#view.dispatch(tr)
  }

  #dispatch(transaction: Transaction): void {
    const before = this.#view.state.doc
    this.#view.updateState(this.#view.state.apply(transaction))
    const isTyped = !this.#view.state.doc.eq(before) && transaction.getMeta('isElsewhere') !== true
    if (isTyped) this.#tellTyped(transaction.time)
    this.tellCaret()
  }

  #tellTyped(at: number): void {
    const now = this.#write()
    if (now === null) return
    if (at - this.#typedAt > pauseMs) this.#step = this.#change + 1
    this.#typedAt = at
    this.#change++
    const { place, index } = this.#edit
    this.#tell({ typed: { place, index, ...now, change: this.#change, step: this.#step } satisfies Typed })
  }

  /** Also after what moved it without a change of it. */
  tellCaret(): void {
    const { doc, storedMarks, selection } = this.#view.state
    const { from, to, empty, $from } = selection
    const marks = empty ? (storedMarks ?? $from.marks()) : marksBetween(doc, from, to)
    const href = marks.find(({ type }) => type === schema.marks.link)?.attrs['href']
    const box = this.element.getBoundingClientRect()
    const begins = empty ? box : this.#view.coordsAtPos(from)
    const caret: Caret = {
      top: begins.top,
      bottom: empty ? box.bottom : this.#view.coordsAtPos(to).bottom,
      left: begins.left,
      strong: marks.some(({ type }) => type === schema.marks.strong),
      em: marks.some(({ type }) => type === schema.marks.em),
      href: typeof href === 'string' ? href : null,
      isEmpty: empty,
      hasLooks: this.#stored.hasLooks,
    }
    this.#tell({ caret })
  }
}

type Key = Extract<FromFrame, { key: unknown }>['key']

/** Those that the page around answers. */
function tellingKeys({ enter }: Edit, tell: SendToPage): Record<string, Act> {
  const says = (key: Key) => () => {
    tell({ key })
    return true
  }
  return {
    Escape: says('end'),
    Tab: says('next'),
    'Shift-Tab': says('before'),
    'Mod-k': says('link'),
    'Alt-F10': says('tools'),
    ...(enter === 'split' && { Backspace: ({ doc }: EditorState) => doc.content.size === 0 && says('erase')() }),
  }
}

function inOneLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').join(' ')
}
