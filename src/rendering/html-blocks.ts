// The leaves of the tree as HTML: heading, text, button, link, image, list. Each gives what stands in one table cell.

import { isSafeUrl } from '../lib/safe-url.ts'
import { type Inline, parseInline, plainInline } from './inline.ts'
import {
  type ButtonNode,
  entriesOf,
  type HeadingNode,
  type ImageNode,
  type LeafNode,
  type LinkNode,
  type ListEntry,
  type ListNode,
  type Row,
  rowsOf,
  type TextNode,
} from './nodes.ts'
import { withoutPlaceholders } from './placeholders.ts'
import type { Slots } from './segments.ts'
import { buttonClass, fontStack, hairline, ink, readableOn, type Surface, sixDigits, type Tone } from './theme.ts'

/** What is the same all over one mail. */
export interface Page {
  slots: Slots
  direction: 'ltr' | 'rtl'
  accent: string
  locale: string
  kind: 'transactional' | 'marketing'
  /** The footer shows the link to leave although it says otherwise: nothing else in the mail does. */
  keepsUnsubscribe: boolean
  logoUrl: string | null
}

const headingSizes = {
  1: { fontSize: 26, lineHeight: 130 },
  2: { fontSize: 20, lineHeight: 140 },
  3: { fontSize: 16, lineHeight: 150 },
}

export function leafHtml(node: LeafNode, page: Page, surface: Surface): string {
  switch (node.type) {
    case 'heading':
      return headingHtml(node, page, surface)
    case 'text':
      return textHtml(node, page, surface)
    case 'button':
      return buttonHtml(node, page, surface)
    case 'link':
      return linkHtml(node, page, surface)
    case 'image':
      return imageHtml(node, page, surface)
    case 'list':
      return listHtml(node, page, surface)
  }
}

/** `left` and `right` are the author's; without one, text follows the direction of the language. */
export function alignment(align: string | undefined, page: Page): string {
  return align ?? (page.direction === 'rtl' ? 'right' : 'left')
}

/** The style of a piece of text, its dark-mode class with it. */
export function copyAttributes(
  page: Page,
  surface: Surface,
  copy: {
    tone: Tone
    fontSize: number
    lineHeight: number
    color?: string | undefined
    align?: string | undefined
    extra?: string
    className?: string
  },
): string {
  const { color, className } = ink(surface, copy.tone, copy.color, page.accent)
  const lineHeight = Math.round((copy.fontSize * copy.lineHeight) / 100)
  const classes = [className, copy.className ?? ''].filter(Boolean).join(' ')
  const style = `margin:0;color:${color};font-family:${fontStack};font-size:${copy.fontSize}px;line-height:${lineHeight}px;text-align:${alignment(copy.align, page)};${copy.extra ?? ''}`
  return `${classes ? `class="${classes}" ` : ''}style="${style}"`
}

/** An address that opens something; false for nothing, `#` and addresses without a scheme, which are sent as plain text. */
export function hasTarget(href: string | undefined): href is string {
  if (href === undefined) return false
  const url = href.trim()
  return withoutPlaceholders(url, '') !== url ? true : isSafeUrl(url.replaceAll(' ', '%20'))
}

function inlineHtml(inlines: Inline[], page: Page, surface: Surface): string {
  return inlines.map((inline) => oneInlineHtml(inline, page, surface)).join('')
}

function oneInlineHtml(inline: Inline, page: Page, surface: Surface): string {
  if (inline.kind === 'text') return page.slots.text(inline.text)
  if (inline.kind === 'break') return '<br>'
  const inside = inlineHtml(inline.children, page, surface)
  return inline.kind === 'link' ? anchor(page, surface, inline, inside) : `<${inline.kind}>${inside}</${inline.kind}>`
}

function headingHtml(node: HeadingNode, page: Page, surface: Surface): string {
  const level = node.level === 2 || node.level === 3 ? node.level : 1
  const size = {
    ...headingSizes[level],
    ...(node.fontSize ? { fontSize: node.fontSize } : {}),
    ...(node.lineHeight ? { lineHeight: node.lineHeight } : {}),
  }
  // Tight spacing suits Latin display sizes; it would cut the joins of Arabic letters.
  const tight = level !== 3 && page.direction === 'ltr'
  const extra = `font-weight:600;${tight ? 'letter-spacing:-0.015em;' : ''}`
  const className = level === 1 && node.fontSize === undefined ? 'm-h1' : ''
  const attributes = copyAttributes(page, surface, {
    tone: 'heading',
    ...size,
    color: node.color,
    align: node.align,
    extra,
    className,
  })
  return `<h${level} ${attributes}>${page.slots.text(node.text)}</h${level}>`
}

function textHtml(node: TextNode, page: Page, surface: Surface): string {
  const inlines = node.format === 'markdown' ? parseInline(node.text) : plainInline(node.text)
  const attributes = copyAttributes(page, surface, {
    tone: 'text',
    fontSize: node.fontSize ?? 16,
    lineHeight: node.lineHeight ?? 160,
    color: node.color,
    align: node.align,
  })
  return `<p ${attributes}>${inlineHtml(inlines, page, surface)}</p>`
}

function anchor(
  page: Page,
  surface: Surface,
  link: { href: string; color?: string | undefined; underline?: boolean | undefined },
  inside: string,
): string {
  if (!hasTarget(link.href)) return inside
  const { color, className } = ink(surface, 'accent', link.color, page.accent)
  const style = `color:${color};text-decoration:${link.underline === false ? 'none' : 'underline'};`
  return `<a href="${page.slots.link(link.href)}"${className ? ` class="${className}"` : ''} style="${style}">${inside}</a>`
}

