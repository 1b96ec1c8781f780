// Wire shapes of recurring campaigns. The fields of the mail are those of a campaign.

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { recurringStates, runOutcomes, weekdays } from '../../../../db/tables/recurring.ts'
import { refusing } from '../../../core/http/unknown-fields.ts'
import { nullableText, nullableTime, oneOf, time } from '../../../core/http/wire.ts'
import { timeOfDayPattern } from '../../../kit/local-time.ts'
import { asGiven, mailContentSchema, toContent } from '../../content/rendering/content.ts'
import { previewView } from '../../sending/preview-schema.ts'
import { updateBody as campaignBody, campaignView } from '../schema.ts'
import { type FeedItem, maxShownItems } from './parse-feed.ts'
import type { Recurring, RecurringRun } from './recurring.ts'

const rhythms = ['day', 'week', 'month'] as const
const schedule = t.Object(
  {
    every: oneOf(rhythms),
    at: t.String({
      pattern: timeOfDayPattern,
      maxLength: 5,
      description:
        'A time of day. One that daylight saving skips is the first moment after; of one that occurs twice it is the first.',
      examples: ['09:00'],
    }),
    weekdays: t.Optional(
      t.Array(oneOf(weekdays), {
        minItems: 1,
        maxItems: 7,
        description: 'For `week`: on which days.',
      }),
    ),
    dayOfMonth: t.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 31,
        description: 'For `month`: on which day; the last one of a month that does not have it.',
      }),
    ),
    inRecipientZone: t.Optional(
      t.Boolean({
        description:
          'Each recipient gets it at that time in their own time zone (`timezone` of the contact, or the time zone of the workspace if it has none). The campaign is made, of the feed as it is then, when the first time zone on earth (UTC+14) reaches the time.',
      }),
    ),
  },
  { description: 'When a campaign is made.' },
)

const maxUrlChars = 2_048
const feed = t.Union(
  [
    t.Object({
      url: t.String({ maxLength: maxUrlChars, description: 'Of an RSS or Atom feed.' }),
      maxItems: t.Optional(
        Type.Integer({
          minimum: 1,
          maximum: maxShownItems,
          description: 'How many items a mail shows at most. Default: 10.',
        }),
      ),
    }),
    t.Null(),
  ],
  {
    description:
      'A campaign is made only if the feed has items that were not there when the last one was made. Content and texts show them: `{{feed.title}}`, `{{feed.link}}`, `{{feed.newest}}`, `{{feed.count}}`, and a list with `itemsVariable` `feed.items`: `{{item.title}}`, `{{item.link}}`, `{{item.summary}}`, `{{item.date}}`.',
  },
)
const timeZone = t.String({ maxLength: 64, description: 'Of the schedule. Default: that of the workspace.' })

/** A test compares what one campaign says. */
const mail = t.Omit(campaignBody, ['test']).properties

export const updateBody = refusing(
  t.Object({
    ...mail,
    schedule: t.Optional(schedule),
    timeZone: t.Optional(timeZone),
    feed: t.Optional(feed),
  }),
)
export const createBody = refusing(
  t.Object({
    ...mail,
    name: t.String({ minLength: 1, maxLength: 200 }),
    subject: t.String({ minLength: 1, maxLength: 500 }),
    mailingListId: t.String({ maxLength: 100, description: 'The mailing list that it is sent to.' }),
    schedule,
    timeZone: t.Optional(timeZone),
    feed: t.Optional(feed),
    state: t.Optional(oneOf(recurringStates, '`paused` makes none before it is resumed. Default: `active`.')),
  }),
)
export const planBody = refusing(t.Object({ schedule, timeZone: t.Optional(timeZone), feed: t.Optional(feed) }))
export type RecurringBody = typeof updateBody.static
export type NewRecurringBody = typeof createBody.static
export type PlanBody = typeof planBody.static

export const runView = t.Object({
  at: t.String({ format: 'date-time', description: 'The time of the schedule, or when it was run.' }),
  outcome: oneOf(
    runOutcomes,
    '`made`: a campaign. `nothing_new`: the feed had no new items. `missed`: the server was not running. `failed`: see `reason`.',
  ),
  code: t.Union([t.String(), t.Null()], {
    description: 'Why there is no campaign: `feed_failed`, `unknown_template` …',
  }),
  reason: t.Union([t.String(), t.Null()], { description: 'The same in words.' }),
  campaignId: nullableText,
  items: Type.Integer({ description: 'How many items of the feed its mail shows.' }),
})

