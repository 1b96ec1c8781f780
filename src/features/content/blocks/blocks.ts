// Blocks: made, renamed, written in a language, deleted. A change of what one holds reaches all that use it (spread.ts).

import { and, asc, count, eq, gt, sql } from 'drizzle-orm'
import { blockContents, blocks } from '../../../../db/tables/blocks.ts'
import { contentRevisions } from '../../../../db/tables/content-revisions.ts'
import type { Reader, Tx } from '../../../core/app.ts'
import { AppError, invalidField } from '../../../kit/error.ts'
import { newId } from '../../../kit/id.ts'
import type { Node } from '../rendering/nodes.ts'
import { expectRevision } from '../templates/contents.ts'
import { addRevision } from '../templates/revisions.ts'
import { describeUses, findUses } from './uses.ts'

type BlockRow = typeof blocks.$inferSelect

export interface Block extends BlockRow {
  locales: string[]
}

const maxBlocks = 500

export interface BlockContent {
  locale: string
  content: Node[]
  revisionId: string
  updatedAt: Date
}

export async function createBlock(
  tx: Tx,
  workspaceId: string,
  { name, locale, content }: { name: string; locale: string; content: Node[] },
): Promise<Block> {
  if ((await countBlocks(tx, workspaceId, '')) >= maxBlocks)
    throw invalidField('name', `a workspace may have at most ${maxBlocks} blocks`, 'too_many')
  const times = { createdAt: tx.now, updatedAt: tx.now }
  const row = { id: newId(tx, 'blk', tx.now), workspaceId, name, primaryLocale: locale, ...times }
  await tx.db.insert(blocks).values(row)
  await setBlockContent(tx, row, { locale, content })
  return { ...row, locales: [locale] }
}

/** Throws not_found, also for another workspace's. */
export async function getBlock(reader: Reader, workspaceId: string, id: string): Promise<Block> {
  const [row] = await withLocales(
    reader,
    await reader.db
      .select()
      .from(blocks)
      .where(and(eq(blocks.workspaceId, workspaceId), eq(blocks.id, id))),
  )
  if (row) return row
  throw new AppError('not_found', 'there is no such block')
}

/** Oldest first. `q`: a part of the name. */
export async function listBlocks(
  reader: Reader,
  workspaceId: string,
  { q = '', after, limit }: { q?: string | undefined; after?: string | undefined; limit: number },
): Promise<Block[]> {
  const beyond = after === undefined ? undefined : gt(blocks.id, after)
  const rows = await reader.db
    .select()
    .from(blocks)
    .where(and(matching(workspaceId, q), beyond))
    .orderBy(asc(blocks.id))
    .limit(limit)
  return withLocales(reader, rows)
}

export async function countBlocks(reader: Reader, workspaceId: string, q: string): Promise<number> {
  const [row] = await reader.db.select({ total: count() }).from(blocks).where(matching(workspaceId, q))
  return row?.total ?? 0
}

const matching = (workspaceId: string, q: string) =>
  and(eq(blocks.workspaceId, workspaceId), q === '' ? undefined : sql`instr(lower(${blocks.name}), lower(${q})) > 0`)

async function withLocales(reader: Reader, rows: BlockRow[]): Promise<Block[]> {
  const found: Block[] = []
  for (const row of rows) {
    const contents = await reader.db
      .select({ locale: blockContents.locale })
      .from(blockContents)
      .where(eq(blockContents.blockId, row.id))
      .orderBy(asc(blockContents.locale))
    found.push({ ...row, locales: contents.map(({ locale }) => locale) })
  }
  return found
}

/** What it holds in exactly this locale. */
export async function findBlockContent(reader: Reader, blockId: string, locale: string): Promise<BlockContent | null> {
  const [row] = await reader.db
    .select({ revisionId: contentRevisions.id, content: contentRevisions.content, updatedAt: blockContents.updatedAt })
    .from(blockContents)
    .innerJoin(contentRevisions, eq(contentRevisions.id, blockContents.revisionId))
    .where(and(eq(blockContents.blockId, blockId), eq(blockContents.locale, locale)))
  return row ? { ...row, locale, content: row.content as Node[] } : null
}

/** Current revision by locale. */
export async function currentBlockRevisions(reader: Reader, blockId: string): Promise<Map<string, string>> {
  const { locale, revisionId } = blockContents
  const rows = await reader.db
    .select({ locale, revisionId })
    .from(blockContents)
    .where(eq(blockContents.blockId, blockId))
  return new Map(rows.map((row) => [row.locale, row.revisionId]))
}

export async function renameBlock(tx: Tx, workspaceId: string, id: string, name: string): Promise<Block> {
  const block = await getBlock(tx, workspaceId, id)
  await tx.db.update(blocks).set({ name, updatedAt: tx.now }).where(eq(blocks.id, id))
  return { ...block, name, updatedAt: tx.now }
}

interface Change {
  locale: string
  content: Node[]
  expectedRevisionId?: string | undefined
}

/** Throws `revision_mismatch` when somebody else changed it in the meantime. */
export async function changeBlockContent(tx: Tx, workspaceId: string, id: string, change: Change): Promise<void> {
  const block = await getBlock(tx, workspaceId, id)
  const current = await findBlockContent(tx, id, change.locale)
  expectRevision(change.expectedRevisionId, current?.revisionId)
  await setBlockContent(tx, block, change)
}

async function setBlockContent(
  tx: Tx,
  { id, workspaceId }: Pick<BlockRow, 'id' | 'workspaceId'>,
  { locale, content }: Change,
): Promise<void> {
  const said = { workspaceId, ownerKind: 'block' as const, ownerId: id, locale, subject: '', previewText: '', content }
  const current = { revisionId: await addRevision(tx, said), updatedAt: tx.now }
  await tx.db
    .insert(blockContents)
    .values({ blockId: id, locale, ...current })
    .onConflictDoUpdate({ target: [blockContents.blockId, blockContents.locale], set: current })
  await tx.db.update(blocks).set({ updatedAt: tx.now }).where(eq(blocks.id, id))
}

/** Throws `conflict`, naming what uses it. */
export async function deleteBlock(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await getBlock(tx, workspaceId, id)
  const users = describeUses(await findUses(tx, workspaceId, id))
  if (users !== '') throw new AppError('conflict', `this block is used by ${users}: take it out of them first`)
  await tx.db.delete(blockContents).where(eq(blockContents.blockId, id))
  await tx.db.delete(blocks).where(eq(blocks.id, id))
}
