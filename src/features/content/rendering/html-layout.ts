// The page of a mail: cards, headers and footers on it, and the rows of what stands in them. Tables hold everything.

import { sixDigits } from '../../../kit/colour.ts'
import type { AnyNode, Page } from './component.ts'
import type { ContainerNode } from './components/container.ts'
import { componentOf } from './components.ts'
import { type Branches, branchesOf, isConditional, withoutFrames } from './conditional.ts'
import { layoutTable, spacer } from './html-box.ts'
import { marked } from './marks.ts'
import { light, onBackground, type Surface } from './theme.ts'

const defaultWidth = 600
const cardPadding = 40

/** The whole body: what stands outside a container goes into a card of its own; headers and footers stay on the page. */
export function bodyHtml(content: AnyNode[], page: Page): string {
  const items = pageItems(content)
  return items
    .map((item, index) => {
      if (item.type === 'header') return frameRow(nodeHtml(item, page, groundSurface(page)), '36px 40px 28px')
      if (item.type === 'footer') return frameRow(nodeHtml(item, page, groundSurface(page)), '28px 40px 48px')
      return spaceBefore(items, index, page) + itemHtml(item, page)
    })
    .join('')
}

/** Our footer below a mail that brings its own document, whose colours are not known: on a ground of its own. */
export function footerHtml(page: Page): string {
  const footer = frameRow(nodeHtml({ type: 'footer' }, page, pageSurface), '28px 40px 48px')
  return `<div style="background-color:${light.page};font-family:${page.font};">${footer}</div>`
}

const pageSurface: Surface = { width: defaultWidth - 2 * cardPadding, background: null }
/** What headers and footers are printed on. */
function groundSurface({ ground }: Page): Surface {
  return { ...pageSurface, background: ground.switches ? null : ground.color }
}

const cardGap = spacer(16)

function itemHtml(item: AnyNode, page: Page): string {
  const branches = branchesOf(item, page.slots)
  if (!branches) return cardHtml(item, page)
  const { there, otherwise, choose, repeat } = branches
  return choose(repeat(bodyHtml(there, page), cardGap), bodyHtml(otherwise, page))
}

/** Between cards. One that is first, and not in every mail, leaves none behind. */
function spaceBefore(items: AnyNode[], index: number, page: Page): string {
  const before = items[index - 1]
  if (before === undefined || before.type === 'header' || before.type === 'footer') return ''
  const branches = index === 1 ? branchesOf(before, page.slots) : null
  if (!branches) return cardGap
  return branches.choose(cardGap, branches.otherwise.length > 0 ? cardGap : '')
}

const isOfPage = ({ type }: AnyNode) => type === 'container' || type === 'header' || type === 'footer'

/** What is not in every mail stands on the page where it holds cards, or has nothing beside it: else its card would stay, empty. */
function pageItems(content: AnyNode[]): AnyNode[] {
  const items: AnyNode[] = []
  let open: AnyNode[] = []
  const close = () => {
    const [only, ...others] = open
    if (only) items.push(others.length === 0 && isConditional(only) ? only : { type: 'container', children: open })
    open = []
  }
  for (const node of withoutFrames(content)) {
    if (!isOfPage(node) && !(isConditional(node) && holdsCards(node))) {
      open.push(node)
      continue
    }
    close()
    items.push(node)
  }
  close()
  return items
}

function holdsCards(node: AnyNode): boolean {
  return withoutFrames(node.children ?? []).some(
    (child) => isOfPage(child) || ((isConditional(child) || child.type === 'else') && holdsCards(child)),
  )
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
  const look = `background-color:${colour};border:1px solid ${themed ? light.line : colour};border-radius:${node.borderRadius ?? page.radius ?? 12}px;`
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
  const flat = withoutFrames(nodes)
  const rows = flat.map((node, index) => {
    const branches = branchesOf(node, page.slots)
    if (!branches) return rowHtml(gapTo(flat, index, node, page), nodeHtml(node, page, surface))
    return branchesHtml(node, branches, {
      page,
      surface,
      gapTo: (first) => gapTo(flat, index, first, page),
    })
  })
  return tableHtml(rows.join(''))
}

const tableHtml = (rows: string) => `<table ${layoutTable} width="100%">${rows}</table>`
const rowHtml = (gap: string, inside: string) => `<tr><td style="padding:${gap}px 0 0;">${inside}</td></tr>`

interface Rows {
  page: Page
  surface: Surface
  /** The space above a node that stands first. */
  gapTo: (first: AnyNode) => string
}

/** A row for what it shows, or none. */
function branchesHtml(node: AnyNode, branches: Branches, { page, surface, gapTo }: Rows): string {
  const { there, otherwise, choose, repeat } = branches
  const path = page.paths?.get(node)
  const rowOf = (nodes: AnyNode[], around: (inside: string) => string) => {
    const [first] = nodes
    if (first === undefined) return ''
    const inside = around(page.rows(nodes, surface))
    return rowHtml(gapTo(first), path === undefined ? inside : marked(inside, path))
  }
  const between = rowHtml('24', '')
  const all = (inside: string) => {
    const once = rowHtml('0', inside)
    const repeated = repeat(once, between)
    return repeated === once ? inside : tableHtml(repeated)
  }
  return choose(
    rowOf(there, all),
    rowOf(otherwise, (inside) => inside),
  )
}

function nodeHtml(node: AnyNode, page: Page, surface: Surface): string {
  const html = componentOf(node.type).html(node, page, surface)
  const path = page.paths?.get(node)
  return path === undefined ? html : marked(html, path)
}

/** The space above `after`, in pixels, also where what stands before it is not in every mail. */
function gapTo(nodes: AnyNode[], index: number, after: AnyNode, page: Page): string {
  const before = nodes[index - 1]
  if (before === undefined) return '0'
  const branches = branchesOf(before, page.slots)
  const beforeThat = nodes[index - 2]
  const otherwise = branches?.otherwise.at(-1) ?? (branches && beforeThat)
  const gaps = [branches?.there.at(-1) ?? before, otherwise].map((one) => (one ? gapBetween(one, after) : 0))
  const [there = 0, other = 0] = gaps
  return !branches || there === other ? String(there) : branches.choose(String(there), String(other))
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