function linkHtml(node: LinkNode, page: Page, surface: Surface): string {
  // An address that is shown as it is has no place to break of its own.
  const extra = 'word-break:break-word;'
  const copy = { tone: 'text' as const, fontSize: 16, lineHeight: 160, align: node.align, extra }
  return `<p ${copyAttributes(page, surface, copy)}>${anchor(page, surface, node, page.slots.text(node.text))}</p>`
}

/** Outlook draws the button with VML, which wants a width: it is estimated from the text. */
function buttonHtml(node: ButtonNode, page: Page, surface: Surface): string {
  const background = sixDigits(node.backgroundColor ?? page.accent)
  const color = node.textColor ? sixDigits(node.textColor) : readableOn(background)
  const [paddingX, paddingY, radius] = [node.paddingX ?? 22, node.paddingY ?? 12, node.borderRadius ?? 8]
  const borderWidth = node.borderWidth ?? (node.borderColor ? 1 : 0)
  const borderColor = sixDigits(node.borderColor ?? background)
  const className = buttonClass(background, surface)
  const href = page.slots.link(node.href)
  const label = page.slots.text(node.text.replaceAll('\n', ' '))
  const height = 22 + 2 * paddingY + 2 * borderWidth
  const width = node.fullWidth
    ? surface.width
    : Math.min(surface.width, Math.round(shownLength(node.text) * 8.4) + 2 * paddingX)
  const arc = Math.min(50, Math.round((radius / height) * 100))
  const stroke = borderWidth > 0 ? `strokecolor="${borderColor}" strokeweight="${borderWidth}px"` : 'stroke="f"'
  const font = `font-family:${fontStack};font-size:16px;font-weight:600;`
  const shape = `${node.fullWidth ? 'display:block;' : 'display:inline-block;'}background-color:${background};border-radius:${radius}px;${borderWidth > 0 ? `border:${borderWidth}px solid ${borderColor};` : ''}padding:${paddingY}px ${paddingX}px;`
  return `<div style="text-align:${alignment(node.align, page)};"><!--[if mso]><v:roundrect xmlns:v="urn:schemas-microsoft-com:vml" xmlns:w="urn:schemas-microsoft-com:office:word" href="${href}" style="height:${height}px;v-text-anchor:middle;width:${width}px;" arcsize="${arc}%" ${stroke} fillcolor="${background}"><w:anchorlock/><center style="color:${color};font-family:'Segoe UI',Arial,sans-serif;font-size:16px;font-weight:bold;">${label}</center></v:roundrect><![endif]--><!--[if !mso]><!--><a href="${href}"${className ? ` class="${className}"` : ''} style="${shape}color:${color};${font}line-height:22px;text-align:center;text-decoration:none;">${label}</a><!--<![endif]--></div>`
}

function shownLength(text: string): number {
  return withoutPlaceholders(text, 'a name here').length
}

function imageHtml(node: ImageNode, page: Page, surface: Surface): string {
  const width = Math.min(node.width ?? surface.width, surface.width)
  // A height belongs to a width: where the picture shrinks, the height follows.
  const height = node.height && width === (node.width ?? width) ? ` height="${node.height}"` : ''
  const copy = ink(surface, 'muted', undefined, page.accent)
  // One that fills its place goes on to fill it where a phone makes the place wider than it was reckoned.
  const className = [copy.className, width === surface.width ? 'm-img' : ''].filter(Boolean).join(' ')
  const { color } = copy
  const align = alignment(node.align, page)
  const centring = align === 'center' ? 'margin:0 auto;' : align === 'right' ? 'margin:0 0 0 auto;' : ''
  const style = `display:block;${centring}width:100%;max-width:${width}px;height:auto;border:0;${node.borderRadius ? `border-radius:${node.borderRadius}px;` : ''}color:${color};font-family:${fontStack};font-size:14px;line-height:20px;`
  const picture = `<img src="${page.slots.image(node.src)}" alt="${page.slots.attribute(node.alt ?? '')}" width="${width}"${height}${className ? ` class="${className}"` : ''} style="${style}">`
  const linked = hasTarget(node.href)
    ? `<a href="${page.slots.link(node.href)}" style="text-decoration:none;">${picture}</a>`
    : picture
  return `<div align="${align}">${linked}</div>`
}

function listHtml(node: ListNode, page: Page, surface: Surface): string {
  const rows = rowsOf(node)
  if (rows) return tableHtml(node, rows, page, surface)
  const entries = entriesOf(node)
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
function tableHtml(node: ListNode, rows: Row[], page: Page, surface: Surface): string {
  const body = rows.map((row) => rowHtml(node, row, 'item', page, surface)).join('')
  const name = listVariable(node)
  const items = name === null ? body : page.slots.each({ name, start: 1, between: '' }, body)
  const head = node.head ? `<thead>${rowHtml(node, node.head, 'head', page, surface)}</thead>` : ''
  const totals = (node.totals ?? []).map((row) => rowHtml(node, row, 'total', page, surface)).join('')
  return `<table role="table" cellpadding="0" cellspacing="0" border="0" width="100%">${head}<tbody>${items}${totals}</tbody></table>`
}

function rowHtml(node: ListNode, row: Row, kind: RowKind, page: Page, surface: Surface): string {
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
export function listVariable(node: ListNode): string | null {
  const name = node.itemsVariable ?? null
  return name?.startsWith('{{') && name.endsWith('}}') ? name.slice(2, -2).trim() : name
}

function entryHtml(entry: Exclude<ListEntry, Row>, page: Page, surface: Surface): string {
  if (typeof entry === 'string') return inlineHtml(plainInline(entry), page, surface)
  if (entry.type === 'link') return anchor(page, surface, entry, page.slots.text(entry.text))
  return inlineHtml(entry.format === 'markdown' ? parseInline(entry.text) : plainInline(entry.text), page, surface)
}
