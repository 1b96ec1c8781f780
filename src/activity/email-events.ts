// What webhooks say about a message: one event for each state that concerns somebody outside.

import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/handle.ts'
import { prepared } from '../../db/prepared.ts'
import { contacts } from '../../db/tables/contacts.ts'
import { type MessageKind, type MessageStatus, messages } from '../../db/tables/messages.ts'
import type { Tx } from '../app.ts'
import type { EventData, EventType } from '../webhooks/event-types.ts'
import { publish } from '../webhooks/publish.ts'

type EmailData = EventData<'email.queued'>
type EmailEventType = Extract<EventType, `email.${string}`>

/** `sent` is named after what sent it; the others have no event. */
const eventTypeOf: Partial<Record<MessageStatus, EmailEventType>> = {
  queued: 'email.queued',
  delayed: 'email.delayed',
  delivered: 'email.delivered',
  bounced: 'email.hardBounced',
  complained: 'email.spamReported',
  suppressed: 'email.suppressed',
  failed: 'email.failed',
  uncertain: 'email.uncertain',
}

/** A confirmation or a reply is nobody's campaign: to the outside it is a mail like a transactional one. */
function sourceTypeOf(kind: MessageKind): EmailData['sourceType'] {
  return kind === 'campaign' || kind === 'rule' ? kind : 'transactional'
}

export interface EmailChange {
  workspaceId: string
  messageId: string
  kind: MessageKind
  status: MessageStatus
  code: string | null
  detail: string | null
}

/** Reports that a message is in a new state. */
export async function publishEmail(tx: Tx, change: EmailChange): Promise<void> {
  const { workspaceId, status, kind } = change
  const type = status === 'sent' ? (`${sourceTypeOf(kind)}.email.sent` as const) : eventTypeOf[status]
  if (type === undefined) return
  await publish(tx, workspaceId, type, () => emailData(tx, change))
  if (status === 'bounced') await publishUnsubscribed(tx, change)
}

const findMessage = prepared((db: Db) =>
  db
    .select({
      email: messages.email,
      contactId: messages.contactId,
      userId: contacts.userId,
      subject: messages.subject,
      messageIdHeader: messages.messageIdHeader,
      templateId: messages.templateId,
      campaignId: messages.campaignId,
      ruleId: messages.ruleId,
    })
    .from(messages)
    .leftJoin(contacts, and(eq(contacts.id, messages.contactId), eq(contacts.workspaceId, messages.workspaceId)))
    .where(eq(messages.id, sql.placeholder('messageId')))
    .prepare(),
)

async function emailData(tx: Tx, { messageId, kind, code, detail }: EmailChange): Promise<EmailData> {
  const message = await findMessage(tx.db).get({ messageId })
  if (!message) throw new Error(`an event of a message that does not exist: ${messageId}`)
  const { email, contactId, userId, subject, messageIdHeader, templateId, campaignId, ruleId } = message
  return {
    contactIdentity: { id: contactId, email, userId },
    email: { id: messageId, emailMessageId: messageIdHeader, subject },
    sourceType: sourceTypeOf(kind),
    ...(templateId === null ? {} : { transactionalId: templateId }),
    ...(campaignId === null ? {} : { campaignId }),
    ...(ruleId === null ? {} : { ruleId }),
    ...(code === null ? {} : { code }),
    ...(detail === null ? {} : { detail }),
  }
}

/** A contact whose address does not exist gets no more mail: clients of the family are told so beside the bounce. */
async function publishUnsubscribed(tx: Tx, change: EmailChange): Promise<void> {
  const message = await findMessage(tx.db).get({ messageId: change.messageId })
  if (!message || message.contactId === null) return
  const { contactId: id, email, userId } = message
  await publish(tx, change.workspaceId, 'contact.unsubscribed', { contactIdentity: { id, email, userId } })
}
