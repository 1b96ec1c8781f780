// Several components at once: which are marked, where they go when they are moved, and how they are copied as JSON, also from elsewhere.

import { words } from './editor-words.ts'
import {
  findForm,
  inserted,
  listRows,
  moved,
  nodeAt,
  type Path,
  placeFor,
  type TreeNode,
  toTreePath,
  ways,
  without,
} from './tree.ts'

/** More is no part of a mail. */
const maxPastedChars = 400_000
const maxPastedNodes = 500

export interface Moved {
  content: TreeNode[]
  /** Where each stands then, in their order. */
  paths: Path[]
}

/** All rows from one to the other, in the order of the tree. */
export function rowsBetween(content: TreeNode[], one: Path, other: Path): Path[] {
  const paths = listRows(content).map(({ path }) => path)
  const indexes = [one, other].map((wanted) => paths.findIndex((path) => toTreePath(path) === toTreePath(wanted)))
  return paths.slice(Math.max(0, Math.min(...indexes)), Math.max(...indexes) + 1)
}

/** Those that are within none of the others. */
export function outermost(paths: Path[]): Path[] {
  const places = new Set(paths.map(toTreePath))
  return paths.filter((path) => !path.some((_, depth) => depth > 0 && places.has(toTreePath(path.slice(0, depth)))))
}

/** Null where one of them cannot go. */
export function movedAll(content: TreeNode[], paths: Path[], way: keyof typeof ways): Moved | null {
  const nodes = nodesAt(content, paths)
  const isFromEnd = way === 'down' || way === 'out'
  let now = content
  for (const node of isFromEnd ? nodes.toReversed() : nodes) {
    const from = findPath(now, node)
    const result = from && moved(now, from, ways[way](now, from))
    if (!result) return null
    now = result.content
  }
  return { content: now, paths: findPaths(now, nodes) }
}

/** One behind the other, the first at a place of the tree before. Null where one of them may not stand. */
export function movedTo(content: TreeNode[], paths: Path[], to: Path): Moved | null {
  const nodes = nodesAt(content, paths)
  let now = content
  let place = to
  for (const node of nodes) {
    const from = findPath(now, node)
    const result = from && moved(now, from, place)
    if (!result) return null
    now = result.content
    place = after(result.path)
  }
  return { content: now, paths: findPaths(now, nodes) }
}

export function takenAll(content: TreeNode[], paths: Path[]): TreeNode[] {
  return paths.toReversed().reduce(without, content)
}

/** Copies, one behind the other, where a new component would go. Null where one of them may not stand. */
export function pasted(content: TreeNode[], nodes: TreeNode[], chosen: Path | null): Moved | null {
  const copies = structuredClone(nodes)
  let now = content
  let place = chosen
  for (const [number, node] of copies.entries()) {
    const path = number === 0 || place === null ? placeFor(now, place, node) : after(place)
    // At the end of all, and from there to its place, by the rules for what may stand where.
    const result = moved([...now, node], [now.length], path)
    if (!result) return null
    now = result.content
    place = result.path
  }
  return { content: now, paths: findPaths(now, copies) }
}

/** Copies of them behind the last of them. */
export function duplicated(content: TreeNode[], paths: Path[]): Moved {
  const copies = structuredClone(nodesAt(content, paths))
  const last = paths.at(-1) ?? []
  const now = copies.toReversed().reduce((tree, node) => inserted(tree, after(last), node), content)
  return { content: now, paths: findPaths(now, copies) }
}

export function writeNodes(content: TreeNode[], paths: Path[]): string {
  return JSON.stringify(nodesAt(content, paths), null, 2)
}

/** The components that a text holds, or what is wrong with it. */
export function readNodes(text: string): TreeNode[] | string {
  if (text.length > maxPastedChars) return words.pasteLarge
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    return words.pasteNoJson
  }
  const nodes: unknown[] = Array.isArray(read) ? read : [read]
  if (nodes.length === 0) return words.pasteNothing
  const left = { nodes: maxPastedNodes }
  const fault = nodes.map((node, index) => findFault(node, `[${index}]`, left)).find((one) => one !== null)
  return fault ?? (nodes as TreeNode[])
}

function findFault(node: unknown, place: string, left: { nodes: number }): string | null {
  if (left.nodes-- <= 0) return words.pasteLarge
  if (!isRecord(node) || typeof node['type'] !== 'string') return words.pasteNoComponent(place)
  const { type, children, ...own } = node
  const form = findForm(String(type))
  if (!form) return words.pasteUnknown({ place, type: String(type).slice(0, 40) })
  for (const [name, value] of Object.entries(own)) {
    const property = form.properties.find((one) => one.name === name)
    if (!property) return words.pasteProperty({ place: `${place}.${name}`.slice(0, 80), type: form.type })
    if (!isOfKind(value, property.kind, property.choices)) return words.pasteValue(`${place}.${name}`)
  }
  if (children === undefined) return null
  if (!form.isBranch || !Array.isArray(children))
    return words.pasteProperty({ place: `${place}.children`, type: form.type })
  const faults = children.map((child, index) => findFault(child, `${place}.children[${index}]`, left))
  return faults.find((one) => one !== null) ?? null
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isOfKind(value: unknown, kind: string, choices: string[]): boolean {
  if (kind === 'constant') return ['string', 'number', 'boolean'].includes(typeof value)
  if (kind === 'number') return typeof value === 'number'
  if (kind === 'flag') return typeof value === 'boolean'
  if (kind === 'entries' || kind === 'widths') return Array.isArray(value)
  return kind === 'choice' ? choices.some((choice) => choice === value) : typeof value === 'string'
}

function nodesAt(content: TreeNode[], paths: Path[]): TreeNode[] {
  return paths.flatMap((path) => nodeAt(content, path) ?? [])
}

/** A node that is moved stays the same object. */
function findPath(content: TreeNode[], wanted: TreeNode): Path | undefined {
  return listRows(content).find(({ node }) => node === wanted)?.path
}

function findPaths(content: TreeNode[], nodes: TreeNode[]): Path[] {
  return nodes.flatMap((node) => {
    const path = findPath(content, node)
    return path ? [path] : []
  })
}

function after(path: Path): Path {
  return path.with(-1, (path.at(-1) ?? 0) + 1)
}
