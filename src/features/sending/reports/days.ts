// What reports say of a domain, day by day, beside what was handed over; and which policy of DMARC they make safe. A policy is proposed and
// never changed: the record is in somebody else's DNS.

import { and, desc, eq, gte, lt, sql } from 'drizzle-orm'
import { domainReports, type ReportVerdict, reportSessions, reportSources } from '../../../../db/tables/reports.ts'
import type { Reader, Tx } from '../../../core/app.ts'
import { day } from '../../../kit/duration.ts'
import type { SendingDomain } from '../domains/keys.ts'
import { withPolicy } from '../domains/report-address.ts'
import { bucketsBetween, readSeries } from '../stats/read.ts'

const daysShown = 30
/** As long as the figures of a day. */
const keptMs = 400 * day
const retentionBatch = 200

export interface ReportDay {
  day: Date
  handedOver: number
  complaints: number
  messages: Record<ReportVerdict, number>
  tlsSessions: number
  tlsFailures: number
}

/** Oldest first, the last one is today. */
export async function readDays(reader: Reader, domain: SendingDomain, now: Date): Promise<ReportDay[]> {
  const begins = bucketsBetween('day', new Date(now.getTime() - (daysShown - 1) * day), new Date(now.getTime() + 1))
  const first = begins[0] ?? now
  const { workspaceId, domain: name } = domain
  const [handed] = await readSeries(
    reader,
    { workspaceId, dimension: 'sender', bucket: 'day' },
    { begins, values: [name] },
  )
  const messages = await reader.db
    .select({ day: reportSources.day, verdict: reportSources.verdict, messages: sql<number>`sum(messages)` })
    .from(reportSources)
    .where(and(eq(reportSources.domainId, domain.id), gte(reportSources.day, first)))
    .groupBy(reportSources.day, reportSources.verdict)
  const sessions = await reader.db
    .select({ day: reportSessions.day, result: reportSessions.result, sessions: sql<number>`sum(sessions)` })
    .from(reportSessions)
    .where(and(eq(reportSessions.domainId, domain.id), gte(reportSessions.day, first)))
    .groupBy(reportSessions.day, reportSessions.result)
  return begins.map((begin, index) => {
    const isThen = (one: { day: Date }) => one.day.getTime() === begin.getTime()
    const of = (verdict: ReportVerdict) => messages.find((one) => isThen(one) && one.verdict === verdict)?.messages ?? 0
    const total = (list: { sessions: number }[]) => list.reduce((sum, one) => sum + one.sessions, 0)
    const then = sessions.filter(isThen)
    const point = handed?.data[index]
    return {
      day: begin,
      handedOver: point?.sent ?? 0,
      complaints: point?.complained ?? 0,
      messages: {
        yours_aligned: of('yours_aligned'),
        yours_broken: of('yours_broken'),
        other_service: of('other_service'),
        stranger: of('stranger'),
      },
      tlsSessions: total(then),
      tlsFailures: total(then.filter(({ result }) => result !== 'successful')),
    }
  })
}

export const adviceCodes = [
  'no_reports',
  'too_few',
  'yours_broken',
  'quarantine_safe',
  'reject_safe',
  'strongest',
] as const

export interface PolicyAdvice {
  code: (typeof adviceCodes)[number]
  text: string
  /** As it is published; null = none was found. */
  current: string | null
  /** The record to publish; null where nothing is proposed. */
  record: string | null
}

/** Fewer say little. */
const enoughMessages = 100
const enoughDays = 7
/** A forwarder breaks a signature now and then. */
const mostBroken = 0.01

