// The only writer of content revisions, whoever they belong to.

import { contentRevisions } from '../../../../db/tables/content-revisions.ts'
import type { Tx } from '../../../core/app.ts'
import { currentActor } from '../../../kit/act.ts'
import { newId } from '../../../kit/id.ts'
import { noteMediaUses } from '../../../people/media-uses.ts'
import type { Content } from '../rendering/content.ts'
import { fillBlocks } from './fill-blocks.ts'

type RevisionRow = typeof contentRevisions.$inferSelect

export interface NewRevision
  extends Pick<RevisionRow, 'workspaceId' | 'ownerKind' | 'ownerId' | 'locale' | 'subject' | 'previewText'> {
  content: Content
  settings?: RevisionRow['settings']
}

/** `content` must have been read (read-content.ts); blocks are put into it. Returns its id. */
export async function addRevision(tx: Tx, revision: NewRevision): Promise<string> {
  const id = newId(tx, 'rev', tx.now)
  const content = await fillBlocks(tx, revision, revision.content)
  await tx.db.insert(contentRevisions).values({ id, ...revision, content, author: currentActor(), createdAt: tx.now })
  await noteMediaUses(tx, id, JSON.stringify(content))
  return id
}
