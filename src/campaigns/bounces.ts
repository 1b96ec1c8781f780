// What a bounce or a complaint does: the message's state, suppression, the lists, the recipient of a campaign, the sender's reputation
// (docs/choices.md, row 81). It comes from a server at the hand-over, as a report to an address of ours, or from a provider.

import { eq } from 'drizzle-orm'
import { campaigns } from '../../db/tables/campaigns.ts'
import { messages } from '../../db/tables/messages.ts'
import { type Message, recordStatuses } from '../activity/activity.ts'
import { type App, type Tx, write } from '../app.ts'
import { recordComplaint, recordDeliveries, recordHardBounce, recordSoftBounce } from '../contacts/deliverability.ts'
import { addressDomain } from '../lib/email-address.ts'
import { unsubscribe } from '../lists/preferences.ts'
import type { BounceReport } from '../mail/bounce-report.ts'
import type { RawMail } from '../mail/raw-mail.ts'
import { aboutWhom, isAboutUs } from '../mail/refusal.ts'
import type { Job } from '../outbox/job.ts'
import { readMessageAddress } from '../sending/message-address.ts'
import { countSending } from './caps.ts'
import { addToCounts, moveRecipient } from './ledger.ts'
import { noteBounce } from './reputation.ts'

/** A server said at the hand-over that there is no such mailbox. */
export async function noteHardBounce(
  tx: Tx,
  { workspaceId, payload: { messageId, domain } }: Job<{ messageId: string; domain: string }>,
  { email, detail }: { email: string; detail: string | null },
): Promise<void> {
  await recordHardBounce(tx, workspaceId, { email, messageId, ...(detail ? { detail } : {}) })
  await countSending(tx, { workspaceId, domain }, { sent: 1 })
  await noteBounce(tx, { workspaceId, domain }, 'bounced')
}

/** What happened to a message after it was taken, whoever tells. */
export type Fate =
  | { fate: 'hard' | 'soft'; code: string; detail: string | null }
  | { fate: 'complaint'; detail: string | null }
  | { fate: 'delivered' }

/** Null for what says nothing about the recipient: what is about us or this mail, `delayed`, which is about time. */
function fateOf(report: BounceReport): Fate | null {
  if (report.kind === 'abuse')
    return report.feedbackType === 'not-spam' ? null : { fate: 'complaint', detail: report.feedbackType }
  const { action, status, diagnostic } = report
  const text = diagnostic ?? ''
  const code = Number(/\b([245]\d\d)\b/.exec(text)?.[1] ?? 0)
  // The server's own code is closer to the cause than the status that a relay made of it.
  const enhanced = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(text)?.[1] ?? status
  if (isAboutUs(aboutWhom({ stage: 'report', code, enhanced, text }))) return null
  if (action === 'delivered') return { fate: 'delivered' }
  if (action !== 'failed') return null
  // RFC 3463: 5.1.x is the address, 5.2.1 a mailbox that is closed; size, content and policy never count against the address.
  if (/^5\.(1\.\d+|2\.1)$/.test(status)) return { fate: 'hard', code: status, detail: diagnostic }
  return /^[45]\.(2\.2|4\.\d+|3\.[012])$/.test(status) ? { fate: 'soft', code: status, detail: diagnostic } : null
}

/**
 * A mail that came to an address which stands for a message: the report of a bounce, or somebody's wish to leave. False when the address
 * is none of ours or the mail is no report; then nothing is changed. For the listener of inbound mail.
 */
export async function takeMessageMail(app: App, envelopeTo: string, raw: RawMail): Promise<boolean> {
  const named = readMessageAddress(app, envelopeTo)
  if (named === null) return false
  if (named.purpose === 'unsubscribe') return await leaveByMail(app, named.messageId)
  const report = await app.mailReader.report(raw)
  const fate = report === null ? null : fateOf(report)
  return fate === null ? false : await write(app, (tx) => applyFate(tx, named, fate))
}

/** The same as the link of that mail (RFC 2369, 3.2): off its list, or off everything where it went to no list. */
async function leaveByMail(app: App, messageId: string): Promise<boolean> {
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
  await unsubscribe(app, { workspaceId, contactId, mailingListId, messageId }, { method: 'unsubscribe_mail' }, 'list')
  return true
}

/** False when there is no such message (of this workspace, when one is given), or it is known already. */
export async function applyFate(
  tx: Tx,
  { messageId, workspaceId }: { messageId: string; workspaceId?: string },
  fate: Fate,
): Promise<boolean> {
  const [message] = await tx.db.select().from(messages).where(eq(messages.id, messageId))
  if (!message || (workspaceId !== undefined && message.workspaceId !== workspaceId)) return false
  switch (fate.fate) {
    case 'delivered':
      return await delivered(tx, message)
    case 'soft':
      return await bouncedSoftly(tx, message, fate)
    case 'hard':
      return await bounced(tx, message, fate)
    case 'complaint':
      return await complained(tx, message, fate.detail)
  }
}

async function delivered(tx: Tx, message: Message): Promise<boolean> {
  if (message.status !== 'sent') return false
  await note(tx, message, 'delivered', { code: null, detail: null })
  await recordDeliveries(tx, [message])
  return true
}

async function bounced(tx: Tx, message: Message, { code, detail }: { code: string; detail: string | null }) {
  if (message.status === 'bounced' || message.status === 'complained') return false
  await note(tx, message, 'bounced', { code, detail })
  await recordHardBounce(tx, message.workspaceId, reportOf(message, detail))
  await endAsBounced(tx, message, code)
  return true
}

/** The fifth in a row is as good as a hard one. */
async function bouncedSoftly(tx: Tx, message: Message, { code, detail }: { code: string; detail: string | null }) {
  if (message.status === 'bounced' || message.status === 'complained') return false
  const soft = !(await recordSoftBounce(tx, message.workspaceId, reportOf(message, detail)))
  await note(tx, message, 'bounced', { code, detail, soft })
  if (soft) await leaveLedger(tx, message, code)
  else await endAsBounced(tx, message, code)
  return true
}

async function complained(tx: Tx, message: Message, detail: string | null): Promise<boolean> {
  if (message.status === 'complained') return false
  const { workspaceId, campaignId } = message
  await note(tx, message, 'complained', { code: 'complaint', detail })
  await recordComplaint(tx, workspaceId, reportOf(message, detail))
  if (message.kind !== 'campaign' || campaignId === null) return true
  await addToCounts(tx, campaignId, { complained: 1 })
  await noteBounce(tx, { workspaceId, domain: addressDomain(message.fromEmail) }, 'complained')
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

function reportOf({ email, id: messageId }: Message, detail: string | null) {
  return { email, messageId, ...(detail ? { detail } : {}) }
}

/** A campaign's mail to an address that is no more counts against its sender. */
async function endAsBounced(tx: Tx, message: Message, reason: string): Promise<void> {
  if (message.kind !== 'campaign') return
  await leaveLedger(tx, message, reason)
  const { workspaceId, fromEmail } = message
  await noteBounce(tx, { workspaceId, domain: addressDomain(fromEmail) }, 'bounced')
}

/** The ledger says what became of it in the end. */
async function leaveLedger(tx: Tx, { campaignId, contactId }: Message, reason: string): Promise<void> {
  if (campaignId === null || contactId === null) return
  await moveRecipient(tx, { campaignId, contactId, to: 'bounced', reason })
}
