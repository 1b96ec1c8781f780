// The text part of a mail, from the same tree.

import type { AnyNode, Block, TextPage } from './component.ts'
import { componentOf } from './components.ts'
import { conditionalText, joinBlocks } from './conditional.ts'

export function documentText(content: AnyNode[], page: TextPage): string {
  return `${joinBlocks(blocksText(content, page))}\n`
}

/** What has nothing to say is left out. */
export function blocksText(nodes: AnyNode[], page: TextPage): Block[] {
  return nodes
    .flatMap((node) => conditionalText(node, page) ?? componentOf(node.type).text(node, page))
    .filter((block) => block !== '')
}
