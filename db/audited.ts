// What the audit log records by itself: every change of a row of these tables, by triggers that are derived from them, so that no code
// which changes one can forget it. A new table is named here, as one that is recorded or as one that is not (a test sees to it).

import { getTableColumns, getTableName } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { blockContents, blocks } from './tables/blocks.ts'
import { campaignContents, campaignSettings, campaigns, providerHooks } from './tables/campaigns.ts'
import { contactProperties } from './tables/contacts.ts'
import { domainOwners, linkDomains } from './tables/domains.ts'
import { eventRules } from './tables/events.ts'
import { mailingLists, subscriptionSources } from './tables/lists.ts'
import { mailboxes, mailboxTokens } from './tables/mailboxes.ts'
import { media } from './tables/media.ts'
import { sendingDomains } from './tables/messages.ts'
import { oauthClients, oauthGrants } from './tables/oauth.ts'
import { paymentIntegrations } from './tables/payments.ts'
import { recurringCampaigns } from './tables/recurring.ts'
import { receiverRules, relayRoutes, relays } from './tables/relays.ts'
import { segments } from './tables/segments.ts'
import { sequences } from './tables/sequences.ts'
import { templateContents, templates } from './tables/templates.ts'
import { webhookEndpoints, webhookSecrets } from './tables/webhooks.ts'
import {
  apiKeys,
  identities,
  invitations,
  loginLinks,
  members,
  passkeys,
  recoveryCodes,
  secondFactors,
  users,
  workspaces,
} from './tables/workspaces.ts'

interface Audited {
  table: SQLiteTable
  /** What the thing is called. */
  kind: string
  /** In SQL, `$` for the row: the id that people know it by. Default: `$.id`. */
  thing?: string
  /** Whose it is. Default: `$.workspace_id`. */
  workspace?: string
  /** Of something that belongs to a person: the change is recorded in each of their workspaces. */
  person?: string
  /** Columns that work moves on by itself. */
  progress?: SQLiteColumn[]
  /** Named and never shown, beside those that hiddenName finds. */
  hidden?: SQLiteColumn[]
}

const hiddenName = /hash|sealed|secret|token/

/** What is of the installation is recorded in the first workspace, whose owners keep it. */
const ofInstallation = '(SELECT id FROM workspaces ORDER BY created_at, rowid LIMIT 1)'

