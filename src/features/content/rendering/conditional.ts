// Nodes that are not in every mail, or more than once in one: what of them is shown, in HTML and in text.

import type { AnyNode, Block, Conditional, TextPage } from './component.ts'
import { componentOf } from './components.ts'
import type { Slots } from './segments.ts'

export interface Branches extends Conditional {
  there: AnyNode[]
  /** What stands in its `else`. */
  otherwise: AnyNode[]
}

/** Null for a node that every mail shows, once. */
export function branchesOf(node: AnyNode, slots: Slots): Branches | null {
  const shown = componentOf(node.type).shown?.(node, slots)
  if (!shown) return null
  const children = node.children ?? []
  const isElse = ({ type }: AnyNode) => type === 'else'
  const otherwise = children.filter(isElse).flatMap((one) => one.children ?? [])
  return { ...shown, there: children.filter((one) => !isElse(one)), otherwise }
}

export function isConditional({ type }: AnyNode): boolean {
  return componentOf(type).shown !== undefined
}

/** The nodes, with what stands in the place of those that are transparent. */
export function withoutFrames<T extends AnyNode>(nodes: T[]): T[] {
  return nodes.flatMap((node) =>
    componentOf(node.type).isTransparent ? withoutFrames((node.children ?? []) as T[]) : [node],
  )
}

const paragraph = '\n\n'

/** The paragraphs of a node of this kind, none where it can have nothing to say; null for any other. */
export function conditionalText(node: AnyNode, page: TextPage): Block[] | null {
  const branches = branchesOf(node, page.slots)
  if (!branches) return null
  const [there, otherwise] = [joinBlocks(page.blocks(branches.there)), joinBlocks(page.blocks(branches.otherwise))]
  if (there === '' && otherwise === '') return []
  const all = there === '' ? '' : branches.repeat(there, paragraph)
  const within = (text: string, around: (text: string) => string) => (text === '' ? '' : around(text))
  return [{ write: (around) => branches.choose(within(all, around), within(otherwise, around)) }]
}

/** Paragraphs with a line between them, whichever of them are shown. */
export function joinBlocks(blocks: Block[]): string {
  let out = ''
  let hasBegun = false
  for (const block of blocks) {
    if (typeof block === 'string') {
      out += hasBegun ? paragraph + block : block
      hasBegun = true
    } else out += block.write((text) => (hasBegun ? paragraph + text : text + paragraph))
  }
  return out
}
