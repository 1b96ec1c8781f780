// The mails of a send step: who may get one now, who later, who not. Consent, suppression, frequency and caps are those of campaigns; they
// are asked again at the hand-over (deliver.ts).

import type { SendStep } from '../../../db/tables/sequences.ts'
import type { App, Tx } from '../../core/app.ts'
import { hour, minute, spanMs } from '../../kit/duration.ts'
import { addressDomain } from '../../kit/email-address.ts'
import { AppError } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import { type CampaignSettings, loadCampaignSettings } from '../../people/campaign-settings.ts'
import { mailableFrom } from '../../people/recipient-time.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { type Facts, findObjection, loadFactsOfList, type Objection } from '../campaigns/eligibility.ts'
import { countSending, loadAllowance } from '../campaigns/reputation/caps.ts'
import { checkSender } from '../campaigns/reputation/sender-check.ts'
import { type DeliveryParts, loadParts, writeMail } from '../events/deliver-template.ts'
import { queueMessages } from '../sending/queue.ts'
import { deliverSequenceMail } from './deliver.ts'
import { end, fail, leave, type Traveller } from './moves.ts'
import type { Definitions, Sequence } from './versions.ts'

/** By the slug of a template. */
export type MailParts = Map<string, DeliveryParts>

/** Of every template that these versions send. `problem`: why one of them cannot be sent. */
export async function loadMailParts(
  app: App,
  workspace: Workspace,
  definitions: Definitions,
): Promise<{ mails: MailParts; problem: string | null }> {
  const mails: MailParts = new Map()
  for (const { steps, purpose } of definitions.values())
    for (const { templateId } of steps.filter((step) => step.type === 'send')) {
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

/** What moving people on needs of their sequence. */
export interface Page {
  sequence: Sequence
  workspace: Workspace
  definitions: Definitions
  mails: MailParts
}

/** All are at the same step of the same version. */
export async function sendMails(tx: Tx, page: Page, step: SendStep, list: Traveller[]): Promise<void> {
  const parts = page.mails.get(step.templateId)
  if (parts === undefined) throw new Error('a step was published whose mail is not known')
  const isMarketing = list[0]?.situation.definition.purpose === 'marketing'
  const may = isMarketing ? await mayGet(tx, page, parts, list) : list
  await prepare(tx, page, { step, parts, isMarketing }, may)
}

/** Those who get it now; the others leave the step, or are put off. */
async function mayGet(tx: Tx, { workspace }: Page, { sender }: DeliveryParts, list: Traveller[]): Promise<Traveller[]> {
  const listId = list[0]?.situation.definition.mailingListId ?? null
  const candidates = list.map((traveller) => {
    const { id: contactId, email } = traveller.situation.contact
    return { contactId, email, messageId: null, traveller }
  })
  const settings = await loadCampaignSettings(tx, workspace.id)
  const eligible: Traveller[] = []
  for (const facts of await loadFactsOfList(tx, { listId, workspaceId: workspace.id }, candidates, tx.now)) {
    const { traveller } = facts.candidate
    const objection = findObjection(facts, tx.now)
    const quietUntil = objection === null ? quietEnd(traveller, settings) : null
    if (quietUntil !== null) putOff(traveller, quietUntil, 'quiet_hours')
    else if (objection === null) eligible.push(traveller)
    else object(traveller, facts, objection)
  }
  const domain = addressDomain(sender.email)
  const { remaining, nextAt } = await loadAllowance(tx, workspace, { settings, domain, now: tx.now })
  for (const { run, situation } of eligible.slice(remaining))
    postpone({ run, situation }, nextAt ?? new Date(tx.now.getTime() + 10 * minute), 'daily_cap')
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
  situation.changes.move(run, 'waiting')
  run.dueAt = until
  run.reason = reason
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

interface Preparing {
  step: SendStep
  parts: DeliveryParts
  isMarketing: boolean
}

/** The message and the job of each. */
async function prepare(
  tx: Tx,
  { sequence, workspace }: Page,
  { step, parts, isMarketing }: Preparing,
  list: Traveller[],
): Promise<void> {
  const { sender, template } = parts
  const domain = addressDomain(sender.email)
  const purpose = isMarketing ? 'marketing' : 'transactional'
  const rule = { workspaceId: workspace.id, purpose, variables: step.variables } as const
  const from = {
    workspaceId: workspace.id,
    kind: 'sequence' as const,
    purpose: isMarketing ? null : ('transactional' as const),
    templateId: template.slug,
    sequenceId: sequence.id,
    fromName: sender.name,
    fromEmail: sender.email,
    replyTo: sender.replyTo,
    partitionKey: sequence.id,
  }
  const rows = []
  for (const traveller of list) {
    const { run, event, situation } = traveller
    const { contact } = situation
    const id = newId(tx, 'msg', tx.now)
    const properties = event?.properties ?? {}
    try {
      const mail = await writeMail(tx, parts, { id, rule, contact, properties, now: tx.now })
      const payload = { messageId: id, runId: run.id, contactId: contact.id, email: contact.email, domain, isMarketing }
      rows.push({ traveller, message: { ...mail, ...from, contactId: contact.id, payload } })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      fail(run, situation, error.message)
    }
  }
  const reasons = await queueMessages(
    tx,
    deliverSequenceMail,
    rows.map(({ message }) => message),
  )
  for (const [index, { traveller, message }] of rows.entries()) {
    const { run, situation } = traveller
    run.messageId = message.id
    const reason = reasons[index] ?? null
    if (reason !== null) end(run, situation, 'exited', reason)
    else {
      situation.changes.move(run, 'sending')
      run.dueAt = null
      run.reason = null
    }
  }
  const reserved = reasons.filter((reason) => reason === null).length
  if (isMarketing && reserved > 0) await countSending(tx, { workspaceId: workspace.id, domain }, { reserved })
}
