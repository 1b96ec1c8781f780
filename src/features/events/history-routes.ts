// Received events over REST: the events, their names, what a rule has scheduled, and trying a rule with a past event.

import { Elysia, t } from 'elysia'
import type { App } from '../../core/app.ts'
import { extension, looking } from '../../core/http/operation.ts'
import { pageOf, pageQuery, readPage, writePage } from '../../core/http/pagination.ts'
import { auth } from '../../people/access/auth.ts'
import { getEvent, listEventNames, listEvents, runsOfEvent } from './history.ts'
import {
  calendarView,
  eventDetail,
  eventFilter,
  eventNameView,
  eventView,
  readEventFilter,
  scheduledView,
  toEventDetail,
  toEventNameView,
  toEventView,
  toScheduledView,
  toTrialView,
  trialView,
  tryBody,
} from './history-schema.ts'
import { getRule } from './rules.ts'
import { listScheduled, readCalendar } from './scheduled.ts'
import { tryRule } from './try-rule.ts'

const eventsPath = '/v1/events'
const namesPath = '/v1/event-names'

export function eventHistoryRoutes(app: App) {
  const read = { scope: 'events.read', session: true } as const
  return new Elysia()
    .use(auth)
    .get(
      eventsPath,
      async ({ workspace, query }) => {
        const request = { workspaceId: workspace.id, path: eventsPath, query }
        const bounds = await readPage(app, request)
        const found = await listEvents(app, workspace.id, readEventFilter(query), bounds)
        return writePage(app, request, bounds, { ...found, idOf: ({ id }) => id, view: toEventView })
      },
      {
        auth: read,
        query: t.Object({ ...eventFilter, ...pageQuery }),
        response: pageOf(eventView),
        detail: {
          ...extension(
            'listEvents',
            'List events, newest first',
            'The events that were received, filtered by name, contact and time. Fetch a single event for its properties.',
          ),
          command: ['id', 'createdAt', 'name', 'email'],
        },
      },
    )
    .get(
      `${eventsPath}/:eventId`,
      async ({ workspace, params }) => {
        const event = await getEvent(app, workspace.id, params.eventId)
        return toEventDetail(event, await runsOfEvent(app, event))
      },
      {
        auth: read,
        response: eventDetail,
        detail: extension('getEvent', 'Fetch one event', 'Its properties, and what the event rules did for it.'),
      },
    )
    .get(
      namesPath,
      async ({ workspace, query }) => {
        const request = { workspaceId: workspace.id, path: namesPath, query }
        const bounds = await readPage(app, request)
        const found = await listEventNames(app, workspace.id, bounds)
        return writePage(app, request, bounds, { ...found, idOf: ({ name }) => name, view: toEventNameView })
      },
      {
        auth: read,
        query: t.Object(pageQuery),
        response: pageOf(eventNameView),
        detail: {
          ...extension(
            'listEventNames',
            'List the names of received events',
            'In alphabetical order, each with its most recent event.',
          ),
          tool: {
            name: 'list_event_names',
            says: {
              purpose: 'Lists the names of the events that the workspace has received, in alphabetical order.',
              notFor: 'Who did them: a filter `{"event": …}` of preview_segment counts those.',
              returns: '`data`, each with its most recent time, and `pagination`.',
              whenToUse: 'Before draft_sequence or a filter, to use the names that really come.',
            },
            touches: { reads: 'own', acts: 'no' },
          },
        },
      },
    )
}

export function ruleTrialRoutes(app: App) {
  const read = { scope: 'rules.read', session: true } as const
  return new Elysia({ prefix: '/v1/event-rules/:ruleId' })
    .use(auth)
    .get(
      '/scheduled',
      async ({ workspace, params, query }) => {
        const { id } = await getRule(app, workspace.id, params.ruleId)
        const request = { workspaceId: workspace.id, path: `/v1/event-rules/${id}/scheduled`, query }
        const bounds = await readPage(app, request)
        const [rows, { total }] = await Promise.all([listScheduled(app, id, bounds), readCalendar(app, id)])
        return writePage(app, request, bounds, { rows, total, idOf: ({ jobId }) => jobId, view: toScheduledView })
      },
      {
        auth: read,
        query: t.Object(pageQuery),
        response: pageOf(scheduledView),
        detail: extension(
          'listScheduledByRule',
          'List the mails that a rule has scheduled, soonest first',
          'Each scheduled mail with its contact and the event that triggered it.',
        ),
      },
    )
    .get(
      '/calendar',
      async ({ workspace, params }) => readCalendar(app, (await getRule(app, workspace.id, params.ruleId)).id),
      {
        auth: read,
        response: calendarView,
        detail: extension(
          'getRuleCalendar',
          'Count the mails that a rule has scheduled, by day',
          'Each day (UTC) on which mails are due, over the next 10,000 mails.',
        ),
      },
    )
    .post(
      '/try',
      async ({ workspace, params, body }) => toTrialView(await tryRule(app, workspace, params.ruleId, body.eventId)),
      {
        auth: { scope: 'rules.read', session: 'viewer' },
        body: tryBody,
        response: trialView,
        detail: {
          ...extension(
            'tryRule',
            'Test a rule with a past event',
            'Reports what the rule would do with this event, or why it would do nothing, using the contact, the template and the list as they are now. Nothing is stored or sent.',
          ),
          ...looking,
        },
      },
    )
}
