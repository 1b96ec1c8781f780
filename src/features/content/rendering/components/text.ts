// A paragraph, with a little Markdown where it says so.

import { type Static, Type } from '@sinclair/typebox'
import { defineComponent, type Page } from '../component.ts'
import { copyAttributes, inlineHtml } from '../html-copy.ts'
import { parseInlines } from '../inline.ts'
import { copyStyle, oneOf, shared, words } from '../properties.ts'
import { inlineText, wrap } from '../text-copy.ts'
import type { Surface } from '../theme.ts'

const schema = Type.Object(
  {
    ...shared,
    text: words(),
    format: Type.Optional(oneOf('plain', 'markdown')),
    ...copyStyle,
  },
  { description: 'A paragraph. With `format: "markdown"`: bold, italics, links and line breaks, nothing else.' },
)

export type TextNode = Static<typeof schema>

export const text = defineComponent({
  schema,
  html: textHtml,
  text: (node, page) => [wrap(inlineText(parseInlines(node), page))],
  wants: ['text'],
  makesLink: ({ format, text }) => format === 'markdown' && text.includes(']('),
  words: ({ text }) => [text],
})

function textHtml(node: TextNode, page: Page, surface: Surface): string {
  const attributes = copyAttributes(page, surface, {
    tone: 'text',
    fontSize: node.fontSize ?? 16,
    lineHeight: node.lineHeight ?? 160,
    color: node.color,
    align: node.align,
  })
  return `<p ${attributes}>${inlineHtml(parseInlines(node), page, surface)}</p>`
}
