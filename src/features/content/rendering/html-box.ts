// Boxes of a mail as HTML: a table of one cell with a background, and the space between things.

import type { Page } from './component.ts'
import { alignment } from './html-copy.ts'
import { onBackground } from './theme.ts'

/** What a table says that only holds the layout. */
export const layoutTable = 'role="presentation" cellpadding="0" cellspacing="0" border="0"'

export function spacer(height: number): string {
  return `<div style="height:${height}px;line-height:${height}px;font-size:${height}px;">&nbsp;</div>`
}

interface Box {
  backgroundColor?: string
  borderRadius?: number
  align?: string
}

/** `padding` in pixels, or as CSS; `width` where it is narrower than its place. */
export function boxTable(box: Box, padding: number | string, inside: string, width: number | null, page: Page): string {
  const { css, className } = onBackground(box.backgroundColor, { width: 0, background: null })
  const radius = box.borderRadius ?? (box.backgroundColor ? (page.radius ?? 8) : 0)
  const align = alignment(box.align, page)
  const margin = align === 'center' ? 'margin:0 auto;' : align === 'right' ? 'margin:0 0 0 auto;' : ''
  const limit = width === null ? '' : `max-width:${width}px;${margin}`
  const look = `${limit}${css}${radius ? `border-radius:${radius}px;` : ''}`
  const pad = typeof padding === 'number' ? `${padding}px` : padding
  return `<table ${layoutTable} width="100%"${className ? ` class="${className}"` : ''}${look ? ` style="${look}"` : ''}><tr><td style="padding:${pad};">${inside}</td></tr></table>`
}