/** `record`: as it is proposed, with the policy of today. */
export function advise(days: ReportDay[], published: { policy: string | null; record: string }): PolicyAdvice {
  const { policy: current } = published
  const aligned = days.reduce((sum, { messages }) => sum + messages.yours_aligned, 0)
  const broken = days.reduce((sum, { messages }) => sum + messages.yours_broken, 0)
  const yours = aligned + broken
  const withReports = days.filter(({ messages }) => messages.yours_aligned + messages.yours_broken > 0).length
  const told = (code: PolicyAdvice['code'], text: string) => ({ code, text, current, record: null })
  if (days.every(({ messages }) => Object.values(messages).every((count) => count === 0)))
    return told('no_reports', 'No report of the last 30 days was counted yet.')
  if (yours < enoughMessages || withReports < enoughDays)
    return told(
      'too_few',
      `${yours} messages of yours on ${withReports} days were reported: at least ${enoughMessages} on ${enoughDays} days show enough.`,
    )
  const share = `${((100 * aligned) / yours).toFixed(1)} %`
  if (broken / yours > mostBroken)
    return told(
      'yours_broken',
      `${broken} of ${yours} messages of yours did not pass: find out why before a stricter policy.`,
    )
  const safe = `Your own mail of the last 30 days is aligned (${share} of ${yours} messages)`
  if (current === 'reject') return told('strongest', `${safe}, and the policy is the strictest.`)
  const next = current === 'quarantine' ? 'reject' : 'quarantine'
  const text = `${safe}: p=${next} is safe.`
  return { code: `${next}_safe`, text, current, record: withPolicy(published.record, next) }
}

export interface SourceFilter {
  verdict?: ReportVerdict | undefined
  /** Read on after this one, in the order of the list. */
  after: string | undefined
  limit: number
}

export type ReportSource = typeof reportSources.$inferSelect

const { reporter: byReporter, verdict: byVerdict, source: bySource, signer: bySigner } = reportSources
/** The newest day first; the whole key the same way, as the index has it. */
const inOrder = [reportSources.day, byReporter, byVerdict, bySource, bySigner].map((column) => desc(column))

/** The newest day first. */
export async function listSources(reader: Reader, domainId: string, filter: SourceFilter) {
  const { verdict, limit } = filter
  const mine = and(eq(reportSources.domainId, domainId), verdict && eq(reportSources.verdict, verdict))
  const rows = await reader.db
    .select()
    .from(reportSources)
    .where(and(mine, filter.after === undefined ? undefined : afterKey(filter.after)))
    .orderBy(...inOrder)
    .limit(limit + 1)
  const [counted] = await reader.db.select({ total: sql<number>`count(*)` }).from(
    reader.db
      .select({ one: sql`1`.as('one') })
      .from(reportSources)
      .where(mine)
      .limit(mostCounted)
      .as('counted'),
  )
  return { rows, total: counted?.total ?? 0 }
}

const mostCounted = 10_000

/** Its place in the list. */
export function keyOf({ day, reporter, verdict, source, signer }: ReportSource): string {
  return JSON.stringify([day.getTime(), reporter, verdict, source, signer])
}

function afterKey(key: string) {
  const values = (JSON.parse(key) as (string | number)[]).map((value) => sql`${value}`)
  return sql`(day, reporter, verdict, source, signer) < (${sql.join(values, sql`, `)})`
}

/** Newest first. */
export async function listReceived(
  reader: Reader,
  domainId: string,
  { after, limit }: { after: string | undefined; limit: number },
) {
  const mine = eq(domainReports.domainId, domainId)
  const rows = await reader.db
    .select()
    .from(domainReports)
    .where(and(mine, after === undefined ? undefined : lt(domainReports.id, after)))
    .orderBy(desc(domainReports.id))
    .limit(limit + 1)
  const [counted] = await reader.db.select({ total: sql<number>`count(*)` }).from(
    reader.db
      .select({ one: sql`1`.as('one') })
      .from(domainReports)
      .where(mine)
      .limit(mostCounted)
      .as('counted'),
  )
  return { rows, total: counted?.total ?? 0 }
}

/** Removes what is too old. Returns how many rows; call until 0. */
export async function deleteOldReports(tx: Tx): Promise<number> {
  const before = new Date(tx.now.getTime() - keptMs)
  let gone = 0
  const old = tx.db
    .select({ id: domainReports.id })
    .from(domainReports)
    .where(lt(domainReports.createdAt, before))
    .limit(retentionBatch)
  gone += (await tx.db.delete(domainReports).where(sql`id IN ${old}`).returning({ id: domainReports.id })).length
  for (const table of [reportSources, reportSessions]) {
    const rows = tx.db.select({ id: sql`rowid` }).from(table).where(lt(table.day, before)).limit(retentionBatch)
    gone += (await tx.db.delete(table).where(sql`rowid IN ${rows}`).returning({ day: table.day })).length
  }
  return gone
}
