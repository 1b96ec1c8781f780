// Tries a rule with an event that was received earlier: what the rule would do, and which check says no. The contact, the template and the
// list are taken as they are now. Nothing is written; every answer comes from the function that the real path uses.

import type { RuleCondition } from '../../../db/tables/events.ts'
import type { App } from '../../core/app.ts'
import { AppError } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { type Contact, findContact } from '../contacts/consent/find-contact.ts'
import { isSuppressed } from '../contacts/consent/suppression.ts'
import { readContactFields } from '../contacts/fields.ts'
import { readProperties } from '../contacts/properties.ts'
import { lookUp } from '../content/rendering/fill.ts'
import { contactStops, loadParts, writeMail } from './deliver-template.ts'
import { subscribeHindrance, valuesToSet } from './effects.ts'
import { cancelledBy, type Event, type EventRun, getEvent, runsOfEvent } from './history.ts'
import type { Sources } from './mapping.ts'
import { isMet, type Rule, rulesOfEvent } from './matching.ts'
import { delayMs } from './record-event.ts'
import { getRule } from './rules.ts'
import { ranFor } from './runs.ts'

export type CheckName = 'event' | 'enabled' | 'conditions' | 'once' | 'cancelled' | 'contact' | 'action'

interface TriedCheck {
  check: CheckName
  ok: boolean
  /** What was found, in words. */
  value: string
}

interface TriedCondition extends RuleCondition {
  /** What the event says; undefined: nothing. */
  found: unknown
  isMet: boolean
}

interface TriedMail {
  to: string
  subject: string
  locale: string
  variables: Record<string, unknown>
}

export interface Trial {
  rule: Rule
  event: Event
  /** In the order in which they are asked; the first that is not `ok` says why nothing would be done. */
  checks: TriedCheck[]
  conditions: TriedCondition[]
  /** When the mail would leave; null for what is done at once. */
  runAt: Date | null
  mail: TriedMail | null
  /** What `update_contact` would set. */
  contactProperties: Record<string, unknown> | null
  /** What the rule really did with the event. */
  ran: EventRun | null
}

/** Throws not_found for a rule and for an event that is not the workspace's. */
export async function tryRule(app: App, workspace: Workspace, ruleId: string, eventId: string): Promise<Trial> {
  const rule = await getRule(app, workspace.id, ruleId)
  const event = await getEvent(app, workspace.id, eventId)
  const contact = await findContact(app, workspace.id, event.contactId)
  const runAt = rule.action === 'send_template' ? new Date(event.createdAt.getTime() + delayMs(rule)) : null
  const { ofContact, ...done } = await attempt(app, workspace, { rule, event, contact })
  return {
    rule,
    event,
    runAt,
    checks: [...(await triggers(app, rule, event)), ...(await stays(app, rule, event, runAt)), ...ofContact],
    conditions: rule.filter.map((condition) => ({
      ...condition,
      found: lookUp(event.properties, condition.property),
      isMet: isMet(condition, event.properties),
    })),
    ...done,
    ran: (await runsOfEvent(app, event)).find((run) => run.ruleId === ruleId) ?? null,
  }
}

/** Whether the event starts the rule. */
async function triggers(app: App, rule: Rule, event: Event): Promise<TriedCheck[]> {
  const { triggered } = await rulesOfEvent(app, rule.workspaceId, event.name)
  const isOfEvent = rule.eventName === event.name
  const unmet = rule.filter.filter((condition) => !isMet(condition, event.properties)).map(({ property }) => property)
  const ran = await ranFor(app, [{ contactId: event.contactId, ruleId: rule.id }], event.id)
  const isFirst = rule.reEligible || ran.size === 0
  return [
    { check: 'event', ok: isOfEvent, value: isOfEvent ? event.name : `${event.name} is not ${rule.eventName}` },
    {
      check: 'enabled',
      ok: isOfEvent ? triggered.some(({ id }) => id === rule.id) : rule.enabled,
      value: rule.enabled ? 'enabled' : 'the rule is disabled',
    },
    {
      check: 'conditions',
      ok: unmet.length === 0,
      value: unmet.length === 0 ? 'all met' : `not met: ${unmet.join(', ')}`,
    },
    {
      check: 'once',
      ok: isFirst,
      value: ran.size === 0 ? 'the first time for this contact' : 'it ran for this contact before',
    },
  ]
}

