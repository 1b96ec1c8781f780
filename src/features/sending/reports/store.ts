// Stores a report: what it said, once, and its rows added up per day. Whose mail a row counts is decided here: ours is what has a signature of
// ours, what SPF lets us send, and what comes from a server that was seen to send both.

import { and, eq, getTableColumns, gt, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/handle.ts'
import { prepared } from '../../../../db/prepared.ts'
import { toRows } from '../../../../db/rows.ts'
import {
  domainReports,
  type ReportLine,
  type ReportVerdict,
  reportSessions,
  reportSources,
} from '../../../../db/tables/reports.ts'
import { type App, type Reader, type Tx, write } from '../../../core/app.ts'
import { day } from '../../../kit/duration.ts'
import { newId } from '../../../kit/id.ts'
import { turn } from '../../../kit/turn.ts'
import type { DmarcReport, ReportGroup } from '../../../mail/dmarc-report.ts'
import type { TlsReport } from '../../../mail/tls-report.ts'
import type { SendingDomain } from '../domains/keys.ts'
import { noteStrangers } from './spoofed.ts'

export interface Reporter {
  domain: string
  /** Its signature is valid, and for the domain of its From. */
  isVerified: boolean
}

type Source = typeof reportSources.$inferSelect
type Session = typeof reportSessions.$inferSelect
type ReportToKeep = Pick<
  typeof domainReports.$inferSelect,
  'kind' | 'organization' | 'reportId' | 'policy' | 'total' | 'others' | 'rows' | 'lines'
> & { beginsAt: number; endsAt: number }

/** Lines of a report that are kept as it said them. */
const maxLines = 50
/** Rows that a day of a domain has, in all and of one reporter; what comes on top is added to a row without a server. */
const maxRowsOfDay = 50_000
const maxRowsOfReporter = 5_000
/** Others have their turn between two statements. */
const rowsOfStatement = 500
/** How long a server that was seen to be ours is taken for ours. */
const provenMs = 30 * day

/** False when this reporter's report is known. */
export async function storeDmarc(
  app: App,
  domain: SendingDomain,
  reporter: Reporter,
  report: DmarcReport,
): Promise<boolean> {
  return await write(app, async (tx) => {
    const proven = await findProven(tx, { domainId: domain.id, reporter: reporter.domain }, report.groups)
    const judged = report.groups.map((group) => ({ ...group, verdict: verdictOf(group, proven) }))
    const lines = judged.map(({ source, signer: name, verdict, messages: count }) => ({ source, name, verdict, count }))
    const { messages: total, otherMessages: others } = report
    const isNew = await keepReport(tx, domain, reporter, { ...report, total, others, lines })
    if (!isNew || !reporter.isVerified) return isNew
    const begins = startOfDay(report.beginsAt)
    const rows = addedUp(
      judged.map((group) => toSource({ domainId: domain.id, day: begins, reporter: reporter.domain }, group)),
    )
    await addSources(tx, { domainId: domain.id, day: begins, reporter: reporter.domain }, rows)
    await noteStrangers(tx, domain, begins)
    return true
  })
}

/** False when this reporter's report is known. */
export async function storeTls(
  app: App,
  domain: SendingDomain,
  reporter: Reporter,
  report: TlsReport,
): Promise<boolean> {
  return await write(app, async (tx) => {
    const lines = report.groups.map(({ result: source, server: name, sessions: count }) => {
      return { source, name, verdict: null, count }
    })
    const about = { ...report, policy: null, total: report.sessions, others: 0, rows: report.groups.length, lines }
    const isNew = await keepReport(tx, domain, reporter, about)
    if (!isNew || !reporter.isVerified) return isNew
    const begins = startOfDay(report.beginsAt)
    await addSessions(
      tx,
      domain.id,
      begins,
      report.groups.map((group) => ({ ...group, domainId: domain.id, day: begins })),
    )
    return true
  })
}

/** False when it is there already. */
export async function keepReport(
  tx: Tx,
  domain: SendingDomain,
  reporter: Reporter,
  report: ReportToKeep,
): Promise<boolean> {
  const { kind, organization, reportId, policy, total, others, rows } = report
  const lines: ReportLine[] = report.lines.toSorted((one, other) => other.count - one.count).slice(0, maxLines)
  const kept = await tx.db
    .insert(domainReports)
    .values({
      id: newId(tx, 'rpt', tx.now),
      workspaceId: domain.workspaceId,
      domainId: domain.id,
      reporter: reporter.domain,
      verified: reporter.isVerified,
      beginsAt: new Date(report.beginsAt),
      endsAt: new Date(report.endsAt),
      createdAt: tx.now,
      ...{ kind, organization, reportId, policy, total, others, rows, lines },
    })
    .onConflictDoNothing()
    .returning({ id: domainReports.id })
  return kept.length > 0
}

/** Of the servers that a report names, those that this reporter has seen to be ours; with those that this report itself shows. */
async function findProven(
  tx: Tx,
  { domainId, reporter }: Pick<Source, 'domainId' | 'reporter'>,
  groups: ReportGroup[],
): Promise<Set<string>> {
  const named = [...new Set(groups.map(({ source }) => source))]
  const rows = await tx.db
    .selectDistinct({ source: reportSources.source })
    .from(reportSources)
    .where(
      and(
        eq(reportSources.domainId, domainId),
        eq(reportSources.reporter, reporter),
        sql`proven = 1`,
        sql`source IN (SELECT value FROM json_each(${JSON.stringify(named)}))`,
        gt(reportSources.day, new Date(tx.now.getTime() - provenMs)),
      ),
    )
  return new Set([...rows.map(({ source }) => source), ...groups.filter(isProof).map(({ source }) => source)])
}

/** A forwarder leaves the signature as it is, but is not let by SPF. */
function isProof({ source, isOurs, isFromUs }: ReportGroup): boolean {
  return source !== '' && isOurs && isFromUs
}

function verdictOf(group: ReportGroup, proven: Set<string>): ReportVerdict {
  const isYours = group.isSigned || group.isFromUs || proven.has(group.source)
  if (isYours) return group.isAligned ? 'yours_aligned' : 'yours_broken'
  return group.isAligned ? 'other_service' : 'stranger'
}

type RowPlace = Pick<Source, 'domainId' | 'day' | 'reporter'>

function toSource(place: RowPlace, group: ReportGroup & { verdict: ReportVerdict }): Source {
  const { verdict, source, signer, messages, disposition } = group
  return {
    ...place,
    verdict,
    source,
    signer,
    messages,
    quarantined: disposition === 'quarantine' ? messages : 0,
    rejected: disposition === 'reject' ? messages : 0,
    proven: isProof(group),
  }
}

/** Rows with the same key in one, the largest first. */
function addedUp(rows: Source[]): Source[] {
  const sums = new Map<string, Source>()
  for (const row of rows) {
    const key = `${row.verdict} ${row.source} ${row.signer}`
    const sum = sums.get(key)
    if (sum === undefined) sums.set(key, { ...row })
    else {
      sum.messages += row.messages
      sum.quarantined += row.quarantined
      sum.rejected += row.rejected
      sum.proven ||= row.proven
    }
  }
  return [...sums.values()].sort((one, other) => other.messages - one.messages)
}

const { domainId: ofDomain, day: ofDay, reporter: ofReporter, ...ofSource } = getTableColumns(reportSources)
const sources = toRows(ofSource, { domainId: ofDomain, day: ofDay, reporter: ofReporter })
const upsertSources = prepared((db: Db) =>
  sources
    .insertInto(db, reportSources, { ...sources.each, ...sources.shared })
    .onConflictDoUpdate({
      target: [ofDomain, ofDay, ofReporter, reportSources.verdict, reportSources.source, reportSources.signer],
      set: {
        messages: sql`report_sources.messages + excluded.messages`,
        quarantined: sql`report_sources.quarantined + excluded.quarantined`,
        rejected: sql`report_sources.rejected + excluded.rejected`,
        proven: sql`max(report_sources.proven, excluded.proven)`,
      },
    })
    .prepare(),
)

async function addSources(tx: Tx, place: RowPlace, rows: Source[]): Promise<void> {
  const { domainId, day: begins, reporter } = place
  const ofAll = maxRowsOfDay - (await countRows(tx, reportSources, domainId, begins))
  const ofOne = maxRowsOfReporter - (await countRows(tx, reportSources, domainId, begins, reporter))
  const left = Math.max(0, Math.min(ofAll, ofOne))
  const besides = rows.slice(left).map((row) => ({ ...row, source: '', signer: '', proven: false }))
  const all = addedUp([...rows.slice(0, left), ...besides])
  for (let from = 0; from < all.length; from += rowsOfStatement) {
    await turn()
    await upsertSources(tx.db).run(sources.given(all.slice(from, from + rowsOfStatement), place))
  }
}

const { domainId: itsDomain, day: itsDay, ...ofSession } = getTableColumns(reportSessions)
const sessions = toRows(ofSession, { domainId: itsDomain, day: itsDay })
const upsertSessions = prepared((db: Db) =>
  sessions
    .insertInto(db, reportSessions, { ...sessions.each, ...sessions.shared })
    .onConflictDoUpdate({
      target: [itsDomain, itsDay, reportSessions.result, reportSessions.server],
      set: { sessions: sql`report_sessions.sessions + excluded.sessions` },
    })
    .prepare(),
)

/** Beyond the most, a result has one row for all servers. */
async function addSessions(tx: Tx, domainId: string, begins: Date, rows: Session[]): Promise<void> {
  const isFull = (await countRows(tx, reportSessions, domainId, begins)) + rows.length > maxRowsOfDay
  const sums = new Map<string, Session>()
  for (const row of rows.map((one) => (isFull ? { ...one, server: '' } : one))) {
    const key = `${row.result} ${row.server}`
    const sum = sums.get(key)
    if (sum === undefined) sums.set(key, row)
    else sum.sessions += row.sessions
  }
  await upsertSessions(tx.db).run(sessions.given([...sums.values()], { domainId, day: begins }))
}

async function countRows(
  reader: Reader,
  table: typeof reportSources | typeof reportSessions,
  domainId: string,
  begins: Date,
  reporter?: string,
): Promise<number> {
  const ofReporter = reporter === undefined ? undefined : eq(reportSources.reporter, reporter)
  const [found] = await reader.db
    .select({ rows: sql<number>`count(*)` })
    .from(table)
    .where(and(eq(table.domainId, domainId), eq(table.day, begins), ofReporter))
  return found?.rows ?? 0
}

function startOfDay(ms: number): Date {
  return new Date(ms - (ms % day))
}
