// A band across the mail; with `columns`, its children stand side by side. Columns are inline blocks that wrap on a phone, with a table
// around them for Outlook, which knows no inline blocks.

import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import {
  type AnyNode,
  type Block,
  defineBranch,
  type Page,
  type Reading,
  type SentProperty,
  type TextPage,
} from '../component.ts'
import { boxTable, layoutTable, spacer } from '../html-box.ts'
import { alignment, hasTarget } from '../html-copy.ts'
import { address, colour, oneOf, pixels, shared, whole } from '../properties.ts'
import { hairline, onBackground, type Surface } from '../theme.ts'

const columnGap = 24
/** What the widths of columns add up to. */
const twelfths = 12
const dividerLine = '-'.repeat(20)

const schema = Type.Object(
  {
    ...shared,
    backgroundColor: Type.Optional(colour()),
    padding: Type.Optional(pixels(0, 120)),
    paddingTop: Type.Optional(pixels(0, 120)),
    paddingRight: Type.Optional(pixels(0, 120)),
    paddingBottom: Type.Optional(pixels(0, 120)),
    paddingLeft: Type.Optional(pixels(0, 120)),
    borderRadius: Type.Optional(pixels(0, 64)),
    href: Type.Optional(address()),
    columns: Type.Optional(whole(1, 4)),
    columnWidths: Type.Optional(
      Type.Array(whole(1, twelfths), {
        minItems: 2,
        maxItems: 4,
        description: 'the twelfths of each column, 12 together, e.g. [8, 4]; equal without it',
      }),
    ),
    /** A line above what it holds, or below; with nothing in it, the line alone. */
    divider: Type.Optional(oneOf('top', 'bottom')),
    /** Of a section with nothing in it: a space. */
    height: Type.Optional(pixels(1, 200)),
  },
  {
    description:
      'A full-width band of the mail; with `columns`, its children are side by side. Not inside another section.',
  },
)

type SectionNode = Static<typeof schema> & { children?: AnyNode[] }

export const section = defineBranch({
  schema,
  html: sectionHtml,
  text: sectionText,
  notInside: ['section'],
  isWide: true,
  makesLink: ({ href }) => hasTarget(href),
  reads: { properties: {}, into: checkWidths },
})

function checkWidths(
  { columns = 1, columnWidths }: Record<string, unknown>,
  _: Map<string, SentProperty>,
  { path, reading }: { path: string; reading: Reading },
): void {
  if (!Value.Check(Type.Array(Type.Number()), columnWidths)) return
  const at = `${path}.columnWidths`
  const sum = columnWidths.reduce((all, width) => all + width, 0)
  if (sum !== twelfths)
    reading.fault(at, 'invalid_value', `${at} must be twelfths that add up to ${twelfths}, and not to ${sum}.`)
  if (columnWidths.length !== columns)
    reading.fault(at, 'invalid_value', `${at} must have one width for each of the columns (${columns}).`)
}

function sectionHtml(node: SectionNode, page: Page, surface: Surface): string {
  const { divider, height, children = [] } = node
  if (children.length === 0 && (divider || height))
    return `${divider ? lineHtml(surface) : ''}${height ? spacer(height) : ''}`
  const box = sectionBoxHtml(node, page, surface)
  if (divider === undefined) return box
  return divider === 'top' ? `${lineHtml(surface)}${spacer(24)}${box}` : `${box}${spacer(24)}${lineHtml(surface)}`
}

function lineHtml(surface: Surface): string {
  const { css, className } = hairline(surface)
  return `<hr${className ? ` class="${className}"` : ''} style="margin:0;border:0;border-top:${css};">`
}

function sectionBoxHtml(node: SectionNode, page: Page, surface: Surface): string {
  const all = node.padding ?? (node.backgroundColor ? 24 : 0)
  const sides = [node.paddingTop ?? all, node.paddingRight ?? all, node.paddingBottom ?? all, node.paddingLeft ?? all]
  const padding = sides.map((side) => `${side}px`).join(' ')
  const children = node.children ?? []
  const { background } = onBackground(node.backgroundColor, surface)
  const within = { width: surface.width - horizontal(padding), background }
  const inside =
    node.columns && node.columns > 1
      ? columnsHtml(children, toWidths(node, node.columns, within), page, within)
      : page.rows(children, within)
  const box = boxTable(node, padding, inside, null, page)
  // A link inside a link is not HTML: the section's own gives way.
  if (!hasTarget(node.href) || children.some(page.holdsLink)) return box
  return `<a href="${page.slots.link(node.href)}" style="display:block;color:inherit;text-decoration:none;">${box}</a>`
}

function horizontal(padding: string): number {
  const [, right = 0, , left = 0] = padding.split(' ').map((side) => Number.parseInt(side, 10))
  return right + left
}

/** In pixels, gaps included. */
function toWidths({ columnWidths }: SectionNode, columns: number, { width }: Surface): number[] {
  const shares = columnWidths ?? Array.from({ length: columns }, () => twelfths / columns)
  return shares.map((share) => Math.floor((width * share) / twelfths))
}

function columnsHtml(children: AnyNode[], widths: number[], page: Page, surface: Surface): string {
  const columns = widths.length
  const lines: AnyNode[][] = []
  for (let at = 0; at < children.length; at += columns) lines.push(children.slice(at, at + columns))
  const rows = lines.map((line, lineIndex) => {
    const cells = line.map((node, index) =>
      columnHtml(
        node,
        { index, columns, width: widths[index] ?? 0, first: index === 0 && lineIndex === 0 },
        page,
        surface,
      ),
    )
    const ghost = `<!--[if mso]><table ${layoutTable} width="${surface.width}"><tr>${cells.join('')}</tr></table><![endif]-->`
    return `<div style="font-size:0;text-align:${alignment(undefined, page)};${lineIndex > 0 ? `padding-top:${columnGap}px;` : ''}">${ghost}</div>`
  })
  return rows.join('')
}

interface Column {
  index: number
  columns: number
  width: number
  first: boolean
}

function columnHtml(node: AnyNode, column: Column, page: Page, surface: Surface): string {
  const share = (columnGap * (column.columns - 1)) / column.columns
  // Equal columns with equal gaps: the padding moves from the end side to the start side along the line.
  const start = Math.round((share * column.index) / (column.columns - 1))
  const end = Math.round(share - start)
  const padding = page.direction === 'rtl' ? `0 ${start}px 0 ${end}px` : `0 ${end}px 0 ${start}px`
  const inside = page.rows([node], { ...surface, width: column.width - start - end })
  const className = column.first ? 'm-cell' : 'm-cell m-next'
  return `<td width="${column.width}" valign="top"><![endif]--><div class="m-col" style="display:inline-block;width:100%;max-width:${column.width}px;vertical-align:top;"><table ${layoutTable} width="100%"><tr><td class="${className}" style="padding:${padding};">${inside}</td></tr></table></div><!--[if mso]></td>`
}

function sectionText({ children = [], href, divider }: SectionNode, page: TextPage): Block[] {
  const inside = [...page.blocks(children), ...(hasTarget(href) ? [page.slots.link(href, 'plain')] : [])]
  if (divider === undefined) return inside
  return divider === 'top' ? [dividerLine, ...inside] : [...inside, dividerLine]
}
