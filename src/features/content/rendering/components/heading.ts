// A heading of level 1 to 3.

import { type Static, Type } from '@sinclair/typebox'
import { defineComponent, type Page } from '../component.ts'
import { copyAttributes } from '../html-copy.ts'
import { copyStyle, shared, whole, words } from '../properties.ts'
import { wrap } from '../text-copy.ts'
import type { Surface } from '../theme.ts'

const schema = Type.Object(
  { ...shared, text: words(), level: Type.Optional(whole(1, 3)), ...copyStyle },
  { description: 'A heading of level 1 (default) to 3.' },
)

const headingSizes = {
  1: { fontSize: 26, lineHeight: 130 },
  2: { fontSize: 20, lineHeight: 140 },
  3: { fontSize: 16, lineHeight: 150 },
}

export const heading = defineComponent({
  schema,
  html: headingHtml,
  text: (node, page) => [wrap(page.slots.plain(node.text))],
  wants: ['text'],
  words: (node) => [node.text],
})

function headingHtml(node: Static<typeof schema>, page: Page, surface: Surface): string {
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
