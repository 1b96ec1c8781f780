// A list with bullets or numbers; a table when its items are rows. Its entries are read here, for a schema cannot say what they are.

import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Component, Page, Reading, SentProperty, TextPage } from '../component.ts'
import { anchorHtml, copyAttributes, inlineHtml } from '../html-copy.ts'
import { parseInlines, plainInline } from '../inline.ts'
import { placeholderName } from '../placeholders.ts'
import {
  align,
  colour,
  flag,
  listName,
  maxCells,
  maxListEntries,
  maxTotals,
  row,
  shared,
  whole,
} from '../properties.ts'
import { inlineText, linkText, wrap } from '../text-copy.ts'
import { hairline, type Surface } from '../theme.ts'
import type { LinkNode } from './link.ts'
import type { TextNode } from './text.ts'

const schema = Type.Object(
  {
    ...shared,
    ordered: Type.Optional(flag()),
    start: Type.Optional(whole(0, 100_000)),
    items: Type.Array(Type.Unknown(), {
      maxItems: maxListEntries,
      description: `a list of at most ${maxListEntries} entries, each a string, a text node or a link node, or all of them rows: lists of 1 to ${maxCells} texts`,
    }),
    head: Type.Optional(row('the column headings, if its items are rows')),
    totals: Type.Optional(
      Type.Array(Type.Unknown(), {
        maxItems: maxTotals,
        description: `at most ${maxTotals} rows that are shown once, after the items`,
      }),
    ),
    cellAlign: Type.Optional(
      Type.Array(align(), { maxItems: maxCells, description: 'left, center or right for each column of its rows' }),
    ),
    itemsVariable: Type.Optional(listName()),
    align: Type.Optional(align()),
    color: Type.Optional(colour()),
  },
  {
    description:
      'Bullets or numbers; a table when its items are rows. `head`, `totals` and `cellAlign` are for rows, which all have the same number of cells.',
  },
)

/** A row of a table: its cells. */
type TableRow = string[]
type EntryNode = ({ type: 'text' } & TextNode) | ({ type: 'link' } & LinkNode)
type ListEntry = string | EntryNode | TableRow
type ListNode = Omit<Static<typeof schema>, 'items' | 'totals'> & { items: ListEntry[]; totals?: TableRow[] }

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const tableRow = reference('TableRow')
const entry = { anyOf: [{ type: 'string' }, reference('TextNode'), reference('LinkNode')] }

export const list: Component<ListNode> = {
  schema,
  html: listHtml,
  text: (node, page) => [listText(node, page)],
  makesLink: (node) => node.items.some((item) => isEntryNode(item) && entryMakesLink(item)),
  words: (node) => withoutRows(node).flatMap((entry) => (typeof entry === 'string' ? entry : entryTexts(entry))),
  reads: {
    properties: {
      items: {
        description: `At most ${maxListEntries}: all entries, or all rows.`,
        anyOf: [
          { type: 'array', maxItems: maxListEntries, items: entry },
          { type: 'array', maxItems: maxListEntries, items: tableRow },
        ],
      },
      head: tableRow,
      totals: { ...schema.properties.totals, items: tableRow },
    },
    into: readList,
  },
}

function isEntryNode(item: unknown): item is EntryNode {
  return typeof item === 'object' && item !== null && 'type' in item && (item.type === 'text' || item.type === 'link')
}

const entryMakesLink = (entry: EntryNode) =>
  entry.type === 'link' || (entry.format === 'markdown' && entry.text.includes(']('))

const entryTexts = (entry: EntryNode) => (entry.type === 'link' ? [entry.href, entry.text] : [entry.text])

/** What a list that is no table holds. */
function withoutRows({ items }: Pick<ListNode, 'items'>): Exclude<ListEntry, TableRow>[] {
  return items.filter((item): item is Exclude<ListEntry, TableRow> => !Array.isArray(item))
}

/** The rows of a list that is a table; null for one of entries. */
function tableRows({ items }: Pick<ListNode, 'items'>): TableRow[] | null {
  const rows = items.filter((item): item is TableRow => Array.isArray(item))
  return rows.length > 0 ? rows : null
}

