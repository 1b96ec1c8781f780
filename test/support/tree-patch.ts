// Applies the difference of two trees (src/features/review/revisions/tree-diff.ts) to the old one.

import type { AnyNode } from '../../src/features/content/rendering/component.ts'
import type { PropertyChange, TreeChange } from '../../src/features/review/revisions/tree-diff.ts'
import { withoutChildren } from '../../src/features/review/revisions/tree-match.ts'

interface Part {
  own: AnyNode
  kids: Part[]
  /** The list that it stands in. */
  among: Part[]
}

/** The new tree; `before` stays as it is. Throws for changes of another tree. */
export function applyChanges(before: AnyNode[], changes: TreeChange[]): AnyNode[] {
  const root: Part[] = []
  takeIn(before, root)
  // Everything is found by its old path before anything is taken from its place.
  const found = changes.map((change) => ('from' in change ? partAt(root, change.from) : null))
  const comes = changes.flatMap((change, index) => {
    const part = found[index]
    if (change.op === 'removed' || change.op === 'moved') detach(part)
    if (change.op === 'moved' && part) return [{ part, place: placeOf(change.path) }]
    return change.op === 'added' ? [{ part: partOf(change.node, []), place: placeOf(change.path) }] : []
  })
  for (const { part, place } of comes.sort((one, other) => inOrder(one.place, other.place))) insert(root, part, place)
  for (const [index, change] of changes.entries()) {
    const part = found[index]
    if (change.op === 'changed' && part) part.own = withChanges(part.own, change.properties)
  }
  return root.map(nodeOf)
}

function takeIn(nodes: AnyNode[], among: Part[]): void {
  for (const node of nodes) among.push(partOf(node, among))
}

function partOf(node: AnyNode, among: Part[]): Part {
  const part: Part = { own: withoutChildren(node), kids: [], among }
  takeIn(node.children ?? [], part.kids)
  return part
}

function nodeOf({ own, kids }: Part): AnyNode {
  return kids.length > 0 ? { ...own, children: kids.map(nodeOf) } : own
}

function placeOf(path: string): number[] {
  return [...path.matchAll(/\[(\d+)\]/g)].map(([, index]) => Number(index))
}

/** Parents before their children, siblings as they stand. */
function inOrder(one: number[], other: number[]): number {
  const at = one.findIndex((index, depth) => index !== other[depth])
  return at < 0 ? one.length - other.length : (one[at] ?? -1) - (other[at] ?? -1)
}

function partAt(root: Part[], path: string): Part {
  let among = root
  let part: Part | undefined
  for (const index of placeOf(path)) {
    part = among[index]
    among = part?.kids ?? []
  }
  if (!part) throw new Error(`there is nothing at ${path}`)
  return part
}

function detach(part: Part | null | undefined): void {
  if (part) part.among.splice(part.among.indexOf(part), 1)
}

/** All that stands before it is in its place already. */
function insert(root: Part[], part: Part, place: number[]): void {
  let among = root
  for (const index of place.slice(0, -1)) among = among[index]?.kids ?? []
  among.splice(place.at(-1) ?? 0, 0, part)
  part.among = among
}

function withChanges(own: AnyNode, properties: PropertyChange[]): AnyNode {
  const kept = Object.entries(own).filter(([name]) => !properties.some((change) => change.name === name))
  const set = properties.flatMap(({ name, to }) => (to === undefined ? [] : [[name, to] as const]))
  return { ...Object.fromEntries(kept), ...Object.fromEntries(set), type: own.type }
}
