// A band across the mail; with `columns`, its children stand side by side. Columns are inline blocks that wrap on a phone, with a table
// around them for Outlook, which knows no inline blocks.

import { type Static, Type } from '@sinclair/typebox'
import { type AnyNode, defineBranch, type Page, type TextPage } from '../component.ts'
import { boxTable, layoutTable, spacer } from '../html-box.ts'
import { alignment, hasTarget } from '../html-copy.ts'
import { address, colour, oneOf, pixels, shared, whole } from '../properties.ts'
import { hairline, onBackground, type Surface } from '../theme.ts'

const columnGap = 24
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
})

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
    node.columns && node.columns > 1 ? columnsHtml(children, node.columns, page, within) : page.rows(children, within)
  const box = boxTable(node, padding, inside, null, page)
  // A link inside a link is not HTML: the section's own gives way.
  if (!hasTarget(node.href) || children.some(page.holdsLink)) return box
  return `<a href="${page.slots.link(node.href)}" style="display:block;color:inherit;text-decoration:none;">${box}</a>`
}

function horizontal(padding: string): number {
  const [, right = 0, , left = 0] = padding.split(' ').map((side) => Number.parseInt(side, 10))
  return right + left
}

function columnsHtml(children: AnyNode[], columns: number, page: Page, surface: Surface): string {
  const lines: AnyNode[][] = []
  for (let at = 0; at < children.length; at += columns) lines.push(children.slice(at, at + columns))
  const width = Math.floor(surface.width / columns)
  const rows = lines.map((line, lineIndex) => {
    const cells = line.map((node, index) =>
      columnHtml(node, { index, columns, width, first: index === 0 && lineIndex === 0 }, page, surface),
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

function sectionText({ children = [], href, divider }: SectionNode, page: TextPage): string[] {
  const inside = [...page.blocks(children), ...(hasTarget(href) ? [page.slots.link(href, 'plain')] : [])]
  if (divider === undefined) return inside
  return divider === 'top' ? [dividerLine, ...inside] : [...inside, dividerLine]
}
