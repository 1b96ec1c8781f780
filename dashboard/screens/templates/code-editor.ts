// The field for the source of a mail, by CodeMirror: colours, numbers of lines, findings at their lines. Loaded when a source is shown. It
// stands in a shadow tree, where its styles are objects and not elements, which the policy of the page forbids.

import { defaultKeymap, indentWithTab } from '@codemirror/commands'
import { HighlightStyle, indentUnit, LRLanguage, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { EditorState } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { parser } from '@lezer/html'
import type { SourcePlace } from './source.ts'

export interface CodeFinding extends SourcePlace {
  message: string
}

export interface CodeEditor {
  /** Puts a text that was changed elsewhere. */
  set: (text: string) => void
  select: (place: SourcePlace) => void
  show: (findings: CodeFinding[]) => void
  close: () => void
}

interface CodeOptions {
  host: HTMLElement
  text: string
  label: string
  /** What its own panels and notes say. */
  phrases: Record<string, string>
  isReadOnly: boolean
  typed: (text: string) => void
  caret: (at: number) => void
}

const colours = HighlightStyle.define([
  { tag: [tags.tagName, tags.angleBracket], color: 'var(--link)' },
  { tag: tags.attributeName, color: 'var(--good)' },
  { tag: [tags.attributeValue, tags.string], color: 'var(--ink)' },
  { tag: [tags.comment, tags.documentMeta, tags.processingInstruction], color: 'var(--muted)' },
  { tag: tags.invalid, color: 'var(--bad)' },
])

const look = EditorView.theme({
  '&': {
    height: '36rem',
    color: 'var(--ink)',
    background: 'var(--ground)',
    border: '1px solid var(--edge)',
    borderRadius: 'var(--round)',
    fontSize: '13px',
  },
  '&.cm-focused': { outline: '2px solid var(--link)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'ui-monospace, monospace', lineHeight: '1.5', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-gutters': { background: 'var(--raised)', color: 'var(--muted)', borderColor: 'var(--line)' },
  '.cm-panels, .cm-tooltip': { background: 'var(--raised)', color: 'var(--ink)', borderColor: 'var(--line)' },
  '.cm-panels :is(input, button)': {
    font: 'inherit',
    color: 'inherit',
    background: 'var(--ground)',
    backgroundImage: 'none',
  },
})

export function openCode({ host, text, label, phrases, isReadOnly, typed, caret }: CodeOptions): CodeEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  let isElsewhere = false
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        lintGutter(),
        search({ top: true }),
        highlightSelectionMatches(),
        LRLanguage.define({ parser }),
        syntaxHighlighting(colours),
        indentUnit.of('  '),
        EditorState.phrases.of(phrases),
        EditorState.readOnly.of(isReadOnly),
        EditorView.contentAttributes.of({
          'aria-label': label,
          tabindex: '0',
          spellcheck: 'false',
          autocapitalize: 'off',
        }),
        look,
        // After Escape, Tab leaves the field: CodeMirror's own way.
        keymap.of([...searchKeymap, ...lintKeymap, ...(isReadOnly ? [] : [indentWithTab]), ...defaultKeymap]),
        EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
          if (docChanged && !isElsewhere) typed(state.doc.toString())
          if (selectionSet || docChanged) caret(state.selection.main.head)
        }),
      ],
    }),
  })
  return {
    set(next) {
      const before = view.state.doc.toString()
      if (next === before) return
      isElsewhere = true
      view.dispatch({ changes: changeBetween(before, next) })
      isElsewhere = false
    },
    select({ from, to }) {
      const length = view.state.doc.length
      const [anchor, head] = [Math.min(from, length), Math.min(to, length)]
      view.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
      view.focus()
    },
    show(findings) {
      const { length } = view.state.doc
      const notes = findings
        .filter(({ from }) => from <= length)
        .map(({ from, to, message }): Diagnostic => ({ from, to: Math.min(to, length), severity: 'warning', message }))
      view.dispatch(setDiagnostics(view.state, notes))
    },
    close: () => view.destroy(),
  }
}

/** The part in which they differ, so that the caret stays where it is. */
function changeBetween(before: string, next: string): { from: number; to: number; insert: string } {
  const most = Math.min(before.length, next.length)
  let start = 0
  while (start < most && before[start] === next[start]) start++
  let end = 0
  while (end < most - start && before.at(-1 - end) === next.at(-1 - end)) end++
  return { from: start, to: before.length - end, insert: next.slice(start, next.length - end) }
}
