// Wire shapes of campaigns. The fields are those of the tool create_campaign.

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import {
  type CampaignStatus,
  campaignStatuses,
  openStates,
  type RecipientState,
  recipientOutcomes,
  untilWinner,
} from '../../../db/tables/campaigns.ts'
import { addressProblem, headerTextProblem } from '../../core/http/text-checks.ts'
import { issue, nullableText, nullableTime, oneOf, time, waitsFor } from '../../core/http/wire.ts'
import { AppError } from '../../kit/error.ts'
import { withoutUndefined } from '../../kit/without-undefined.ts'
import { holdsAll, type Workspace } from '../../people/workspaces.ts'
import { nullableTest, nullableTestResult, toTestResult } from '../ab-tests/schema.ts'
import { mailContentSchema } from '../content/rendering/content.ts'
import type { AudienceMember } from './audience.ts'
import type { Campaign } from './campaign.ts'
import type { RecipientRow } from './campaigns.ts'
import type { Explanation } from './explain.ts'
import { forecastView, limitView, toForecastView } from './forecast-schema.ts'
import { count, devicesView, statsView, toDevicesView, toStatsView } from './stats-schema.ts'

const text = (maxLength: number, description?: string) =>
  t.Optional(t.String({ maxLength, ...withoutUndefined({ description }) }))
const nullable = (maxLength: number, description?: string) =>
  t.Optional(t.Union([t.String({ maxLength }), t.Null()], withoutUndefined({ description })))

const condition = t.Object({
  field: t.String({ maxLength: 50, description: 'A field or custom property of the contact.' }),
  op: t.Union([t.Literal('eq'), t.Literal('ne'), t.Literal('exists'), t.Literal('gt'), t.Literal('lt')], {
    description: '`eq`: equal. `ne`: not equal. `exists`: has a value. `gt`: greater than. `lt`: less than.',
  }),
  value: t.Optional(
    t.Union([t.String({ maxLength: 2_000 }), t.Number(), t.Boolean()], {
      description: 'What the field is compared with; not for `exists`.',
    }),
  ),
})

const optionalFields = {
  previewText: text(500, 'Shown by mail clients after the subject.'),
  fromName: nullable(200, 'The sender name. Default: the sender name of the brand.'),
  fromEmail: nullable(320, 'The sender address, at a domain that the workspace may use.'),
  replyTo: nullable(320, 'The address replies go to. Default: the sender.'),
  templateId: nullable(64, 'Slug of a template to send instead of content.'),
  locale: text(35, 'BCP 47: the language of `content`. Default: the locale of the brand.'),
  audienceFilter: t.Optional(
    t.Union([t.Array(condition, { maxItems: 20 }), t.Null()], { description: 'A contact must meet all of them.' }),
  ),
  segmentId: nullable(100, 'Only contacts that are in this segment when the campaign starts.'),
  ignoreGuardrail: t.Optional(
    t.Boolean({
      description: 'Send even to recipients who have reached the frequency limit; only for signed-in members.',
    }),
  ),
  content: t.Optional(mailContentSchema),
  test: t.Optional(nullableTest),
}

export const createBody = t.Object(
  {
    name: t.String({ minLength: 1, maxLength: 200 }),
    subject: t.String({ minLength: 1, maxLength: 500 }),
    mailingListId: t.String({ maxLength: 100, description: 'The mailing list that it is sent to.' }),
    ...optionalFields,
  },
  { additionalProperties: t.Unknown() },
)
export const updateBody = t.Object(
  {
    name: t.Optional(t.String({ minLength: 1, maxLength: 200 })),
    subject: t.Optional(t.String({ minLength: 1, maxLength: 500 })),
    mailingListId: text(100, 'The mailing list that it is sent to.'),
    ...optionalFields,
  },
  { additionalProperties: t.Unknown() },
)
export type CampaignBody = typeof updateBody.static

export const contentBody = t.Object(
  {
    content: mailContentSchema,
    subject: t.Optional(t.String({ minLength: 1, maxLength: 500 })),
    previewText: text(500),
    expectedRevisionId: text(100, 'Refuses the change with 409 unless this is the current revision of this locale.'),
  },
  { additionalProperties: t.Unknown() },
)

const seenHash = { pattern: '^[0-9a-f]{64}$', maxLength: 64 }
export const approveBody = t.Object({
  contentHash: t.String({ ...seenHash, description: 'The `contentHash` of the campaign that was reviewed.' }),
})
const onlyIfSeen = t.Optional(
  t.String({
    ...seenHash,
    description: 'The `contentHash` of the campaign that was reviewed: 409 if the campaign has changed since.',
  }),
)

const inRecipientZone = t.Optional(
  t.Boolean({
    description:
      '`scheduledAt` is a local time without an offset, like `2027-01-15T09:00`: each recipient gets the mail at that time in their own time zone (`timezone` of the contact, or the time zone of the workspace if it has none).',
  }),
)

