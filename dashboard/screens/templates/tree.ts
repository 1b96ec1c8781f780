// The component tree as it is edited: each change creates a new tree and keeps the old one, so that every change can be undone.

import { ownValue } from '../../../src/kit/own-value.ts'
import { operators, operatorWords, takesValue } from '../../parts/operators.ts'
import { sentence } from '../../words.ts'
import { componentForms } from './component-forms.ts' with { type: 'macro' }
import type { ComponentForm } from './component-forms.ts'

export interface TreeNode {
  type: string
  children?: TreeNode[]
  [property: string]: unknown
}

/** `[0, 2]`: the third child of the first node. */
export type Path = number[]

export const forms: ComponentForm[] = componentForms()
const byType = Object.fromEntries(forms.map((form) => [form.type, form]))

export function findForm(type: string): ComponentForm | undefined {
  return ownValue(byType, type)
}

export function nodeAt(content: TreeNode[], [first = -1, ...rest]: Path): TreeNode | undefined {
  const node = content[first]
  return rest.length === 0 ? node : node && nodeAt(node.children ?? [], rest)
}

/** Each node with its place, in the order of the tree. */
export function listRows(content: TreeNode[], parent: Path = []): { node: TreeNode; path: Path; siblings: number }[] {
  return content.flatMap((node, index) => {
    const path = [...parent, index]
    return [{ node, path, siblings: content.length }, ...listRows(node.children ?? [], path)]
  })
}

export function replaced(content: TreeNode[], path: Path, node: TreeNode): TreeNode[] {
  return changeAt(content, path, (siblings, at) => siblings.with(at, node))
}

export function inserted(content: TreeNode[], path: Path, node: TreeNode): TreeNode[] {
  return changeAt(content, path, (siblings, at) => siblings.toSpliced(at, 0, node))
}

export function without(content: TreeNode[], path: Path): TreeNode[] {
  return changeAt(content, path, (siblings, at) => siblings.toSpliced(at, 1))
}

function changeAt(
  content: TreeNode[],
  [first = 0, ...rest]: Path,
  change: (siblings: TreeNode[], at: number) => TreeNode[],
): TreeNode[] {
  const node = content[first]
  if (rest.length === 0) return change(content, first)
  return node ? content.with(first, { ...node, children: changeAt(node.children ?? [], rest, change) }) : content
}

/** The node of `from` stands at `to` then, a place of the tree before. Null where it may not stand. */
export function moved(content: TreeNode[], from: Path, to: Path): { content: TreeNode[]; path: Path } | null {
  const node = nodeAt(content, from)
  const index = to.at(-1) ?? -1
  const siblings = to.length === 1 ? content : (nodeAt(content, to.slice(0, -1))?.children ?? [])
  const isWithinItself = to.length > from.length && from.every((step, depth) => step === to[depth])
  if (!node || isWithinItself || index < 0 || index > siblings.length || !mayStand(content, to, node)) return null
  const twice = inserted(content, to, node)
  const old = shifted(from, to, 1)
  return { content: without(twice, old), path: shifted(to, old, -1) }
}

/** Where a path leads once a node was put before (1), or taken away (-1), at a place. */
function shifted(path: Path, place: Path, by: 1 | -1): Path {
  const depth = place.length - 1
  const at = path[depth]
  const put = place[depth] ?? 0
  const isBeside = at !== undefined && place.slice(0, depth).every((step, index) => step === path[index])
  return isBeside && (by === 1 ? at >= put : at > put) ? path.with(depth, at + by) : path
}

/** The ways that a node goes by keyboard: the place where it then stands. */
export const ways: Record<'up' | 'down' | 'in' | 'out', (content: TreeNode[], path: Path) => Path> = {
  up: (_, path) => beside(path, -1),
  down: (_, path) => beside(path, 2),
  in: (content, path) => {
    const before = beside(path, -1)
    return [...before, nodeAt(content, before)?.children?.length ?? 0]
  },
  out: (_, path) => (path.length > 1 ? beside(path.slice(0, -1), 1) : [-1]),
}

function beside(path: Path, by: number): Path {
  return path.with(-1, (path.at(-1) ?? 0) + by)
}

function mayStand(content: TreeNode[], path: Path, node: TreeNode): boolean {
  const above = path.slice(0, -1).map((_, depth) => nodeAt(content, path.slice(0, depth + 1))?.type ?? '')
  const parent = above.at(-1)
  return (parent === undefined || findForm(parent)?.isBranch === true) && fits(node, above)
}

