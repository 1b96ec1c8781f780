// The text part of a mail, from the same tree: a string for each paragraph.

import type { AnyNode, TextPage } from './component.ts'
import { componentOf } from './components.ts'

export function documentText(content: AnyNode[], page: TextPage): string {
  return `${blocksText(content, page).join('\n\n')}\n`
}

/** What has nothing to say is left out. */
export function blocksText(nodes: AnyNode[], page: TextPage): string[] {
  return nodes.flatMap((node) => componentOf(node.type).text(node, page)).filter((block) => block !== '')
}
