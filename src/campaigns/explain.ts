// Why a contact got a campaign, or did not: every check with the value it found, and the attempts.

import { and, eq } from 'drizzle-orm'
import { campaignRecipients } from '../../db/tables/campaigns.ts'
import type { ActivityRecord } from '../activity/activity.ts'
import { findActivity } from '../activity/activity.ts'
import type { App } from '../app.ts'
import { findContact } from '../contacts/contacts.ts'
import { AppError } from '../lib/error.ts'
import type { Workspace } from '../workspaces/workspaces.ts'
import { getCampaign, type Recipient } from './campaigns.ts'
import { allowanceOf } from './caps.ts'
import { recipientDomain } from './deliver.ts'
import { factsOf, isOften } from './last-look.ts'
import { checkSender } from './sender-check.ts'
import { settingsOf } from './settings.ts'
import { throttles } from './throttle.ts'

interface Check {
  check: 'audience' | 'list' | 'consent' | 'suppression' | 'frequency' | 'sender' | 'cap' | 'throttle'
  ok: boolean
  /** What was found, in words. */
  value: string
}

export interface Explanation {
  email: string | null
  recipient: Recipient | null
  /** As they stand now, in the order in which they are asked. */
  checks: Check[]
  activity: ActivityRecord | null
}

/** Throws not_found for an unknown contact and for another workspace's. */
export async function explainRecipient(
  app: App,
  workspace: Workspace,
  campaignId: string,
  contactId: string,
): Promise<Explanation> {
  const campaign = await getCampaign(app, workspace.id, campaignId)
  const contact = await findContact(app, workspace.id, contactId)
  const [recipient = null] = await app.db
    .select()
    .from(campaignRecipients)
    .where(and(eq(campaignRecipients.campaignId, campaignId), eq(campaignRecipients.contactId, contactId)))
  if (!contact && !recipient) throw new AppError('not_found', 'there is no such contact')
  const activity = recipient?.messageId ? await findActivity(app, workspace.id, recipient.messageId) : null
  const email = activity?.message.email ?? contact?.email ?? null
  const settings = await settingsOf(app, workspace.id)
  const now = app.clock.now()
  const about = {
    workspaceId: workspace.id,
    campaignId,
    contactId,
    messageId: recipient?.messageId ?? '',
    email: email ?? '',
  }
  const [facts] = await factsOf(app, [about], now)
  if (!facts) throw new Error('a look gave no facts')
  const recent = { last: facts.lastMail, inWeek: facts.mailsInWeek }
  const often = isOften(facts, now)
  const sender = await senderFinding(app, workspace, campaign)
  const cap = await allowanceOf(app, workspace, { settings, domain: sender.domain, now })
  const waiting = (await throttles(app)).get(recipientDomain(email ?? ''))
  const isWaiting = waiting !== undefined && waiting.until > now
  return {
    email,
    recipient,
    activity,
    checks: [
      {
        check: 'audience',
        ok: recipient !== null,
        value: recipient
          ? `${recipient.state}${recipient.reason ? ` (${recipient.reason})` : ''}`
          : 'not in the audience',
      },
      { check: 'list', ok: facts.subscription === 'active', value: facts.subscription ?? 'not on the list' },
      {
        check: 'consent',
        ok: facts.subscribed === 1,
        value:
          facts.email === null ? 'contact deleted' : facts.subscribed ? 'subscribed' : 'unsubscribed from all mail',
      },
      { check: 'suppression', ok: facts.suppression === null, value: facts.suppression ?? 'not suppressed' },
      { check: 'frequency', ok: !often, value: frequencyWords(recent, settings) },
      { check: 'sender', ok: sender.ok, value: sender.value },
      {
        check: 'cap',
        ok: cap.remaining > 0,
        value: `${cap.used} of ${Number.isFinite(cap.cap) ? cap.cap : 'any number'} in 24 h (${workspace.trustLevel})`,
      },
      {
        check: 'throttle',
        ok: !isWaiting,
        value: isWaiting ? `waiting until ${waiting.until.toISOString()}: ${waiting.lastReply}` : 'no wait',
      },
    ],
  }
}

function frequencyWords(
  { last, inWeek }: { last: number | null; inWeek: number },
  { hoursBetween, mailsPerWeek }: { hoursBetween: number; mailsPerWeek: number },
): string {
  const when = last === null ? 'none in 7 days' : `last ${new Date(last).toISOString()}, ${inWeek} in 7 days`
  return `${when}; limits: one in ${hoursBetween} h, ${mailsPerWeek} in 7 days`
}

async function senderFinding(app: App, workspace: Workspace, campaign: Parameters<typeof checkSender>[2]) {
  try {
    const { domain, sender, warnings } = await checkSender(app, workspace, campaign)
    return { ok: true, domain, value: warnings[0]?.message ?? sender.email }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ok: false, domain: '', value: error.message }
  }
}
