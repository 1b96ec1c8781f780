// What a block holds is put anew into all that use it, in the transaction in which it changes: each gets a revision of its own, so what was
// accepted stays what it was, and an approval is for what it was given for.

import { eq } from 'drizzle-orm'
import { campaignContents, campaigns } from '../../../../db/tables/campaigns.ts'
import type { Tx } from '../../../core/app.ts'
import { AppError, invalidField } from '../../../kit/error.ts'
import type { Node } from '../rendering/nodes.ts'
import { setContent } from '../templates/contents.ts'
import { fillTree, withoutBlocks } from '../templates/fill-blocks.ts'
import { addRevision } from '../templates/revisions.ts'
import { getTemplate } from '../templates/templates.ts'
import { findUses, type Use, type Uses } from './uses.ts'

/** Throws 422, naming the first that what the block holds does not fit into. */
export async function spreadBlock(tx: Tx, workspaceId: string, blockId: string): Promise<Uses> {
  const uses = await findUses(tx, workspaceId, blockId)
  for (const use of uses.contents) await renew(tx, workspaceId, use)
  return uses
}

async function renew(tx: Tx, workspaceId: string, use: Use): Promise<void> {
  const { kind, id, revision } = use
  const { locale, subject, previewText } = revision
  const content = await filledAnew(tx, workspaceId, use)
  if (Bun.deepEquals(content, revision.content)) return
  if (kind === 'template') {
    const template = await getTemplate(tx, workspaceId, id)
    await setContent(tx, template, { locale, content, subject, previewText, activates: false })
    return
  }
  const { settings } = revision
  const said = { workspaceId, ownerKind: kind, ownerId: id, locale, subject, previewText, content, settings }
  const current = { revisionId: await addRevision(tx, said), updatedAt: tx.now }
  await tx.db
    .insert(campaignContents)
    .values({ campaignId: id, locale, ...current })
    .onConflictDoUpdate({ target: [campaignContents.campaignId, campaignContents.locale], set: current })
  await tx.db.update(campaigns).set({ updatedAt: tx.now }).where(eq(campaigns.id, id))
}

async function filledAnew(tx: Tx, workspaceId: string, { kind, id, revision }: Use): Promise<Node[]> {
  const { locale, content } = revision
  try {
    return await fillTree(tx, { workspaceId, locale }, withoutBlocks(content as Node[]))
  } catch (error) {
    if (error instanceof AppError)
      throw invalidField('content', `does not fit into the ${kind} ${id}: ${error.message}`)
    throw error
  }
}
