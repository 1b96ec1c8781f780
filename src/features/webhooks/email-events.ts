// Webhook events about a message: one for each state that matters outside.

import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { toRows } from '../../../db/rows.ts'
import { contacts } from '../../../db/tables/contacts.ts'
import { type MessageKind, type MessageStatus, messages } from '../../../db/tables/messages.ts'
import type { Tx } from '../../core/app.ts'
import type { Trace } from '../../kit/trace.ts'
import type { EventData, EventType } from './event-types.ts'
import { listeningWorkspaces } from './listening.ts'
import { type Publication, publishAll } from './publish.ts'

type EmailData = EventData<'email.queued'>
type EmailEventType = Extract<EventType, `email.${string}`>

/** `sent` is named after the kind of mail; states without an event are missing. */
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

/** A confirmation or a reply belongs to no campaign; webhooks treat it as a transactional mail. */
function toSourceType(kind: MessageKind): EmailData['sourceType'] {
  return kind === 'campaign' || kind === 'rule' || kind === 'sequence' ? kind : 'transactional'
}

export interface EmailChange {
  workspaceId: string
  messageId: string
  kind: MessageKind
  status: MessageStatus
  code: string | null
  detail: string | null
  /** A bounce for a temporary reason. */
  soft?: boolean | undefined
  /** Of the attempt that led to it. */
  trace?: Trace | null | undefined
}

/** Publishes the new states of messages. Deleted messages are skipped. */
export async function publishEmails(tx: Tx, changes: EmailChange[]): Promise<void> {
  const typed = changes.flatMap((change) => {
    const type = toEventType(change)
    return type === undefined ? [] : [{ ...change, type }]
  })
  const listening = await listeningWorkspaces(
    tx,
    typed.map(({ workspaceId }) => workspaceId),
  )
  const told = typed.filter(({ workspaceId }) => listening.has(workspaceId))
  if (told.length === 0) return
  const found = await findAll(
    tx,
    told.map(({ messageId }) => messageId),
  )
  const publications = told.flatMap((change) => {
    const message = found.get(change.messageId)
    if (!message) return []
    const { workspaceId, type, trace } = change
    const ofEmail = { workspaceId, type, trace, data: emailData(message, change) }
    return type === 'email.hardBounced' ? [ofEmail, ...unsubscribed(message, change)] : [ofEmail]
  })
  await publishAll(tx, publications)
}

function toEventType({ status, kind, soft }: EmailChange) {
  if (status === 'sent') return `${toSourceType(kind)}.email.sent` as const
  return status === 'bounced' && soft ? 'email.softBounced' : eventTypeOf[status]
}

/** Publishes what the recipient did with a message. Deleted messages are skipped. */
export async function publishEngagement(
  tx: Tx,
  messageId: string,
  type: 'email.opened' | 'email.clicked' | 'email.unsubscribed' | 'email.resubscribed',
  { url }: { /** The link that was clicked. */ url?: string } = {},
): Promise<void> {
  const message = (await findAll(tx, [messageId])).get(messageId)
  if (!message) return
  const data = emailData(message, { kind: message.kind, code: null, detail: null })
  await publishAll(tx, [{ workspaceId: message.workspaceId, type, data: url === undefined ? data : { ...data, url } }])
}

const ofIds = toRows({ id: messages.id })

const findMessages = prepared((db: Db) =>
  db
    .select({
      id: messages.id,
      workspaceId: messages.workspaceId,
      kind: messages.kind,
      email: messages.email,
      contactId: messages.contactId,
      userId: contacts.userId,
      subject: messages.subject,
      messageIdHeader: messages.messageIdHeader,
      templateId: messages.templateId,
      campaignId: messages.campaignId,
      ruleId: messages.ruleId,
      sequenceId: messages.sequenceId,
    })
    .from(messages)
    .leftJoin(contacts, and(eq(contacts.id, messages.contactId), eq(contacts.workspaceId, messages.workspaceId)))
    .where(sql`messages.id IN ${ofIds.pick('id')}`)
    .prepare(),
)

type MessageRow = Awaited<ReturnType<ReturnType<typeof findMessages>['all']>>[number]

async function findAll(tx: Tx, ids: string[]): Promise<Map<string, MessageRow>> {
  const rows = await findMessages(tx.db).all(ofIds.given(ids.map((id) => ({ id }))))
  return new Map(rows.map((row) => [row.id, row]))
}

function emailData(
  message: MessageRow,
  { kind, code, detail }: Pick<EmailChange, 'kind' | 'code' | 'detail'>,
): EmailData {
  const { id, email, contactId, userId, subject, messageIdHeader, templateId, campaignId, ruleId, sequenceId } = message
  return {
    contactIdentity: { id: contactId, email, userId },
    email: { id, emailMessageId: messageIdHeader, subject },
    sourceType: toSourceType(kind),
    ...(templateId === null ? {} : { transactionalId: templateId }),
    ...(campaignId === null ? {} : { campaignId }),
    ...(ruleId === null ? {} : { ruleId }),
    ...(sequenceId === null ? {} : { sequenceId }),
    ...(code === null ? {} : { code }),
    ...(detail === null ? {} : { detail }),
  }
}

/** A contact whose address does not exist gets no more mail; Loops clients also expect this event next to the bounce. */
function unsubscribed({ contactId: id, email, userId }: MessageRow, { workspaceId }: EmailChange): Publication[] {
  if (id === null) return []
  return [{ workspaceId, type: 'contact.unsubscribed', data: { contactIdentity: { id, email, userId } } }]
}
