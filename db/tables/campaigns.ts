// Campaigns: what is sent to a mailing list, the ledger of who got it and why not, and what the sender's reputation rests on.
// campaign_recipients is the truth of a campaign: one row per contact, each ending in exactly one outcome.

import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { at, createdAt, flag, json, updatedAt, workspaceId } from '../columns.ts'
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

/** All must hold of the contact. */
export interface AudienceCondition {
  field: string
  op: 'eq' | 'ne' | 'exists' | 'gt' | 'lt'
  value?: string | number | boolean
}

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
    /** The locale of `content`, and the last but one resort of a recipient whose locale has none. */
    locale: text('locale').notNull(),
    audienceFilter: json<AudienceCondition[]>('audience_filter'),
    /** Set by a member only: send in spite of the limit of mails per recipient. */
    ignoreGuardrail: flag('ignore_guardrail').notNull(),
    /** SHA-256 of all that a recipient will see, at the moment of approval. */
    approvedHash: text('approved_hash'),
    approvedBy: text('approved_by'),
    approvedAt: at('approved_at'),
    scheduledAt: at('scheduled_at'),
    startedAt: at('started_at'),
    endedAt: at('ended_at'),
    /** Why it is paused or failed: `manual`, `missed_window`, `bounce_rate` … */
    pauseReason: text('pause_reason'),
    /** The last contact that the snapshot has taken; snapshotDoneAt ends it. */
    snapshotCursor: text('snapshot_cursor').notNull(),
    snapshotDoneAt: at('snapshot_done_at'),
    /** The last recipient that was given a job or an outcome. */
    fillCursor: text('fill_cursor').notNull(),
    /** When more may be sent, while the trust level holds it back. */
    nextSendAt: at('next_send_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('campaigns_list').on(table.workspaceId, table.id),
    index('campaigns_template').on(table.workspaceId, table.templateId).where(sql`template_id IS NOT NULL`),
    index('campaigns_active').on(table.workspaceId, table.status).where(sql`status IN ('sending', 'paused')`),
  ],
)

/** The content of each locale: an immutable revision, stored where those of templates are. */
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

/** What may still be sent: no job yet, a job in its first execution, a job that is tried again later. */
export const openStates = ['queued', 'sending', 'delayed'] as const
export const recipientOutcomes = [
  'sent',
  'bounced',
  'suppressed',
  'unconfirmed',
  'unsubscribed',
  'rate_guardrail',
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
    /** Why it ended so: `hardBounce`, `left_list`, `sandbox` … */
    reason: text('reason'),
    messageId: text('message_id'),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ columns: [table.campaignId, table.contactId] }),
    index('campaign_recipients_attention')
      .on(table.campaignId, table.state)
      .where(sql`state IN ('bounced', 'failed', 'uncertain')`),
  ],
)

/** Recipients by state, kept in the transaction that moves one; and what recipients did: `complained`, `opened`, `clicked` … */
export const campaignCounts = sqliteTable(
  'campaign_counts',
  {
    campaignId: text('campaign_id').notNull(),
    name: text('name').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.campaignId, table.name] })],
)

/** Campaign mails of the last days by contact, for the limit per recipient. A row is taken at the hand-over. */
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

/** What a workspace's campaigns did in ten minutes, by sending domain: caps, thresholds and promotion are sums of these. */
export const sendingCounts = sqliteTable(
  'sending_counts',
  {
    workspaceId: workspaceId(),
    since: at('since').notNull(),
    domain: text('domain').notNull(),
    /** Recipients that were given a job; given back when the mail did not leave. */
    reserved: integer('reserved').notNull().default(0),
    sent: integer('sent').notNull().default(0),
    bounced: integer('bounced').notNull().default(0),
    complained: integer('complained').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.since, table.domain] })],
)

/** Every change of a trust level, by whom or what. */
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

/** Links of a campaign that lead over us, by the number that stands in the mails. */
export const trackedLinks = sqliteTable(
  'tracked_links',
  {
    campaignId: text('campaign_id').notNull(),
    number: integer('number').notNull(),
    url: text('url').notNull(),
    clicks: integer('clicks').notNull().default(0),
    machineClicks: integer('machine_clicks').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.campaignId, table.number] })],
)

