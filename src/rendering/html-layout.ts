// The branches of the tree as HTML: container, section with columns, header, footer, and the rows between them.
// Tables hold everything; columns are inline blocks that wrap on a phone, with a ghost table for Outlook.

import { alignment, copyAttributes, hasTarget, leafHtml, type Page } from './html-blocks.ts'
import { type ContainerNode, type FooterNode, type HeaderNode, isBranch, type Node, type SectionNode } from './nodes.ts'
import { hairline, light, onBackground, type Surface, sixDigits } from './theme.ts'
import { unsubscribeLabel } from './wording.ts'

export const defaultWidth = 600
const cardPadding = 40
const columnGap = 24
const table = 'role="presentation" cellpadding="0" cellspacing="0" border="0"'

/** The whole body: what stands outside a container goes into a card of its own; headers and footers stay on the page. */
export function bodyHtml(content: Node[], page: Page): string {
  const items = pageItems(content)
  return items
    .map((item, index) => {
      if (item.type === 'header') return frameRow(headerHtml(item, page, pageSurface), '36px 40px 28px')
      if (item.type === 'footer') return frameRow(footerHtml(item, page, pageSurface), '28px 40px 48px')
      const gap = items[index - 1]?.type === 'container' ? spacer(16) : ''
      return gap + cardHtml(item, page)
    })
    .join('')
}

function spacer(height: number): string {
  return `<div style="height:${height}px;line-height:${height}px;font-size:${height}px;">&nbsp;</div>`
}

const pageSurface: Surface = { width: defaultWidth - 2 * cardPadding, background: null }

type PageItem = ContainerNode | HeaderNode | FooterNode

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
    `<table ${table} width="100%" style="max-width:${defaultWidth}px;margin:0 auto;"><tr><td class="m-edge" style="padding:${padding};">${inside}</td></tr></table>`,
  )
}

/** Outlook knows no max-width: a table of fixed width around what is fluid elsewhere. */
function outlookWidth(width: number, align: string, inside: string): string {
  return `<!--[if mso]><table ${table} width="${width}" align="${align}"><tr><td><![endif]-->${inside}<!--[if mso]></td></tr></table><![endif]-->`
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
  const inside = rowsHtml(node.children ?? [], page, { width: width - 2 * padding - 2, background })
  const pad = node.padding === undefined ? ' class="m-pad"' : ''
  return outlookWidth(
    width,
    align,
    `<table ${table} width="100%" class="m-box${themed ? ' m-card' : ''}" style="max-width:${width}px;margin:${margin};${look}"><tr><td${pad} style="padding:${padding}px;">${inside}</td></tr></table>`,
  )
}

/** A node each in a row of its own, with the space that their kinds want between them. */
function rowsHtml(nodes: Node[], page: Page, surface: Surface): string {
  const rows = nodes.map((node, index) => {
    const before = nodes[index - 1]
    return `<tr><td style="padding:${before ? gapBetween(before, node) : 0}px 0 0;">${nodeHtml(node, page, surface)}</td></tr>`
  })
  return `<table ${table} width="100%">${rows.join('')}</table>`
}

function nodeHtml(node: Node, page: Page, surface: Surface): string {
  if (!isBranch(node)) return leafHtml(node, page, surface)
  switch (node.type) {
    case 'container':
      return innerBoxHtml(node, node.padding ?? (node.backgroundColor ? 24 : 0), page, surface)
    case 'section':
      return sectionHtml(node, page, surface)
    case 'header':
      return headerHtml(node, page, surface)
    case 'footer':
      return footerHtml(node, page, surface)
  }
}

function gapBetween(before: Node, after: Node): number {
  if (isSpace(before) || isSpace(after)) return 0
  if (after.type === 'heading') return after.level === 3 ? 24 : 32
  if (before.type === 'heading') return after.type === 'text' || after.type === 'list' ? 12 : 20
  const wide = (node: Node) => node.type === 'button' || node.type === 'image' || isBranch(node)
  return wide(before) || wide(after) ? 28 : 16
}

/** A section that is nothing but its height: the author says how much space there is. */
function isSpace(node: Node): boolean {
  return node.type === 'section' && node.height !== undefined && !node.divider && !node.children?.length
}

