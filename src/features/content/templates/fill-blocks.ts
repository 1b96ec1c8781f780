// Puts what a block holds into the trees that use it. A tree is stored with it, so what is approved, compared and sent says all that it
// says; a block that changes is put in again (blocks/spread.ts).

import { and, eq, inArray } from 'drizzle-orm'
import { blockContents, blocks } from '../../../../db/tables/blocks.ts'
import { contentRevisions } from '../../../../db/tables/content-revisions.ts'
import type { Reader } from '../../../core/app.ts'
import { AppError } from '../../../kit/error.ts'
import { localeChain } from '../../../kit/locale.ts'
import { type Content, isTree } from '../rendering/content.ts'
import { isBranch, type Node, nodePaths } from '../rendering/nodes.ts'
import { parseTree } from '../rendering/tree.ts'

type BlockNode = Extract<Node, { type: 'block' }>

/** Throws 422 for a block that is not there, and where what one holds may not stand, or makes the tree too large. */
export async function fillBlocks(
  reader: Reader,
  about: { workspaceId: string; locale: string },
  content: Content,
): Promise<Content> {
  return isTree(content) ? await fillTree(reader, about, content) : content
}

/** The same of a tree: only these use blocks. */
export async function fillTree(
  reader: Reader,
  { workspaceId, locale }: { workspaceId: string; locale: string },
  content: Node[],
): Promise<Node[]> {
  const empty = [...nodePaths(content)].flatMap(([node, path]) => (isEmptyBlock(node) ? [{ node, path }] : []))
  if (empty.length === 0) return content
  const ids = [...new Set(empty.map(({ node }) => node.blockId))]
  const held = await loadBlocks(reader, { workspaceId, locale, ids })
  const errors = empty.flatMap(({ node, path }) =>
    held.has(node.blockId)
      ? []
      : [{ path: `${path}.blockId`, code: 'unknown_block', message: `${path}.blockId: there is no such block.` }],
  )
  if (errors.length > 0) throw new AppError('validation_failed', errors[0]?.message ?? '', { errors })
  const filled = mapBlocks(content, (node) =>
    isEmptyBlock(node) ? { ...node, children: held.get(node.blockId) } : node,
  )
  return parseTree(filled, { mayAttach: true, blocks: 'filled' }).content
}

/** The same tree before its blocks were put in. */
export function withoutBlocks(content: Node[]): Node[] {
  return mapBlocks(content, ({ children: _, ...node }) => node) as Node[]
}

/** The ids of the blocks in a tree. */
export function blocksIn(content: Content): string[] {
  if (!isTree(content)) return []
  return [...nodePaths(content).keys()].flatMap((node) => (node.type === 'block' ? [node.blockId] : []))
}

function isEmptyBlock(node: Node): node is BlockNode {
  return node.type === 'block' && node.children === undefined
}

/** A plain tree, to be parsed. */
function mapBlocks(nodes: Node[], change: (node: BlockNode) => object): object[] {
  return nodes.map((node) => {
    if (node.type === 'block') return change(node)
    return isBranch(node) && node.children ? { ...node, children: mapBlocks(node.children, change) } : node
  })
}

/** What each holds in the first locale that it has. */
async function loadBlocks(
  reader: Reader,
  { workspaceId, locale, ids }: { workspaceId: string; locale: string; ids: string[] },
): Promise<Map<string, Node[]>> {
  const rows = await reader.db
    .select({
      id: blocks.id,
      primaryLocale: blocks.primaryLocale,
      locale: blockContents.locale,
      content: contentRevisions.content,
    })
    .from(blocks)
    .innerJoin(blockContents, eq(blockContents.blockId, blocks.id))
    .innerJoin(contentRevisions, eq(contentRevisions.id, blockContents.revisionId))
    .where(and(eq(blocks.workspaceId, workspaceId), inArray(blocks.id, ids)))
  const found = new Map<string, Node[]>()
  for (const { id, primaryLocale } of rows) {
    const own = rows.filter((row) => row.id === id)
    const chosen = localeChain(locale, primaryLocale).flatMap((one) => own.find((row) => row.locale === one) ?? [])
    const [first = own[0]] = chosen
    if (first) found.set(id, first.content as Node[])
  }
  return found
}
