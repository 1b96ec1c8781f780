// What bounces and complaints about a campaign's mail do to its ledger and to its sender's reputation.

import type { Tx } from '../../core/app.ts'
import type { Job } from '../../core/outbox/job.ts'
import { addressDomain } from '../../kit/email-address.ts'
import { isSimulated } from '../../mail/simulator.ts'
import { recordHardBounce } from '../contacts/consent/deliverability.ts'
import { countOfStep } from '../contacts/consent/leavers.ts'
import type { Message } from '../sending/activity/activity.ts'
import type { FeedbackHandler } from '../sending/feedback/bounces.ts'
import { recordSoftBounce } from '../sending/feedback/soft-bounces.ts'
import { countDeed, hasOutcome, moveRecipient } from './ledger.ts'
import { pauseAll } from './pause.ts'
import { countSending } from './reputation/caps.ts'
import { noteBounce } from './reputation/reputation.ts'

/**
 * A server said at the hand-over that there is no such mailbox, or (`soft`) that it takes no mail now, which the fifth time in a row is as
 * good as that. No such mail was counted as sent yet.
 */
export async function noteRefusal(
  tx: Tx,
  { workspaceId, payload: { messageId, domain } }: Job<{ messageId: string; domain: string }>,
  { kind, email, detail }: { kind: 'hard' | 'soft'; email: string; detail: string | null },
): Promise<void> {
  const report = { email, messageId, ...(detail ? { detail } : {}) }
  if (kind === 'hard') await recordHardBounce(tx, workspaceId, report)
  else if (!(await recordSoftBounce(tx, workspaceId, report))) return
  if (isSimulated(email)) return
  await countSending(tx, { workspaceId, domain }, { sent: 1 })
  await noteBounce(tx, { workspaceId, domain }, 'bounced', pauseAll)
}

/** A soft bounce is recorded in the ledger; a hard one and a complaint count against the sender, unless nobody was mailed. */
export const noteReport: FeedbackHandler = async (tx, message, { kind, reason }) => {
  if (message.kind === 'sequence') await countOfStep(tx, message.id, kind === 'complaint' ? 'complained' : 'bounced')
  if (message.kind === 'sequence' && message.purpose === null) return await noteAgainstSender(tx, message, kind)
  if (message.kind !== 'campaign') return
  if (kind === 'complaint') await countComplaint(tx, message)
  else await moveToBounced(tx, message, reason)
  await noteAgainstSender(tx, message, kind)
}

async function noteAgainstSender(
  tx: Tx,
  { workspaceId, fromEmail, email }: Message,
  kind: 'hard' | 'soft' | 'complaint',
): Promise<void> {
  if (kind === 'soft' || isSimulated(email)) return
  const what = kind === 'complaint' ? 'complained' : 'bounced'
  await noteBounce(tx, { workspaceId, domain: addressDomain(fromEmail) }, what, pauseAll)
}

async function countComplaint(tx: Tx, { campaignId, contactId }: Message): Promise<void> {
  if (campaignId !== null) await countDeed(tx, { campaignId, contactId }, { complained: 1 })
}

async function moveToBounced(tx: Tx, { campaignId, contactId }: Message, reason: string): Promise<void> {
  if (campaignId === null || contactId === null) return
  // Who is still tried gets an outcome from the delivery, which also ends the campaign.
  if (!(await hasOutcome(tx, { campaignId, contactId }))) return
  await moveRecipient(tx, { campaignId, contactId, to: 'bounced', reason })
}