function fits(node: TreeNode, above: string[]): boolean {
  const onlyIn = findForm(node.type)?.onlyIn ?? null
  if (onlyIn !== null && !onlyIn.includes(above.at(-1) ?? '')) return false
  if (findForm(node.type)?.notInside.some((type) => above.includes(type))) return false
  return (node.children ?? []).every((child) => fits(child, [...above, node.type]))
}

/** A new node, with what it must have. */
export function newNode(type: string, given: Record<string, unknown> = {}): TreeNode {
  const required = findForm(type)?.properties.filter(({ isRequired }) => isRequired) ?? []
  const fields = required.map(({ name, kind, choices: [first = ''] }) => [name, kind === 'entries' ? [''] : first])
  return { type, ...Object.fromEntries(fields), ...(mayBeMarkdown(type) && { format: 'markdown' }), ...given }
}

/** Where in it, from itself on, somebody begins to write: the first that holds others holds a text first. */
export function firstText({ children: [first] = [] }: TreeNode): Path {
  return first === undefined ? [] : [0, ...firstText(first)]
}

/** Whether its text may have bold words and links. */
function mayBeMarkdown(type: string): boolean {
  return (
    findForm(type)?.properties.some(({ name, choices }) => name === 'format' && choices.includes('markdown')) ?? false
  )
}

/** Whether one of this type may be added while that is chosen. */
export function mayAdd(content: TreeNode[], chosen: Path | null, type: string): boolean {
  const { onlyIn } = findForm(type) ?? { onlyIn: null }
  return onlyIn === null || wholeOf(content, chosen, onlyIn) !== null
}

/** The chosen one or what holds it, of one of these types. */
function wholeOf(content: TreeNode[], chosen: Path | null, types: string[]): Path | null {
  if (chosen === null || chosen.length === 0) return null
  return types.includes(nodeAt(content, chosen)?.type ?? '') ? chosen : wholeOf(content, chosen.slice(0, -1), types)
}

/** Where a new one goes: into the chosen node while that is empty, else after it, or after what holds it. */
export function placeFor(content: TreeNode[], chosen: Path | null, node: TreeNode): Path {
  const whole = wholeOf(content, chosen, findForm(node.type)?.onlyIn ?? [])
  if (whole) return [...whole, nodeAt(content, whole)?.children?.length ?? 0]
  if (chosen === null || chosen.length === 0) return [content.length]
  const into = [...chosen, 0]
  const isEmpty = !nodeAt(content, chosen)?.children?.length
  if (isEmpty && mayStand(content, into, node)) return into
  const after = beside(chosen, 1)
  return mayStand(content, after, node) ? after : placeFor(content, chosen.slice(0, -1), node)
}

/** What a node says, in a few words. */
export function summarize({ text, alt, src, items, href, variable, operator, value, itemsVariable }: TreeNode): string {
  const condition = typeof variable === 'string' && variable !== '' ? writeCondition(variable, operator, value) : null
  const said = [text, alt, Array.isArray(items) ? items[0] : undefined, src, href, condition, itemsVariable]
  return said.find((one): one is string => typeof one === 'string' && one.trim() !== '') ?? ''
}

/** `contact.plan is pro` */
function writeCondition(variable: string, operator: unknown, value: unknown): string {
  const known = operators.find((one) => one === operator)
  if (!known) return variable
  const parts = [variable, operatorWords[known], ...(takesValue(known) ? [String(value ?? '…')] : [])]
  return sentence(parts.join(' '))
}

/** The same trees without what blocks hold, which is put in whenever they are stored. */
export function withoutCopies(content: TreeNode[]): TreeNode[] {
  return content.map(({ children, ...node }) =>
    children === undefined || node.type === 'block' ? node : { ...node, children: withoutCopies(children) },
  )
}

/** The place itself, or of what it is in where that is written elsewhere. */
export function shownPath(content: TreeNode[], path: Path): Path {
  return path.length <= 1 || nodeAt(content, path) ? path : shownPath(content, path.slice(0, -1))
}

/** As the server names places: `content[0].children[2]`. */
export function toTreePath(path: Path): string {
  return path.map((step, depth) => (depth === 0 ? `content[${step}]` : `.children[${step}]`)).join('')
}

/** The node that a place of the server is in, and what of it: `content[0].href`. Null for what is of no node. */
export function readPlace(place: string): { path: Path; property: string } | null {
  const [, nodes = '', property = ''] = /^(content(?:(?:\.children)?\[\d+\])+)\.?(\w*)/.exec(place) ?? []
  return nodes === '' ? null : { path: [...nodes.matchAll(/\d+/g)].map(Number), property }
}
