// The audit log: who did what and from where, and what it changed. How changes get into it: db/audited.ts, src/people/access/audit/.

import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ActorKind } from '../../src/kit/act.ts'
import { at, json, workspaceId } from './columns.ts'

/** One act; or all of one kind by one actor in an hour, with their number. */
export const auditLog = sqliteTable(
  'audit_log',
  {
    workspaceId: workspaceId(),
    /** Sorts by time. */
    id: text('id').notNull(),
    at: at('at').notNull(),
    actorKind: text('actor_kind').$type<ActorKind>().notNull(),
    actorId: text('actor_id').notNull(),
    operation: text('operation').notNull(),
    requestId: text('request_id'),
    ip: text('ip'),
    client: text('client'),
    count: integer('count').notNull().default(1),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.id] }),
    index('audit_log_actor').on(table.workspaceId, table.actorId, table.id),
    index('audit_log_operation').on(table.workspaceId, table.operation, table.id),
    index('audit_log_age').on(table.id),
  ],
)

const change = {
  workspaceId: workspaceId(),
  /** What kind of thing it is, and which one. */
  kind: text('kind').notNull(),
  thingId: text('thing_id').notNull(),
  /** The table whose row was changed. */
  source: text('source').notNull(),
  /** Columns as they are stored, those that changed; null where there was no row, or is none any more. */
  before: json<Record<string, unknown>>('before'),
  after: json<Record<string, unknown>>('after'),
}

export const auditChanges = sqliteTable(
  'audit_changes',
  {
    ...change,
    lineId: text('line_id').notNull(),
    /** 1, 2, 3 … within the line. */
    number: integer('number').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.lineId, table.number] }),
    index('audit_changes_thing').on(table.workspaceId, table.thingId, table.lineId),
    index('audit_changes_kind').on(table.workspaceId, table.kind, table.lineId),
  ],
)

/** What triggers have written within a transaction, until its unit says who did it: empty between transactions. */
export const auditPending = sqliteTable('audit_pending', { number: integer('number').primaryKey(), ...change })