export const sendBody = t.Object({
  scheduledAt: text(40, 'ISO 8601, with an offset or in the time zone of the workspace. Default: now.'),
  inRecipientZone,
  dryRun: t.Optional(t.Boolean({ description: 'Report what would happen, and change nothing.' })),
  contentHash: onlyIfSeen,
})
export const scheduleBody = t.Object({
  scheduledAt: t.String({ maxLength: 40, description: 'As for a send.' }),
  inRecipientZone,
  contentHash: onlyIfSeen,
})

const warnings = t.Optional(t.Array(issue))

export const linksView = t.Object({
  data: t.Array(t.Object({ url: t.String(), clicks: count('Of people.'), machineClicks: count('Of programs.') })),
})

const status = t.String({ enum: [...campaignStatuses] })
const contentHash = t.String({
  description: 'A hash of everything recipients will see and of the audience. An approval refers to it.',
})
export const campaignView = t.Object({
  id: t.String(),
  campaignId: t.String({ description: 'The same as `id`.' }),
  name: t.String(),
  status,
  subject: t.String(),
  previewText: t.String(),
  fromName: nullableText,
  fromEmail: nullableText,
  replyTo: nullableText,
  mailingListId: t.String(),
  templateId: nullableText,
  locale: t.String(),
  audienceFilter: t.Union([t.Array(condition), t.Null()]),
  segmentId: nullableText,
  ignoreGuardrail: t.Boolean(),
  test: nullableTest,
  testResult: nullableTestResult,
  contentHash,
  approvedAt: nullableTime,
  approvedBy: t.Union([t.String(), t.Null()], { description: 'The id of the member who approved it.' }),
  scheduledAt: t.Union([time, t.Null()], { description: 'When it begins.' }),
  localTime: t.Union([t.String(), t.Null()], {
    description: 'The time at which each recipient gets it in their own zone; null: all of them when it begins.',
  }),
  forecast: forecastView,
  startedAt: nullableTime,
  endedAt: t.Union([time, t.Null()], { description: 'When its last mail had left or was given up.' }),
  pauseReason: t.Union([t.String(), t.Null()], {
    description: '`manual`, `missed_window`, `bounce_rate`, `complaint_rate`, `dmarc_required`, `restored` …',
  }),
  waitsFor,
  nextSendAt: t.Union([time, t.Null()], {
    description: 'While the cap of the trust level, local times or quiet hours delay it: when more may be sent.',
  }),
  stats: statsView,
  devices: devicesView,
  createdAt: time,
  updatedAt: time,
  warnings,
})

const underWay: CampaignStatus[] = ['scheduled', 'sending']

export const campaignListItem = t.Omit(campaignView, ['contentHash', 'warnings'])

export const contentView = t.Object({
  locale: t.String(),
  subject: t.String(),
  previewText: t.String(),
  content: mailContentSchema,
  revisionId: t.String(),
  warnings,
})
export const contentList = t.Object({ data: t.Array(contentView) })

export const sendView = t.Object({
  campaignId: t.String(),
  status,
  recipients: count('How many would get it now.'),
  skipped: t.Record(t.String(), Type.Integer(), { description: 'By reason.' }),
  capRemaining: t.Union([Type.Integer(), t.Null()], {
    description: 'How many more recipients the cap allows now; null = unlimited.',
  }),
  nextSendAt: t.Union([time, t.Null()], { description: 'When it begins, or when more may be sent.' }),
  forecast: t.String({ description: 'A summary for people.', examples: ['finishes in 3 days at M1'] }),
  lastAt: t.Union([time, t.Null()], {
    description:
      'When the last mail would leave; null: not within a year, or nobody knows. Kept when it is sent or scheduled.',
  }),
  limit: limitView,
  timing: t.Object(
    {
      atLocalTime: count('At the local time in their own time zone.'),
      atOnce: count(
        'When it starts: without `inRecipientZone`, or because the local time has passed in their time zone.',
      ),
      afterQuietHours: count('When their quiet hours end.'),
    },
    { description: 'When the recipients get it; each is counted once.' },
  ),
  exact: t.Boolean({
    description: 'False when the list is long and the numbers are estimated from its first 20,000 members.',
  }),
  contentHash,
  warnings: t.Array(issue),
})

const outcomes = ['recipients', ...recipientOutcomes] as const
const outcome = oneOf(outcomes)
export const audienceFilter = {
  outcome: t.Optional({
    ...outcome,
    description: 'Only contacts that would have this outcome; `recipients`: those that would get a mail.',
  }),
}
export const audienceView = t.Object({
  contactId: t.String(),
  email: t.String(),
  outcome,
  reason: t.Union([t.String(), t.Null()], { description: 'Null for contacts that would get it.' }),
  message: t.Union([t.String(), t.Null()], { description: 'The finding, in words.' }),
})

