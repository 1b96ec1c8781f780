// Messages: what was accepted for sending and what became of it. The row itself is the state "queued"; message_events holds every later
// change. The job that sends it is in tables/outbox.

import { sql } from 'drizzle-orm'
import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { createdAt, json, updatedAt, workspaceId } from './columns.ts'

export const messageStatuses = [
  'queued',
  'sending',
  'sent',
  'delivered',
  'delayed',
  'bounced',
  'complained',
  'suppressed',
  'failed',
  'uncertain',
  'cancelled',
] as const
export type MessageStatus = (typeof messageStatuses)[number]

/** The results of a mail beyond `sent`. Written out, because SQLite compares the condition of an index with that of a query. */
export const eventfulStatuses = [
  'delivered',
  'delayed',
  'bounced',
  'complained',
  'suppressed',
  'failed',
  'uncertain',
  'cancelled',
] as const satisfies MessageStatus[]
export const isEventful = sql.raw(`status IN (${eventfulStatuses.map((status) => `'${status}'`).join(', ')})`)
export type MessageKind = 'transactional' | 'campaign' | 'rule' | 'sequence' | 'confirmation' | 'reply' | 'test'

export const messages = sqliteTable(
  'messages',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    kind: text('kind').$type<MessageKind>().notNull(),
    status: text('status').$type<MessageStatus>().notNull(),
    email: text('email').notNull(),
    contactId: text('contact_id'),
    templateId: text('template_id'),
    /** The revision that it is rendered from. */
    revisionId: text('revision_id'),
    campaignId: text('campaign_id'),
    ruleId: text('rule_id'),
    sequenceId: text('sequence_id'),
    /** For mail of a rule or a sequence that needs no consent; null: as its kind says. */
    purpose: text('purpose').$type<'transactional'>(),
    subject: text('subject').notNull(),
    locale: text('locale').notNull(),
    fromName: text('from_name'),
    fromEmail: text('from_email').notNull(),
    replyTo: text('reply_to'),
    headers: json<Record<string, string>>('headers'),
    variables: json<Record<string, unknown>>('variables').notNull(),
    tags: json<string[]>('tags'),
    metadata: json<Record<string, string>>('metadata'),
    /** The Message-ID header, created once: every attempt sends the same. */
    messageIdHeader: text('message_id_header').notNull(),
    idempotencyKey: text('idempotency_key'),
    /** Of a mail to several people, or to one who was named; null for the mails to one address. */
    groupId: text('group_id'),
    /** The message that this one sends again. */
    resendOf: text('resend_of'),
    /** The job that delivers it; null for a refusal that was only logged. */
    jobId: text('job_id'),
    attempts: integer('attempts').notNull().default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('messages_list').on(table.workspaceId, table.id),
    index('messages_idempotency').on(table.workspaceId, table.idempotencyKey).where(sql`idempotency_key IS NOT NULL`),
    index('messages_group').on(table.groupId).where(sql`group_id IS NOT NULL`),
    // Those that ended as most do are in no index of states: a send must stay cheap.
    index('messages_eventful').on(table.workspaceId, table.status).where(isEventful),
  ],
)

/** One recipient of a mail to several. `as` is where they were named; who is in `bcc` is in no header. */
export interface GroupRecipient {
  as: 'to' | 'cc' | 'bcc'
  name: string | null
  email: string
  messageId: string
}

/** The messages of one send to several recipients: each has its own row, its own envelope and its own outcome. */
export const messageGroups = sqliteTable(
  'message_groups',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    /** In the order of the headers. Without those who were erased. */
    recipients: json<GroupRecipient[]>('recipients').notNull(),
    createdAt: createdAt(),
  },
  (table) => [index('message_groups_workspace').on(table.workspaceId)],
)

/**
 * What may be found in each block of 128 neighbouring messages (src/features/sending/activity/search-index.ts). Without ROWID. Term 0 marks a block that is
 * in the index; a trigger takes the mark away when a deletion frees the highest rowid, and with it the block, for new messages.
 */
export const activityTerms = sqliteTable(
  'activity_terms',
  {
    /** 48 bits of a hash. */
    term: integer('term').notNull(),
    /** The rowid of its messages, divided by 128. */
    block: integer('block').notNull(),
  },
  (table) => [primaryKey({ columns: [table.term, table.block] })],
)

