// Processes a bounce or a complaint: the state of the message, suppression, the lists, and the reaction of the feature that sent the mail.
// The source is a server's reply at the hand-over, a report to one of our addresses, or a provider.

import { eq } from 'drizzle-orm'
import { campaigns } from '../../../../db/tables/campaigns.ts'
import { messages } from '../../../../db/tables/messages.ts'
import { type App, type Tx, write } from '../../../core/app.ts'
import type { BounceReport } from '../../../mail/bounce-report.ts'
import type { RawMail } from '../../../mail/raw-mail.ts'
import { aboutWhom, isAboutUs } from '../../../mail/refusal.ts'
import { recordComplaint, recordHardBounce } from '../../contacts/consent/deliverability.ts'
import { unsubscribe } from '../../contacts/consent/preferences.ts'
import { type Message, recordStatuses } from '../activity/activity.ts'
import { readMessageAddress } from '../activity/message-address.ts'
import { noteIfUnknown } from '../activity/unknown-mails.ts'
import { noteRefusals } from './refusals.ts'
import { recordDelivery, recordSoftBounce } from './soft-bounces.ts'

/** What happened to a message after a server accepted it, whoever reports it. `reply`: what the receiver's server said, as a provider tells it. */
export type Feedback =
  | { kind: 'hard' | 'soft'; code: string; detail: string | null; reply?: string | null }
  | { kind: 'complaint'; detail: string | null }
  | { kind: 'delivered' }

/** How a feature reacts to a report about one of its mails. */
export type FeedbackHandler = (
  tx: Tx,
  message: Message,
  report: { kind: 'hard' | 'soft' | 'complaint'; reason: string },
) => Promise<void>

/** Null for what says nothing about the recipient: what is about us or this mail, `delayed`, which is about time. */
function toFeedback(report: BounceReport): Feedback | null {
  if (report.kind === 'abuse')
    return report.feedbackType === 'not-spam' ? null : { kind: 'complaint', detail: report.feedbackType }
  const { action, status, diagnostic } = report
  if (refusesUs(diagnostic ?? '', status)) return null
  if (action === 'delivered') return { kind: 'delivered' }
  if (action !== 'failed') return null
  // RFC 3463: 5.1.x is the address, 5.2.1 a mailbox that is closed; size, content and policy never count against the address.
  if (/^5\.(1\.\d+|2\.1)$/.test(status)) return { kind: 'hard', code: status, detail: diagnostic }
  return /^[45]\.(2\.2|4\.\d+|3\.[012])$/.test(status) ? { kind: 'soft', code: status, detail: diagnostic } : null
}

/** Says nothing about the recipient. `status`: what a relay made of the server's own code, which is closer to the cause. */
function refusesUs(text: string, status: string | null): boolean {
  const code = Number(/\b([245]\d\d)\b/.exec(text)?.[1] ?? 0)
  const enhanced = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(text)?.[1] ?? status
  return isAboutUs(aboutWhom({ stage: 'report', code, enhanced, text }))
}

/**
 * A mail that came to an address which stands for a message: the report of a bounce, or somebody's wish to leave. False when the address
 * is none of ours or the mail is no report; then nothing is changed. For the listener of inbound mail.
 */
export async function takeMessageMail(
  app: App,
  envelopeTo: string,
  raw: RawMail,
  handle: FeedbackHandler,
): Promise<boolean> {
  const named = readMessageAddress(app, envelopeTo)
  if (named === null) return false
  await noteIfUnknown(app, named.messageId)
  if (named.purpose === 'unsubscribe') return await leaveByMessage(app, named.messageId, 'unsubscribe_mail')
  const report = await app.mailReader.report(raw)
  // A report that names the feedback of another mail is none about this one.
  if (report?.kind === 'abuse' && report.feedbackId !== null && report.feedbackId !== named.messageId) return false
  if (report === null) return false
  const feedback = toFeedback(report)
  const reply = report.kind === 'delivery' && report.action !== 'delivered' ? report.diagnostic : null
  if (feedback === null && reply === null) return false
  return await write(app, async (tx) => {
    if (reply !== null) await noteRefusals(tx, [{ messageId: named.messageId, reply }])
    return feedback !== null && (await applyFeedback(tx, named, feedback, handle))
  })
}

