// Checks whether a campaign may start or go on: when it is sent, scheduled or resumed, when its scheduled time comes, when an agent's tool
// starts it, and every second while it is sent. An approval binds the content that all recipients get, the audience, and which of their
// data the mails show.

import type { Reader } from '../../core/app.ts'
import { AppError } from '../../kit/error.ts'
import { loadCampaignSettings } from '../../people/campaign-settings.ts'
import { approvedHash, contentHash } from './approved-hash.ts'
import type { Campaign } from './campaign.ts'

/** Who starts it. A signed-in member approves by starting it. */
export interface Starter {
  byPerson: boolean
  /** The hash of what they saw; only that may start. */
  contentHash?: string | undefined
  /** Its time has come, and it was bound when a member scheduled it. */
  asScheduled?: boolean
}

/** Throws 409 when it is not what was seen or approved, 403 when a member has to approve it first. */
export async function mustBeApproved(reader: Reader, campaign: Campaign, starter: Starter): Promise<void> {
  if (starter.contentHash !== undefined) mustBeAsSeen(starter.contentHash, await contentHash(reader, campaign))
  const change = await findChange(reader, campaign)
  if (change !== null) throw changed(change)
  await mustHaveApproval(reader, campaign, starter)
}

/** The same of one that has started. */
export async function mustHaveApproval(
  reader: Reader,
  campaign: Campaign,
  { byPerson, asScheduled = false }: Starter,
): Promise<void> {
  if (byPerson || !(await isGuarded(reader, campaign))) return
  if (campaign.approvedBy === null && !asScheduled) {
    const message = 'This workspace asks for an approval by a member before a campaign is sent.'
    throw new AppError('forbidden', message, approvalRequired(message))
  }
  await mustBeUnchanged(reader, campaign)
}

/** Since a member approved, scheduled or started it. Once it has started its content is frozen, and its brand and recipients are not. */
export async function mustBeUnchanged(reader: Reader, campaign: Campaign): Promise<void> {
  if (campaign.approvedHash === null || !(await isGuarded(reader, campaign))) return
  const change = findGrowth(campaign) ?? (await findChange(reader, campaign))
  if (change !== null) throw changed(change)
}

/** Whether programs need an approval here. */
export async function isGuarded(reader: Reader, { workspaceId }: Campaign): Promise<boolean> {
  return (await loadCampaignSettings(reader, workspaceId)).agentsNeedApproval
}

async function findChange(reader: Reader, campaign: Campaign): Promise<string | null> {
  if (campaign.approvedHash === null || campaign.approvedHash === (await approvedHash(reader, campaign))) return null
  return 'its content or its audience has changed since it was approved'
}

function findGrowth({ shownChange, watched, newcomers }: Campaign): string | null {
  if (shownChange !== null)
    return `${shownChange.field} of ${shownChange.contactId}, which it shows or goes by, was changed by ${shownChange.by.id} since it was approved`
  const recipients = watched?.recipients ?? watched?.audience ?? null
  if (recipients === null || !hasGrown(recipients, newcomers)) return null
  return `${newcomers} more would get it than the ${recipients} it was approved for`
}

/** By a tenth or more. */
export function hasGrown(audience: number, newcomers: number): boolean {
  return newcomers > 0 && newcomers * 10 >= audience
}

function changed(what: string): AppError {
  const message = `${what}; approve it again`
  return new AppError('invalid_state_transition', message, approvalRequired(message))
}

/** Of errors and of a pause. */
export const approvalMissing = 'approval_required'

const approvalRequired = (message: string) => ({
  errors: [{ path: 'campaignId', message, code: approvalMissing }],
})

/** What a campaign that this stops is paused with. */
export function toPauseReason({ code, details: { errors = [] } }: AppError): string {
  return errors.some((one) => one.code === approvalMissing) ? approvalMissing : code
}

/** Throws `revision_mismatch` when it was changed in the meantime. */
export function mustBeAsSeen(seen: string | undefined, current: string): void {
  if (seen === undefined || seen === current) return
  const message = `contentHash is not that of the current content (${current}): read it again`
  throw new AppError('revision_mismatch', message, {
    extra: { contentHash: current },
    errors: [{ path: 'contentHash', message, code: 'revision_mismatch' }],
  })
}
