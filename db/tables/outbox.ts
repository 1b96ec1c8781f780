// The outbox: everything that must leave the process, the attempts, and the journal of hand-overs. outbox_jobs is a WITHOUT ROWID table,
// and a job's id is a UUIDv7 of the time at which it first falls due. So jobs due at the same time are stored together, and a claim reads
// neighbouring pages in whatever order the jobs were created (docs/decisions/0003-outbox-layout.md).

import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { at, createdAt, json, workspaceId } from './columns.ts'

/** Jobs that wait: for their time, or to be released. */
export const waitingStates = ['pending', 'held'] as const
export type WaitingState = (typeof waitingStates)[number]
/** Final states (enforced by a trigger). */
export const endedStates = ['done', 'dead', 'cancelled'] as const
export const jobStates = [...waitingStates, 'running', 'ambiguous', ...endedStates] as const
export type JobState = (typeof jobStates)[number]

/**
 * There is at most one open job per kind and dedupe key. Spelled out, because SQLite compares the condition of an index with that of a
 * query.
 */
export const openWithKey = sql`dedupe_key IS NOT NULL AND state IN ('pending', 'held', 'running')`

export const outboxJobs = sqliteTable(
  'outbox_jobs',
  {
    /** A UUIDv7 of the first due time. */
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    lane: text('lane').notNull(),
    kind: text('kind').notNull(),
    /** Jobs that share a limit on how many run at once, e.g. those of one webhook endpoint; '' = no such limit. */
    partitionKey: text('partition_key').notNull().default(''),
    dedupeKey: text('dedupe_key'),
    /** Lower runs first among jobs due at the same moment. */
    priority: integer('priority').notNull().default(0),
    state: text('state').$type<JobState>().notNull(),
    /** A held job keeps the due time that it had. */
    dueAt: at('due_at').notNull(),
    attempt: integer('attempt').notNull().default(0),
    attemptsMax: integer('attempts_max').notNull(),
    giveUpAt: at('give_up_at'),
    fence: integer('fence').notNull().default(0),
    leaseOwner: text('lease_owner'),
    leaseUntil: at('lease_until'),
    cancelRequestedAt: at('cancel_requested_at'),
    payload: json<unknown>('payload').notNull(),
    lastCode: text('last_code'),
    lastError: text('last_error'),
    /** The job that this one replays. */
    parentId: text('parent_id'),
    createdAt: createdAt(),
    finishedAt: at('finished_at'),
  },
  (table) => [
    index('outbox_jobs_due')
      .on(table.lane, table.workspaceId, table.partitionKey, table.dueAt, table.priority)
      .where(sql`state = 'pending'`),
    index('outbox_jobs_held').on(table.lane, table.workspaceId, table.partitionKey).where(sql`state = 'held'`),
    index('outbox_jobs_running').on(table.leaseOwner, table.leaseUntil).where(sql`state = 'running'`),
    // Jobs of one kind and state by id: what the jobs page lists (src/operator/outbox/jobs.ts).
    index('outbox_jobs_waiting').on(table.workspaceId, table.kind).where(sql`state = 'pending'`),
    index('outbox_jobs_stuck')
      .on(table.workspaceId, table.kind, table.state)
      .where(sql`state IN ('held', 'dead', 'ambiguous')`),
    index('outbox_jobs_finished').on(table.workspaceId, table.kind, table.state).where(sql`finished_at IS NOT NULL`),
    index('outbox_jobs_parent').on(table.parentId).where(sql`parent_id IS NOT NULL`),
    uniqueIndex('outbox_jobs_dedupe').on(table.workspaceId, table.kind, table.dedupeKey).where(openWithKey),
  ],
)

/** Partitions with a job that a trigger wrote, as due-jobs.ts names them, until the commit has told the dispatcher (db/touched.ts). Without ROWID. */
export const touchedPartitions = sqliteTable('touched_partitions', { key: text('key').primaryKey() })

/** One execution of a job, created when it is claimed. */
export const outboxAttempts = sqliteTable(
  'outbox_attempts',
  {
    jobId: text('job_id').notNull(),
    fence: integer('fence').notNull(),
    startedAt: at('started_at').notNull(),
    endedAt: at('ended_at'),
    outcome: text('outcome'),
    code: text('code'),
    detail: text('detail'),
    /** What carried a mail; null: the relay of SMTP_URL, or none. */
    relayId: text('relay_id'),
  },
  (table) => [primaryKey({ columns: [table.jobId, table.fence] })],
)

export type JournalPhase = 'prepared' | 'handing_over' | 'accepted' | 'refused'

export const sendJournal = sqliteTable(
  'send_journal',
  {
    messageId: text('message_id').primaryKey(),
    jobId: text('job_id').notNull(),
    phase: text('phase').$type<JournalPhase>().notNull(),
    /** That which carries it; null: that of SMTP_URL. */
    relayId: text('relay_id'),
    /** Who takes it in the end (src/mail/receiver-groups.ts); null where that is not known. */
    receiver: text('receiver'),
    fence: integer('fence').notNull(),
    /** How often a hand-over ended without a known outcome and was retried: the most duplicates there can be. */
    ambiguousRetries: integer('ambiguous_retries').notNull().default(0),
    smtpReply: text('smtp_reply'),
    handedOverAt: at('handed_over_at'),
    acceptedAt: at('accepted_at'),
  },
  // What a relay carried today, and to whom.
  (table) => [
    index('send_journal_relay').on(table.relayId, table.handedOverAt, table.receiver).where(sql`relay_id IS NOT NULL`),
  ],
)

/** Faults of sending: the mail server refuses everything, a workspace, or its mail to a receiving domain (src/mail/sending-hold.ts). */
export const sendingFaults = sqliteTable('sending_faults', {
  /** `relay`, the id of a workspace, or that, a space and a domain. */
  scope: text('scope').primaryKey(),
  about: text('about').$type<'relay' | 'sender' | 'message' | 'address' | 'mailbox'>().notNull(),
  reply: text('reply').notNull(),
  refusals: integer('refusals').notNull(),
  since: at('since').notNull(),
  lastAt: at('last_at').notNull(),
  heldUntil: at('held_until'),
})

/** Replaces the `pid` of a process that shut down cleanly. */
export const endedPid = 0

/** Each start of a server process. A lease belongs to one of them. */
export const processes = sqliteTable('processes', {
  bootId: text('boot_id').primaryKey(),
  pid: integer('pid').notNull(),
  host: text('host').notNull(),
  version: text('version').notNull(),
  startedAt: at('started_at').notNull(),
  heartbeatAt: at('heartbeat_at').notNull(),
})
