// A link on a line of its own, or in a list.

import { type Static, Type } from '@sinclair/typebox'
import { defineComponent, type Page } from '../component.ts'
import { anchorHtml, copyAttributes } from '../html-copy.ts'
import { address, align, colour, flag, shared, words } from '../properties.ts'
import { linkText, wrap } from '../text-copy.ts'
import type { Surface } from '../theme.ts'

const schema = Type.Object(
  {
    ...shared,
    text: words(),
    href: address(),
    color: Type.Optional(colour()),
    underline: Type.Optional(flag()),
    align: Type.Optional(align()),
    notrack: Type.Optional(flag()),
  },
  { description: 'A link on a line of its own, or in a list.' },
)

export type LinkNode = Static<typeof schema>

export const link = defineComponent({
  schema,
  html: linkHtml,
  text: (node, page) => [wrap(linkText(page, page.slots.plain(node.text), node.href))],
  wants: ['text', 'href'],
  makesLink: () => true,
  words: ({ text, href }) => [href, text],
})

function linkHtml(node: LinkNode, page: Page, surface: Surface): string {
  // An address that is shown as it is has no place to break of its own.
  const extra = 'word-break:break-word;'
  const copy = { tone: 'text' as const, fontSize: 16, lineHeight: 160, align: node.align, extra }
  return `<p ${copyAttributes(page, surface, copy)}>${anchorHtml(page, surface, node, page.slots.text(node.text))}</p>`
}