const words = ['name', 'subject', 'previewText', 'fromName', 'fromEmail', 'replyTo', 'mailingListId'] as const
const choices = ['templateId', 'locale', 'audienceFilter', 'segmentId', 'ignoreGuardrail'] as const

export const recurringView = t.Object({
  id: t.String(),
  state: oneOf(recurringStates),
  ...t.Pick(campaignView, [...words, ...choices]).properties,
  content: t.Union([mailContentSchema, t.Null()]),
  schedule,
  timeZone: t.String(),
  feed,
  nextAt: t.Union([time, t.Null()], { description: 'Its next time; null while it is paused.' }),
  lastCampaignId: t.Union([t.String(), t.Null()], { description: 'The last campaign among `runs`.' }),
  failures: Type.Integer({ description: 'How many of its times in a row failed.' }),
  failingSince: nullableTime,
  runs: t.Array(runView, { description: 'What became of its last times, the last first.' }),
  createdAt: time,
  updatedAt: time,
})
export const recurringListItem = t.Omit(recurringView, ['content', 'runs', 'lastCampaignId'])

const feedItem = t.Object({ title: t.String(), link: t.String(), summary: t.String(), date: nullableTime })
export const previewBody = t.Object({
  email: t.Optional(t.String({ maxLength: 320, description: 'The contact whose fields it shows.' })),
})
export const previewAnswer = t.Object({
  outcome: oneOf(runOutcomes, 'What a run would come to now.'),
  code: nullableText,
  reason: nullableText,
  items: t.Array(feedItem, { description: 'The items of the feed that it would show.' }),
  mail: t.Union([previewView, t.Null()], { description: 'Null where there would be none.' }),
})

export const planAnswer = t.Object({
  times: t.Array(
    t.Object({
      at: time,
      localTime: t.String({
        description: 'The same on the clock of its zone; with `inRecipientZone`, of each recipient.',
      }),
    }),
    { description: 'The next five.' },
  ),
  feed: t.Union(
    [
      t.Object({
        reason: t.Union([t.String(), t.Null()], { description: 'Why it cannot be read; null where it was.' }),
        title: t.String(),
        items: t.Array(feedItem, { description: 'Its newest items, as many as a mail shows.' }),
      }),
      t.Null(),
    ],
    { description: 'What is in the feed now; null without one.' },
  ),
})

export function toItemView({ title, link, summary, date }: FeedItem): typeof feedItem.static {
  return { title, link, summary, date }
}

export function toRunView({ recurringCampaignId: _, at, ...run }: RecurringRun): typeof runView.static {
  return { ...run, at: at.toISOString() }
}

export function toListItem(recurring: Recurring): typeof recurringListItem.static {
  const { id, state, name, draft, schedule, timeZone, feed, nextAt, failures, failingSince } = recurring
  const { content: _, ...said } = draft
  return {
    id,
    state,
    name,
    ...unset,
    ...said,
    locale: said.locale ?? '',
    schedule,
    timeZone,
    feed,
    nextAt: nextAt?.toISOString() ?? null,
    failures,
    failingSince: failingSince?.toISOString() ?? null,
    createdAt: recurring.createdAt.toISOString(),
    updatedAt: recurring.updatedAt.toISOString(),
  }
}

const unset = {
  previewText: '',
  fromName: null,
  fromEmail: null,
  replyTo: null,
  templateId: null,
  audienceFilter: null,
  segmentId: null,
  ignoreGuardrail: false,
}

export function toView(recurring: Recurring, runs: RecurringRun[]): typeof recurringView.static {
  return {
    ...toListItem(recurring),
    content: recurring.draft.content === undefined ? null : asGiven(toContent(recurring.draft.content)),
    lastCampaignId: runs.find(({ campaignId }) => campaignId !== null)?.campaignId ?? null,
    runs: runs.map(toRunView),
  }
}
