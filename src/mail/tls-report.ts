// Reads a report about TLS (RFC 8460): how often other servers could encrypt mail to a domain, and why not.

import { parseForeignJson } from '../kit/json.ts'
import { ReportFault } from './dmarc-report.ts'

/** Sessions with the same result at the same server. */
interface TlsGroup {
  /** `successful`, or the result type of RFC 8460, 4.3. */
  result: string
  /** The name of the receiving server; '' where the report does not say it. */
  server: string
  sessions: number
}

export interface TlsReport {
  kind: 'tls'
  organization: string
  reportId: string
  /** ms. */
  beginsAt: number
  endsAt: number
  sessions: number
  groups: TlsGroup[]
}

/** It is read whole; an honest one has some kilobytes. */
export const maxTlsBytes = 8 * 1024 * 1024
const maxPolicies = 1_000
const maxDetails = 10_000
const maxGroups = 500
const maxName = 200
const maxSessions = 1_000_000_000

/** Throws ReportFault. */
export function readTlsReport(text: string, domain: string): TlsReport {
  const report = parsed(text)
  const range = fieldsOf(report['date-range'])
  const [beginsAt, endsAt] = [Date.parse(String(range['start-datetime'])), Date.parse(String(range['end-datetime']))]
  const reportId = String(report['report-id'] ?? '').slice(0, maxName)
  if (reportId === '' || !(endsAt >= beginsAt))
    throw new ReportFault('it does not say which report it is, or of which time')
  const groups = new Map<string, TlsGroup>()
  const policies = listOf(report['policies'], maxPolicies)
    .map(fieldsOf)
    .filter((one) => isAbout(one, domain))
  if (policies.length === 0) throw new ReportFault(`it is not about ${domain}`)
  let left = maxDetails
  for (const policy of policies) {
    const summary = fieldsOf(policy['summary'])
    add(groups, 'successful', '', sessionsOf(summary['total-successful-session-count']))
    let failures = sessionsOf(summary['total-failure-session-count'])
    for (const detail of listOf(policy['failure-details'], left).map(fieldsOf)) {
      left--
      const sessions = sessionsOf(detail['failed-session-count'])
      failures -= sessions
      add(groups, resultOf(detail['result-type']), nameOf(detail['receiving-mx-hostname']), sessions)
    }
    // Failures that no detail explains.
    add(groups, 'unspecified', '', failures)
  }
  const organization = String(report['organization-name'] ?? '').slice(0, maxName)
  const all = [...groups.values()]
  const sessions = all.reduce((sum, one) => sum + one.sessions, 0)
  return { kind: 'tls', organization, reportId, beginsAt, endsAt, sessions, groups: all }
}

function parsed(text: string): Record<string, unknown> {
  try {
    return fieldsOf(parseForeignJson(text))
  } catch {
    throw new ReportFault('it is no JSON')
  }
}

function isAbout({ policy }: Record<string, unknown>, domain: string): boolean {
  return String(fieldsOf(policy)['policy-domain']).toLowerCase() === domain
}

function add(groups: Map<string, TlsGroup>, result: string, server: string, sessions: number): void {
  if (sessions <= 0) return
  const key = `${result} ${server}`
  const known = groups.get(key)
  if (known !== undefined) known.sessions += sessions
  else if (groups.size < maxGroups || server === '') groups.set(key, { result, server, sessions })
  else add(groups, result, '', sessions)
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function listOf(value: unknown, most: number): unknown[] {
  return Array.isArray(value) ? value.slice(0, most) : []
}

function sessionsOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? Math.min(value, maxSessions) : 0
}

/** RFC 8460, 4.3 names them; a new one is kept as it is, if it is a word. */
function resultOf(value: unknown): string {
  return typeof value === 'string' && /^[a-z][a-z0-9-]{0,40}$/.test(value) && value !== 'successful'
    ? value
    : 'unspecified'
}

function nameOf(value: unknown): string {
  return typeof value === 'string' && /^[\w.-]{1,253}$/.test(value) ? value.toLowerCase() : ''
}
