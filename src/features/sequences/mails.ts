// The mails of a send step: who may get one now, who later, who not. Consent, suppression, frequency and caps are those of campaigns; they
// are asked again at the hand-over (deliver.ts).

import type { TestVariant } from '../../../db/tables/ab-tests.ts'
import type { MailPurpose } from '../../../db/tables/events.ts'
import type { SentVariant } from '../../../db/tables/sequence-tests.ts'
import type { DigestStep, SendStep } from '../../../db/tables/sequences.ts'
import type { App } from '../../core/app.ts'
import { hour, minute, spanMs } from '../../kit/duration.ts'
import { addressDomain } from '../../kit/email-address.ts'
import { AppError } from '../../kit/error.ts'
import { withoutUndefined } from '../../kit/without-undefined.ts'
import type { CampaignSettings } from '../../people/campaign-settings.ts'
import { mailableFrom } from '../../people/recipient-time.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { getVariant } from '../ab-tests/variants.ts'
import { type Facts, findObjection, type Objection } from '../campaigns/eligibility.ts'
import { checkSender } from '../campaigns/reputation/sender-check.ts'
import { compileSubject } from '../content/rendering/compile.ts'
import { type DeliveryParts, loadParts } from '../events/deliver-template.ts'
import { chooseSender } from '../sending/sender.ts'
import { sendsMail } from './definition.ts'
import { end, leave, type Traveller } from './moves.ts'
import { isTested, variantFor } from './step-tests.ts'
import type { Definitions } from './versions.ts'
import type { Mailing, MailParts, Page, World } from './world.ts'

/** Of every template that these versions send. `problem`: why one of them cannot be sent. */
export async function loadMailParts(
  app: App,
  workspace: Workspace,
  definitions: Definitions,
): Promise<{ mails: MailParts; problem: string | null }> {
  const mails: MailParts = new Map()
  for (const { steps, purpose } of definitions.values())
    for (const { key, templateId, variant } of steps.filter(sendsMail).flatMap((step) => mailsOf(step, purpose))) {
      if (mails.has(key)) continue
      try {
        mails.set(key, await loadMail(app, workspace, { templateId, variant, purpose }))
      } catch (error) {
        if (error instanceof AppError) return { mails, problem: error.message }
        throw error
      }
    }
  return { mails, problem: null }
}

/** Every mail that a step may send. */
function mailsOf(step: SendStep | DigestStep, purpose: MailPurpose) {
  const variants = step.type === 'send' && isTested(step) ? step.test.variants : [null]
  return variants.map((variant) => {
    return { key: keyOfMail(step, purpose, variant), templateId: variant?.templateId ?? step.templateId, variant }
  })
}

/** Those that say the same from the same sender, for the same purpose, have the same. */
function keyOfMail({ templateId }: { templateId: string }, purpose: MailPurpose, variant: TestVariant | null): string {
  const { name: _, templateId: other = templateId, ...more } = variant ?? { name: '' }
  return JSON.stringify([other, purpose, more])
}

async function loadMail(
  app: App,
  workspace: Workspace,
  { templateId, variant, purpose }: { templateId: string; variant: TestVariant | null; purpose: MailPurpose },
): Promise<DeliveryParts> {
  const parts = await loadParts(app, workspace, { templateId })
  const { subject, fromName, fromEmail, replyTo } = variant ?? {}
  const from = { ...parts.template, ...withoutUndefined({ fromName, fromEmail, replyTo }) }
  const sender =
    purpose === 'marketing'
      ? (await checkSender(app, workspace, from)).sender
      : await chooseSender(app, workspace, from, {})
  return { ...parts, sender, ...(subject === undefined ? {} : { subject: compileSubject(subject) }) }
}

/** All are at the same step of the same version. */
export async function sendMails(
  world: World,
  page: Page,
  step: SendStep | DigestStep,
  list: Traveller[],
): Promise<void> {
  const isMarketing = list[0]?.situation.definition.purpose === 'marketing'
  const may = isMarketing ? await mayGet(world, page, list) : list
  const addressed = await address(world, page, { step, isMarketing }, may)
  const now = isMarketing ? await withinCaps(world, page, addressed) : addressed
  for (const [parts, same] of Map.groupBy(now, (one) => one.parts)) {
    for (const { traveller, variant } of same) traveller.run.variant = variant
    const travellers = same.map(({ traveller }) => traveller)
    await world.send(page, { step, parts, isMarketing }, travellers)
  }
}

/** A person, and the mail that is theirs. */
interface Addressed {
  traveller: Traveller
  /** Null: the step has no test. */
  variant: SentVariant | null
  parts: DeliveryParts
}

/** Whoever is held out by a test goes on without a mail. */
async function address(
  world: World,
  { mails }: Page,
  { step, isMarketing }: Pick<Mailing, 'step' | 'isMarketing'>,
  list: Traveller[],
): Promise<Addressed[]> {
  const [first] = list
  if (first === undefined) return []
  const partsOf = (variant: TestVariant | null) => {
    const parts = mails.get(keyOfMail(step, isMarketing ? 'marketing' : 'transactional', variant))
    if (parts === undefined) throw new Error('a step was published whose mail is not known')
    return parts
  }
  if (step.type === 'digest' || !isTested(step))
    return list.map((traveller) => ({ traveller, variant: null, parts: partsOf(null) }))
  const winner = await world.findWinner(step, first.run)
  return list.flatMap((traveller) => {
    const variant = variantFor(step, traveller.run, winner)
    if (variant !== 'held_out') return [{ traveller, variant, parts: partsOf(getVariant(step.test, variant.name)) }]
    skip(traveller, variant)
    return []
  })
}

/** Those against whose mail nothing speaks; the others leave the step, or are put off. */
async function mayGet(world: World, { workspace }: Page, list: Traveller[]): Promise<Traveller[]> {
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
  return eligible
}

/** Those for whom there is room today, in their order whichever variant is theirs; the others are put off. */
async function withinCaps(world: World, { workspace }: Page, list: Addressed[]): Promise<Addressed[]> {
  const settings = await world.settingsOf(workspace.id)
  const within: Addressed[] = []
  for (const [domain, same] of Map.groupBy(list, ({ parts }) => addressDomain(parts.sender.email))) {
    const { remaining, nextAt } = await world.allowanceOf(workspace, { settings, domain })
    for (const { traveller } of same.slice(remaining)) {
      const { now } = traveller.situation
      postpone(traveller, nextAt ?? new Date(now.getTime() + 10 * minute), 'daily_cap')
    }
    within.push(...same.slice(0, remaining))
  }
  return within
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

/** However long it is, no mail is skipped for it. */
export function putOff({ run, situation }: Pick<Traveller, 'run' | 'situation'>, until: Date, reason: string): void {
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