function listHtml(node: ListNode, page: Page, surface: Surface): string {
  const rows = tableRows(node)
  if (rows) return tableHtml(node, rows, page, surface)
  const entries = withoutRows(node)
    .map((entry) => `<li style="margin:0 0 6px;">${entryHtml(entry, page, surface)}</li>`)
    .join('')
  const name = listVariable(node)
  const body = name === null ? entries : page.slots.each({ name, start: node.start ?? 1, between: '' }, entries)
  const side = page.direction === 'rtl' ? '0 24px 0 0' : '0 0 0 24px'
  const attributes = copyAttributes(page, surface, {
    tone: 'text',
    fontSize: 16,
    lineHeight: 160,
    color: node.color,
    align: node.align,
    extra: `padding:${side};`,
  })
  const tag = node.ordered ? 'ol' : 'ul'
  const start = node.ordered && node.start !== undefined && node.start !== 1 ? ` start="${node.start}"` : ''
  return `<${tag}${start} ${attributes}>${body}</${tag}>`
}

type RowKind = 'head' | 'item' | 'total'

const rowLooks = {
  head: { tag: 'th scope="col"', tone: 'muted', fontSize: 13, extra: 'font-weight:600;' },
  item: { tag: 'td', tone: 'text', fontSize: 15, extra: '' },
  total: { tag: 'td', tone: 'heading', fontSize: 15, extra: 'font-weight:600;' },
} as const

/** A table of data, for screen readers too: not one of those that only hold the layout. */
function tableHtml(node: ListNode, rows: TableRow[], page: Page, surface: Surface): string {
  const body = rows.map((row) => rowHtml(node, row, 'item', page, surface)).join('')
  const name = listVariable(node)
  const items = name === null ? body : page.slots.each({ name, start: 1, between: '' }, body)
  const head = node.head ? `<thead>${rowHtml(node, node.head, 'head', page, surface)}</thead>` : ''
  const totals = (node.totals ?? []).map((row) => rowHtml(node, row, 'total', page, surface)).join('')
  return `<table role="table" cellpadding="0" cellspacing="0" border="0" width="100%">${head}<tbody>${items}${totals}</tbody></table>`
}

function rowHtml(node: ListNode, row: TableRow, kind: RowKind, page: Page, surface: Surface): string {
  const { tag, tone, fontSize, extra } = rowLooks[kind]
  const line = hairline(surface)
  const border = kind === 'total' ? '' : `border-bottom:${line.css};`
  const cells = row.map((cell, index) => {
    const look = copyAttributes(page, surface, {
      tone,
      fontSize,
      lineHeight: 150,
      color: node.color,
      align: node.cellAlign?.[index],
      extra: `padding:10px 8px;vertical-align:top;${border}${extra}`,
      className: line.className,
    })
    return `<${tag} ${look}>${page.slots.text(cell)}</${tag.split(' ')[0]}>`
  })
  return `<tr>${cells.join('')}</tr>`
}

/** The array variable of a list, written as a name or as a placeholder. */
function listVariable(node: ListNode): string | null {
  return node.itemsVariable === undefined ? null : placeholderName(node.itemsVariable)
}

function entryHtml(entry: Exclude<ListEntry, TableRow>, page: Page, surface: Surface): string {
  if (typeof entry === 'string') return inlineHtml(plainInline(entry), page, surface)
  if (entry.type === 'link') return anchorHtml(page, surface, entry, page.slots.text(entry.text))
  return inlineHtml(parseInlines(entry), page, surface)
}

function listText(node: ListNode, page: TextPage): string {
  const name = listVariable(node)
  const rows = tableRows(node)
  if (rows) return tableText(node, rows, page)
  const first = node.start ?? 1
  const lines = withoutRows(node).map((entry, index) => {
    const bullet = !node.ordered ? '-' : name === null ? `${first + index}.` : `${page.slots.number()}.`
    const indent = node.ordered ? '   ' : '  '
    return wrap(`${bullet} ${entryText(entry, page)}`, indent)
  })
  if (name === null) return lines.join('\n')
  return page.slots.each({ name, start: first, between: '\n' }, lines.join('\n'))
}

