// Delivers a template that a rule scheduled: it becomes a message, or ends with a reason. Rule, contact, subscription and suppression are
// checked as they are now; the message and the end of the job are one transaction.

import { eq } from 'drizzle-orm'
import { eventRules, events } from '../../db/tables/events.ts'
import type { App, Reader, Tx } from '../app.ts'
import { findContact } from '../consent/find-contact.ts'
import { minute, second } from '../lib/duration.ts'
import { AppError } from '../lib/error.ts'
import { newId } from '../lib/id.ts'
import { localeChain } from '../lib/locale.ts'
import { defineJob, type Ending, type Job, type Outcome } from '../outbox/job.ts'
import { fill, lookUp } from '../rendering/fill.ts'
import { checkVariables, type VariableUse } from '../rendering/variables.ts'
import { deliverMessage } from '../sending/deliver-message.ts'
import { queueMessages } from '../sending/queue.ts'
import { type Sender, senderOf } from '../sending/sender.ts'
import { valuesOf } from '../sending/values.ts'
import { getRevision, pickRevision, type ResolvedTemplate, resolveTemplate } from '../templates/resolve.ts'
import { getWorkspace, type Workspace } from '../workspaces/workspaces.ts'
import { mappedValue, type Sources } from './mapping.ts'
import type { Rule } from './matching.ts'
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
    if (stop || !rule) return stop ?? gone('rule_deleted')
    const { template, sender } = await templateOf(app, workspace, rule)
    return { outcome: 'decide', decide: (tx) => accept(tx, job, { workspace, template, sender }) }
  },

  async settle(tx, ended) {
    for (const { job, ending } of ended) {
      const status = statusOf(ending)
      if (status !== null) await moveRun(tx, job.payload, { status, jobId: ending.jobId, reason: ending.code })
    }
  },
})

function gone(code: string): Outcome {
  return { outcome: 'cancelled', code, detail: 'nothing was sent' }
}

async function findRule(reader: Reader, ruleId: string): Promise<Rule | undefined> {
  const [rule] = await reader.db.select().from(eventRules).where(eq(eventRules.id, ruleId))
  return rule
}

function ruleStops(rule: Rule | undefined): Outcome | null {
  if (!rule) return gone('rule_deleted')
  return rule.enabled && rule.action === 'send_template' ? null : gone('rule_disabled')
}

async function templateOf(
  app: App,
  workspace: Workspace,
  { templateId }: Rule,
): Promise<{ template: ResolvedTemplate; sender: Sender }> {
  const template = await resolveTemplate(app, workspace.id, templateId ?? '')
  if (!template) throw new AppError('not_found', `there is no active template ${JSON.stringify(templateId)}`)
  return { template, sender: await senderOf(app, workspace, template, {}) }
}

interface Parts {
  workspace: Workspace
  template: ResolvedTemplate
  sender: Sender
}

/** Throws AppError for a template that cannot be filled: the job is then dead, and can be retried once that is fixed. */
async function accept(tx: Tx, { payload, workspaceId, id: jobId }: Job<RunKey>, parts: Parts): Promise<Outcome> {
  const { workspace, template, sender } = parts
  const rule = await findRule(tx, payload.ruleId)
  const stop = ruleStops(rule)
  if (stop || !rule) return stop ?? gone('rule_deleted')
  const contact = await findContact(tx, workspaceId, payload.contactId)
  if (!contact) return gone('contact_deleted')
  if (!contact.subscribed) return gone('unsubscribed')
  const [event] = await tx.db.select().from(events).where(eq(events.id, payload.eventId))
  const revision = await revisionOf(tx, workspace, template, contact.locale)
  const variables = variablesOf(rule, revision.compiled.uses, { properties: event?.properties ?? {}, contact })
  checkVariables(revision.compiled, variables)
  const id = newId(tx, 'msg', tx.now)
  const about = { id, email: contact.email, locale: revision.locale, variables }
  const senderName = sender.name ?? workspace.name
  const values = valuesOf({ workspace, message: about, contact, senderName, now: tx.now })
  const [suppressed = null] = await queueMessages(tx, deliverMessage, [
    {
      ...about,
      workspaceId,
      kind: 'rule',
      ruleId: rule.id,
      contactId: contact.id,
      templateId: template.slug,
      revisionId: revision.id,
      subject: fill(revision.compiled.subject, values),
      fromName: sender.name,
      fromEmail: sender.email,
      replyTo: sender.replyTo,
      payload: { messageId: id },
    },
  ])
  await moveRun(tx, payload, { status: 'scheduled', jobId, messageId: id })
  return suppressed ? gone('suppressed') : { outcome: 'done' }
}

async function revisionOf(tx: Tx, workspace: Workspace, template: ResolvedTemplate, locale: string | null) {
  const chain = localeChain(locale ?? workspace.primaryLocale, workspace.primaryLocale)
  const revisionId = pickRevision(template, chain)
  if (revisionId === null) throw new AppError('no_content', `the template has no content for ${chain.join(', ')}`)
  return await getRevision(tx, revisionId, workspace.brand)
}

/** The values that the rule maps, and those that the template takes from the event (`{{event.x}}`). */
function variablesOf(rule: Rule, uses: VariableUse[], sources: Sources): Record<string, unknown> {
  const mapped = Object.entries(rule.variables).map(([name, value]) => [name, mappedValue(value, sources)] as const)
  const ofEvent = uses
    .filter(({ name }) => name.startsWith('event.') && !Object.hasOwn(rule.variables, name))
    .map(({ name }) => [name, lookUp({ event: sources.properties }, name)] as const)
  return Object.fromEntries([...ofEvent, ...mapped].filter(([, value]) => value !== undefined && value !== null))
}

/** Null when the run keeps its status. */
function statusOf({ state, code }: Ending) {
  if (state === 'done') return 'done' as const
  if (state === 'dead') return 'failed' as const
  if (state === 'cancelled') return code === 'cancelled' ? ('cancelled' as const) : ('skipped' as const)
  return code === 'replayed' ? ('scheduled' as const) : null
}
