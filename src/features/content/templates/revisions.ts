// The only writer of content revisions, whoever they belong to.

import { contentRevisions } from '../../../../db/tables/content-revisions.ts'
import type { Tx } from '../../../core/app.ts'
import { currentActor } from '../../../kit/act.ts'
import { newId } from '../../../kit/id.ts'
import { noteMediaUses } from '../../../people/media-uses.ts'
import type { Content } from '../rendering/content.ts'

type RevisionRow = typeof contentRevisions.$inferSelect

export interface NewRevision
  extends Pick<RevisionRow, 'workspaceId' | 'ownerKind' | 'ownerId' | 'locale' | 'subject' | 'previewText'> {
  content: Content
  settings?: RevisionRow['settings']
}

/** `content` must have been read (read-content.ts). Returns its id. */
export async function addRevision(tx: Tx, revision: NewRevision): Promise<string> {
  const id = newId(tx, 'rev', tx.now)
  await tx.db.insert(contentRevisions).values({ id, ...revision, author: currentActor(), createdAt: tx.now })
  await noteMediaUses(tx, id, JSON.stringify(revision.content))
  return id
}