/** The same as the link of that mail (RFC 2369, 3.2): off its list, or off everything where it went to no list. */
export async function leaveByMessage(
  app: App,
  messageId: string,
  method: 'unsubscribe_mail' | 'provider',
): Promise<boolean> {
  const [row] = await app.db
    .select({
      workspaceId: messages.workspaceId,
      contactId: messages.contactId,
      mailingListId: campaigns.mailingListId,
    })
    .from(messages)
    .leftJoin(campaigns, eq(campaigns.id, messages.campaignId))
    .where(eq(messages.id, messageId))
  if (!row || row.contactId === null) return false
  const { workspaceId, contactId, mailingListId } = row
  await unsubscribe(app, { workspaceId, contactId, mailingListId, messageId }, { method }, 'list')
  return true
}

/** False when there is no such message (of this workspace, when one is given), or it is known already. */
export async function applyFeedback(
  tx: Tx,
  { messageId, workspaceId }: { messageId: string; workspaceId?: string },
  feedback: Feedback,
  handle: FeedbackHandler,
): Promise<boolean> {
  const [message] = await tx.db.select().from(messages).where(eq(messages.id, messageId))
  if (!message || (workspaceId !== undefined && message.workspaceId !== workspaceId)) return false
  switch (feedback.kind) {
    case 'delivered':
      return await delivered(tx, message)
    case 'soft':
    case 'hard':
      return await bounced(tx, message, feedback, handle)
    case 'complaint':
      return await complained(tx, message, feedback.detail, handle)
  }
}

async function delivered(tx: Tx, message: Message): Promise<boolean> {
  if (message.status !== 'sent') return false
  await note(tx, message, 'delivered', { code: null, detail: null })
  await recordDelivery(tx, message)
  return true
}

type Bounce = Extract<Feedback, { code: string }>

async function bounced(tx: Tx, message: Message, bounce: Bounce, handle: FeedbackHandler): Promise<boolean> {
  if (message.status === 'bounced' || message.status === 'complained') return false
  const { code, detail, reply = null } = bounce
  if (reply !== null) await noteRefusals(tx, [{ messageId: message.id, reply }])
  const soft = await countBounce(tx, message, bounce)
  await note(tx, message, 'bounced', { code, detail, soft })
  await handle(tx, message, { kind: soft ? 'soft' : 'hard', reason: code })
  return true
}

/** Whether the address may be mailed on. The fifth soft bounce in a row is treated as a hard one; what is about us counts against nobody. */
async function countBounce(tx: Tx, message: Message, { kind, detail, reply = null }: Bounce): Promise<boolean> {
  if (reply !== null && refusesUs(reply, null)) return true
  const report = toReport(message, detail)
  if (kind === 'soft') return !(await recordSoftBounce(tx, message.workspaceId, report))
  await recordHardBounce(tx, message.workspaceId, report)
  return false
}

async function complained(tx: Tx, message: Message, detail: string | null, handle: FeedbackHandler): Promise<boolean> {
  if (message.status === 'complained') return false
  await note(tx, message, 'complained', { code: 'complaint', detail })
  await recordComplaint(tx, message.workspaceId, toReport(message, detail))
  await handle(tx, message, { kind: 'complaint', reason: 'complaint' })
  return true
}

type Noted = 'delivered' | 'bounced' | 'complained'

async function note(
  tx: Tx,
  { id: messageId, workspaceId, kind, jobId, attempts }: Message,
  status: Noted,
  told: { code: string | null; detail: string | null; soft?: boolean },
) {
  await recordStatuses(tx, [{ messageId, workspaceId, kind, jobId, status, attempts, ...told }])
}

function toReport({ email, id: messageId }: Message, detail: string | null) {
  return { email, messageId, ...(detail ? { detail } : {}) }
}
