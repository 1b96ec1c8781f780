// Wire shapes of received events: the events, their names, scheduled mails, and the trial of a rule.

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import type { RuleRunStatus } from '../../../db/tables/events.ts'
import { nullableText, time } from '../../core/http/wire.ts'
import { withoutUndefined } from '../../kit/without-undefined.ts'
import type { Event, EventFilter, EventRun, ListedEvent, SeenName } from './history.ts'
import type { ScheduledRun } from './scheduled.ts'
import { action, condition } from './schema.ts'
import type { CheckName, Trial } from './try-rule.ts'

const openObject = (description: string) => t.Object({}, { additionalProperties: t.Unknown(), description })

export const eventFilter = {
  name: t.Optional(t.String({ minLength: 1, maxLength: 100, description: 'Only events of this name.' })),
  email: t.Optional(
    t.String({ minLength: 1, maxLength: 320, description: 'Only events of the contact with this address.' }),
  ),
  from: t.Optional(t.String({ format: 'date-time', description: 'Received at this time or later.' })),
  until: t.Optional(t.String({ format: 'date-time', description: 'Received before this time.' })),
}
const eventQuery = t.Object(eventFilter)

export function readEventFilter({ name, email, from, until }: typeof eventQuery.static): EventFilter {
  const at = (text: string | undefined) => (text === undefined ? undefined : new Date(text))
  return withoutUndefined({ name, email, from: at(from), until: at(until) })
}

const receivedFields = {
  id: t.String({ description: '`evt_…`' }),
  name: t.String(),
  contactId: t.String(),
  email: t.Union([t.String(), t.Null()], { description: 'The address of the contact; null: the contact was deleted.' }),
  origin: t.Union([t.Literal('api'), t.Literal('payments')]),
  callerEventId: t.Union([t.String(), t.Null()], { description: 'The `eventId` that it was sent with.' }),
  occurredAt: time,
  createdAt: t.String({ format: 'date-time', description: 'When it was received.' }),
}
export const eventView = t.Object(receivedFields)

const statuses: RuleRunStatus[] = ['scheduled', 'done', 'skipped', 'cancelled', 'failed']

const runView = t.Object({
  ruleId: t.String(),
  ruleName: t.Union([t.String(), t.Null()], { description: 'Null: the rule was deleted.' }),
  action: t.Union([...action.anyOf, t.Null()]),
  status: t.Unsafe<RuleRunStatus>(t.String({ enum: statuses })),
  reason: t.Union([t.String(), t.Null()], { description: 'Why it was skipped, cancelled or failed.' }),
  jobId: nullableText,
  messageId: t.Union([t.String(), t.Null()], { description: 'The id of the mail that it sent.' }),
  runAt: t.Union([time, t.Null()], {
    description: 'When its job is or was due; null once the job is no longer stored.',
  }),
  createdAt: time,
})
export const eventDetail = t.Object({
  ...receivedFields,
  properties: openObject('The `eventProperties` that it was sent with.'),
  runs: t.Array(runView, { description: 'What the event rules did for it.' }),
})

export const eventNameView = t.Object({ name: t.String(), lastEventId: t.String(), lastAt: time })

export const scheduledView = t.Object({
  jobId: t.String(),
  runAt: time,
  eventId: t.String(),
  contactId: t.String(),
  email: nullableText,
})
export const calendarView = t.Object({
  total: Type.Integer({ description: 'How many mails were counted: at most 10,000.' }),
  isComplete: t.Boolean({ description: 'False: more mails are scheduled after these.' }),
  days: t.Array(t.Object({ day: t.String({ format: 'date', description: 'In UTC.' }), count: Type.Integer() })),
})

export const tryBody = t.Object({
  eventId: t.String({ maxLength: 100, description: 'The id of a past event, `evt_…`.' }),
})

const checks: CheckName[] = ['event', 'enabled', 'conditions', 'once', 'cancelled', 'contact', 'action']

export const trialView = t.Object({
  ruleId: t.String(),
  eventId: t.String(),
  wouldRun: t.Boolean({ description: 'Whether every check is `ok`.' }),
  checks: t.Array(
    t.Object({ check: t.Unsafe<CheckName>(t.String({ enum: checks })), ok: t.Boolean(), value: t.String() }),
    {
      description:
        'In the order in which they are made. The first that is not `ok` is the reason why the rule would do nothing.',
    },
  ),
  conditions: t.Array(
    t.Object({
      ...condition.properties,
      found: t.Optional(t.Unknown({ description: 'The value in the event; absent if it has none.' })),
      isMet: t.Boolean(),
    }),
  ),
  runAt: t.Union([time, t.Null()], { description: 'When the mail would be sent; null: at once.' }),
  mail: t.Union([
    t.Object({
      to: t.String(),
      subject: t.String(),
      locale: t.String(),
      variables: openObject('The variables of the template, with their values.'),
    }),
    t.Null(),
  ]),
  contactProperties: t.Union([openObject('What `update_contact` would set.'), t.Null()]),
  ran: t.Union([runView, t.Null()], { description: 'What the rule actually did with the event.' }),
})

export function toEventView({ workspaceId: _, occurredAt, createdAt, ...shown }: ListedEvent): typeof eventView.static {
  return { ...shown, occurredAt: occurredAt.toISOString(), createdAt: createdAt.toISOString() }
}

export function toEventDetail(event: Event & { email: string | null }, runs: EventRun[]): typeof eventDetail.static {
  const { properties, ...listed } = event
  return { ...toEventView(listed), properties, runs: runs.map(toRunView) }
}

function toRunView({ runAt, createdAt, ...run }: EventRun): typeof runView.static {
  return { ...run, runAt: runAt?.toISOString() ?? null, createdAt: createdAt.toISOString() }
}

export function toEventNameView({ lastAt, ...seen }: SeenName): typeof eventNameView.static {
  return { ...seen, lastAt: new Date(lastAt).toISOString() }
}

export function toScheduledView({ runAt, ...run }: ScheduledRun): typeof scheduledView.static {
  return { ...run, runAt: runAt.toISOString() }
}

export function toTrialView({ rule, event, checks, conditions, runAt, ran, ...made }: Trial): typeof trialView.static {
  return {
    ...made,
    ruleId: rule.id,
    eventId: event.id,
    wouldRun: checks.every(({ ok }) => ok),
    checks,
    conditions,
    runAt: runAt?.toISOString() ?? null,
    ran: ran && toRunView(ran),
  }
}
