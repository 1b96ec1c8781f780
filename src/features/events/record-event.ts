// Records an event of a contact, from the API or the payment provider: its row, what it cancels, what rules do now, and the jobs for later.
// All in the caller's transaction; a throw leaves nothing behind.

import { toRows } from '../../../db/rows.ts'
import { events } from '../../../db/tables/events.ts'
import type { Tx } from '../../core/app.ts'
import { enqueueMany } from '../../core/outbox/enqueue.ts'
import { cancelJobs } from '../../core/outbox/waiting.ts'
import { spanMs } from '../../kit/duration.ts'
import { newId } from '../../kit/id.ts'
import type { Trace } from '../../kit/trace.ts'
import type { Contact } from '../contacts/consent/find-contact.ts'
import { noteSignals, signalOf } from '../signals.ts'
import { type Publication, publishAll } from '../webhooks/publish.ts'
import { deliverTemplate } from './deliver-template.ts'
import { subscribeByRule, updateByRule } from './effects.ts'
import { matches, type Rule, type RulesOfEvent } from './matching.ts'
import { addRuns, ranFor, runKey, type ScheduledJob, scheduledJobs } from './runs.ts'

interface NewEvent {
  name: string
  contact: Contact
  properties: Record<string, unknown>
  origin: 'api' | 'payments'
  /** The caller's own id of the event. */
  callerEventId: string | null
  occurredAt: Date
  /** Which it belongs to, if not that of the transaction. */
  trace?: Trace | null
}

export interface RecordedEvent {
  eventId: string
  jobs: ScheduledJob[]
}

const { id, workspaceId, name, contactId, properties, origin, callerEventId, occurredAt, createdAt } = events
const newEvents = toRows(
  { id, workspaceId, name, contactId, properties, origin, callerEventId, occurredAt },
  { createdAt },
)

const insertEvents = newEvents.adding(events, { ...newEvents.each, ...newEvents.shared })

/** An event with the rules of rulesOfEvent() for its name. */
export interface Occurrence {
  rules: RulesOfEvent
  event: NewEvent
}

/** Records events in order: the next one may cancel what one schedules. */
export async function recordEvents(tx: Tx, list: Occurrence[]): Promise<RecordedEvent[]> {
  if (list.length > 1 && list.some(({ rules }) => rules.cancelling.length > 0)) {
    const recorded: RecordedEvent[] = []
    for (const one of list) recorded.push(...(await recordEvents(tx, [one])))
    return recorded
  }
  if (list.length === 0) return []
  const told = list.map(({ rules, event }) => ({ ...event, rules, id: newId(tx, 'evt', tx.now) }))
  const rows = told.map(({ contact, ...event }) => {
    return { ...event, workspaceId: contact.workspaceId, contactId: contact.id }
  })
  await insertEvents(tx.db, rows, { createdAt: tx.now })
  await publishAll(tx, told.map(received))
  await noteSignals(
    tx,
    told.map(({ id: eventId, name, contact: { id: contactId, workspaceId } }) => {
      return { workspaceId, contactId, signal: signalOf.event(name), eventId }
    }),
  )
  for (const { contact, rules } of told)
    for (const ruleId of rules.cancelling)
      await cancelJobs(tx, [deliverTemplate], { jobIds: await scheduledJobs(tx, contact.id, ruleId) })
  const due = await triggered(tx, told)
  const jobs = await schedule(
    tx,
    due.filter(({ rule }) => rule.action === 'send_template'),
  )
  for (const one of due.filter(({ rule }) => rule.action !== 'send_template')) await act(tx, one)
  return told.map(({ id: eventId }) => ({ eventId, jobs: jobs.get(eventId) ?? [] }))
}

interface EventWithId extends NewEvent {
  id: string
  rules: RulesOfEvent
}

function received({ id, name, contact, properties, trace }: EventWithId): Publication {
  const { workspaceId, email, userId } = contact
  const data = { contactIdentity: { id: contact.id, email, userId }, event: { id, name, properties } }
  return { workspaceId, type: 'event.received', data, trace }
}

interface Triggered {
  rule: Rule
  told: EventWithId
}

/** The rules that run now, without those that run once per contact and already did. */
async function triggered(tx: Tx, list: EventWithId[]): Promise<Triggered[]> {
  const matching = list.flatMap((told) =>
    told.rules.triggered.filter(({ filter }) => matches(filter, told.properties)).map((rule) => ({ rule, told })),
  )
  const once = matching.filter(({ rule }) => !rule.reEligible)
  const ran = await ranFor(
    tx,
    once.map(({ rule, told }) => ({ contactId: told.contact.id, ruleId: rule.id })),
  )
  return matching.filter(({ rule, told }) => {
    if (rule.reEligible) return true
    const key = runKey(told.contact.id, rule.id)
    const isFirst = !ran.has(key)
    ran.add(key)
    return isFirst
  })
}

/** The jobs of rules that send later, by event. */
async function schedule(tx: Tx, list: Triggered[]): Promise<Map<string, ScheduledJob[]>> {
  if (list.length === 0) return new Map()
  const runs = list.map(({ rule, told }) => ({
    workspaceId: told.contact.workspaceId,
    payload: { contactId: told.contact.id, ruleId: rule.id, eventId: told.id },
    runAt: new Date(tx.now.getTime() + delayMs(rule)),
    templateId: rule.templateId ?? '',
    trace: told.trace,
  }))
  const jobIds = await enqueueMany(tx, deliverTemplate, runs)
  const scheduled = runs.map((run, index) => ({ ...run, jobId: jobIds[index] ?? '' }))
  await addRuns(
    tx,
    scheduled.map(({ workspaceId, payload, jobId }) => ({ workspaceId, ...payload, status: 'scheduled', jobId })),
  )
  const byEvent = new Map<string, ScheduledJob[]>()
  for (const { payload, jobId, templateId, runAt } of scheduled)
    byEvent.set(payload.eventId, [...(byEvent.get(payload.eventId) ?? []), { jobId, templateId, runAt }])
  return byEvent
}

/** What a rule does at once. */
async function act(tx: Tx, { rule, told }: Triggered): Promise<void> {
  const { id: eventId, contact, properties, trace } = told
  const effect = rule.action === 'subscribe' ? subscribeByRule : updateByRule
  const run = { contactId: contact.id, ruleId: rule.id, eventId, workspaceId: contact.workspaceId }
  const ofEvent = trace === undefined ? tx : { ...tx, trace }
  await addRuns(tx, [{ ...run, ...(await effect(ofEvent, rule, contact, properties)) }])
}

export function delayMs({ delayAmount, delayUnit }: Pick<Rule, 'delayAmount' | 'delayUnit'>): number {
  return spanMs({ amount: delayAmount, unit: delayUnit })
}