/** A change of state, in the order it happened. Append only. */
export const messageEvents = sqliteTable(
  'message_events',
  {
    messageId: text('message_id').notNull(),
    /** 1, 2, 3 … within the message. */
    number: integer('number').notNull(),
    status: text('status').$type<MessageStatus>().notNull(),
    at: integer('at', { mode: 'timestamp_ms' }).notNull(),
    code: text('code'),
    detail: text('detail'),
  },
  (table) => [primaryKey({ columns: [table.messageId, table.number] })],
)

/** The changes of state in the order in which they were committed, by whichever process: a trigger appends them. The oldest are removed. */
export const activityChanges = sqliteTable('activity_changes', {
  position: integer('position').primaryKey(),
  messageId: text('message_id').notNull(),
  number: integer('number').notNull(),
})

/** A large attachment has several rows (features/sending/attachment-store.ts). Those of a group belong to it, and have its id in `message_id`. */
export const messageAttachments = sqliteTable(
  'message_attachments',
  {
    messageId: text('message_id').notNull(),
    number: integer('number').notNull(),
    filename: text('filename').notNull(),
    contentType: text('content_type').notNull(),
    /** Of a picture that the HTML shows. */
    contentId: text('content_id'),
    sizeBytes: integer('size_bytes').notNull(),
    data: blob('data', { mode: 'buffer' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.messageId, table.number] })],
)

/** A message whose content is its caller's own, and not a template's (features/sending/own-content.ts). Messages with several recipients share it. */
export const messageContents = sqliteTable(
  'message_contents',
  {
    messageId: text('message_id').primaryKey(),
    workspaceId: workspaceId(),
    /** `parts`: subject, HTML and text as JSON. `mime`: a whole mail. */
    kind: text('kind').$type<'parts' | 'mime'>().notNull(),
    /** The key of its pieces. */
    sourceId: text('source_id').notNull(),
  },
  (table) => [
    index('message_contents_source').on(table.sourceId),
    index('message_contents_workspace').on(table.workspaceId),
  ],
)

/** An own content, in pieces (src/core/pieces.ts). */
export const contentSources = sqliteTable(
  'content_sources',
  {
    sourceId: text('source_id').notNull(),
    number: integer('number').notNull(),
    data: blob('data', { mode: 'buffer' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.sourceId, table.number] })],
)

/** Mail that capture mode stored instead of sending. */
export const capturedMails = sqliteTable(
  'captured_mails',
  {
    /** Sorts by time of capture. */
    id: integer('id').primaryKey({ autoIncrement: true }),
    /** The workspace that sent it: only its members see it. Empty when unknown, and then nobody sees it. */
    workspaceId: workspaceId().default(''),
    /** The Message-ID header without angle brackets: a repeated hand-over is stored once. */
    messageIdHeader: text('message_id_header').notNull(),
    envelopeFrom: text('envelope_from').notNull(),
    envelopeTo: text('envelope_to').notNull(),
    /** The whole mail; empty when it is stored in pieces. */
    raw: blob('raw', { mode: 'buffer' }).notNull(),
    /** The key of its pieces. */
    sourceId: text('source_id'),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('captured_mails_message').on(table.messageIdHeader, table.envelopeTo),
    index('captured_mails_source').on(table.sourceId).where(sql`source_id IS NOT NULL`),
    index('captured_mails_list').on(table.workspaceId, table.id),
  ],
)

/** A large captured mail, in pieces (src/core/pieces.ts). */
export const capturedSources = sqliteTable(
  'captured_sources',
  {
    sourceId: text('source_id').notNull(),
    number: integer('number').notNull(),
    data: blob('data', { mode: 'buffer' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.sourceId, table.number] })],
)

/** A domain that a workspace may send from, with the key that signs its mail. */
export const sendingDomains = sqliteTable(
  'sending_domains',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    domain: text('domain').notNull(),
    selector: text('selector').notNull(),
    /** PKCS#8, AES-GCM sealed with SECRET_KEY. */
    rsaKeySealed: text('rsa_key_sealed').notNull(),
    rsaPublicKey: text('rsa_public_key').notNull(),
    ed25519KeySealed: text('ed25519_key_sealed').notNull(),
    ed25519PublicKey: text('ed25519_public_key').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex('sending_domains_domain').on(table.workspaceId, table.domain)],
)
