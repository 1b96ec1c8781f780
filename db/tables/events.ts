// Events as received, the rules that act on them, and what each rule did with each event.

import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { type Comparison, comparisons } from '../../src/kit/comparison.ts'
import { at, createdAt, flag, json, updatedAt, workspaceId } from './columns.ts'

export const events = sqliteTable(
  'events',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    name: text('name').notNull(),
    contactId: text('contact_id').notNull(),
    properties: json<Record<string, unknown>>('properties').notNull(),
    /** `api` or `payments`. */
    origin: text('origin').$type<'api' | 'payments'>().notNull(),
    /** The caller's own id of the event (`eventId`). A second event with the same id is the same event. */
    callerEventId: text('caller_event_id'),
    occurredAt: at('occurred_at').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index('events_contact').on(table.contactId, table.id),
    index('events_newest').on(table.workspaceId, table.id),
    index('events_name').on(table.workspaceId, table.name, table.id),
    uniqueIndex('events_caller_id').on(table.workspaceId, table.callerEventId).where(sql`caller_event_id IS NOT NULL`),
  ],
)

export type RuleAction = 'send_template' | 'subscribe' | 'update_contact'
export type DelayUnit = 'm' | 'h' | 'd'
export const filterOperators = comparisons
export type FilterOperator = Comparison

export interface RuleCondition {
  /** Name of an event property. */
  property: string
  operator: FilterOperator
  value?: string | number | boolean
}

/** Marketing goes to contacts who have consented; transactional mail to everybody who is not suppressed. */
export const mailPurposes = ['marketing', 'transactional'] as const
export type MailPurpose = (typeof mailPurposes)[number]

export const eventRules = sqliteTable(
  'event_rules',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    name: text('name').notNull(),
    eventName: text('event_name').notNull(),
    /** All of them must be met. */
    filter: json<RuleCondition[]>('filter').notNull(),
    action: text('action').$type<RuleAction>().notNull(),
    templateId: text('template_id'),
    /** Of what `send_template` sends. */
    purpose: text('purpose').$type<MailPurpose>().notNull().default('marketing'),
    delayAmount: integer('delay_amount').notNull(),
    delayUnit: text('delay_unit').$type<DelayUnit>().notNull(),
    /** For `send_template`, by name of the template's variable: constants, or text with `{{event.x}}` and `{{contact.x}}`. */
    variables: json<Record<string, string | number | boolean>>('variables').notNull(),
    cancelOn: json<string[]>('cancel_on').notNull(),
    mailingListId: text('mailing_list_id'),
    contactProperties: json<Record<string, string | number | boolean | null>>('contact_properties').notNull(),
    /** Whether the rule may run again for a contact that it already ran for. */
    reEligible: flag('re_eligible').notNull(),
    enabled: flag('enabled').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('event_rules_event').on(table.workspaceId, table.eventName)],
)

/** Which events cancel what a rule has scheduled: the rules' `cancelOn`, indexed by event. */
export const eventRuleCancels = sqliteTable(
  'event_rule_cancels',
  {
    workspaceId: workspaceId(),
    eventName: text('event_name').notNull(),
    ruleId: text('rule_id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.eventName, table.ruleId] }),
    index('event_rule_cancels_rule').on(table.ruleId),
  ],
)

export type RuleRunStatus = 'scheduled' | 'done' | 'skipped' | 'cancelled' | 'failed'

/** One run of a rule for one event, at most one each. Clustered by contact, because queries are always about one contact. */
export const ruleRuns = sqliteTable(
  'rule_runs',
  {
    contactId: text('contact_id').notNull(),
    ruleId: text('rule_id').notNull(),
    eventId: text('event_id').notNull(),
    workspaceId: workspaceId(),
    status: text('status').$type<RuleRunStatus>().notNull(),
    /** The job that carries it out; a retry sets a new one. */
    jobId: text('job_id'),
    messageId: text('message_id'),
    /** Why it was skipped, cancelled or failed: a code, like `suppressed`. */
    reason: text('reason'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ columns: [table.contactId, table.ruleId, table.eventId] }),
    index('rule_runs_workspace').on(table.workspaceId, table.eventId),
    index('rule_runs_scheduled').on(table.ruleId, table.jobId).where(sql`status = 'scheduled'`),
  ],
)
