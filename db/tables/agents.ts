// What the airlock knows of agents: who has read what strangers wrote, and what waits for a person's yes.

import { sql } from 'drizzle-orm'
import { index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
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
    index('held_actions_author').on(table.authorId, table.createdAt),
  ],
)
