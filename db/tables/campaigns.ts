// Campaigns: what is sent to a mailing list, the ledger of who got it and why not, and the numbers that a sender's reputation is computed
// from. campaign_recipients is authoritative: one row per contact, each with exactly one outcome in the end.

import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { Actor } from '../../src/kit/act.ts'
import type { QuietHours } from '../../src/kit/local-time.ts'
import type { AbTest } from './ab-tests.ts'
import { at, createdAt, flag, json, madeBy, updatedAt, workspaceId } from './columns.ts'
import type { SegmentFilter } from './segments.ts'
import type { TrustLevel } from './workspaces.ts'

export const campaignStatuses = [
  'draft',
  'approved',
  'scheduled',
  'sending',
  'paused',
  'sent',
  'cancelled',
  'failed',
] as const
export type CampaignStatus = (typeof campaignStatuses)[number]

/** The contact must meet all of them. */
export interface AudienceCondition {
  field: string
  op: 'eq' | 'ne' | 'exists' | 'gt' | 'lt'
  value?: string | number | boolean
}

export interface Watched {
  /** How many the audience had, whether or not something was against them; null: it had started. */
  audience: number | null
  /** How many of them would have got it, or will once a frequency limit has passed; absent if not counted. */
  recipients?: number
  /** Fields of contacts that its mails show, or that decide where they go. */
  shown: string[]
  /** Those that its filters ask about. */
  asked: string[]
}

/** The first value changed by somebody who may not approve campaigns. */
export interface ShownChange {
  contactId: string
  field: string
  by: Actor
}

/** Settings and, by locale, the content: revisions never change. */
export interface ApprovedCampaign {
  settings: Record<string, unknown>
  contents: { locale: string; revisionId: string; subject: string; previewText: string }[]
}

/** What keeps the most mails for the longest. */
export interface Limit {
  reason: string
  /** Of `daily_cap`: which cap it is; of `relays`: what limits them. */
  by: string | null
}

/** When the last mail would leave, as it was forecast when it was sent or scheduled. */
export interface CampaignForecast {
  madeAt: number
  recipients: number
  /** Null: never, or nobody knows. */
  lastAt: number | null
  limit: Limit | null
}

/** `send_after` of who waits for the winner of a test, whenever it is chosen. */
export const untilWinner = new Date('9999-01-01T00:00:00Z')

export interface VariantContent {
  variant: string
  locale: string
  revisionId: string
}

/** One that has not started comes before those that have. */
export const startOrder = sql`CASE WHEN started_at IS NULL THEN 0 ELSE started_at END`

export const campaigns = sqliteTable(
  'campaigns',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    name: text('name').notNull(),
    status: text('status').$type<CampaignStatus>().notNull(),
    subject: text('subject').notNull(),
    previewText: text('preview_text').notNull(),
    fromName: text('from_name'),
    fromEmail: text('from_email'),
    replyTo: text('reply_to'),
    mailingListId: text('mailing_list_id').notNull(),
    /** Slug of a template whose content is sent; null when the campaign has content of its own. */
    templateId: text('template_id'),
    /** The locale of `content`; used for a recipient whose own locale has none, before English. */
    locale: text('locale').notNull(),
    audienceFilter: json<AudienceCondition[]>('audience_filter'),
    /** The segment that narrows it, with its filter: that of the segment until the campaign begins. */
    segmentId: text('segment_id'),
    segmentFilter: json<SegmentFilter>('segment_filter'),
    /** Send in spite of the frequency limit. Only members can set it. */
    ignoreGuardrail: flag('ignore_guardrail').notNull(),
    /** SHA-256 of everything that all recipients will see, computed at approval. */
    approvedHash: text('approved_hash'),
    /** What is watched from then on, and what was noticed (src/features/contacts/consent/approved-audience.ts). */
    watched: json<Watched>('watched'),
    newcomers: integer('newcomers').notNull().default(0),
    shownChange: json<ShownChange>('shown_change'),
    approvedBy: text('approved_by'),
    approvedAt: at('approved_at'),
    /** What was approved last, for the difference to it; an edit keeps it. */
    approved: json<ApprovedCampaign>('approved'),
    /** Id of the user who refused it as it is. */
    refusedBy: text('refused_by'),
    /** Null for rows that are older than this column. */
    createdBy: json<Actor>('created_by'),
    scheduledAt: at('scheduled_at'),
    /** The time, as `2027-01-15T09:00`, at which each recipient gets it in their own zone; null: nobody's zone matters. */
    localTime: text('local_time'),
    /** Null: none was made. */
    forecast: json<CampaignForecast>('forecast'),
    startedAt: at('started_at'),
    endedAt: at('ended_at'),
    /** Why it is paused or failed: `manual`, `missed_window`, `bounce_rate` … */
    pauseReason: text('pause_reason'),
    /** The last contact that was copied to the ledger; snapshotDoneAt is set when all were. */
    snapshotCursor: text('snapshot_cursor').notNull(),
    snapshotDoneAt: at('snapshot_done_at'),
    /** The last recipient that was given a job or an outcome. */
    fillCursor: text('fill_cursor').notNull(),
    /** When the next mails may leave, while the trust level, local times or quiet hours hold the campaign back. */
    nextSendAt: at('next_send_at'),
    /** Null: everybody gets the same mail. */
    test: json<AbTest>('test'),
    /** The content of each variant, as it was when the campaign began. */
    variantContents: json<VariantContent[]>('variant_contents'),
    /** When clicks decide: all who are tested have their mail, and the time since then is over. */
    winnerDueAt: at('winner_due_at'),
    /** Name of the variant that everybody else gets. */
    winner: text('winner'),
    winnerChosenAt: at('winner_chosen_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('campaigns_list').on(table.workspaceId, table.id),
    index('campaigns_started').on(table.workspaceId, startOrder, table.id),
    index('campaigns_template').on(table.workspaceId, table.templateId).where(sql`template_id IS NOT NULL`),
    index('campaigns_segment').on(table.workspaceId, table.segmentId).where(sql`segment_id IS NOT NULL`),
    index('campaigns_approved').on(table.workspaceId).where(sql`approved_hash IS NOT NULL AND ended_at IS NULL`),
    index('campaigns_approved_list')
      .on(table.mailingListId)
      .where(sql`approved_hash IS NOT NULL AND started_at IS NULL`),
    index('campaigns_active').on(table.workspaceId, table.status).where(sql`status IN ('sending', 'paused')`),
  ],
)

