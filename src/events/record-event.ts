// An event of a contact, whoever told it (the API or the payment provider): its row, what it cancels, what the rules do now, and the
// jobs for what they do later. All in the caller's transaction; whatever throws here leaves nothing behind.

import type { Db } from '../../db/handle.ts'
import { prepared, stored } from '../../db/prepared.ts'
import { type DelayUnit, events } from '../../db/tables/events.ts'
import type { Tx } from '../app.ts'
import type { Contact } from '../contacts/contacts.ts'
import { day, hour, minute } from '../lib/duration.ts'
import { newId } from '../lib/id.ts'
import { enqueue } from '../outbox/enqueue.ts'
import { cancelJobs } from '../outbox/waiting.ts'
import { publish } from '../webhooks/publish.ts'
import { deliverTemplate } from './deliver-template.ts'
import { subscribeByRule, updateByRule } from './effects.ts'
import { matches, type Rule, type RulesOfEvent } from './matching.ts'
import { addRun, ranFor, type ScheduledJob, scheduledJobs } from './runs.ts'

export interface NewEvent {
  name: string
  contact: Contact
  properties: Record<string, unknown>
  origin: 'api' | 'payments'
  /** The caller's own id of the event. */
  callerEventId: string | null
  occurredAt: Date
}

export interface RecordedEvent {
  eventId: string
  jobs: ScheduledJob[]
}

const insertEvent = prepared((db: Db) =>
  db
    .insert(events)
    .values({
      id: stored('id'),
      workspaceId: stored('workspaceId'),
      name: stored('name'),
      contactId: stored('contactId'),
      properties: stored('properties'),
      origin: stored('origin'),
      callerEventId: stored('callerEventId'),
      occurredAt: stored('occurredAt'),
      createdAt: stored('createdAt'),
    })
    .prepare(),
)

/** `rules` are those of rulesOfEvent() for the event's name. */
export async function recordEvent(tx: Tx, rules: RulesOfEvent, event: NewEvent): Promise<RecordedEvent> {
  const { contact, name, properties, origin, callerEventId, occurredAt } = event
  const eventId = newId(tx, 'evt', tx.now)
  await insertEvent(tx.db).run({
    id: eventId,
    workspaceId: contact.workspaceId,
    name,
    contactId: contact.id,
    properties: JSON.stringify(properties),
    origin,
    callerEventId,
    occurredAt: occurredAt.getTime(),
    createdAt: tx.now.getTime(),
  })
  const { id, email, userId } = contact
  const told = { contactIdentity: { id, email, userId }, event: { id: eventId, name, properties } }
  await publish(tx, contact.workspaceId, 'event.received', told)
  for (const ruleId of rules.cancelling)
    await cancelJobs(tx, [deliverTemplate], { jobIds: await scheduledJobs(tx, contact.id, ruleId) })
  const jobs: ScheduledJob[] = []
  for (const rule of rules.triggered) {
    if (!matches(rule.filter, properties)) continue
    if (!rule.reEligible && (await ranFor(tx, contact.id, rule.id))) continue
    const job = await act(tx, rule, { eventId, contact, properties })
    if (job) jobs.push(job)
  }
  return { eventId, jobs }
}

interface Occasion {
  eventId: string
  contact: Contact
  properties: Record<string, unknown>
}

/** The job, when there is one to run later. */
async function act(tx: Tx, rule: Rule, { eventId, contact, properties }: Occasion): Promise<ScheduledJob | null> {
  const { id: contactId, workspaceId } = contact
  const run = { contactId, ruleId: rule.id, eventId, workspaceId }
  if (rule.action === 'send_template') {
    const { contactId, ruleId } = run
    const runAt = new Date(tx.now.getTime() + delayMs(rule))
    const payload = { contactId, ruleId, eventId }
    const jobId = await enqueue(tx, deliverTemplate, { workspaceId, payload, runAt })
    await addRun(tx, { ...run, status: 'scheduled', jobId })
    return { jobId, templateId: rule.templateId ?? '', runAt }
  }
  const effect = rule.action === 'subscribe' ? subscribeByRule : updateByRule
  await addRun(tx, { ...run, ...(await effect(tx, rule, contact, properties)) })
  return null
}

const unitMs: Record<DelayUnit, number> = { m: minute, h: hour, d: day }

/** Days of 24 hours: the delay is time that passes, and not a time of day. */
export function delayMs({ delayAmount, delayUnit }: Pick<Rule, 'delayAmount' | 'delayUnit'>): number {
  return delayAmount * unitMs[delayUnit]
}
