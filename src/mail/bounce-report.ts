// Parses reports from other mail servers: delivery status notifications (RFC 3464), abuse reports (RFC 5965), and the same as XARF (in JSON,
// https://xarf.org, which RFC 9477 knows beside them). Pure and bounded. Anybody can send a report, so it is only used for what happened; which message it concerns is known from the address that it was sent to.

import { parseForeignJson } from '../kit/json.ts'

/** One recipient of a delivery report. */
interface DeliveryReport {
  kind: 'delivery'
  action: 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded'
  /** RFC 3463: `5.1.1`. */
  status: string
  /** What the remote server said. */
  diagnostic: string | null
}

export interface AbuseReport {
  kind: 'abuse'
  /** `abuse`, `fraud`, `not-spam` … */
  feedbackType: string
  /** The Message-ID of the mail that it is about, without angle brackets, where the report holds that mail. */
  messageId: string | null
  /** The CFBL-Feedback-ID of the mail that it is about (RFC 9477), where it says so. */
  feedbackId: string | null
}

export type BounceReport = DeliveryReport | AbuseReport

const maxBytes = 1024 * 1024
const maxDiagnostic = 500
const actions = ['failed', 'delayed', 'delivered', 'relayed', 'expanded'] as const

/** Null for mail that is not such a report, e.g. an out-of-office reply. */
export function readBounceReport(raw: Uint8Array): BounceReport | null {
  const text = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, maxBytes)).toString('latin1')
  const { headers, body } = splitHeaders(text)
  const type = headers.get('content-type') ?? ''
  const isReport = /^multipart\/report\b/i.test(type)
  if (!isReport && !/^multipart\//i.test(type)) return null
  const boundary = /boundary="?([^";\s]{1,70})"?/i.exec(type)?.[1]
  if (boundary === undefined) return null
  for (const part of body.split(`--${boundary}`).slice(1, 6)) {
    const { headers: of, body: content } = splitHeaders(part.replace(/^\r?\n/, ''))
    const partType = (of.get('content-type') ?? '').toLowerCase()
    if (partType.startsWith('application/json')) {
      const report = xarfReport(decoded(content, of))
      if (report !== null) return report
    }
    if (!isReport) continue
    if (/^message\/(global-)?delivery-status/.test(partType)) return deliveryReport(decoded(content, of))
    if (partType.startsWith('message/feedback-report')) return abuseReport(decoded(content, of), body)
  }
  return null
}

/** RFC 3464, 2.1: fields about the message, then a group of fields per recipient; reports about our mail have exactly one. */
function deliveryReport(text: string): DeliveryReport | null {
  const groups = text
    .trim()
    .split(/\r?\n\r?\n/)
    .map(readFields)
  const recipient = groups.find((fields) => fields.has('action') && fields.has('status'))
  const status = /\b([245]\.\d{1,3}\.\d{1,3})\b/.exec(recipient?.get('status') ?? '')?.[1]
  const action = actions.find((one) => one === recipient?.get('action')?.toLowerCase().trim())
  if (!recipient || status === undefined || action === undefined) return null
  const diagnostic =
    recipient
      .get('diagnostic-code')
      ?.replace(/^\s*[\w-]+\s*;\s*/, '')
      .slice(0, maxDiagnostic) ?? null
  return { kind: 'delivery', action, status, diagnostic }
}

function abuseReport(text: string, body: string): AbuseReport | null {
  const feedbackType = readFields(text).get('feedback-type')?.trim().toLowerCase()
  if (feedbackType === undefined || !/^[\w-]{1,30}$/.test(feedbackType)) return null
  return { kind: 'abuse', feedbackType, feedbackId: findFeedbackId(body), messageId: findMessageId(body) }
}

/** Of mail, in the words of version 4 or of those before. Null for another JSON, and for what is not about mail. */
function xarfReport(text: string): AbuseReport | null {
  const report = parseObject(text)
  const before = 'Report' in report ? fieldsByName(report['Report']) : null
  const isXarf = typeof report['xarf_version'] === 'string' || (before !== null && 'ReporterInfo' in report)
  const type = String((before ? before['ReportType'] : report['type']) ?? '').toLowerCase()
  const feedbackType = isXarf ? feedbackTypes.get(type) : undefined
  return feedbackType === undefined
    ? null
    : { kind: 'abuse', feedbackType, feedbackId: sampledId(report, before), messageId: null }
}

const feedbackTypes = new Map([
  ['spam', 'abuse'],
  ['bulk_messaging', 'abuse'],
  ['phishing', 'fraud'],
])

/** Of the mail that the report holds as evidence: as text, or in base64. */
function sampledId(report: Record<string, unknown>, before: Record<string, unknown> | null): string | null {
  const samples = before ? before['Samples'] : report['evidence']
  for (const one of Array.isArray(samples) ? samples.slice(0, 5) : []) {
    const payload = String(fieldsByName(one)['Payload'] ?? fieldsByName(one)['payload'] ?? '')
    const id = findFeedbackId(payload) ?? findFeedbackId(Buffer.from(payload, 'base64').toString('latin1'))
    if (id !== null) return id
  }
  return null
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return fieldsByName(parseForeignJson(text.trim()))
  } catch {
    return {}
  }
}

function fieldsByName(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** The report has it in the headers of the mail that it holds. */
function findFeedbackId(body: string): string | null {
  return /^CFBL-Feedback-ID:[ \t]*(?:\r?\n[ \t]+)?([!-~]{1,200})/im.exec(body)?.[1] ?? null
}

function findMessageId(body: string): string | null {
  return /^Message-ID:[ \t]*(?:\r?\n[ \t]+)?<([!-;=?-~]{1,500})>/im.exec(body)?.[1] ?? null
}

function splitHeaders(text: string): { headers: Map<string, string>; body: string } {
  const end = /\r?\n\r?\n/.exec(text)
  if (!end) return { headers: readFields(text), body: '' }
  return { headers: readFields(text.slice(0, end.index)), body: text.slice(end.index + end[0].length) }
}

/** The first field of each name, with folded lines joined. */
function readFields(text: string): Map<string, string> {
  const fields = new Map<string, string>()
  for (const line of text
    .slice(0, 64 * 1024)
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)) {
    const match = /^([!-9;-~]{1,100}):(.*)$/s.exec(line)
    const name = match?.[1]?.toLowerCase()
    if (name !== undefined && !fields.has(name)) fields.set(name, match?.[2]?.trimStart() ?? '')
  }
  return fields
}

function decoded(content: string, headers: Map<string, string>): string {
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase().trim()
  if (encoding === 'base64') return Buffer.from(content, 'base64').toString('latin1')
  if (encoding !== 'quoted-printable') return content
  return content
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
