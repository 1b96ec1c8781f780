// What may be put into a mail: each component, columns in the widths that are wanted most, and blocks by their names.

import { colon } from '../../words.ts'
import { propertyName, typeName } from './property-words.ts'
import { forms, mayAdd, newNode, type Path, type TreeNode } from './tree.ts'
import type { NamedBlock } from './use-blocks.ts'

export interface Piece {
  /** Differs from all others: `text`, `columns 8 4`, `block blk_…`. */
  is: string
  says: string
  make: () => TreeNode
}

/** In twelfths, as the section has them. */
export const usualWidths = [
  { is: '8 4', says: '⅔ + ⅓' },
  { is: '4 8', says: '⅓ + ⅔' },
  { is: '9 3', says: '¾ + ¼' },
  { is: '3 9', says: '¼ + ¾' },
  { is: '6 3 3', says: '½ + ¼ + ¼' },
  { is: '3 6 3', says: '¼ + ½ + ¼' },
  { is: '3 3 6', says: '¼ + ¼ + ½' },
]

/** Without widths they are equal. */
const columns = [{ is: '6 6', says: '½ + ½' }, ...usualWidths.slice(0, 2), { is: '4 4 4', says: '⅓ + ⅓ + ⅓' }]

/** Those that may stand where one would go now. */
export function piecesFor({ content }: { content: TreeNode[] }, chosen: Path | null): Piece[] {
  const components = forms.filter(({ type }) => type !== 'block' && mayAdd(content, chosen, type))
  return [
    ...components.map(({ type }) => ({ is: type, says: typeName(type), make: () => newNode(type) })),
    ...columns.map(({ is, says }) => ({
      is: `columns ${is}`,
      says: `${propertyName('columns')} ${says}`,
      make: () => withColumns(is.split(' ').map(Number)),
    })),
  ]
}

export function blockPieces(blocks: NamedBlock[]): Piece[] {
  return blocks.map(({ id, name }) => ({
    is: `block ${id}`,
    says: `${typeName('block')}${colon}${name}`,
    make: () => newNode('block', { blockId: id }),
  }))
}

/** With a text in each, to be written or replaced. */
function withColumns(widths: number[]): TreeNode {
  const isEqual = new Set(widths).size === 1
  return newNode('section', {
    columns: widths.length,
    ...(!isEqual && { columnWidths: widths }),
    children: widths.map(() => newNode('text')),
  })
}