interface Box {
  backgroundColor?: string
  borderRadius?: number
  width?: number
  align?: string
  children?: Node[]
}

function innerBoxHtml(box: Box, padding: number | string, page: Page, surface: Surface): string {
  const sides = typeof padding === 'number' ? 2 * padding : horizontal(padding)
  const width = Math.min(box.width ?? surface.width, surface.width)
  const { background } = onBackground(box.backgroundColor, surface)
  const inside = rowsHtml(box.children ?? [], page, { width: width - sides, background })
  return boxTable(box, padding, inside, width < surface.width ? width : null, page)
}

function boxTable(box: Box, padding: number | string, inside: string, width: number | null, page: Page): string {
  const { css, className } = onBackground(box.backgroundColor, pageSurface)
  const radius = box.borderRadius ?? (box.backgroundColor ? 8 : 0)
  const align = alignment(box.align, page)
  const margin = align === 'center' ? 'margin:0 auto;' : align === 'right' ? 'margin:0 0 0 auto;' : ''
  const limit = width === null ? '' : `max-width:${width}px;${margin}`
  const look = `${limit}${css}${radius ? `border-radius:${radius}px;` : ''}`
  const pad = typeof padding === 'number' ? `${padding}px` : padding
  return `<table ${table} width="100%"${className ? ` class="${className}"` : ''}${look ? ` style="${look}"` : ''}><tr><td style="padding:${pad};">${inside}</td></tr></table>`
}

function horizontal(padding: string): number {
  const [, right = 0, , left = 0] = padding.split(' ').map((side) => Number.parseInt(side, 10))
  return right + left
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
      ? columnsHtml(children, node.columns, page, within)
      : rowsHtml(children, page, within)
  const box = boxTable(node, padding, inside, null, page)
  // A link inside a link is not HTML: the section's own gives way.
  if (!hasTarget(node.href) || children.some(holdsLink)) return box
  return `<a href="${page.slots.link(node.href)}" style="display:block;color:inherit;text-decoration:none;">${box}</a>`
}

/** True when the node, or one below it, makes a link of its own. */
export function holdsLink(node: Node): boolean {
  if (isBranch(node))
    return (
      node.type === 'footer' ||
      hasTarget('href' in node ? node.href : undefined) ||
      (node.children ?? []).some(holdsLink)
    )
  if (node.type === 'list')
    return node.items.some((item) => typeof item !== 'string' && !Array.isArray(item) && holdsLink(item))
  if (node.type === 'text') return node.format === 'markdown' && node.text.includes('](')
  return node.type === 'button' || node.type === 'link' || (node.type === 'image' && hasTarget(node.href))
}

