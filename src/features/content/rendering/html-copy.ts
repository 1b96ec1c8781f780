// Words of a mail as HTML: their style, their links, their direction.

import { isSafeUrl } from '../../../kit/safe-url.ts'
import type { Page } from './component.ts'
import type { Inline } from './inline.ts'
import { withoutPlaceholders } from './placeholders.ts'
import { ink, type Surface, type Tone } from './theme.ts'

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
  const style = `margin:0;color:${color};font-family:${page.font};font-size:${copy.fontSize}px;line-height:${lineHeight}px;text-align:${alignment(copy.align, page)};${copy.extra ?? ''}`
  return `${classes ? `class="${classes}" ` : ''}style="${style}"`
}

/** An address that opens something; false for nothing, `#` and addresses without a scheme, which are sent as plain text. */
export function hasTarget(href: string | undefined): href is string {
  if (href === undefined) return false
  const url = href.trim()
  return withoutPlaceholders(url, '') !== url ? true : isSafeUrl(url.replaceAll(' ', '%20'))
}

/** Words with their bold, links and breaks. */
export function inlineHtml(inlines: Inline[], page: Page, surface: Surface): string {
  return inlines.map((inline) => oneInlineHtml(inline, page, surface)).join('')
}

function oneInlineHtml(inline: Inline, page: Page, surface: Surface): string {
  if (inline.kind === 'text') return page.slots.text(inline.text)
  if (inline.kind === 'break') return '<br>'
  const inside = inlineHtml(inline.children, page, surface)
  return inline.kind === 'link'
    ? anchorHtml(page, surface, inline, inside)
    : `<${inline.kind}>${inside}</${inline.kind}>`
}

/** A link around `inside`, or `inside` alone where it leads nowhere. */
export function anchorHtml(
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
