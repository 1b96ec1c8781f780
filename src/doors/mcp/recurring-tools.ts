// The tools of recurring campaigns: what became of the times of one, and drafting one, paused. Beginning it is for people.
// They call what the REST routes call and contain no rules.

import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { weekdays } from '../../../db/tables/recurring.ts'
import type { App } from '../../core/app.ts'
import { getRecurring, listRuns, type Recurring } from '../../features/campaigns/recurring/recurring.ts'
import { saveNew } from '../../features/campaigns/recurring/save.ts'
import { createBody, type NewRecurringBody, toRunView } from '../../features/campaigns/recurring/schema.ts'
import { invalidField } from '../../kit/error.ts'
import type { WorkspaceCaller } from './callers.ts'
import { contentArgument } from './content-argument.ts'
import { defineTool, type Tool } from './tool.ts'

const closed = { additionalProperties: false }
const text = Type.String()
const nullable = Type.Union([text, Type.Null()])
const shownRuns = 10
const id = Type.String({ minLength: 1, maxLength: 100, description: 'The id of the recurring campaign, `rec_…`.' })

const days = [...weekdays]
/** Checked by the schema of the route: that one is no subset which strict clients accept. */
const schedule = Type.Unknown({
  type: 'object',
  title: 'Schedule',
  description:
    'When: `every` day, week (with `weekdays`) or month (with `dayOfMonth`), `at` a time of day. With `inRecipientZone` that time is one of each recipient.',
  required: ['every', 'at'],
  properties: {
    every: { type: 'string', enum: ['day', 'week', 'month'] },
    at: { type: 'string', description: 'like 09:00' },
    weekdays: { type: 'array', items: { type: 'string', enum: days } },
    dayOfMonth: { type: 'integer' },
    inRecipientZone: { type: 'boolean' },
  },
})
const feed = Type.Object(
  {
    url: Type.String({ maxLength: 2_048, description: 'Of an RSS or Atom feed.' }),
    maxItems: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Of a mail. Default: 10.' })),
  },
  {
    ...closed,
    description:
      'A campaign is made only if it has new items. Content shows them: `{{feed.title}}`, `{{feed.newest}}`, and a list with `itemsVariable` `feed.items` of `{{item.title}}`, `{{item.link}}`, `{{item.summary}}`.',
  },
)
const unwritten = ['ignoreGuardrail', 'content', 'schedule', 'feed', 'state'] as const
const draftFields = Type.Omit(createBody, [...unwritten]).properties

const outline = { id: text, name: text, state: text, nextAt: nullable, failures: Type.Integer() }
const run = Type.Object({ at: text, outcome: text, reason: nullable, campaignId: nullable, items: Type.Integer() })
const view = Type.Object({
  ...outline,
  subject: text,
  mailingListId: text,
  timeZone: text,
  schedule: Type.Unknown({ type: 'object' }),
  feedUrl: nullable,
  runs: Type.Array(run, { description: 'Of its last times, the last first.' }),
})

function toOutline({ id, name, state, nextAt, failures }: Recurring) {
  return { id, name, state, nextAt: nextAt?.toISOString() ?? null, failures }
}

async function loadView(app: App, recurring: Recurring) {
  const { draft, schedule, timeZone, feed } = recurring
  const { subject, mailingListId } = draft
  const runs = (await listRuns(app, recurring.id, shownRuns)).map((one) => {
    const { at, outcome, reason, campaignId, items } = toRunView(one)
    return { at, outcome, reason, campaignId, items }
  })
  return { ...toOutline(recurring), subject, mailingListId, timeZone, schedule, feedUrl: feed?.url ?? null, runs }
}

const get = defineTool({
  name: 'get_recurring_campaign',
  scope: 'campaigns.read',
  title: 'Look at a recurring campaign',
  says: {
    purpose: 'Shows when a recurring campaign is due, and what became of its last times.',
    notFor: 'The numbers of a campaign that it made (get_campaign).',
    returns: '`schedule`, `nextAt`, `feedUrl`, and `runs` with the campaign of each time or why there is none.',
    whenToUse: 'To say why one made no campaign, or which was its last.',
  },
  input: Type.Object({ recurringCampaignId: id }, closed),
  output: view,
  touches: { reads: 'untrusted', acts: 'no' },
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run(app, { workspace }: WorkspaceCaller, { recurringCampaignId }) {
    return { structured: await loadView(app, await getRecurring(app, workspace.id, recurringCampaignId)) }
  },
})

const draft = defineTool({
  name: 'draft_recurring_campaign',
  scope: 'campaigns.send',
  title: 'Draft a recurring campaign',
  says: {
    purpose: 'Saves a new recurring campaign, paused. Nobody is mailed: a person looks at it and resumes it.',
    notFor: 'Changing, resuming or running one. A single mail to a list is create_campaign.',
    returns: 'As get_recurring_campaign.',
    whenToUse: 'When mail should go to a list each day, week or month, or whenever a feed has something new.',
  },
  input: Type.Object(
    { ...draftFields, schedule, feed: Type.Optional(feed), content: Type.Optional(contentArgument) },
    closed,
  ),
  output: view,
  touches: { reads: 'own', acts: 'inside' },
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  async run(app, { workspace }: WorkspaceCaller, { schedule, ...fields }) {
    if (!Value.Check(createBody.properties.schedule, schedule))
      throw invalidField('schedule', 'must be like {"every": "week", "weekdays": ["monday"], "at": "09:00"}')
    const body: NewRecurringBody = { ...fields, schedule, state: 'paused' }
    return { structured: await loadView(app, await saveNew(app, workspace, body, { byPerson: false })) }
  },
})

export const recurringTools: Tool<WorkspaceCaller>[] = [get, draft]
