// A text of a mail as a document of ProseMirror: letters with their marks, line breaks, placeholders; and back to what is stored.

import { type Node as DocNode, Fragment, type Mark, Schema, Slice } from 'prosemirror-model'
import type { EditorState, Transaction } from 'prosemirror-state'
import {
  type Format,
  isUnmarked,
  placeholders,
  plainRuns,
  type Run,
  readMarkdown,
  type Style,
  textOf,
  writeMarkdown,
} from './inline-text.ts'
import type { Edit } from './messages.ts'

export const schema = new Schema<'doc' | 'text' | 'break' | 'placeholder', 'link' | 'em' | 'strong'>({
  nodes: {
    doc: { content: '(text | break | placeholder)*' },
    text: {},
    break: { inline: true, selectable: false, toDOM: () => ['br'], leafText: () => '\n' },
    placeholder: {
      inline: true,
      atom: true,
      attrs: { text: {} },
      toDOM: ({ attrs }) => ['span', { class: 'placeholder' }, String(attrs['text']).slice(2, -2).trim()],
      leafText: ({ attrs }) => String(attrs['text']),
    },
  },
  marks: {
    link: { attrs: { href: {} }, inclusive: false, toDOM: () => ['u', 0] },
    em: { toDOM: () => ['em', 0] },
    strong: { toDOM: () => ['strong', 0] },
  },
})
const { link, em, strong } = schema.marks
const types = schema.nodes

/** How it was stored. */
export interface StoredForm {
  format: Format
  style: Style
  hasLooks: boolean
}

export function readText({ text, format, mayBeMarkdown }: Edit): { doc: DocNode; stored: StoredForm } {
  const markdown = format === 'markdown' ? readMarkdown(text) : null
  const stored = {
    format,
    style: markdown?.style ?? 0,
    hasLooks: markdown !== null || (format === 'plain' && mayBeMarkdown),
  }
  return { doc: types.doc.create(null, toFragment(markdown?.runs ?? plainRuns(text))), stored }
}

/** Null where it cannot be stored. */
export function writeText(
  doc: DocNode,
  { format, style, hasLooks }: StoredForm,
): { text: string; format: Format } | null {
  const runs = toRuns(doc.content)
  if (format === 'plain' ? isUnmarked(runs) : !hasLooks) return { text: textOf(runs), format }
  const text = writeMarkdown(runs, style)
  return text === null ? null : { text, format: 'markdown' }
}

export function toRuns(content: Fragment): Run[] {
  return content.content.map((node) => ({
    text: node.isText ? (node.text ?? '') : (node.type.spec.leafText?.(node) ?? ''),
    strong: node.marks.some(({ type }) => type === strong),
    em: node.marks.some(({ type }) => type === em),
    href: node.marks.find(({ type }) => type === link)?.attrs['href'] ?? null,
  }))
}

export function toFragment(runs: Run[]): Fragment {
  return Fragment.from(runs.flatMap((run) => toNodes(run.text, marksOf(run))))
}

function marksOf(run: Run): Mark[] {
  return [
    ...(run.href === null ? [] : [link.create({ href: run.href })]),
    ...(run.em ? [em.create()] : []),
    ...(run.strong ? [strong.create()] : []),
  ]
}

function toNodes(text: string, marks: readonly Mark[]): DocNode[] {
  return text.split(placeholders).flatMap((part, at) => {
    if (at % 2 === 1) return [types.placeholder.create({ text: part }, null, marks)]
    return part.split(/(\n)/).flatMap((line) => {
      if (line === '') return []
      return [line === '\n' ? types.break.create(null, null, marks) : schema.text(line, marks)]
    })
  })
}

/** A placeholder that was typed becomes one. */
export function withPlaceholders({ doc, tr }: EditorState): Transaction | null {
  const found: { from: number; text: string; marks: readonly Mark[] }[] = []
  doc.forEach((node, from) => {
    for (const { index, 0: text } of (node.text ?? '').matchAll(new RegExp(placeholders, 'g')))
      found.push({ from: from + index, text, marks: node.marks })
  })
  for (const { from, text, marks } of found.reverse())
    tr.replaceWith(from, from + text.length, types.placeholder.create({ text }, null, marks))
  return tr.docChanged ? tr : null
}

export function onlyText(slice: Slice): Slice {
  return new Slice(toFragment(plainRuns(slice.content.textBetween(0, slice.content.size, '\n'))), 0, 0)
}

export function marksBetween(doc: DocNode, from: number, to: number): readonly Mark[] {
  const nodes: DocNode[] = []
  doc.nodesBetween(from, to, (node) => void (node.isInline && nodes.push(node)))
  return nodes[0]?.marks.filter((mark) => nodes.every((node) => mark.isInSet(node.marks))) ?? []
}

/** The whole of the link at a place. */
export function linkAround(doc: DocNode, at: number): { from: number; to: number } {
  const href = doc
    .resolve(at)
    .marks()
    .find(({ type }) => type === link)?.attrs['href']
  let found = { from: at, to: at }
  if (href === undefined) return found
  doc.forEach((node, from) => {
    const isOf = node.marks.some(({ type, attrs }) => type === link && attrs['href'] === href)
    if (isOf && from <= found.to && from + node.nodeSize >= found.from)
      found = { from: Math.min(from, found.from), to: Math.max(from + node.nodeSize, found.to) }
  })
  return found
}
