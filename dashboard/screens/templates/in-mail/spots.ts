// The texts of a component that are edited where they stand in the mail, in the order in which they stand there.

import type { Format } from '../../../in-mail/inline-text.ts'
import type { Edit, Spot } from '../../../in-mail/messages.ts'
import type { TreeNode } from '../tree.ts'

export interface TextSpot extends Pick<Edit, 'text' | 'format' | 'mayBeMarkdown' | 'enter'> {
  /** Where it stands in the node: `['items', 0, 'text']`. */
  keys: (string | number)[]
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

export function spotsOf(node: TreeNode): TextSpot[] {
  if (node.type === 'list') return spotsOfList(node)
  if (!['heading', 'text', 'button', 'link'].includes(node.type)) return []
  return spotOfText(node, ['text'], node.type === 'text' ? 'break' : 'end')
}

function spotOfText({ type, text, format }: Record<string, unknown>, keys: TextSpot['keys'], enter: Edit['enter']) {
  if (!isText(text)) return []
  const own: Format = type === 'text' && format === 'markdown' ? 'markdown' : 'plain'
  return [{ keys, text, format: own, mayBeMarkdown: type === 'text', enter }]
}

function spotsOfList({ head, items, totals }: TreeNode): TextSpot[] {
  const rows = listOf(items)
  if (!rows.some(Array.isArray)) return rows.flatMap((entry, at) => spotOfEntry(entry, ['items', at]))
  return [
    ...spotsOfRow(head, ['head']),
    ...rows.flatMap((row, at) => spotsOfRow(row, ['items', at])),
    ...listOf(totals).flatMap((row, at) => spotsOfRow(row, ['totals', at])),
  ]
}

function spotsOfRow(row: unknown, keys: TextSpot['keys']): TextSpot[] {
  return listOf(row).flatMap((cell, at) => spotOfPlain(cell, [...keys, at], 'end'))
}

function spotOfEntry(entry: unknown, keys: TextSpot['keys']): TextSpot[] {
  return isRecord(entry) ? spotOfText(entry, [...keys, 'text'], 'split') : spotOfPlain(entry, keys, 'split')
}

function spotOfPlain(text: unknown, keys: TextSpot['keys'], enter: Edit['enter']): TextSpot[] {
  return isText(text) ? [{ keys, text, format: 'plain', mayBeMarkdown: false, enter }] : []
}

/** Which of its texts was clicked: what is between the head and the totals stands there once for each thing of a list. */
export function numberOf(node: TreeNode, { index, count }: Spot): number {
  const all = spotsOf(node)
  if (node['itemsVariable'] === undefined || count === all.length) return index
  const once = (name: string) => all.filter(({ keys }) => keys[0] === name).length
  const [head, items, totals] = [once('head'), once('items'), once('totals')]
  if (index < head) return index
  if (index >= count - totals) return all.length - (count - index)
  return head + ((index - head) % Math.max(1, items))
}

export function withText(node: TreeNode, { keys }: TextSpot, text: string, format: Format): TreeNode {
  const put = (value: unknown, [key, ...rest]: TextSpot['keys']): unknown => {
    if (key === undefined) return text
    if (Array.isArray(value) && typeof key === 'number') return value.with(key, put(value[key], rest))
    if (!isRecord(value)) return value
    const isOther = key === 'text' && format === 'markdown' && value['format'] !== format
    return { ...value, [key]: put(value[key], rest), ...(isOther && { format }) }
  }
  const next = put(node, keys)
  return isRecord(next) ? { ...next, type: node.type } : node
}

/** The entry of a list as two. */
export function splitEntry(
  node: TreeNode,
  { keys: [, at = 0] }: TextSpot,
  [before, after]: [string, string],
): TreeNode {
  const items = listOf(node['items'])
  const index = Number(at)
  const entry = items[index]
  const saying = (text: string) => (isRecord(entry) ? { ...entry, text } : text)
  return { ...node, items: items.toSpliced(index, 1, saying(before), saying(after)) }
}

export function withoutEntry(node: TreeNode, { keys: [, at = 0] }: TextSpot): TreeNode {
  return { ...node, items: listOf(node['items']).toSpliced(Number(at), 1) }
}
