// A mail to the report address of a sending domain: who reports is told by its signature, then the report is read on a thread of its own and
// counted. What nobody signed is kept and counts nowhere: no figure, no complaint, no event.

import { and, count, eq, gt, sql } from 'drizzle-orm'
import { messages, sendingDomains } from '../../../../db/tables/messages.ts'
import { domainReports } from '../../../../db/tables/reports.ts'
import { type App, type Reader, write } from '../../../core/app.ts'
import { day } from '../../../kit/duration.ts'
import { firstId } from '../../../kit/id.ts'
import { toOneLine } from '../../../kit/text.ts'
import type { AbuseReport } from '../../../mail/bounce-report.ts'
import { maxUnpackedBytes, maxUnverifiedBytes } from '../../../mail/domain-report.ts'
import type { RawMail } from '../../../mail/raw-mail.ts'
import type { SmtpAnswer } from '../../../mail/smtp-incoming.ts'
import { findOwner, isNamedByOperator } from '../../../people/domain-owners.ts'
import { type SendingDomain, selectorsOf } from '../domains/keys.ts'
import { readReportAddress } from '../domains/report-address.ts'
import { applyFeedback, type FeedbackHandler } from '../feedback/bounces.ts'
import { keepReport, type Reporter, storeDmarc, storeTls } from './store.ts'

/** Of one domain in a day: those of the largest installation are some hundred. */
const mostReports = 2_000
/** Of them, those of one reporter. */
const mostOfReporter = 200
/** Of reporters that nobody vouches for. */
const mostUnverified = 100

const counted: SmtpAnswer = { code: 250, text: '2.0.0 taken' }
const repeated: SmtpAnswer = { code: 250, text: '2.0.0 this report is known' }
const unverified: SmtpAnswer = { code: 250, text: '2.0.0 kept, but not counted: no valid signature of its sender' }
const tooMany: SmtpAnswer = { code: 452, text: '4.7.1 too many reports about this domain today' }
const unclear: SmtpAnswer = { code: 451, text: '4.4.3 the DNS did not say who signed this; try again' }

/** The sending domain that an address takes reports about; null for any other address, and for a domain that is not its workspace's. */
export async function findReportedDomain(app: App, address: string): Promise<SendingDomain | null> {
  const id = readReportAddress(app, address)
  if (id === null) return null
  const [row] = await app.db.select().from(sendingDomains).where(eq(sendingDomains.id, id))
  if (!row) return null
  const isTheirs =
    isNamedByOperator(app.config, row.domain) || (await findOwner(app, row.domain))?.workspaceId === row.workspaceId
  return isTheirs ? row : null
}

/** `handle`: what a complaint means for the feature that sent the mail. */
export async function takeReport(
  app: App,
  domain: SendingDomain,
  raw: RawMail,
  handle: FeedbackHandler,
): Promise<SmtpAnswer> {
  const signer = await app.mailReader.signer(raw)
  if (signer.outcome === 'unknown') return unclear
  if (signer.outcome === 'refused') return refused(signer.reason)
  const reporter: Reporter =
    signer.outcome === 'signed'
      ? { domain: signer.domain, isVerified: true }
      : { domain: signer.from, isVerified: false }
  if (await isFull(app, domain.id, reporter)) return tooMany
  const reading = await app.mailReader.domainReport(raw, {
    domain: domain.domain,
    selectors: selectorsOf(domain),
    envelopeDomain: app.config.inboundDomain === domain.domain ? null : (app.config.inboundDomain ?? null),
    maxBytes: reporter.isVerified ? maxUnpackedBytes : maxUnverifiedBytes,
  })
  if (reading.outcome === 'refused') return refused(reading.reason)
  const { report } = reading
  if (report.kind === 'abuse') return await takeComplaint(app, domain, { reporter, report, handle })
  const age = app.clock.now().getTime() - report.beginsAt
  if (age > oldest || age < -day) return refused('the report is not about the last two months')
  const isNew =
    report.kind === 'dmarc'
      ? await storeDmarc(app, domain, reporter, report)
      : await storeTls(app, domain, reporter, report)
  return answer(isNew, reporter)
}

const oldest = 62 * day

function answer(isNew: boolean, { isVerified }: Reporter): SmtpAnswer {
  if (!isVerified) return unverified
  return isNew ? counted : repeated
}

function refused(reason: string): SmtpAnswer {
  // It may name what stands in the report.
  return { code: 554, text: `5.6.0 ${toOneLine(reason)}` }
}

async function isFull(app: App, domainId: string, { domain, isVerified }: Reporter): Promise<boolean> {
  const since = firstId('rpt', new Date(app.clock.now().getTime() - day))
  const [lately] = await app.db
    .select({ all: count(), ofReporter: sql<number>`count(*) FILTER (WHERE reporter = ${domain})` })
    .from(domainReports)
    .where(
      and(eq(domainReports.domainId, domainId), gt(domainReports.id, since), eq(domainReports.verified, isVerified)),
    )
  const { all, ofReporter } = lately ?? { all: 0, ofReporter: 0 }
  return isVerified ? all >= mostReports || ofReporter >= mostOfReporter : all >= mostUnverified
}

interface Complaint {
  reporter: Reporter
  report: AbuseReport
  handle: FeedbackHandler
}

/** Counted like one at the address of the message, where whoever signed it names a mail of this workspace. */
async function takeComplaint(
  app: App,
  domain: SendingDomain,
  { reporter, report, handle }: Complaint,
): Promise<SmtpAnswer> {
  const messageId = await findReported(app, domain.workspaceId, report)
  if (messageId === null) return refused('it is about no mail that was sent here')
  const isNew = await write(app, async (tx) => {
    const about = { beginsAt: tx.now.getTime(), endsAt: tx.now.getTime(), organization: '', reportId: messageId }
    const line = { source: report.feedbackType, name: '', verdict: null, count: 1 }
    const isKept = await keepReport(tx, domain, reporter, {
      kind: 'abuse',
      ...about,
      policy: null,
      total: 1,
      others: 0,
      rows: 1,
      lines: [line],
    })
    if (!isKept || !reporter.isVerified || report.feedbackType === 'not-spam') return isKept
    await applyFeedback(
      tx,
      { messageId, workspaceId: domain.workspaceId },
      { kind: 'complaint', detail: report.feedbackType },
      handle,
    )
    return true
  })
  return answer(isNew, reporter)
}

/** By our id in its CFBL-Feedback-ID, or by its Message-ID, which begins with that id. */
async function findReported(reader: Reader, workspaceId: string, report: AbuseReport): Promise<string | null> {
  const { feedbackId, messageId } = report
  const id = /^msg_[0-9a-f]{32}/.exec(feedbackId ?? messageId ?? '')?.[0]
  if (id === undefined) return null
  const [row] = await reader.db
    .select({ header: messages.messageIdHeader })
    .from(messages)
    .where(and(eq(messages.id, id), eq(messages.workspaceId, workspaceId)))
  if (!row) return null
  return feedbackId === id || row.header.includes(messageId ?? ' ') ? id : null
}
