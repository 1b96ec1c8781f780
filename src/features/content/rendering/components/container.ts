// A box inside a card, or a column of a section. At the top of a mail it is the card itself (html-layout.ts).

import { type Static, Type } from '@sinclair/typebox'
import { type AnyNode, defineBranch, type Page } from '../component.ts'
import { boxTable } from '../html-box.ts'
import { align, colour, pixels, shared } from '../properties.ts'
import { onBackground, type Surface } from '../theme.ts'

const schema = Type.Object(
  {
    ...shared,
    width: Type.Optional(pixels(320, 800)),
    backgroundColor: Type.Optional(colour()),
    padding: Type.Optional(pixels(0, 120)),
    borderRadius: Type.Optional(pixels(0, 64)),
    align: Type.Optional(align()),
  },
  { description: 'A box, e.g. a card, or a column of a section.' },
)

export type ContainerNode = Static<typeof schema> & { children?: AnyNode[] }

export const container = defineBranch({
  schema,
  html: containerHtml,
  text: (node, page) => page.blocks(node.children ?? []),
  isWide: true,
})

function containerHtml(node: ContainerNode, page: Page, surface: Surface): string {
  const padding = node.padding ?? (node.backgroundColor ? 24 : 0)
  const width = Math.min(node.width ?? surface.width, surface.width)
  const { background } = onBackground(node.backgroundColor, surface)
  const inside = page.rows(node.children ?? [], { width: width - 2 * padding, background })
  return boxTable(node, padding, inside, width < surface.width ? width : null, page)
}
