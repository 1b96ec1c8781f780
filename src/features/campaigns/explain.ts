// Why a contact got a campaign, or did not: every check with the value it found, and the attempts.

import { and, eq } from 'drizzle-orm'
import { campaignRecipients, untilWinner } from '../../../db/tables/campaigns.ts'
import type { App } from '../../core/app.ts'
import { findWait } from '../../core/receivers.ts'
import { addressDomain } from '../../kit/email-address.ts'
import { AppError } from '../../kit/error.ts'
import { nextOutside } from '../../kit/local-time.ts'
import { loadCampaignSettings } from '../../people/campaign-settings.ts'
import { zoneOf } from '../../people/recipient-time.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { type Contact, findContact } from '../contacts/consent/find-contact.ts'
import type { ActivityRecord } from '../sending/activity/activity.ts'
import { findActivity } from '../sending/activity/activity.ts'
import { heldOut, testFinding } from './ab-test.ts'
import { getCampaign, type Recipient } from './campaigns.ts'
import type { DepartureRules } from './departure.ts'
import { type EligibilityCheck, eligibilityChecks, findObjection, loadFacts, type Objection } from './eligibility.ts'
import { loadAllowance } from './reputation/caps.ts'
import { checkSender } from './reputation/sender-check.ts'

interface Check {
  check: EligibilityCheck['check'] | 'workspace' | 'audience' | 'test' | 'sender' | 'cap' | 'time' | 'throttle'
  ok: boolean
  /** What was found, in words. */
  value: string
}

export interface Explanation {
  email: string | null
  recipient: Recipient | null
  /** Why no mail of the campaign may be sent to the contact now; null when it may. */
  objection: Objection | null
  /** The current findings, in the order of the checks. */
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
  const settings = await loadCampaignSettings(app, workspace.id)
  const now = app.clock.now()
  const candidate = { contactId, messageId: recipient?.messageId ?? null, email: email ?? '' }
  const [facts] = await loadFacts(app, campaign, [candidate], now)
  if (!facts) throw new Error('no facts were found of a candidate')
  const sender = await senderFinding(app, workspace, campaign)
  const cap = await loadAllowance(app, workspace, { settings, domain: sender.domain, now })
  const receiver = app.mailer.receiverOf(addressDomain(email ?? '').toLowerCase())
  const waiting = email === null ? null : await findWait(app, receiver)
  return {
    email,
    recipient,
    activity,
    objection: findObjection(facts, now) ?? heldOut(campaign, contactId),
    checks: [
      {
        check: 'workspace',
        ok: workspace.suspendedAt === null,
        value: workspace.suspendedAt === null ? 'not suspended' : `suspended: ${workspace.suspendedReason ?? ''}`,
      },
      {
        check: 'audience',
        ok: recipient !== null,
        value: recipient
          ? `${recipient.state}${recipient.reason ? ` (${recipient.reason})` : ''}`
          : 'not in the audience',
      },
      ...eligibilityChecks(facts, now),
      ...(campaign.test === null ? [] : [{ check: 'test' as const, ...testFinding(campaign, contactId) }]),
      { check: 'sender', ok: sender.ok, value: sender.value },
      {
        check: 'cap',
        ok: cap.remaining > 0,
        value: `${cap.used} of ${Number.isFinite(cap.cap) ? cap.cap : 'any number'} in 24 h (${workspace.trustLevel})`,
      },
      timeFinding({ campaign, workspace, settings, now }, recipient, contact),
      {
        check: 'throttle',
        ok: waiting === null,
        value:
          waiting === null
            ? 'no wait'
            : `waiting until ${waiting.until.toISOString()} for ${receiver}: ${waiting.lastReply}`,
      },
    ],
  }
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

/** Whether it is a time at which a mail may be prepared for them. */
function timeFinding(
  { now, ...rules }: DepartureRules & { now: Date },
  recipient: Recipient | null,
  contact: Contact | null,
): Check {
  const zone = zoneOf(contact ?? { timezone: null }, rules.workspace)
  const { quietHours } = rules.settings
  const end = nextOutside(quietHours, zone, now)
  const quiet = quietHours === null ? 'no quiet hours' : `quiet hours ${quietHours.from} to ${quietHours.to}`
  const sendAfter = recipient?.state === 'queued' ? recipient.sendAfter : null
  const waits = sendAfter !== null && sendAfter > now && sendAfter < untilWinner
  const until = waits ? sendAfter : end === now ? null : end
  const local = rules.campaign.localTime === null ? '' : `${rules.campaign.localTime} in the zone of each recipient; `
  const value = `${local}${quiet}; they are in ${zone}`
  return {
    check: 'time',
    ok: until === null,
    value: until === null ? value : `waiting until ${until.toISOString()}: ${value}`,
  }
}