export function toAudienceView({ objection, ...member }: AudienceMember): typeof audienceView.static {
  const { outcome = 'recipients', reason = null, message = null } = objection ?? {}
  return { ...member, outcome, reason, message }
}

const recipientStates: RecipientState[] = [...openStates, ...recipientOutcomes]
const state = oneOf(recipientStates)
export const recipientFilter = { state: t.Optional({ ...state, description: 'Only those in this state.' }) }
export const recipientView = t.Object({
  contactId: t.String(),
  email: nullableText,
  state,
  reason: nullableText,
  messageId: nullableText,
  variant: t.Union([t.String(), t.Null()], { description: 'The variant of the test that they are in; null: in none.' }),
  sendAfter: t.Union([time, t.Null()], {
    description: 'Until when the mail waits, or waited, for their local time or the end of their quiet hours.',
  }),
  updatedAt: time,
})
export const campaignFilter = {
  status: t.Optional(oneOf<Campaign['status']>(campaignStatuses, 'Only campaigns in this state.')),
}

export const explanationView = t.Object({
  email: nullableText,
  recipient: t.Union([t.Omit(recipientView, ['email']), t.Null()]),
  objection: t.Union([t.Object({ outcome: t.String(), reason: t.String(), message: t.String() }), t.Null()], {
    description: 'The outcome that the contact would have now, and why; null when a mail may go to it.',
  }),
  checks: t.Array(t.Object({ check: t.String(), ok: t.Boolean(), value: t.String() }), {
    description: 'As they are now, in the order in which they are checked.',
  }),
  attempts: t.Array(t.Object({ status: t.String(), at: time, code: nullableText, detail: nullableText })),
})

/** `workspace`: that of the campaign. */
export function toCampaignView(
  campaign: Campaign,
  counts: Record<string, number>,
  workspace: Pick<Workspace, 'suspendedAt'>,
) {
  const { id, name, status, subject, previewText, fromName, fromEmail, replyTo, mailingListId, templateId, locale } =
    campaign
  const { audienceFilter, segmentId, ignoreGuardrail, test, approvedBy, pauseReason } = campaign
  const iso = (at: Date | null) => at?.toISOString() ?? null
  return {
    id,
    campaignId: id,
    name,
    status,
    subject,
    previewText,
    fromName,
    fromEmail,
    replyTo,
    mailingListId,
    templateId,
    locale,
    audienceFilter,
    segmentId,
    ignoreGuardrail,
    test,
    testResult: campaign.test && toTestResult(campaign.test, counts, campaign),
    approvedAt: iso(campaign.approvedAt),
    approvedBy,
    scheduledAt: iso(campaign.scheduledAt),
    localTime: campaign.localTime,
    forecast: toForecastView(campaign),
    startedAt: iso(campaign.startedAt),
    endedAt: iso(campaign.endedAt),
    pauseReason,
    waitsFor: underWay.includes(status) ? holdsAll(workspace) : null,
    nextSendAt: iso(campaign.nextSendAt),
    stats: toStatsView(counts),
    devices: toDevicesView(counts),
    createdAt: campaign.createdAt.toISOString(),
    updatedAt: campaign.updatedAt.toISOString(),
  }
}

/** Text that will stand in a header, and addresses. */
export function checkTexts(body: Record<string, unknown>): void {
  const errors = [
    ...['name', 'subject', 'previewText', 'fromName'].flatMap((path) => headerTextProblem(path, body[path])),
    ...['fromEmail', 'replyTo'].flatMap((path) => addressProblem(path, body[path])),
  ]
  const [first] = errors
  if (first) throw new AppError('validation_failed', first.message, { errors })
}

/** Nobody knows when a winner will be chosen. */
function toSendAfter(at: Date | null): string | null {
  return at === null || at >= untilWinner ? null : at.toISOString()
}

export function toRecipientView(row: RecipientRow) {
  const { contactId, email, state, reason, messageId, variant, updatedAt } = row
  const sendAfter = toSendAfter(row.sendAfter === null ? null : new Date(row.sendAfter))
  return {
    contactId,
    email,
    state,
    reason,
    messageId,
    variant,
    sendAfter,
    updatedAt: new Date(updatedAt).toISOString(),
  }
}

export function toExplanationView({ email, recipient, objection, checks, activity }: Explanation) {
  const attempts = (activity?.events ?? []).map(({ status, at, code, detail }) => {
    return { status, at: at.toISOString(), code, detail }
  })
  if (recipient === null) return { email, recipient, objection, checks, attempts }
  const { contactId, state, reason, messageId, variant, updatedAt } = recipient
  const sendAfter = toSendAfter(recipient.sendAfter)
  return {
    email,
    recipient: { contactId, state, reason, messageId, variant, sendAfter, updatedAt: updatedAt.toISOString() },
    objection,
    checks,
    attempts,
  }
}
