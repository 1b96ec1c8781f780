// The rows that a mail is made of. Mails composed at the same time are read by one statement.

import { and, eq, sql } from 'drizzle-orm'
import type { ReadDb } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { toRows } from '../../../db/rows.ts'
import { contacts } from '../../../db/tables/contacts.ts'
import { messages } from '../../../db/tables/messages.ts'
import type { App } from '../../core/app.ts'
import { createBatch } from '../../kit/batch.ts'

/** The fields of a message that its mail needs; without times, because each would become an unused object. */
const ofMessage = {
  id: messages.id,
  workspaceId: messages.workspaceId,
  kind: messages.kind,
  purpose: messages.purpose,
  email: messages.email,
  contactId: messages.contactId,
  templateId: messages.templateId,
  revisionId: messages.revisionId,
  locale: messages.locale,
  subject: messages.subject,
  fromName: messages.fromName,
  fromEmail: messages.fromEmail,
  replyTo: messages.replyTo,
  headers: messages.headers,
  variables: messages.variables,
  messageIdHeader: messages.messageIdHeader,
  groupId: messages.groupId,
  sequenceId: messages.sequenceId,
}

/** The fields of a contact that may be used in a mail. */
const ofContact = {
  id: contacts.id,
  email: contacts.email,
  userId: contacts.userId,
  firstName: contacts.firstName,
  lastName: contacts.lastName,
  source: contacts.source,
  subscribed: contacts.subscribed,
  userGroup: contacts.userGroup,
  locale: contacts.locale,
  timezone: contacts.timezone,
  properties: contacts.properties,
}

export type MailMessage = Pick<typeof messages.$inferSelect, keyof typeof ofMessage>
export type MailContact = Pick<typeof contacts.$inferSelect, keyof typeof ofContact>

export interface MailRow {
  message: MailMessage
  /** Null for none, and for a deleted one. */
  contact: MailContact | null
  hasAttachments: boolean
  /** Whether its workspace has limits, so that what it uses is counted. */
  isCounted: boolean
}

const wantedRows = toRows({ id: messages.id })

const findMails = prepared((db: ReadDb) =>
  db
    .select({
      message: ofMessage,
      contact: ofContact,
      hasAttachments: sql<number>`EXISTS (SELECT 1 FROM message_attachments a WHERE a.message_id = coalesce(messages.group_id, messages.id))`,
      isCounted: sql<number>`EXISTS (SELECT 1 FROM workspaces w WHERE w.id = messages.workspace_id AND w.limits IS NOT NULL)`,
    })
    .from(messages)
    .leftJoin(contacts, and(eq(contacts.id, messages.contactId), eq(contacts.workspaceId, messages.workspaceId)))
    .where(sql`messages.id IN ${wantedRows.pick('id')}`)
    .prepare(),
)

const mailRows = (app: App) =>
  createBatch<MailRow>(async (ids) => {
    const rows = await findMails(app.db).all(wantedRows.given(ids.map((id) => ({ id }))))
    return new Map(
      rows.map((row) => [
        row.message.id,
        { ...row, hasAttachments: row.hasAttachments === 1, isCounted: row.isCounted === 1 },
      ]),
    )
  })

/** Undefined for a deleted message. */
export function findMail(app: App, messageId: string): Promise<MailRow | undefined> {
  return app.own(mailRows)(messageId)
}