export const audited: Audited[] = [
  { table: workspaces, kind: 'workspace', workspace: '$.id' },
  { table: users, kind: 'person', person: '$.id' },
  {
    table: secondFactors,
    kind: 'second_factor',
    thing: '$.user_id',
    person: '$.user_id',
    progress: [secondFactors.lastStep],
  },
  { table: recoveryCodes, kind: 'recovery_code', thing: '$.user_id', person: '$.user_id' },
  { table: identities, kind: 'identity', thing: '$.user_id', person: '$.user_id', progress: [identities.lastUsedAt] },
  { table: passkeys, kind: 'passkey', person: '$.user_id', progress: [passkeys.counter, passkeys.lastUsedAt] },
  { table: loginLinks, kind: 'login_link', thing: '$.user_id', person: '$.user_id' },
  { table: members, kind: 'member', thing: '$.user_id' },
  { table: invitations, kind: 'invitation' },
  { table: apiKeys, kind: 'api_key', progress: [apiKeys.lastUsedAt] },
  { table: domainOwners, kind: 'domain', thing: '$.domain' },
  { table: sendingDomains, kind: 'domain' },
  {
    table: linkDomains,
    kind: 'domain',
    thing: '$.domain',
    progress: [linkDomains.checkedAt, linkDomains.misses, linkDomains.missedSince],
  },
  { table: relays, kind: 'relay', workspace: ofInstallation },
  { table: relayRoutes, kind: 'relay_route', workspace: ofInstallation },
  { table: receiverRules, kind: 'receiver_rule', workspace: ofInstallation },
  { table: templates, kind: 'template', thing: '$.slug' },
  {
    table: templateContents,
    kind: 'template',
    thing: '(SELECT slug FROM templates WHERE id = $.template_id)',
    workspace: '(SELECT workspace_id FROM templates WHERE id = $.template_id)',
  },
  { table: media, kind: 'media' },
  { table: blocks, kind: 'block' },
  {
    table: blockContents,
    kind: 'block',
    thing: '$.block_id',
    workspace: '(SELECT workspace_id FROM blocks WHERE id = $.block_id)',
  },
  {
    table: campaigns,
    kind: 'campaign',
    progress: [
      campaigns.snapshotCursor,
      campaigns.snapshotDoneAt,
      campaigns.fillCursor,
      campaigns.nextSendAt,
      campaigns.variantContents,
      campaigns.winnerDueAt,
      campaigns.approved,
      campaigns.watched,
      campaigns.newcomers,
      campaigns.shownChange,
    ],
  },
  {
    table: campaignContents,
    kind: 'campaign',
    thing: '$.campaign_id',
    workspace: '(SELECT workspace_id FROM campaigns WHERE id = $.campaign_id)',
  },
  {
    table: recurringCampaigns,
    kind: 'recurring_campaign',
    progress: [
      recurringCampaigns.nextAt,
      recurringCampaigns.revision,
      recurringCampaigns.failures,
      recurringCampaigns.failingSince,
    ],
  },
  { table: campaignSettings, kind: 'campaign_settings', thing: '$.workspace_id' },
  {
    table: providerHooks,
    kind: 'provider_hook',
    thing: '$.provider',
    hidden: [providerHooks.verifyWith, providerHooks.confirmUrl],
  },
  { table: contactProperties, kind: 'contact_property', thing: '$.name' },
  { table: segments, kind: 'segment', progress: [segments.members, segments.building, segments.builtAt] },
  { table: sequences, kind: 'sequence', progress: [sequences.moves, sequences.datesUpTo] },
  { table: mailingLists, kind: 'mailing_list', progress: [mailingLists.contactCount] },
  { table: subscriptionSources, kind: 'subscription_source' },
  { table: eventRules, kind: 'event_rule' },
  { table: paymentIntegrations, kind: 'payment_integration' },
  { table: webhookEndpoints, kind: 'webhook_endpoint', progress: [webhookEndpoints.failingSince] },
  {
    table: webhookSecrets,
    kind: 'webhook_endpoint',
    thing: '$.endpoint_id',
    workspace: '(SELECT workspace_id FROM webhook_endpoints WHERE id = $.endpoint_id)',
  },
  { table: mailboxes, kind: 'mailbox' },
  { table: mailboxTokens, kind: 'mailbox_token', progress: [mailboxTokens.lastUsedAt] },
  { table: oauthClients, kind: 'oauth_client', workspace: ofInstallation, progress: [oauthClients.lastAllowedAt] },
  { table: oauthGrants, kind: 'oauth_grant', progress: [oauthGrants.lastUsedAt, oauthGrants.beganAt] },
]