/** Whether the mail stays scheduled until it is due. */
async function stays(app: App, rule: Rule, event: Event, runAt: Date | null): Promise<TriedCheck[]> {
  if (runAt === null) return []
  const by = await cancelledBy(app, rule, event, runAt)
  const value = by ? `${by.name} came at ${by.createdAt.toISOString()}` : 'no event cancelled it'
  return [{ check: 'cancelled', ok: by === null, value }]
}

interface Attempted extends Pick<Trial, 'mail' | 'contactProperties'> {
  ofContact: TriedCheck[]
}

const nothing = { mail: null, contactProperties: null }

/** What it would do with the contact, or why not. */
async function attempt(
  app: App,
  workspace: Workspace,
  { rule, event, contact }: { rule: Rule; event: Event; contact: Contact | null },
): Promise<Attempted> {
  if (!contact) return { ...nothing, ofContact: [{ check: 'contact', ok: false, value: 'contact_deleted' }] }
  const sources = { properties: event.properties, contact }
  switch (rule.action) {
    case 'subscribe':
      return { ...nothing, ofContact: [await joins(app, rule, contact)] }
    case 'update_contact': {
      const { made, check } = await attempted(() => valuesFor(app, rule, sources))
      return { ...nothing, contactProperties: made, ofContact: [check] }
    }
    case 'send_template': {
      const { made, check } = await attempted(() => mailFor(app, workspace, rule, sources))
      return { ...nothing, mail: made, ofContact: [await reaches(app, rule, contact), check] }
    }
  }
}

async function joins(app: App, rule: Rule, contact: Contact): Promise<TriedCheck> {
  const hindrance = await subscribeHindrance(app, rule, contact)
  const isOn = hindrance?.status === 'done'
  const value = isOn ? 'on the list already' : (hindrance?.reason ?? 'joins the list')
  return { check: 'action', ok: hindrance === null || isOn, value }
}

async function reaches(app: App, rule: Rule, contact: Contact): Promise<TriedCheck> {
  const stop = contactStops(rule, contact)
  if (stop !== null) return { check: 'contact', ok: false, value: stop }
  const reason = await isSuppressed(app, contact.workspaceId, contact.email, 'rule')
  return { check: 'contact', ok: reason === null, value: reason === null ? 'may be mailed' : 'suppressed' }
}

async function valuesFor(app: App, rule: Rule, sources: Sources): Promise<Record<string, unknown>> {
  const values = valuesToSet(rule, sources)
  if (Object.keys(values).length === 0) throw new AppError('validation_failed', 'nothing_to_set')
  const { fields } = readContactFields(values)
  await readProperties(app, rule.workspaceId, fields.properties)
  return values
}

async function mailFor(app: App, workspace: Workspace, rule: Rule, sources: Sources): Promise<TriedMail> {
  const now = app.clock.now()
  const parts = await loadParts(app, workspace, rule)
  const written = await writeMail(app, parts, { ...sources, id: newId(app, 'msg', now), rule, now })
  const { email: to, subject, locale, variables } = written
  return { to, subject, locale, variables }
}

/** A refusal is a finding here. */
async function attempted<T>(work: () => Promise<T>): Promise<{ made: T | null; check: TriedCheck }> {
  try {
    return { made: await work(), check: { check: 'action', ok: true, value: 'can be done' } }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { made: null, check: { check: 'action', ok: false, value: error.message } }
  }
}
