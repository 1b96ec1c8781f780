// What webhooks say about a message: one event for each state that concerns somebody outside.

import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/handle.ts'
import { prepared } from '../../db/prepared.ts'
import { contacts } from '../../db/tables/contacts.ts'
import { type MessageKind, type MessageStatus, messages } from '../../db/tables/messages.ts'
import type { Tx } from '../app.ts'
import type { EventData, EventType } from '../webhooks/event-types.ts'
import { hasEndpoints, publish } from '../webhooks/publish.ts'

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
  /** A bounce for a passing reason. */
  soft?: boolean | undefined
}

/** Reports that a message is in a new state. */
export async function publishEmail(tx: Tx, change: EmailChange): Promise<void> {
  const type = typeOf(change)
  if (type === undefined) return
  await publish(tx, change.workspaceId, type, () => emailData(tx, change))
  if (type === 'email.hardBounced') await publishUnsubscribed(tx, change)
}

function typeOf({ status, kind, soft }: EmailChange) {
  if (status === 'sent') return `${sourceTypeOf(kind)}.email.sent` as const
  return status === 'bounced' && soft ? 'email.softBounced' : eventTypeOf[status]
}

/** The same for many messages; whether anybody listens is asked once. */
export async function publishEmails(tx: Tx, changes: EmailChange[]): Promise<void> {
  for (const [workspaceId, same] of Map.groupBy(changes, (change) => change.workspaceId)) {
    if (!(await hasEndpoints(tx, workspaceId))) continue
    for (const change of same) await publishEmail(tx, change)
  }
}

const findKind = prepared((db: Db) =>
  db
    .select({ workspaceId: messages.workspaceId, kind: messages.kind })
    .from(messages)
    .where(eq(messages.id, sql.placeholder('messageId')))
    .prepare(),
)

/** Reports what the recipient of a message did with it. Says nothing of a message that is gone. */
export async function publishReaction(
  tx: Tx,
  messageId: string,
  type: 'email.opened' | 'email.clicked' | 'email.unsubscribed' | 'email.resubscribed',
  { url }: { /** The link that was clicked. */ url?: string } = {},
): Promise<void> {
  const message = await findKind(tx.db).get({ messageId })
  if (!message) return
  const { workspaceId, kind } = message
  const data = async () => ({
    ...(await emailData(tx, { messageId, kind, code: null, detail: null })),
    ...(url === undefined ? {} : { url }),
  })
  await publish(tx, workspaceId, type, data)
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

async function emailData(
  tx: Tx,
  { messageId, kind, code, detail }: Pick<EmailChange, 'messageId' | 'kind' | 'code' | 'detail'>,
): Promise<EmailData> {
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