/** Tables whose changes leave no before and after, with the reason. */
export const unaudited: Record<string, string[]> = {
  'what callers send and what becomes of it: the act leaves a line, and the row is its own record': [
    'contacts',
    'contact_values',
    'contact_imports',
    'import_pieces',
    'import_faults',
    'events',
    'rule_runs',
    'recurring_runs',
    'recurring_feeds',
    'sequence_versions',
    'sequence_triggers',
    'sequence_signals',
    'sequence_runs',
    'sequence_path',
    'sequence_step_counts',
    'sequence_tests',
    'sequence_test_counts',
    'sequence_people',
    'sequence_enrolments',
    'messages',
    'message_events',
    'message_attachments',
    'message_contents',
    'content_sources',
    'message_groups',
    'captured_mails',
    'captured_sources',
    'activity_terms',
    'activity_changes',
    'received_messages',
    'received_sources',
    'received_labels',
    'mailbox_replies',
    'mailbox_drafts',
    'held_actions',
    'agent_reads',
    'mcp_calls',
    'payment_events',
    'payment_customers',
    'webhook_events',
    'webhook_deliveries',
    'webhook_attempts',
  ],
  'consent and suppression, which have ledgers of their own, with what proves them': [
    'suppressions',
    'suppression_removals',
    'soft_bounces',
    'subscriptions',
    'confirmations',
    'confirmation_mails',
    'consent_records',
  ],
  'never changed: what names a revision is recorded': ['content_revisions'],
  'follows from what is recorded': [
    'event_rule_cancels',
    'trust_changes',
    'received_texts',
    'segment_topics',
    'segment_members',
    'segment_moments',
    'segment_marks',
    'deleted_segments',
    'media_uses',
    'media_unowned',
  ],
  'where work is, counts and limits': [
    'outbox_jobs',
    'touched_partitions',
    'outbox_attempts',
    'send_journal',
    'sending_faults',
    'processes',
    'campaign_recipients',
    'campaign_counts',
    'campaign_mails',
    'sending_counts',
    'tracked_links',
    'tracked_mails',
    'receiver_limits',
    'receiver_replies',
    'domain_checks',
    'provider_tokens',
    'counters',
    'figures',
    'workspace_days',
    'rate_buckets',
    'idempotency_keys',
    'write_tokens',
  ],
  'how far a workspace has come that arrives, leaves or is erased: the commands and their end leave lines': [
    'workspace_moves',
    'workspace_transfers',
  ],
  'what receivers report, joined to what was sent': [
    'domain_reports',
    'domain_findings',
    'report_sources',
    'report_sessions',
  ],
  'how a person is asked about what waits: the decision leaves a line': ['approval_links', 'approval_mails'],
  'how a person looks at a workspace': ['preferences'],
  'signing in leaves a line, and so does allowing a client something': ['sessions', 'used_challenges', 'oauth_tokens'],
  'of the installation, written by itself': ['installation', 'migrations'],
  'the log itself': ['audit_log', 'audit_changes', 'audit_pending'],
}

/** Stands for a value that is never shown: that there is one, and that it changed. */
const hidden = "'(hidden)'"
const changed = "'(changed)'"

const auditedNames = audited.map(({ table }) => getTableName(table))

const writesAudited = new RegExp(`\\b(?:into|update|delete\\s+from)\\s+["\`]?(?:${auditedNames.join('|')})\\b`, 'i')
const updates = /^\s*update\s+"(\w+)"\s+set\s(.*?)(?:\s(?:from|where|returning)\s|$)/is
const progressOf = new Map(
  audited.map(({ table, progress = [] }) => [
    getTableName(table),
    new Set(['updated_at', ...progress.map(({ name }) => name)]),
  ]),
)

/** Whether a statement that writes may change a recorded row. */
export function mayBeAudited(statement: string): boolean {
  if (statement.includes('INTO audit_pending')) return true
  if (!writesAudited.test(statement)) return false
  const [, table = '', sets = ''] = updates.exec(statement) ?? []
  const progress = progressOf.get(table)
  return progress === undefined || [...sets.matchAll(/"(\w+)" = /g)].some(([, name = '']) => !progress.has(name))
}

/** By the name of the table: columns by their name in it. */
export const auditedColumns = new Map(
  audited.map(({ table }) => [
    getTableName(table),
    new Map(Object.entries(getTableColumns(table)).map(([field, column]) => [column.name, { field, column }])),
  ]),
)

export interface Trigger {
  /** Another one whenever what it does is another. */
  name: string
  sql: string
}

export const triggerPrefix = 'audit_'

/** Made when first needed, for they follow from the tables alone. */
let triggers: Trigger[] | undefined

export function auditTriggers(): Trigger[] {
  triggers ??= audited.flatMap((one) =>
    (['INSERT', 'UPDATE', 'DELETE'] as const).map((event) => {
      const table = getTableName(one.table)
      const body = triggerBody(one, event)
      const name = `${triggerPrefix}${table}_${event.toLowerCase()}_${Bun.hash.crc32(body).toString(16)}`
      return { name, sql: `CREATE TRIGGER "${name}" ${body}` }
    }),
  )
  return triggers
}

