// Queues messages whose content is their caller's own (own-content.ts), through the one way in which all mail is queued.

import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { toRows } from '../../../db/rows.ts'
import type { SuppressionReason } from '../../../db/tables/contacts.ts'
import { contentSources, messageContents } from '../../../db/tables/messages.ts'
import type { Tx } from '../../core/app.ts'
import { type DeliverMessage, deliverMessage } from './deliver-message.ts'
import type { Content } from './own-content.ts'
import { type NewMessage, type QueueOptions, queueMessages } from './queue.ts'

type OwnMessageField = 'payload' | 'kind' | 'templateId' | 'revisionId' | 'subject'

export interface OwnMessage extends Omit<NewMessage<DeliverMessage>, OwnMessageField> {
  /** One of partsContent() or mimeContent(); the same one for messages that share it. */
  content: Content
}

const insertPiece = prepared((db: Db) =>
  db
    .insert(contentSources)
    .values({ sourceId: sql.placeholder('sourceId'), number: 0, data: sql.placeholder('data') })
    .prepare(),
)
const { messageId, workspaceId, kind, sourceId } = messageContents
const newContents = toRows({ messageId, workspaceId, kind, sourceId })
const insertContents = newContents.adding(messageContents, newContents.each)

/**
 * Like queueMessages(): returns for each why nothing will be sent, or null. The sender is one that chooseSender() returned. Attachments of parts
 * are the caller's to insert (attachment-store.ts); headers are added to parts only.
 */
export async function queueOwn(
  tx: Tx,
  list: OwnMessage[],
  options: QueueOptions = {},
): Promise<(SuppressionReason | null)[]> {
  const reasons = await queueMessages(tx, deliverMessage, list.map(ownRow), options)
  const queued = list.filter((_, index) => reasons[index] === null)
  const contents = new Map(queued.map(({ content }) => [content.id, content]))
  for (const { id: sourceId, piece } of contents.values()) {
    if (piece !== null) await insertPiece(tx.db).run({ sourceId, data: piece })
  }
  const rows = queued.map(({ id: messageId, workspaceId, content: { id: sourceId, kind } }) => {
    return { messageId, workspaceId, kind, sourceId }
  })
  if (rows.length > 0) await insertContents(tx.db, rows)
  return reasons
}

function ownRow({ content, ...message }: OwnMessage): NewMessage<DeliverMessage> {
  const own = { kind: 'transactional', templateId: null, revisionId: null, subject: content.subject } as const
  return { ...message, ...own, payload: { messageId: message.id } }
}
