// What a bounce or a complaint does: the message's state, suppression, the lists, the recipient of a campaign, the sender's reputation
// (docs/choices.md, row 81). It comes from a server at the hand-over, as a report to a bounce address, or from a provider.

import { eq, sql } from 'drizzle-orm'
import { softBounces } from '../../db/tables/contacts.ts'
import { messages } from '../../db/tables/messages.ts'
import { type Message, recordStatus } from '../activity/activity.ts'
import { type App, type Tx, write } from '../app.ts'
import { findContactByEmail } from '../contacts/contacts.ts'
import { leaveAllLists } from '../contacts/subscriptions.ts'
import { addressDomain } from '../lib/email-address.ts'
import { type BounceReport, readBounceReport } from '../mail/bounce-report.ts'
import type { Job } from '../outbox/job.ts'
import { messageOfBounceAddress } from '../sending/bounce-address.ts'
import { suppress, suppressionKey } from '../suppression/suppression.ts'
import { countSending } from './caps.ts'
import { addToCounts, moveRecipient } from './ledger.ts'
import { noteBounce } from './reputation.ts'

/** Soft bounces of an address without a delivery between, that suppress it. */
const softBouncesMost = 5

/** A server said at the hand-over that there is no such mailbox. */
export async function suppressBounced(
  tx: Tx,
  job: Job<{ messageId: string; domain: string }>,
  { email, detail }: { email: string; detail: string | null },
): Promise<void> {
  const { workspaceId, payload } = job
  const { messageId, domain } = payload
  await suppressAddress(tx, workspaceId, { email, reason: 'hardBounce', messageId, detail })
  await countSending(tx, { workspaceId, domain }, { sent: 1 })
  await noteBounce(tx, { workspaceId, domain }, 'bounced')
}

/** What happened to a message after it was taken, whoever tells. */
export type Fate =
  | { fate: 'hard' | 'soft'; code: string; detail: string | null }
  | { fate: 'complaint'; detail: string | null }
  | { fate: 'delivered' }

/** Null for what says nothing about delivery (`5.7.1` is about us, `delayed` about time). */
export function fateOf(report: BounceReport): Fate | null {
  if (report.kind === 'abuse')
    return report.feedbackType === 'not-spam' ? null : { fate: 'complaint', detail: report.feedbackType }
  const { action, status, diagnostic } = report
  if (action === 'delivered') return { fate: 'delivered' }
  if (action !== 'failed') return null
  // RFC 3463: 5.1.x is the address, 5.2.1 a mailbox that is closed; size, content and policy never count against the address.
  if (/^5\.(1\.\d+|2\.1)$/.test(status)) return { fate: 'hard', code: status, detail: diagnostic }
  return /^[45]\.(2\.2|4\.\d+|3\.[012])$/.test(status) ? { fate: 'soft', code: status, detail: diagnostic } : null
}

/**
 * A mail that came to a bounce address. False when the address is none of ours or the mail is no report: then nothing is changed. For the
 * listener of inbound mail.
 */
export async function takeBounceMail(app: App, envelopeTo: string, raw: Uint8Array): Promise<boolean> {
  const messageId = messageOfBounceAddress(app, envelopeTo)
  const report = messageId === null ? null : readBounceReport(raw)
  const fate = report === null ? null : fateOf(report)
  if (messageId === null || fate === null) return false
  return await write(app, (tx) => applyFate(tx, { messageId }, fate))
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
  await tx.db.delete(softBounces).where(mine(message))
  return true
}

async function bounced(tx: Tx, message: Message, { code, detail }: { code: string; detail: string | null }) {
  if (message.status === 'bounced' || message.status === 'complained') return false
  const { workspaceId, email, id: messageId } = message
  await note(tx, message, 'bounced', { code, detail })
  await suppressAddress(tx, workspaceId, { email, reason: 'hardBounce', messageId, detail })
  await leaveLists(tx, message, 'bounced')
  if (message.kind !== 'campaign') return true
  await endAs(tx, message, code)
  await noteBounce(tx, { workspaceId, domain: addressDomain(message.fromEmail) }, 'bounced')
  return true
}

/** The fifth in a row is as good as a hard one. */
async function bouncedSoftly(tx: Tx, message: Message, fate: { code: string; detail: string | null }) {
  const { workspaceId, email } = message
  if (message.status === 'bounced') return false
  const [row] = await tx.db
    .insert(softBounces)
    .values({ workspaceId, emailHash: suppressionKey(email), count: 1, updatedAt: tx.now })
    .onConflictDoUpdate({
      target: [softBounces.workspaceId, softBounces.emailHash],
      set: { count: sql`count + 1`, updatedAt: tx.now },
    })
    .returning({ count: softBounces.count })
  if ((row?.count ?? 0) >= softBouncesMost) return bounced(tx, message, fate)
  await note(tx, message, 'bounced', fate)
  if (message.kind === 'campaign') await endAs(tx, message, fate.code)
  return true
}

async function complained(tx: Tx, message: Message, detail: string | null): Promise<boolean> {
  if (message.status === 'complained') return false
  const { workspaceId, email, id: messageId } = message
  await note(tx, message, 'complained', { code: 'complaint', detail })
  await suppressAddress(tx, workspaceId, { email, reason: 'complaint', messageId, detail })
  await leaveLists(tx, message, 'complained')
  if (message.kind !== 'campaign' || message.campaignId === null) return true
  await addToCounts(tx, message.campaignId, { complained: 1 })
  await noteBounce(tx, { workspaceId, domain: addressDomain(message.fromEmail) }, 'complained')
  return true
}

type Noted = 'delivered' | 'bounced' | 'complained'

async function note(
  tx: Tx,
  message: Message,
  status: Noted,
  { code, detail }: { code: string | null; detail: string | null },
) {
  const { id: messageId, jobId, attempts } = message
  await recordStatus(tx, { messageId, jobId, status, attempts, code, detail })
}

async function leaveLists(tx: Tx, { workspaceId, email }: Message, state: 'bounced' | 'complained'): Promise<void> {
  const contact = await findContactByEmail(tx, workspaceId, email)
  const method = state === 'bounced' ? 'bounce' : 'complaint'
  if (contact) await leaveAllLists(tx, contact, { method }, state)
}

/** The ledger says what became of it in the end. */
async function endAs(tx: Tx, { campaignId, contactId }: Message, reason: string): Promise<void> {
  if (campaignId === null || contactId === null) return
  await moveRecipient(tx, { campaignId, contactId, to: 'bounced', reason })
}

interface Suppressing {
  email: string
  reason: 'hardBounce' | 'complaint'
  messageId: string
  detail: string | null
}

async function suppressAddress(tx: Tx, workspaceId: string, { detail, ...given }: Suppressing): Promise<void> {
  await suppress(tx, workspaceId, { ...given, ...(detail ? { detail } : {}) })
}

function mine({ workspaceId, email }: Message) {
  return sql`workspace_id = ${workspaceId} AND email_hash = ${suppressionKey(email)}`
}
