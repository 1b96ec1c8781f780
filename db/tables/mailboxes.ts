// Mailboxes: addresses that receive mail, their tokens, what they received and replied, and tool calls by agents. Of a received mail, its
// source and the fields that lists show are stored; the rest is read from the source on demand.

import { sql } from 'drizzle-orm'
import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { at, createdAt, flag, json, madeBy, updatedAt, workspaceId } from './columns.ts'

export type MailboxStatus = 'active' | 'disabled'
export type MailboxScope = 'read' | 'reply'

/** Whoever is in any of them. */
export interface AllowedRecipients {
  /** Whole addresses, or what is behind the @; in lower case. */
  addresses: string[]
  domains: string[]
  /** Their subscribers. */
  mailingListIds: string[]
  /** Everybody who wrote to this mailbox and passed DMARC. */
  correspondents: boolean
}

export const mailboxes = sqliteTable(
  'mailboxes',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    address: text('address').notNull(),
    /** The address in lower case. Two workspaces may have the same one; mail goes to the workspace that owns the domain. */
    addressKey: text('address_key').notNull(),
    name: text('name').notNull(),
    status: text('status').$type<MailboxStatus>().notNull(),
    /** SHA-256 of the token in POST /v1/inbound/{token}; null until one is created. */
    inboundTokenHash: text('inbound_token_hash'),
    inboundMadeBy: madeBy('inbound_made_by'),
    /** What agents reply from it waits for a person. */
    holdReplies: flag('hold_replies').notNull().default(false),
    /** To whom agents may write of their own accord; null: to nobody. */
    writesTo: json<AllowedRecipients>('writes_to'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: at('deleted_at'),
  },
  (table) => [
    uniqueIndex('mailboxes_address').on(table.addressKey, table.workspaceId).where(sql`deleted_at IS NULL`),
    uniqueIndex('mailboxes_inbound').on(table.inboundTokenHash).where(sql`inbound_token_hash IS NOT NULL`),
    index('mailboxes_workspace').on(table.workspaceId),
  ],
)

export const mailboxTokens = sqliteTable(
  'mailbox_tokens',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    mailboxId: text('mailbox_id').notNull(),
    name: text('name').notNull(),
    /** The first characters, for people to tell tokens apart. */
    prefix: text('prefix').notNull(),
    tokenHash: text('token_hash').notNull(),
    scopes: json<MailboxScope[]>('scopes').notNull(),
    /** What it sends waits for a person once it has read what strangers wrote. */
    airlock: flag('airlock').notNull().default(false),
    madeBy: madeBy(),
    createdAt: createdAt(),
    expiresAt: at('expires_at'),
    lastUsedAt: at('last_used_at'),
    revokedAt: at('revoked_at'),
  },
  (table) => [
    uniqueIndex('mailbox_tokens_hash').on(table.tokenHash),
    index('mailbox_tokens_mailbox').on(table.mailboxId),
  ],
)

/** The checks of the sender's domain (RFC 7208, 6376, 7489). `none`: nothing was published, or nothing could be checked. */
export interface Verdicts {
  spf: string
  dkim: string
  dmarc: string
}

export const receivedMessages = sqliteTable(
  'received_messages',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    mailboxId: text('mailbox_id').notNull(),
    threadId: text('thread_id').notNull(),
    via: text('via').$type<'smtp' | 'http'>().notNull(),
    /** '' = the null sender: a bounce, which is never replied to. */
    envelopeFrom: text('envelope_from').notNull(),
    /** Without angle brackets; null when the mail has none. */
    messageIdHeader: text('message_id_header'),
    /** Set when the mail has a Message-ID: a second delivery of the same bytes is the same mail. */
    digest: text('digest'),
    fromName: text('from_name').notNull(),
    fromAddress: text('from_address').notNull(),
    subject: text('subject').notNull(),
    /** Null until the mail is listed the next time, when it is computed from the visible text. */
    snippet: text('snippet'),
    attachmentCount: integer('attachment_count').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    auth: json<Verdicts>('auth').notNull(),
    /** Why this mail is never replied to, e.g. `auto_submitted`; null when it may be. */
    automatic: text('automatic'),
    readAt: at('read_at'),
    /** When it was received. */
    createdAt: createdAt(),
  },
  (table) => [
    index('received_messages_list').on(table.mailboxId, table.id),
    index('received_messages_thread').on(table.mailboxId, table.messageIdHeader),
    index('received_messages_of_thread').on(table.mailboxId, table.threadId, table.id, table.readAt),
    uniqueIndex('received_messages_digest').on(table.mailboxId, table.digest).where(sql`digest IS NOT NULL`),
    index('received_messages_age').on(table.createdAt),
  ],
)