function columnsHtml(children: Node[], columns: number, page: Page, surface: Surface): string {
  const lines: Node[][] = []
  for (let at = 0; at < children.length; at += columns) lines.push(children.slice(at, at + columns))
  const width = Math.floor(surface.width / columns)
  const rows = lines.map((line, lineIndex) => {
    const cells = line.map((node, index) =>
      columnHtml(node, { index, columns, width, first: index === 0 && lineIndex === 0 }, page, surface),
    )
    const ghost = `<!--[if mso]><table ${table} width="${surface.width}"><tr>${cells.join('')}</tr></table><![endif]-->`
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

function columnHtml(node: Node, column: Column, page: Page, surface: Surface): string {
  const share = (columnGap * (column.columns - 1)) / column.columns
  // Equal columns with equal gaps: the padding moves from the end side to the start side along the line.
  const start = Math.round((share * column.index) / (column.columns - 1))
  const end = Math.round(share - start)
  const padding = page.direction === 'rtl' ? `0 ${start}px 0 ${end}px` : `0 ${end}px 0 ${start}px`
  const inside = rowsHtml([node], page, { ...surface, width: column.width - start - end })
  const className = column.first ? 'm-cell' : 'm-cell m-next'
  return `<td width="${column.width}" valign="top"><![endif]--><div class="m-col" style="display:inline-block;width:100%;max-width:${column.width}px;vertical-align:top;"><table ${table} width="100%"><tr><td class="${className}" style="padding:${padding};">${inside}</td></tr></table></div><!--[if mso]></td>`
}

function headerHtml(node: HeaderNode, page: Page, surface: Surface): string {
  const { background } = onBackground(node.backgroundColor, surface)
  const within = { width: surface.width - (node.backgroundColor ? 48 : 0), background }
  const copy = {
    tone: 'heading' as const,
    fontSize: 18,
    lineHeight: 150,
    align: node.align,
    extra: 'font-weight:600;',
  }
  const logoUrl = node.logoUrl ?? (node.text === undefined ? page.logoUrl : null)
  const alt = page.slots.attribute(node.logoAlt ?? '{{company_name}}')
  const align = alignment(node.align, page)
  const logo = logoUrl
    ? logosHtml(logoUrl, node.darkLogoUrl, (url, shown, className) => {
        const extra = `${copy.extra}${shown}border:0;height:32px;width:auto;max-width:100%;`
        return `<img src="${page.slots.image(url)}" alt="${alt}" height="32" ${copyAttributes(page, within, { ...copy, extra, className })}>`
      })
    : ''
  const children = node.children ?? []
  const words = node.text ?? (logoUrl || children.length > 0 ? '' : '{{company_name}}')
  const name = words ? `<span ${copyAttributes(page, within, copy)}>${page.slots.text(words)}</span>` : ''
  const gap = logo && name ? spacer(8) : ''
  const link = hasTarget(node.href)
    ? `<a href="${page.slots.link(node.href)}" style="color:inherit;text-decoration:none;">${logo}${gap}${name}</a>`
    : `${logo}${gap}${name}`
  const brand = link ? `<div style="text-align:${align};">${link}</div>` : ''
  const below = children.length > 0 ? `${brand ? spacer(16) : ''}${rowsHtml(children, page, within)}` : ''
  return node.backgroundColor ? boxTable(node, 24, `${brand}${below}`, null, page) : `${brand}${below}`
}

/** The logo, and beside it the one for the dark, which only a client that knows the dark shows. */
function logosHtml(
  day: string,
  night: string | undefined,
  image: (url: string, shown: string, className: string) => string,
): string {
  if (night === undefined) return image(day, 'display:inline-block;', '')
  const hidden = image(night, 'display:none;mso-hide:all;', 'm-night')
  return `${image(day, 'display:inline-block;', 'm-day')}<!--[if !mso]><!-->${hidden}<!--<![endif]-->`
}

function footerHtml(node: FooterNode, page: Page, surface: Surface): string {
  const { slots } = page
  const align = node.align ?? 'center'
  const copy = { tone: 'muted' as const, fontSize: 13, lineHeight: 155, color: node.color, align }
  const linkLook = copyAttributes(page, surface, { ...copy, extra: 'text-decoration:underline;' })
  const name = isolated(slots.text(node.companyName ?? '{{company_name}}'), page)
  const address = isolated(slots.text(node.address ?? '{{company_address}}'), page)
  const parts = [
    ...(node.text ? [slots.text(node.text)] : []),
    `<strong style="font-weight:600;">${name}</strong><br>${address}`,
    ...(showsUnsubscribe(node, page)
      ? [`<a href="${slots.link('{{unsubscribe_url}}')}" ${linkLook}>${slots.text(unsubscribeLabel(page.locale))}</a>`]
      : []),
  ]
  const rows = parts.map((part, index) => {
    const look = copyAttributes(page, surface, copy)
    return `<tr><td style="padding:${index === 0 ? 0 : 10}px 0 0;"><p ${look}>${part}</p></td></tr>`
  })
  const children = node.children?.length ? `${rowsHtml(node.children, page, surface)}${spacer(16)}` : ''
  return `${children}<table ${table} width="100%">${rows.join('')}</table>`
}

/** A Latin address in a right-to-left mail keeps its own order. */
function isolated(text: string, page: Page): string {
  return page.direction === 'rtl' ? `<span dir="auto">${text}</span>` : text
}

export function showsUnsubscribe(
  node: FooterNode,
  { kind, keepsUnsubscribe }: Pick<Page, 'kind' | 'keepsUnsubscribe'>,
) {
  return kind === 'marketing' && (node.showUnsubscribe !== false || keepsUnsubscribe)
}