function tableText(node: ListNode, rows: TableRow[], page: TextPage): string {
  const line = (row: TableRow) => row.map((cell) => page.slots.plain(cell)).join(' | ')
  const name = listVariable(node)
  const body = rows.map(line).join('\n')
  const items = name === null ? body : page.slots.each({ name, start: 1, between: '\n' }, body)
  return [...(node.head ? [line(node.head)] : []), items, ...(node.totals ?? []).map(line)].join('\n')
}

function entryText(entry: Exclude<ListEntry, TableRow>, page: TextPage): string {
  if (typeof entry === 'string') return page.slots.plain(entry)
  if (entry.type === 'link') return linkText(page, page.slots.plain(entry.text), entry.href)
  return inlineText(parseInlines(entry), page)
}

function readList(
  node: Record<string, unknown>,
  given: Map<string, SentProperty>,
  { path, reading }: { path: string; reading: Reading },
): void {
  const items = readItems(reading, given.get('items'))
  const [head] = readRows(reading, given.get('head'), true)
  const totals = readRows(reading, given.get('totals'), false)
  Object.assign(node, { items }, head ? { head } : {}, totals.length > 0 ? { totals } : {})
  const rows = tableRows({ items })
  const others = [...(head ? [head] : []), ...totals]
  if (rows === null) {
    if (others.length > 0 || node.cellAlign !== undefined)
      reading.fault(
        `${path}.items`,
        'invalid_value',
        `${path}: head, totals and cellAlign belong to items that are rows.`,
      )
    return
  }
  if (rows.length < items.length)
    reading.fault(`${path}.items`, 'invalid_value', `${path}.items must be all rows or all entries.`)
  const cells = rows[0]?.length
  if ([...rows, ...others].some(({ length }) => length !== cells))
    reading.fault(
      `${path}.items`,
      'invalid_value',
      `${path}: every row, head and totals must have the same number of cells.`,
    )
}

/** A list of rows, or a row by itself. */
function readRows(reading: Reading, given: SentProperty | undefined, single: boolean): TableRow[] {
  if (!given || given.value === null) return []
  const { value, path } = given
  if (single) return readRow(reading, value, path)
  if (Array.isArray(value) && value.length <= maxTotals)
    return value.flatMap((row: unknown, index) => readRow(reading, row, `${path}[${index}]`))
  reading.fault(path, 'invalid_value', `${path} must be a list of at most ${maxTotals} rows.`)
  return []
}

function readRow(reading: Reading, value: unknown, path: string): TableRow[] {
  const cells: unknown[] = Array.isArray(value) ? value : []
  const row = cells.filter((cell) => typeof cell === 'string')
  if (row.length === 0 || row.length < cells.length || row.length > maxCells) {
    reading.fault(path, 'invalid_value', `${path} must be a row: a list of 1 to ${maxCells} texts.`)
    return []
  }
  for (const [index, cell] of row.entries()) reading.checkText(cell, `${path}[${index}]`)
  return [row]
}

function readItems(reading: Reading, given: SentProperty | undefined): ListEntry[] {
  if (!given) return []
  const { value, path } = given
  if (!Value.Check(schema.properties.items, value)) {
    reading.fault(path, 'invalid_value', `${path} must be ${schema.properties.items.description ?? 'a list'}.`)
    return []
  }
  return value.flatMap((item, index): ListEntry[] => {
    const at = `${path}[${index}]`
    if (Array.isArray(item)) return readRow(reading, item, at)
    if (typeof item !== 'string') return readItemNode(reading, item, at)
    reading.checkText(item, at)
    if (item.trim() === '') reading.warn(at, 'missing_text', 'The entry has no text.')
    return [item]
  })
}

function readItemNode(reading: Reading, item: unknown, path: string): ListEntry[] {
  const node = reading.readNode(item, path)
  if (node === null) return []
  if (isEntryNode(node)) return [node]
  reading.fault(path, 'invalid_child', `${path} must be a string, a text node, a link node or a row.`)
  return []
}