/** The source of the mail, kept apart so that the listed table stays small; in pieces (features/mailboxes/sources.ts). */
export const receivedSources = sqliteTable(
  'received_sources',
  {
    receivedId: text('received_id').notNull(),
    number: integer('number').notNull(),
    data: blob('data', { mode: 'buffer' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.receivedId, table.number] })],
)

/**
 * The words of a received mail as a search compares them (features/mailboxes/search-text.ts). Triggers keep the full-text index `mail_search`
 * like this table, also where its rows are copied (migrations/0072).
 */
export const receivedTexts = sqliteTable(
  'received_texts',
  {
    /** Its place in the index: sorts by the time it was received. */
    number: integer('number').primaryKey(),
    receivedId: text('received_id').notNull(),
    mailboxId: text('mailbox_id').notNull(),
    subject: text('subject').notNull(),
    sender: text('sender').notNull(),
    /** Null: of a mail that came before there was an index; it is added by a job. */
    body: text('body'),
  },
  (table) => [
    uniqueIndex('received_texts_received').on(table.receivedId),
    index('received_texts_waiting').on(table.number).where(sql`body IS NULL`),
  ],
)

/** What people and agents call a received mail. */
export const receivedLabels = sqliteTable(
  'received_labels',
  {
    mailboxId: text('mailbox_id').notNull(),
    /** The label in lower case, by which it is found. */
    labelKey: text('label_key').notNull(),
    receivedId: text('received_id').notNull(),
    /** As it was first written in the mailbox. */
    label: text('label').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.mailboxId, table.labelKey, table.receivedId] }),
    index('received_labels_received').on(table.receivedId),
  ],
)

/** What was written from a mailbox: which message (tables/messages) was sent in which thread. */
export const mailboxReplies = sqliteTable(
  'mailbox_replies',
  {
    messageId: text('message_id').primaryKey(),
    workspaceId: workspaceId(),
    mailboxId: text('mailbox_id').notNull(),
    /** What it answers; null: it began the thread. */
    receivedId: text('received_id'),
    threadId: text('thread_id').notNull(),
    /** Of the token, the connection or the person that wrote it. */
    authorId: text('author_id').notNull(),
    messageIdHeader: text('message_id_header').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index('mailbox_replies_author').on(table.authorId, table.createdAt),
    index('mailbox_replies_thread').on(table.threadId, table.createdAt),
    index('mailbox_replies_header').on(table.mailboxId, table.messageIdHeader),
  ],
)

/** What somebody wrote: either a text or a tree. */
export interface ReplyContent {
  text?: string
  content?: unknown[]
}

/** Why a draft waits: its mailbox holds what agents write, its agent has read what strangers wrote, or it was asked for as a draft. */
export type WaitsFor = 'mailbox' | 'airlock' | 'draft'

/** Mail of agents that leaves once a person has approved it. */
export const mailboxDrafts = sqliteTable(
  'mailbox_drafts',
  {
    /** Of the message that it becomes. */
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    mailboxId: text('mailbox_id').notNull(),
    /** What it answers; null: it begins a thread. */
    receivedId: text('received_id'),
    threadId: text('thread_id').notNull(),
    authorId: text('author_id').notNull(),
    state: text('state').$type<'waiting' | 'approved' | 'refused' | 'withdrawn'>().notNull(),
    waitsFor: text('waits_for').$type<WaitsFor>().notNull(),
    /** The recipient. */
    email: text('email').notNull(),
    subject: text('subject').notNull(),
    headers: json<Record<string, string>>('headers').notNull(),
    /** As it would leave now. */
    said: json<ReplyContent>('said').notNull(),
    /** As the agent wrote it. */
    first: json<ReplyContent>('first').notNull(),
    /** Id of the user who approved or refused it. */
    decidedBy: text('decided_by'),
    decidedAt: at('decided_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('mailbox_drafts_open').on(table.workspaceId, table.id).where(sql`state = 'waiting'`),
    index('mailbox_drafts_mailbox').on(table.mailboxId, table.id),
    index('mailbox_drafts_author').on(table.authorId, table.createdAt),
    index('mailbox_drafts_thread').on(table.threadId, table.createdAt),
    index('mailbox_drafts_email').on(table.workspaceId, table.email),
  ],
)

/** One tool call by an agent. Append only. It records the tool and the result, never the content. */
export const mcpCalls = sqliteTable(
  'mcp_calls',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    /** Set when a mailbox token made the call. */
    mailboxId: text('mailbox_id'),
    /** The id of the API key or mailbox token. */
    credentialId: text('credential_id').notNull(),
    tool: text('tool').notNull(),
    /** `ok`, or the code of the error. */
    outcome: text('outcome').notNull(),
    durationMs: integer('duration_ms').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index('mcp_calls_list').on(table.workspaceId, table.id),
    index('mcp_calls_of').on(table.workspaceId, table.credentialId, table.id),
    index('mcp_calls_age').on(table.createdAt),
  ],
)