/** The first opens and clicks of a mail; those of programs (scanners, prefetching) apart. No address and no browser is kept. */
export const trackedMails = sqliteTable('tracked_mails', {
  messageId: text('message_id').primaryKey(),
  openedAt: at('opened_at'),
  machineOpenedAt: at('machine_opened_at'),
  clickedAt: at('clicked_at'),
  machineClickedAt: at('machine_clicked_at'),
  /** Numbers of the links that a person followed. */
  clickedLinks: json<number[]>('clicked_links'),
})

/** What a workspace may set about its campaigns; a workspace without a row has the defaults (campaigns/settings.ts). */
export const campaignSettings = sqliteTable('campaign_settings', {
  workspaceId: text('workspace_id').primaryKey(),
  /** At most one campaign mail per recipient in so many hours; 0 = no limit. */
  hoursBetween: integer('hours_between').notNull(),
  /** At most so many per recipient in seven days; 0 = no limit. */
  mailsPerWeek: integer('mails_per_week').notNull(),
  agentsNeedApproval: flag('agents_need_approval').notNull(),
  warmUp: flag('warm_up').notNull(),
  trackOpens: flag('track_opens').notNull(),
  trackClicks: flag('track_clicks').notNull(),
  /** Recipients in 24 h instead of the level's; set by the operator. */
  dailyCap: integer('daily_cap'),
  updatedAt: updatedAt(),
})

/** Receiving domains that asked us to slow down. Shared by all workspaces: they share the sending address. */
export const domainThrottles = sqliteTable('domain_throttles', {
  domain: text('domain').primaryKey(),
  /** How often in a row it said so. */
  step: integer('step').notNull(),
  until: at('until').notNull(),
  lastReply: text('last_reply').notNull(),
  updatedAt: updatedAt(),
})

/** What the DNS said of a sending domain, last time and last time it was good. */
export const domainChecks = sqliteTable('domain_checks', {
  domainId: text('domain_id').primaryKey(),
  workspaceId: workspaceId(),
  dkim: text('dkim').$type<DnsVerdict>().notNull(),
  spf: text('spf').$type<DnsVerdict>().notNull(),
  dmarc: text('dmarc').$type<DnsVerdict>().notNull(),
  dmarcPolicy: text('dmarc_policy'),
  /** As published; null while the DNS did not say. */
  spfRecords: json<string[]>('spf_records'),
  /** `ok`: a record that says whose it is was found, and the domain is this workspace's; `wrong`: found, but another one has it. */
  ownership: text('ownership').$type<DnsVerdict>().notNull().default('missing'),
  detail: text('detail'),
  checkedAt: at('checked_at').notNull(),
  /** When DKIM was last seen to be right; kept while the DNS does not answer. */
  dkimGoodAt: at('dkim_good_at'),
  dmarcGoodAt: at('dmarc_good_at'),
})

/** `unknown`: the DNS did not answer. */
export type DnsVerdict = 'ok' | 'missing' | 'wrong' | 'unknown'

/** Where a provider reports bounces and complaints of a workspace: the address holds a secret, the signature another. */
export const providerHooks = sqliteTable(
  'provider_hooks',
  {
    workspaceId: workspaceId(),
    provider: text('provider').$type<'ses' | 'postmark' | 'mailgun' | 'sendgrid'>().notNull(),
    tokenHash: text('token_hash').notNull(),
    /** Mailgun: the signing key, sealed. SendGrid: the public key. SES: the certificate of SNS. */
    verifyWith: text('verify_with'),
    /** SES: the only topic whose notifications count; the certificate is that of every account of AWS. */
    topicArn: text('topic_arn'),
    /** SES: where the subscription to the topic is confirmed; null when it is, or before it was asked. */
    confirmUrl: text('confirm_url'),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.provider] }),
    uniqueIndex('provider_hooks_token').on(table.tokenHash),
  ],
)

/** Signed tokens that came with reports whose signature does not cover what they say (Mailgun): each counts once. */
export const providerTokens = sqliteTable(
  'provider_tokens',
  {
    workspaceId: workspaceId(),
    tokenHash: text('token_hash').notNull(),
    /** From then on its signature is too old to count. */
    expiresAt: at('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.tokenHash] }),
    index('provider_tokens_expiry').on(table.expiresAt),
  ],
)
