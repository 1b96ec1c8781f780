// What the airlock knows of agents: who has read what strangers wrote, what waits for a person's yes, and how that person is asked by mail.

import { sql } from 'drizzle-orm'
import { index, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { at, createdAt, json, updatedAt, workspaceId } from './columns.ts'

/** From then on: it does not end with a session, nor with a connection. */
export const agentReads = sqliteTable(
  'agent_reads',
  {
    workspaceId: workspaceId(),
    /** A key or token; of connections the person who allowed them, for one program has several. */
    reader: text('reader').notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.reader] })],
)

/** Calls of tools that were not made and wait for a person (features/review/approvals/actions.ts). Mail of mailboxes: `mailbox_drafts`. */
export const heldActions = sqliteTable(
  'held_actions',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    authorKind: text('author_kind').$type<'api_key' | 'oauth_grant'>().notNull(),
    authorId: text('author_id').notNull(),
    /** The tool. */
    action: text('action').notNull(),
    input: json<Record<string, unknown>>('input').notNull(),
    state: text('state').$type<'waiting' | 'approved' | 'refused'>().notNull(),
    /** Id of the user who approved or refused it. */
    decidedBy: text('decided_by'),
    decidedAt: at('decided_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('held_actions_open').on(table.workspaceId, table.id).where(sql`state = 'waiting'`),
    index('held_actions_workspace').on(table.workspaceId),
    index('held_actions_author').on(table.authorId, table.createdAt),
  ],
)

/** What a person saw, or is shown: a decision about it is bound to this. */
export interface SeenApproval {
  id: string
  contentHash: string
}

/** When the next mail about what waits goes to a person, or the last one went. Old rows say nothing and are deleted. */
export const approvalMails = sqliteTable(
  'approval_mails',
  {
    workspaceId: workspaceId(),
    userId: text('user_id').notNull(),
    dueAt: at('due_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.userId] }), index('approval_mails_due').on(table.dueAt)],
)

/** Links in such mails, each for one person, one use and one list. */
export const approvalLinks = sqliteTable(
  'approval_links',
  {
    /** Of the job that mails it. */
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    userId: text('user_id').notNull(),
    tokenHash: text('token_hash').notNull(),
    approvals: json<SeenApproval[]>('approvals').notNull(),
    createdAt: createdAt(),
    expiresAt: at('expires_at').notNull(),
    usedAt: at('used_at'),
  },
  (table) => [
    uniqueIndex('approval_links_token').on(table.tokenHash),
    index('approval_links_user').on(table.userId),
    index('approval_links_expiry').on(table.expiresAt),
  ],
)
