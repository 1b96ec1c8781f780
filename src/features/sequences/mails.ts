// The mails of a send step: who may get one now, who later, who not. Consent, suppression, frequency and caps are those of campaigns; they
// are asked again at the hand-over (deliver.ts).

import type { DigestStep, SendStep } from '../../../db/tables/sequences.ts'
import type { App } from '../../core/app.ts'
import { hour, minute, spanMs } from '../../kit/duration.ts'
import { addressDomain } from '../../kit/email-address.ts'
import { AppError } from '../../kit/error.ts'
import type { CampaignSettings } from '../../people/campaign-settings.ts'
import { mailableFrom } from '../../people/recipient-time.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { type Facts, findObjection, type Objection } from '../campaigns/eligibility.ts'
import { checkSender } from '../campaigns/reputation/sender-check.ts'
import { type DeliveryParts, loadParts } from '../events/deliver-template.ts'
import { sendsMail } from './definition.ts'
import { end, leave, type Traveller } from './moves.ts'
import type { Definitions } from './versions.ts'
import type { MailParts, Page, World } from './world.ts'

/** Of every template that these versions send. `problem`: why one of them cannot be sent. */
export async function loadMailParts(
  app: App,
  workspace: Workspace,
  definitions: Definitions,
): Promise<{ mails: MailParts; problem: string | null }> {
  const mails: MailParts = new Map()
  for (const { steps, purpose } of definitions.values())
    for (const { templateId } of steps.filter(sendsMail)) {
      if (mails.has(templateId)) continue
      try {
        const parts = await loadParts(app, workspace, { templateId })
        const sender =
          purpose === 'marketing' ? (await checkSender(app, workspace, parts.template)).sender : parts.sender
        mails.set(templateId, { ...parts, sender })
      } catch (error) {
        if (error instanceof AppError) return { mails, problem: error.message }
        throw error
      }
    }
  return { mails, problem: null }
}

/** All are at the same step of the same version. */
export async function sendMails(
  world: World,
  page: Page,
  step: SendStep | DigestStep,
  list: Traveller[],
): Promise<void> {
  const parts = page.mails.get(step.templateId)
  if (parts === undefined) throw new Error('a step was published whose mail is not known')
  const isMarketing = list[0]?.situation.definition.purpose === 'marketing'
  const may = isMarketing ? await mayGet(world, page, parts, list) : list
  await world.send(page, { step, parts, isMarketing }, may)
}

/** Those who get it now; the others leave the step, or are put off. */
async function mayGet(
  world: World,
  { workspace }: Page,
  { sender }: DeliveryParts,
  list: Traveller[],
): Promise<Traveller[]> {
  const listId = list[0]?.situation.definition.mailingListId ?? null
  const candidates = list.map((traveller) => {
    const { id: contactId, email } = traveller.situation.contact
    return { contactId, email, messageId: null, traveller }
  })
  const settings = await world.settingsOf(workspace.id)
  const eligible: Traveller[] = []
  for (const facts of await world.factsOf({ listId, workspaceId: workspace.id }, candidates)) {
    const { traveller } = facts.candidate
    const objection = findObjection(facts, traveller.situation.now)
    const quietUntil = objection === null ? quietEnd(traveller, settings) : null
    if (quietUntil !== null) putOff(traveller, quietUntil, 'quiet_hours')
    else if (objection === null) eligible.push(traveller)
    else object(traveller, facts, objection)
  }
  const domain = addressDomain(sender.email)
  const { remaining, nextAt } = await world.allowanceOf(workspace, { settings, domain })
  for (const { run, situation } of eligible.slice(remaining))
    postpone({ run, situation }, nextAt ?? new Date(situation.now.getTime() + 10 * minute), 'daily_cap')
  return eligible.slice(0, remaining)
}

/** What an objection means: too often is too soon, no consent is the end, anything else skips the mail. */
function object(
  { run, situation }: Pick<Traveller, 'run' | 'situation'>,
  { mails, campaign }: Pick<Facts, 'mails' | 'campaign'>,
  { outcome, reason }: Objection,
): void {
  if (reason === 'too_often') {
    const { now } = situation
    const next = (mails.last ?? 0) + campaign.hoursBetween * hour
    postpone({ run, situation }, new Date(next > now.getTime() ? next : now.getTime() + 6 * hour), reason)
  } else if (outcome === 'unsubscribed' || outcome === 'suppressed') end(run, situation, 'exited', reason)
  else skip({ run, situation }, reason)
}

/** The mail waits until then, unless it has waited long enough. */
function postpone({ run, situation }: Pick<Traveller, 'run' | 'situation'>, until: Date, reason: string): void {
  const since = run.postponedSince ?? situation.now
  if (until.getTime() - since.getTime() > spanMs(situation.definition.postponeAtMost)) skip({ run, situation }, reason)
  else {
    putOff({ run, situation }, until, reason)
    run.postponedSince = since
  }
}

function putOff({ run, situation }: Pick<Traveller, 'run' | 'situation'>, until: Date, reason: string): void {
  run.dueAt = until
  run.reason = reason
  situation.changes.move(run, 'waiting')
}

/** The end of the person's quiet hours; null outside of them. However long they are, no mail is skipped for them. */
function quietEnd({ run, situation }: Traveller, { quietHours }: Pick<CampaignSettings, 'quietHours'>): Date | null {
  const until = mailableFrom(situation.now, { zone: situation.zone, quietHours, key: run.id })
  return until > situation.now ? until : null
}

function skip({ run, situation }: Pick<Traveller, 'run' | 'situation'>, reason: string): void {
  situation.changes.count(run, { skipped: 1 })
  leave(run, situation, { outcome: 'skipped', detail: reason })
}
