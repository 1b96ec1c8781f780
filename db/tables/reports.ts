// What others report of a sending domain: aggregate reports of DMARC and TLS, complaints, and what large receivers require and refuse. The
// rows of reports are added up per day, so that their number is bounded whatever a receiver sends.

import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { at, createdAt, flag, json, workspaceId } from './columns.ts'

export const reportKinds = ['dmarc', 'tls', 'abuse'] as const
export type ReportKind = (typeof reportKinds)[number]

/**
 * Whose mail it was. `yours_aligned`: handed over here, and DMARC passed. `yours_broken`: handed over here, and DMARC did not pass.
 * `other_service`: not handed over here, and DMARC passed, so the domain lets it send. `stranger`: neither.
 */
export const reportVerdicts = ['yours_aligned', 'yours_broken', 'other_service', 'stranger'] as const
export type ReportVerdict = (typeof reportVerdicts)[number]

/** One line of what a report said. */
export interface ReportLine {
  /** The address of the sending server, or the result of TLS. */
  source: string
  /** The key that signed, or the server that could not be reached safely. */
  name: string
  verdict: ReportVerdict | null
  count: number
}

/** Each report that came in. One whose reporter nobody vouches for is kept, and counts nowhere. */
export const domainReports = sqliteTable(
  'domain_reports',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    domainId: text('domain_id').notNull(),
    kind: text('kind').$type<ReportKind>().notNull(),
    /** The domain that signed the mail, or that it says it is from. */
    reporter: text('reporter').notNull(),
    /** Its DKIM signature is valid and aligned. */
    verified: flag('verified').notNull(),
    /** As the report says. */
    organization: text('organization').notNull(),
    reportId: text('report_id').notNull(),
    beginsAt: at('begins_at').notNull(),
    endsAt: at('ends_at').notNull(),
    /** The policy that the receiver found. */
    policy: text('policy'),
    /** Messages, or sessions of TLS. */
    total: integer('total').notNull(),
    /** Of other domains, which are not counted here. */
    others: integer('others').notNull().default(0),
    rows: integer('rows').notNull(),
    /** Its largest lines. */
    lines: json<ReportLine[]>('lines').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('domain_reports_once').on(table.domainId, table.kind, table.reporter, table.reportId, table.verified),
    index('domain_reports_list').on(table.domainId, table.id),
    index('domain_reports_age').on(table.createdAt),
  ],
)

const figure = (name: string) => integer(name).notNull()

/** Messages of one day from one server, as one reporter tells, by whose they were. */
export const reportSources = sqliteTable(
  'report_sources',
  {
    domainId: text('domain_id').notNull(),
    /** When the day begins, UTC. */
    day: at('day').notNull(),
    /** What one reporter says of a server counts for its own reports only, so that nobody can pass a server off as ours to others. */
    reporter: text('reporter').notNull(),
    verdict: text('verdict').$type<ReportVerdict>().notNull(),
    /** '' = the servers beyond the most that a day tells apart. */
    source: text('source').notNull(),
    signer: text('signer').notNull(),
    messages: figure('messages'),
    quarantined: figure('quarantined'),
    rejected: figure('rejected'),
    /** It had a valid signature of ours, and SPF lets this server send for us: what else it sends is ours, too. */
    proven: flag('proven').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.domainId, table.day, table.reporter, table.verdict, table.source, table.signer] }),
    index('report_sources_age').on(table.day),
    // One page of one verdict, in the order of the list.
    index('report_sources_verdict').on(
      table.domainId,
      table.verdict,
      table.day,
      table.reporter,
      table.source,
      table.signer,
    ),
    index('report_sources_proven').on(table.domainId, table.reporter, table.source).where(sql`proven = 1`),
  ],
)

/** Sessions of one day with which other servers brought mail, by how their encryption went. */
export const reportSessions = sqliteTable(
  'report_sessions',
  {
    domainId: text('domain_id').notNull(),
    day: at('day').notNull(),
    /** `successful`, or the result type of RFC 8460, 4.3. */
    result: text('result').notNull(),
    server: text('server').notNull(),
    sessions: figure('sessions'),
  },
  (table) => [
    primaryKey({ columns: [table.domainId, table.day, table.result, table.server] }),
    index('report_sessions_age').on(table.day),
  ],
)

/**
 * `spoofed`: receivers report a stranger. `refusal`: a receiver refused mail, because a requirement is broken. `state`: what is known here,
 * such as the DNS, breaks one.
 */
export type FindingKind = 'spoofed' | 'refusal' | 'state'

/** What is wrong with a sending domain in the eyes of receivers. */
export const domainFindings = sqliteTable(
  'domain_findings',
  {
    domainId: text('domain_id').notNull(),
    kind: text('kind').$type<FindingKind>().notNull(),
    /** Whose requirement it is; '' = of a stranger. */
    receiver: text('receiver').notNull(),
    /** The requirement; '' = of a stranger. */
    requirement: text('requirement').notNull(),
    workspaceId: workspaceId(),
    since: at('since').notNull(),
    lastAt: at('last_at').notNull(),
    /** The last reply of a server, or the figures. */
    evidence: text('evidence').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.domainId, table.kind, table.receiver, table.requirement] }),
    index('domain_findings_workspace').on(table.workspaceId),
  ],
)