/** The content of each locale: a revision, stored with those of templates. */
export const campaignContents = sqliteTable(
  'campaign_contents',
  {
    campaignId: text('campaign_id').notNull(),
    locale: text('locale').notNull(),
    revisionId: text('revision_id').notNull(),
    updatedAt: updatedAt(),
  },
  (table) => [primaryKey({ columns: [table.campaignId, table.locale] })],
)

/** Recipients that may still be sent to: no job yet, a job in its first attempt, a job that is retried later. */
export const openStates = ['queued', 'sending', 'delayed'] as const
export const recipientOutcomes = [
  'sent',
  'bounced',
  'suppressed',
  'unconfirmed',
  'unsubscribed',
  'rate_guardrail',
  'held_out',
  'failed',
  'uncertain',
  'cancelled',
] as const
export type RecipientOutcome = (typeof recipientOutcomes)[number]
export type RecipientState = (typeof openStates)[number] | RecipientOutcome

export const campaignRecipients = sqliteTable(
  'campaign_recipients',
  {
    campaignId: text('campaign_id').notNull(),
    contactId: text('contact_id').notNull(),
    state: text('state').$type<RecipientState>().notNull(),
    /** Why the recipient has this outcome: `hardBounce`, `left_list`, `sandbox` … */
    reason: text('reason'),
    messageId: text('message_id'),
    /** Until when it was put aside, for a local time, quiet hours or the winner of a test; null: it never was. */
    sendAfter: at('send_after'),
    /** Name of the variant that it tests; null: it tests none. */
    variant: text('variant'),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ columns: [table.campaignId, table.contactId] }),
    index('campaign_recipients_waiting')
      .on(table.campaignId, table.sendAfter)
      .where(sql`state = 'queued' AND send_after IS NOT NULL`),
    index('campaign_recipients_attention')
      .on(table.campaignId, table.state)
      .where(sql`state IN ('bounced', 'failed', 'uncertain')`),
  ],
)

/**
 * Recipients by state, updated in the transaction that changes one; and counts of what recipients did: `complained`, `opened`, `clicked` …
 * The same for each variant of a test: `sent of A`.
 */
export const campaignCounts = sqliteTable(
  'campaign_counts',
  {
    campaignId: text('campaign_id').notNull(),
    name: text('name').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.campaignId, table.name] })],
)

/** Campaign mails of the last days by contact, for the frequency limit. A row is added at the hand-over. */
export const campaignMails = sqliteTable(
  'campaign_mails',
  {
    workspaceId: workspaceId(),
    contactId: text('contact_id').notNull(),
    messageId: text('message_id').notNull(),
    sentAt: at('sent_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.contactId, table.messageId] }),
    index('campaign_mails_age').on(table.sentAt),
  ],
)

/** What a workspace's campaigns did in each ten minutes, by sending domain. Caps, thresholds and promotion are sums of these rows. */
export const sendingCounts = sqliteTable(
  'sending_counts',
  {
    workspaceId: workspaceId(),
    since: at('since').notNull(),
    domain: text('domain').notNull(),
    /** Recipients that were given a job; reduced again when the mail was not sent. */
    reserved: integer('reserved').notNull().default(0),
    sent: integer('sent').notNull().default(0),
    bounced: integer('bounced').notNull().default(0),
    complained: integer('complained').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.since, table.domain] })],
)

/** Every change of a trust level, and who or what made it. */
export const trustChanges = sqliteTable(
  'trust_changes',
  {
    workspaceId: workspaceId(),
    changedAt: at('changed_at').notNull(),
    fromLevel: text('from_level').$type<TrustLevel>().notNull(),
    toLevel: text('to_level').$type<TrustLevel>().notNull(),
    /** `operator`, `promotion`, `bounce_rate`, `complaint_rate`. */
    reason: text('reason').notNull(),
    detail: text('detail'),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.changedAt, table.toLevel] })],
)

