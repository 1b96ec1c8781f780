// The text part of a mail, from the same tree: link addresses written out, lists numbered, lines of at most 76 characters.
// A slot counts as a word of fixed length; what the value does to the line is left to the reader's client.

import { hasTarget, listVariable } from './html-blocks.ts'
import { showsUnsubscribe } from './html-layout.ts'
import { type Inline, parseInline, plainInline } from './inline.ts'
import {
  entriesOf,
  type FooterNode,
  type HeaderNode,
  isBranch,
  type ListEntry,
  type ListNode,
  type Node,
  type Row,
  rowsOf,
} from './nodes.ts'
import type { Slots } from './segments.ts'
import { unsubscribeLabel } from './wording.ts'

export interface TextPage {
  slots: Slots
  locale: string
  kind: 'transactional' | 'marketing'
  keepsUnsubscribe: boolean
}

const lineWidth = 76
const slotWidth = 12
const dividerLine = '-'.repeat(20)
const marker = /\x00\d+\x00/g

export function documentText(content: Node[], page: TextPage): string {
  return `${blocksText(content, page).join('\n\n')}\n`
}

/** One string per paragraph; what has nothing to say is left out. */
function blocksText(nodes: Node[], page: TextPage): string[] {
  return nodes
    .flatMap((node) => (isBranch(node) ? branchText(node, page) : [leafText(node, page)]))
    .filter((block) => block !== '')
}

function branchText(
  node: Extract<Node, { type: 'container' | 'section' | 'header' | 'footer' }>,
  page: TextPage,
): string[] {
  if (node.type === 'header') return [headerText(node, page), ...blocksText(node.children ?? [], page)]
  if (node.type === 'footer') return ['-- ', ...blocksText(node.children ?? [], page), ...footerText(node, page)]
  const link = node.type === 'section' && hasTarget(node.href) ? [page.slots.link(node.href, 'plain')] : []
  const line = node.type === 'section' && node.divider ? [dividerLine] : []
  const inside = [...blocksText(node.children ?? [], page), ...link]
  return node.type === 'section' && node.divider === 'top' ? [...line, ...inside] : [...inside, ...line]
}

function leafText(
  node: Exclude<Node, { type: 'container' | 'section' | 'header' | 'footer' }>,
  page: TextPage,
): string {
  switch (node.type) {
    case 'heading':
      return wrap(page.slots.plain(node.text))
    case 'text':
      return wrap(inlineText(node.format === 'markdown' ? parseInline(node.text) : plainInline(node.text), page))
    case 'button':
      return hasTarget(node.href)
        ? `${wrap(page.slots.plain(node.text))}:\n${page.slots.link(node.href, 'plain')}`
        : wrap(page.slots.plain(node.text))
    case 'link':
      return wrap(linkText(page, page.slots.plain(node.text), node.href))
    case 'image':
      return node.alt ? wrap(linkText(page, `[${page.slots.plain(node.alt)}]`, node.href)) : ''
    case 'list':
      return listText(node, page)
  }
}

function headerText(node: HeaderNode, page: TextPage): string {
  const name = node.text ?? node.logoAlt ?? (node.children?.length ? '' : '{{company_name}}')
  return name ? wrap(linkText(page, page.slots.plain(name), node.href)) : ''
}

function footerText(node: FooterNode, page: TextPage): string[] {
  const company = `${page.slots.plain(node.companyName ?? '{{company_name}}')}\n${page.slots.plain(node.address ?? '{{company_address}}')}`
  const leave = `${unsubscribeLabel(page.locale)}: ${page.slots.link('{{unsubscribe_url}}', 'plain')}`
  return [
    ...(node.text ? [wrap(page.slots.plain(node.text))] : []),
    wrap(company),
    ...(showsUnsubscribe(node, page) ? [leave] : []),
  ]
}

function listText(node: ListNode, page: TextPage): string {
  const name = listVariable(node)
  const rows = rowsOf(node)
  if (rows) return tableText(node, rows, page)
  const first = node.start ?? 1
  const lines = entriesOf(node).map((entry, index) => {
    const bullet = !node.ordered ? '-' : name === null ? `${first + index}.` : `${page.slots.number()}.`
    const indent = node.ordered ? '   ' : '  '
    return wrap(`${bullet} ${entryText(entry, page)}`, indent)
  })
  if (name === null) return lines.join('\n')
  return page.slots.each({ name, start: first, between: '\n' }, lines.join('\n'))
}

function tableText(node: ListNode, rows: Row[], page: TextPage): string {
  const line = (row: Row) => row.map((cell) => page.slots.plain(cell)).join(' | ')
  const name = listVariable(node)
  const body = rows.map(line).join('\n')
  const items = name === null ? body : page.slots.each({ name, start: 1, between: '\n' }, body)
  return [...(node.head ? [line(node.head)] : []), items, ...(node.totals ?? []).map(line)].join('\n')
}

function entryText(entry: Exclude<ListEntry, Row>, page: TextPage): string {
  if (typeof entry === 'string') return page.slots.plain(entry)
  if (entry.type === 'link') return linkText(page, page.slots.plain(entry.text), entry.href)
  return inlineText(entry.format === 'markdown' ? parseInline(entry.text) : plainInline(entry.text), page)
}

function inlineText(inlines: Inline[], page: TextPage): string {
  return inlines
    .map((inline) => {
      if (inline.kind === 'text') return page.slots.plain(inline.text)
      if (inline.kind === 'break') return '\n'
      const inside = inlineText(inline.children, page)
      return inline.kind === 'link' ? linkText(page, inside, inline.href) : inside
    })
    .join('')
}

function linkText(page: TextPage, label: string, href: string | undefined): string {
  if (!hasTarget(href)) return label
  const url = page.slots.link(href, 'plain')
  return label === url || `mailto:${label}` === url ? label : `${label} (${url})`
}

/** Breaks at spaces only, so an address is never cut; following lines are indented. */
function wrap(text: string, indent = ''): string {
  return text
    .split('\n')
    .map((line) => wrapLine(line, indent))
    .join(`\n${indent}`)
}

function wrapLine(line: string, indent: string): string {
  const lines: string[] = []
  let current = ''
  for (const word of line.split(' ')) {
    const longer = current === '' ? word : `${current} ${word}`
    if (current !== '' && shownWidth(longer) > lineWidth) {
      lines.push(current)
      current = indent + word
    } else current = longer
  }
  return [...lines, current].join('\n')
}

function shownWidth(text: string): number {
  return text.replace(marker, 'x'.repeat(slotWidth)).length
}
