// What a template says of its look itself, and what it would be without that: then it follows the brand. Greys and the grounds of sections
// stay, for what stands on them was chosen with them.

import { colourfulness, sixDigits } from '../../../src/kit/colour.ts'
import { ownValue } from '../../../src/kit/own-value.ts'
import type { TreeNode } from '../templates/tree.ts'

export interface OwnLook {
  type: string
  property: string
  value: string
}

const leastColour = 0.12

/** What follows the brand once it is not said. */
const properties: Record<string, string[]> = {
  button: ['backgroundColor', 'textColor', 'borderColor', 'borderRadius'],
  link: ['color'],
  heading: ['color'],
  text: ['color'],
  list: ['color'],
  footer: ['color'],
  header: ['logoUrl', 'darkLogoUrl'],
}

/** `hasLogo`: a header without one shows that of the brand. */
export function withoutOwnLooks(nodes: TreeNode[], hasLogo: boolean): { nodes: TreeNode[]; found: OwnLook[] } {
  const found: OwnLook[] = []
  const freed = (node: TreeNode): TreeNode => {
    // What a block holds is the block's.
    if (node.type === 'block') return node
    const own = ownValue(properties, node.type) ?? []
    const kept = Object.entries(node).filter(([property, value]) => {
      const isOwn = own.includes(property) && isOwnLook(node, property, value, hasLogo)
      if (isOwn) found.push({ type: node.type, property, value: String(value) })
      return !isOwn
    })
    const next = Object.fromEntries(kept) as TreeNode
    return node.children ? { ...next, children: node.children.map(freed) } : next
  }
  return { nodes: nodes.map(freed), found }
}

function isOwnLook({ type }: TreeNode, property: string, value: unknown, hasLogo: boolean): boolean {
  if (type === 'header') return hasLogo
  if (type === 'button') return true
  return typeof value === 'string' && property === 'color' && colourfulness(sixDigits(value)) >= leastColour
}