/** The tracked links of a campaign or a sequence, by the number used in its mails. */
export const trackedLinks = sqliteTable(
  'tracked_links',
  {
    /** A campaign, or a sequence. */
    sourceId: text('campaign_id').notNull(),
    number: integer('number').notNull(),
    url: text('url').notNull(),
    clicks: integer('clicks').notNull().default(0),
    machineClicks: integer('machine_clicks').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.sourceId, table.number] })],
)

/**
 * The first opens and clicks of a mail; those by programs (scanners, prefetching) are counted apart. No address and no browser is stored.
 */
export const trackedMails = sqliteTable('tracked_mails', {
  messageId: text('message_id').primaryKey(),
  openedAt: at('opened_at'),
  machineOpenedAt: at('machine_opened_at'),
  clickedAt: at('clicked_at'),
  machineClickedAt: at('machine_clicked_at'),
  /** Numbers of the links that a person clicked. */
  clickedLinks: json<number[]>('clicked_links'),
})

/** A workspace's settings for its campaigns; a workspace without a row has the defaults (src/people/campaign-settings.ts). */
export const campaignSettings = sqliteTable('campaign_settings', {
  workspaceId: text('workspace_id').primaryKey(),
  /** At most one campaign mail per recipient in this many hours; 0 = no limit. */
  hoursBetween: integer('hours_between').notNull(),
  /** At most this many per recipient in seven days; 0 = no limit. */
  mailsPerWeek: integer('mails_per_week').notNull(),
  agentsNeedApproval: flag('agents_need_approval').notNull(),
  warmUp: flag('warm_up').notNull(),
  trackOpens: flag('track_opens').notNull(),
  trackClicks: flag('track_clicks').notNull(),
  /** Recipients per 24 h in place of the trust level's number; set by the operator. */
  dailyCap: integer('daily_cap'),
  /** When nobody is mailed, in the zone of each person; null: never. */
  quietHours: json<QuietHours>('quiet_hours'),
  updatedAt: updatedAt(),
})

/** The last DNS check of a sending domain, and the last good one. */
export const domainChecks = sqliteTable('domain_checks', {
  domainId: text('domain_id').primaryKey(),
  workspaceId: workspaceId(),
  dkim: text('dkim').$type<DnsVerdict>().notNull(),
  spf: text('spf').$type<DnsVerdict>().notNull(),
  dmarc: text('dmarc').$type<DnsVerdict>().notNull(),
  dmarcPolicy: text('dmarc_policy'),
  /** As it is published for this very domain. */
  dmarcRecord: text('dmarc_record'),
  /** The policy as published; null when the DNS did not answer. */
  spfRecords: json<string[]>('spf_records'),
  /** `ok`: an ownership record was found and the domain is this workspace's; `wrong`: found, but another workspace has the domain. */
  ownership: text('ownership').$type<DnsVerdict>().notNull().default('missing'),
  detail: text('detail'),
  /** The logo; null: not looked at. */
  bimi: text('bimi').$type<DnsVerdict>(),
  bimiDetail: text('bimi_detail'),
  checkedAt: at('checked_at').notNull(),
  /** When DKIM was last seen to be right; kept while the DNS does not answer. */
  dkimGoodAt: at('dkim_good_at'),
  dmarcGoodAt: at('dmarc_good_at'),
})

/** `unknown`: the DNS did not answer. */
export type DnsVerdict = 'ok' | 'missing' | 'wrong' | 'unknown'

/** Where a provider reports the bounces and complaints of a workspace. The URL holds one secret, the signature uses another. */
export const providerHooks = sqliteTable(
  'provider_hooks',
  {
    workspaceId: workspaceId(),
    provider: text('provider')
      .$type<'ses' | 'postmark' | 'mailgun' | 'sendgrid' | 'brevo' | 'mailjet' | 'sparkpost' | 'resend' | 'generic'>()
      .notNull(),
    tokenHash: text('token_hash').notNull(),
    /** Mailgun: the signing key, sealed. SendGrid: the public key. SES: the certificate of SNS. */
    verifyWith: text('verify_with'),
    /** SES: the only topic whose notifications count, because all AWS accounts share one certificate. */
    topicArn: text('topic_arn'),
    /** SES: the URL that confirms the subscription to the topic; null when it is confirmed, or was not requested yet. */
    confirmUrl: text('confirm_url'),
    madeBy: madeBy(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.provider] }),
    uniqueIndex('provider_hooks_token').on(table.tokenHash),
  ],
)

/** Signed tokens of reports whose signature does not cover their content (Mailgun): each counts once. */
export const providerTokens = sqliteTable(
  'provider_tokens',
  {
    workspaceId: workspaceId(),
    tokenHash: text('token_hash').notNull(),
    /** When its signature becomes too old to count. */
    expiresAt: at('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.tokenHash] }),
    index('provider_tokens_expiry').on(table.expiresAt),
  ],
)
