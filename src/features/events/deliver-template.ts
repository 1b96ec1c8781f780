// Delivers a template that a rule scheduled: it becomes a message, or ends with a reason. Rule, contact, subscription and suppression are
// checked as they are now; the message and the end of the job are one transaction.

import { eq } from 'drizzle-orm'
import { eventRules, events } from '../../../db/tables/events.ts'
import type { App, Reader, Tx } from '../../core/app.ts'
import { defineJob, type Ending, type Job, type Outcome } from '../../core/outbox/job.ts'
import { expectAttached } from '../../kit/content-id.ts'
import { minute, second } from '../../kit/duration.ts'
import { AppError } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import { localeChain } from '../../kit/locale.ts'
import { mustTakeMails } from '../../people/limits.ts'
import { getWorkspace, type Workspace } from '../../people/workspaces.ts'
import { type Contact, findContact } from '../contacts/consent/find-contact.ts'
import { fill, lookUp } from '../content/rendering/fill.ts'
import type { Segment } from '../content/rendering/segments.ts'
import { checkVariables, listUses, type VariableUse } from '../content/rendering/variables.ts'
import { getRevision, pickRevision, type ResolvedTemplate, resolveTemplate } from '../content/templates/resolve.ts'
import { deliverMessage } from '../sending/deliver-message.ts'
import { queueMessages } from '../sending/queue.ts'
import { chooseSender, type Sender } from '../sending/sender.ts'
import { toValues } from '../sending/values.ts'
import { waitForRoom } from '../webhooks/limit-events.ts'
import { mappedValue, type Sources } from './mapping.ts'
import type { Rule } from './matching.ts'
import { expectPurpose } from './purpose.ts'
import { moveRun, type RunKey } from './runs.ts'

export const deliverTemplate = defineJob<RunKey>({
  kind: 'deliver-template',
  lane: 'template_job',
  timeoutMs: 30 * second,
  attemptsMax: 5,
  retryDelaysMs: [minute, 5 * minute, 15 * minute, 60 * minute],

  async run(app, job) {
    const workspace = await getWorkspace(app, job.workspaceId)
    const rule = await findRule(app, job.payload.ruleId)
    const stop = ruleStops(rule)
    if (stop || !rule) return stop ?? cancelledBecause('rule_deleted')
    const parts = await loadParts(app, workspace, rule)
    return { outcome: 'decide', decide: (tx) => accept(tx, job, parts) }
  },

  async ended(tx, ended) {
    for (const { job, ending } of ended) {
      const status = toStatus(ending)
      if (status !== null) await moveRun(tx, job.payload, { status, jobId: ending.jobId, reason: ending.code })
    }
  },
})

function cancelledBecause(code: string): Outcome {
  return { outcome: 'cancelled', code, detail: 'nothing was sent' }
}

async function findRule(reader: Reader, ruleId: string): Promise<Rule | undefined> {
  const [rule] = await reader.db.select().from(eventRules).where(eq(eventRules.id, ruleId))
  return rule
}

function ruleStops(rule: Rule | undefined): Outcome | null {
  if (!rule) return cancelledBecause('rule_deleted')
  return rule.enabled && rule.action === 'send_template' ? null : cancelledBecause('rule_disabled')
}

/** Throws not_found for a template that is not active. */
export async function loadParts(
  app: App,
  workspace: Workspace,
  { templateId }: Pick<Rule, 'templateId'>,
): Promise<DeliveryParts> {
  const template = await resolveTemplate(app, workspace.id, templateId ?? '')
  if (!template) throw new AppError('not_found', `there is no active template ${JSON.stringify(templateId)}`)
  return { workspace, template, sender: await chooseSender(app, workspace, template, {}) }
}

export interface DeliveryParts {
  workspace: Workspace
  template: ResolvedTemplate
  sender: Sender
  /** Instead of that of the template. */
  subject?: Segment[]
}

