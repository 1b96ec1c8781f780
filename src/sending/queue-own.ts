// Queues messages whose content is their caller's own (own-content.ts), through the one way in which all mail is queued.

import type { SuppressionReason } from '../../db/tables/contacts.ts'
import { contentSources, messageContents } from '../../db/tables/messages.ts'
import type { Tx } from '../app.ts'
import { type DeliverMessage, deliverMessage } from './deliver-message.ts'
import type { Content } from './own-content.ts'
import { type NewMessage, type QueueOptions, queueMessages } from './queue.ts'

type Own = 'payload' | 'kind' | 'templateId' | 'revisionId' | 'subject'

export interface OwnMessage extends Omit<NewMessage<DeliverMessage>, Own> {
  /** One of partsContent() or mimeContent(); the same one for messages that share it. */
  content: Content
}

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
    if (piece !== null) await tx.db.insert(contentSources).values({ sourceId, number: 0, data: piece })
  }
  const rows = queued.map(({ id: messageId, workspaceId, content: { id: sourceId, kind } }) => {
    return { messageId, workspaceId, kind, sourceId }
  })
  if (rows.length > 0) await tx.db.insert(messageContents).values(rows)
  return reasons
}

function ownRow({ content, ...message }: OwnMessage): NewMessage<DeliverMessage> {
  const own = { kind: 'transactional', templateId: null, revisionId: null, subject: content.subject } as const
  return { ...message, ...own, payload: { messageId: message.id } }
}
