// What is repeated inside of what is repeated must be a list of its thing. Two lists that have nothing to do with each other would make
// a mail of all their pairs.

import type { Issue } from '../../../kit/error.ts'
import { isBranch, type Node } from './nodes.ts'
import { placeholderName } from './placeholders.ts'

/** Each list in an `each` that is not one of the things around it, and each name that is taken already. */
export function loopFaults(nodes: Node[], path = 'content', names: string[] = []): Issue[] {
  return nodes.flatMap((node, index) => {
    const at = `${path}[${index}]`
    const inside = node.type === 'each' ? [...names, node.as ?? 'item'] : names
    const below = isBranch(node) ? loopFaults(node.children ?? [], `${at}.children`, inside) : []
    return [...ownFaults(node, at, names), ...below]
  })
}

function ownFaults(node: Node, path: string, names: string[]): Issue[] {
  if (names.length === 0 || !('itemsVariable' in node) || node.itemsVariable === undefined) return []
  const fault = (property: string, message: string) => {
    const at = `${path}.${property}`
    return { path: at, code: 'invalid_variable', message: `${at} ${message}` }
  }
  const [root = '', field] = placeholderName(node.itemsVariable).split('.')
  const isOfThing = field !== undefined && names.includes(root)
  const ofThings = names.map((name) => `${name}.…`).join(' or ')
  const isTaken = node.type === 'each' && names.includes(node.as ?? 'item')
  return [
    ...(isOfThing
      ? []
      : [fault('itemsVariable', `must be a list of the thing that is repeated around it: ${ofThings}`)]),
    ...(isTaken ? [fault('as', 'must differ from the name of the thing that is repeated around it.')] : []),
  ]
}
