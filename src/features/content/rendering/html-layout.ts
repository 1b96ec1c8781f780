// The page of a mail: cards, headers and footers on it, and the rows of what stands in them. Tables hold everything.

import type { AnyNode, Page } from './component.ts'
import type { ContainerNode } from './components/container.ts'
import { componentOf } from './components.ts'
import { layoutTable, spacer } from './html-box.ts'
import { marked } from './marks.ts'
import type { Node } from './nodes.ts'
import { fontStack, light, onBackground, type Surface, sixDigits } from './theme.ts'

const defaultWidth = 600
const cardPadding = 40

/** The whole body: what stands outside a container goes into a card of its own; headers and footers stay on the page. */
export function bodyHtml(content: Node[], page: Page): string {
  const items = pageItems(content)
  return items
    .map((item, index) => {
      if (item.type === 'header') return frameRow(nodeHtml(item, page, pageSurface), '36px 40px 28px')
      if (item.type === 'footer') return frameRow(nodeHtml(item, page, pageSurface), '28px 40px 48px')
      const gap = items[index - 1]?.type === 'container' ? spacer(16) : ''
      return gap + cardHtml(item, page)
    })
    .join('')
}

/** Our footer below a mail that brings its own document, whose colours are not known: on a ground of its own. */
export function footerHtml(page: Page): string {
  const footer = frameRow(nodeHtml({ type: 'footer' }, page, pageSurface), '28px 40px 48px')
  return `<div style="background-color:${light.page};font-family:${fontStack};">${footer}</div>`
}

const pageSurface: Surface = { width: defaultWidth - 2 * cardPadding, background: null }

type PageItem = Extract<Node, { type: 'container' | 'header' | 'footer' }>

function pageItems(content: Node[]): PageItem[] {
  const items: PageItem[] = []
  let open: Node[] | null = null
  for (const node of content) {
    if (node.type === 'container' || node.type === 'header' || node.type === 'footer') {
      open = null
      items.push(node)
    } else if (open) open.push(node)
    else {
      open = [node]
      items.push({ type: 'container', children: open })
    }
  }
  return items
}

function frameRow(inside: string, padding: string): string {
  return outlookWidth(
    defaultWidth,
    'center',
    `<table ${layoutTable} width="100%" style="max-width:${defaultWidth}px;margin:0 auto;"><tr><td class="m-edge" style="padding:${padding};">${inside}</td></tr></table>`,
  )
}

/** Outlook knows no max-width: a table of fixed width around what is fluid elsewhere. */
function outlookWidth(width: number, align: string, inside: string): string {
  return `<!--[if mso]><table ${layoutTable} width="${width}" align="${align}"><tr><td><![endif]-->${inside}<!--[if mso]></td></tr></table><![endif]-->`
}

function cardHtml(node: ContainerNode, page: Page): string {
  const width = node.width ?? defaultWidth
  const padding = node.padding ?? cardPadding
  const own = onBackground(node.backgroundColor, pageSurface)
  const background = own.background
  const themed = node.backgroundColor === undefined || own.className !== ''
  const colour = node.backgroundColor ? sixDigits(node.backgroundColor) : light.card
  const align = node.align ?? 'center'
  const margin = align === 'center' ? '0 auto' : align === 'right' ? '0 0 0 auto' : '0'
  const look = `background-color:${colour};border:1px solid ${themed ? light.line : colour};border-radius:${node.borderRadius ?? 12}px;`
  const inside = page.rows(node.children ?? [], { width: width - 2 * padding - 2, background })
  const pad = node.padding === undefined ? ' class="m-pad"' : ''
  return outlookWidth(
    width,
    align,
    `<table ${layoutTable} width="100%" class="m-box${themed ? ' m-card' : ''}" style="max-width:${width}px;margin:${margin};${look}"><tr><td${pad} style="padding:${padding}px;">${inside}</td></tr></table>`,
  )
}

/** A node each in a row of its own, with the space that their kinds want between them. */
export function rowsHtml(nodes: AnyNode[], page: Page, surface: Surface): string {
  const rows = nodes.map((node, index) => {
    const before = nodes[index - 1]
    return `<tr><td style="padding:${before ? gapBetween(before, node) : 0}px 0 0;">${nodeHtml(node, page, surface)}</td></tr>`
  })
  return `<table ${layoutTable} width="100%">${rows.join('')}</table>`
}

function nodeHtml(node: AnyNode, page: Page, surface: Surface): string {
  const html = componentOf(node.type).html(node, page, surface)
  const path = page.paths?.get(node)
  return path === undefined ? html : marked(html, path)
}

function gapBetween(before: AnyNode, after: AnyNode): number {
  if (isSpace(before) || isSpace(after)) return 0
  if (after.type === 'heading') return 'level' in after && after.level === 3 ? 24 : 32
  if (before.type === 'heading') return after.type === 'text' || after.type === 'list' ? 12 : 20
  return isWide(before) || isWide(after) ? 28 : 16
}

const isWide = ({ type }: AnyNode) => componentOf(type).isWide === true

/** A section that is nothing but its height: the author says how much space there is. */
function isSpace(node: AnyNode): boolean {
  return node.type === 'section' && 'height' in node && !('divider' in node) && !node.children?.length
}
