// The nodes of a component tree, as parseTree() returns them: flat, canonical property names, nothing unknown, no defaults filled in.

import { type TObject, Type } from '@sinclair/typebox'
import type { AnyNode, Component } from './component.ts'
import { componentOf, components } from './components.ts'

export const maxNodes = 500

export type NodeType = keyof typeof components
type Shape<T extends NodeType> = (typeof components)[T] extends Component<infer N> ? N : never
type BranchType = { [T in NodeType]: 'children' extends keyof Shape<T> ? T : never }[NodeType]

interface Children {
  children?: Node[]
}
type NodeOf<T extends NodeType> = { type: T } & (T extends BranchType
  ? Omit<Shape<T>, 'children'> & Children
  : Shape<T>)

export type BranchNode = { [T in BranchType]: NodeOf<T> }[BranchType]
export type Node = { [T in NodeType]: NodeOf<T> }[NodeType]

export const nodeTypes = Object.keys(components).filter(isNodeType)
export const nodeSchemas = Object.fromEntries(nodeTypes.map((type) => [type, components[type].schema])) as Record<
  NodeType,
  TObject
>

export function isNodeType(value: unknown): value is NodeType {
  return typeof value === 'string' && Object.hasOwn(components, value)
}

export function mayHaveChildren(type: NodeType): boolean {
  return componentOf(type).isBranch === true
}

export function isBranch(node: Node): node is BranchNode {
  return mayHaveChildren(node.type)
}

/** True when the node, or one below it, makes a link of its own. */
export function holdsLink(node: AnyNode): boolean {
  return componentOf(node.type).makesLink?.(node) || (node.children ?? []).some(holdsLink)
}

/** Where each node stands, as faults name it: `content[0].children[2]`. In the order of the tree. */
export function nodePaths(content: Node[], path = 'content', into = new Map<Node, string>()): Map<Node, string> {
  for (const [index, node] of content.entries()) {
    const at = `${path}[${index}]`
    into.set(node, at)
    if (isBranch(node)) nodePaths(node.children ?? [], `${at}.children`, into)
  }
  return into
}

/**
 * The schema of a component tree in a request or an answer. It accepts anything: parseTree is the validator, because it knows the
 * aliases and lists every fault with its path. The OpenAPI document has the tree under this name (tree-components.ts).
 */
export const contentSchema = Type.Unknown({ component: 'ComponentTree', description: 'Nodes in order.' })