/** Throws AppError for a template that cannot be filled: the job is then dead, and can be retried once that is fixed. */
async function accept(
  tx: Tx,
  { payload, workspaceId, id: jobId }: Job<RunKey>,
  parts: DeliveryParts,
): Promise<Outcome> {
  const { template, sender } = parts
  const rule = await findRule(tx, payload.ruleId)
  const stop = ruleStops(rule)
  if (stop || !rule) return stop ?? cancelledBecause('rule_deleted')
  const contact = await findContact(tx, workspaceId, payload.contactId)
  const stopsContact = contactStops(rule, contact)
  if (stopsContact !== null || !contact) return cancelledBecause(stopsContact ?? 'contact_deleted')
  const [event] = await tx.db.select().from(events).where(eq(events.id, payload.eventId))
  const wait = await waitForRoom(tx, parts.workspace)
  if (wait !== null) return wait
  const id = newId(tx, 'msg', tx.now)
  const mail = await writeMail(tx, parts, { id, rule, contact, properties: event?.properties ?? {}, now: tx.now })
  const [suppressed = null] = await queueMessages(tx, deliverMessage, [
    {
      ...mail,
      workspaceId,
      kind: 'rule',
      purpose: rule.purpose === 'transactional' ? rule.purpose : null,
      ruleId: rule.id,
      contactId: contact.id,
      templateId: template.slug,
      fromName: sender.name,
      fromEmail: sender.email,
      replyTo: sender.replyTo,
      payload: { messageId: id },
    },
  ])
  if (suppressed === null) await mustTakeMails(tx, parts.workspace, 1)
  await moveRun(tx, payload, { status: 'scheduled', jobId, messageId: id })
  return suppressed ? cancelledBecause('suppressed') : { outcome: 'done' }
}

/** Why a rule sends this contact nothing, or null; whether they are suppressed is asked with each mail. */
export function contactStops({ purpose }: Rule, contact: Contact | null): 'contact_deleted' | 'unsubscribed' | null {
  if (!contact) return 'contact_deleted'
  return contact.subscribed || purpose === 'transactional' ? null : 'unsubscribed'
}

interface Writing extends Sources {
  id: string
  rule: MailOfRule
  now: Date
  /** What it fills beside that, of what the template uses. */
  own?: ((uses: VariableUse[]) => Record<string, unknown>) | undefined
}

/** What a rule, or a step of a sequence, says of its mail. */
type MailOfRule = Pick<Rule, 'workspaceId' | 'purpose' | 'variables'>

/** What the mail says, and to whom. Throws AppError for a template that cannot be filled. */
export async function writeMail(reader: Reader, parts: DeliveryParts, writing: Writing) {
  const { id, rule, contact, properties, now, own } = writing
  const { workspace, template, sender } = parts
  const { locale, compiled, id: revisionId } = await chooseRevision(reader, workspace, template, contact.locale)
  const { subject = compiled.subject } = parts
  const uses = parts.subject === undefined ? compiled.uses : [...compiled.uses, ...listUses(subject)]
  await expectPurpose(reader, rule, { slug: template.slug, uses })
  const variables = { ...ruleVariables(rule, uses, { properties, contact }), ...own?.(uses) }
  checkVariables({ uses }, variables)
  expectAttached(compiled.contentIds, [], 'the template')
  const about = { id, email: contact.email, locale, variables }
  const senderName = sender.name ?? workspace.name
  const values = toValues({ workspace, message: about, contact, senderName, now })
  return { ...about, revisionId, subject: fill(subject, values) }
}

async function chooseRevision(reader: Reader, workspace: Workspace, template: ResolvedTemplate, locale: string | null) {
  const chain = localeChain(locale ?? workspace.primaryLocale, workspace.primaryLocale)
  const revisionId = pickRevision(template, chain)
  if (revisionId === null) throw new AppError('no_content', `the template has no content for ${chain.join(', ')}`)
  return await getRevision(reader, revisionId, workspace.brand)
}

/** The values that the rule maps, and those that the template takes from the event (`{{event.x}}`). */
function ruleVariables(rule: MailOfRule, uses: VariableUse[], sources: Sources): Record<string, unknown> {
  const mapped = Object.entries(rule.variables).map(([name, value]) => [name, mappedValue(value, sources)] as const)
  const ofEvent = uses
    .filter(({ name }) => name.startsWith('event.') && !Object.hasOwn(rule.variables, name))
    .map(({ name }) => [name, lookUp({ event: sources.properties }, name)] as const)
  return Object.fromEntries([...ofEvent, ...mapped].filter(([, value]) => value !== undefined && value !== null))
}

/** Null when the run keeps its status. */
function toStatus({ state, code }: Ending) {
  if (state === 'done') return 'done' as const
  if (state === 'dead') return 'failed' as const
  if (state === 'cancelled') return code === 'cancelled' ? ('cancelled' as const) : ('skipped' as const)
  return code === 'replayed' ? ('scheduled' as const) : null
}