/** Of the row as it was and as it is. */
function triggerBody(one: Audited, event: 'INSERT' | 'UPDATE' | 'DELETE'): string {
  const table = getTableName(one.table)
  const columns = recordedColumns(one)
  const at = event === 'DELETE' ? 'OLD' : 'NEW'
  const row = (text: string) => text.replaceAll('$', at)
  const isOther = columns.map(({ name }) => `OLD."${name}" IS NOT NEW."${name}"`)
  const of = event === 'UPDATE' ? ` OF ${columns.map(({ name }) => `"${name}"`).join(', ')}` : ''
  const when = [notCopying, ...(event === 'UPDATE' ? [`(${isOther.join(' OR ')})`] : [])].join(' AND ')
  const before = event === 'INSERT' ? 'NULL' : rowDocument(one, columns, { of: 'OLD', onlyChanged: event === 'UPDATE' })
  const after = event === 'DELETE' ? 'NULL' : rowDocument(one, columns, { of: 'NEW', onlyChanged: event === 'UPDATE' })
  const { person, workspace = '$.workspace_id', thing = '$.id' } = one
  const [whose, from] = person
    ? ['m.workspace_id', ` FROM (SELECT 1) LEFT JOIN members AS m ON m.user_id = ${row(person)}`]
    : [row(workspace), '']
  return `AFTER ${event}${of} ON "${table}" WHEN ${when} BEGIN
  INSERT INTO audit_pending (workspace_id, kind, thing_id, source, before, after)
  SELECT coalesce(${whose}, ''), '${one.kind}', coalesce(${row(thing)}, ''), '${table}', ${before}, ${after}${from};
END`
}

/** The target of a copy gets the lines of its source. */
const notCopying = "NOT EXISTS (SELECT 1 FROM installation WHERE name = 'copy')"

function recordedColumns({ table, progress = [] }: Audited): SQLiteColumn[] {
  return Object.values(getTableColumns(table)).filter(
    (column) => column.name !== 'updated_at' && !progress.includes(column),
  )
}

/** Some of a row as JSON: what changed, and what tells which row it is. */
function rowDocument(
  one: Audited,
  columns: SQLiteColumn[],
  { of, onlyChanged }: { of: 'OLD' | 'NEW'; onlyChanged: boolean },
): string {
  const keys = keyColumns(one)
  const members = columns.map((column) => {
    const value = shownValue(one, column, { of, isReplaced: onlyChanged && of === 'NEW' })
    const { name } = column
    const condition = onlyChanged && !keys.includes(name) ? ` WHERE OLD."${name}" IS NOT NEW."${name}"` : ''
    return `SELECT '${name}' AS name, ${value} AS value${condition}`
  })
  return `(SELECT json_group_object(name, value) FROM (${members.join(' UNION ALL ')}))`
}

/** What of its key the thing is not already named by. */
function keyColumns({ table, thing }: Audited): string[] {
  const { primaryKeys, columns } = getTableConfig(table)
  const keys = primaryKeys.flatMap((key) => key.columns).concat(columns.filter(({ primary }) => primary))
  return thing === undefined ? [] : keys.map(({ name }) => name).filter((name) => !hiddenName.test(name))
}

function shownValue(
  one: Audited,
  column: SQLiteColumn,
  { of, isReplaced }: { of: 'OLD' | 'NEW'; isReplaced: boolean },
): string {
  const value = `${of}."${column.name}"`
  if (!isHidden(one, column)) return value
  return `CASE WHEN ${value} IS NOT NULL THEN ${isReplaced ? changed : hidden} END`
}

function isHidden({ hidden: more = [] }: Pick<Audited, 'hidden'>, column: SQLiteColumn): boolean {
  return hiddenName.test(column.name) || more.includes(column)
}
