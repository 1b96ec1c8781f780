// Sequences: what each version says, who is in one, the way each person took, and what happened to contacts that sequences wait for.

import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { at, createdAt, json, updatedAt, workspaceId } from './columns.ts'
import type { DelayUnit, MailPurpose, RuleCondition } from './events.ts'
import type { SegmentFilter } from './segments.ts'
import type { SentVariant, StepTest, TestedVariant } from './sequence-tests.ts'

/** A length of time: 1 to 400 days in all. Days are of 24 hours. */
export interface Span {
  amount: number
  unit: DelayUnit
}

/** What begins a sequence for a person, takes one out of it, or is its goal. */
export type Trigger =
  /** `sameKey`: only one whose key is that of the run, as the event of the same cart. */
  | { event: string; filter?: RuleCondition[]; sameKey?: boolean }
  | { list: string; change: 'joined' | 'left' }
  | { segment: string; change: 'joined' | 'left' }
  | { property: string; equals?: string | number | boolean }
  /** Somebody, and no program, opened a link of a mail; or it came back. Of a campaign, if one is named. */
  | { mail: 'clicked' | 'bounced'; campaignId?: string }
  /** A date property of the contact: `days` after it (negative: before), once or each year. Only a start. */
  | { date: string; days?: number; yearly?: boolean }

export interface ReEntry {
  /** `never`: once. `afterExit`: again when it is over, `minDays` later. `always`: also while an earlier run goes on. */
  mode: 'never' | 'afterExit' | 'always'
  minDays: number
  /** Text with `{{event.x}}`: several runs of one person, one for each order, cart or tenant. */
  key: string | null
}

/** When a branch is taken. */
export type BranchCondition =
  /** Of the contact as it is then. */
  | { contact: SegmentFilter }
  /** Of the properties of the event that began the run. */
  | { event: RuleCondition[] }
  /** A person opened a link of the mail that this step sent them. */
  | { clicked: string }
  /** Of a hundred people; the shares of one step are of the same hundred. */
  | { share: number }

interface StepOf<T extends string> {
  id: string
  type: T
  /** The id of the next step; null: the end. Default: the one below. */
  next?: string | null
}

export interface SendStep extends StepOf<'send'> {
  templateId: string
  /** By name of a variable of the template: constants, or text with `{{event.x}}` and `{{contact.x}}`. */
  variables: Record<string, string | number | boolean>
  test?: StepTest
}

/** Until so much time has passed, or until a time of day in the person's zone. */
export interface WaitStep extends StepOf<'wait'> {
  for?: Span
  /** `09:00`, after `for` has passed; days are then those of the calendar. */
  at?: string
  /** ISO: 1 is Monday. Only with `at`. */
  weekdays?: number[]
  /** A date property of the contact; a date that is over, or missing, is not waited for. */
  date?: string
  /** Before (negative) or after that date. */
  days?: number
}

export interface EventStep extends StepOf<'event'> {
  event: string
  filter?: RuleCondition[]
  /** Only one whose key is that of the run. */
  sameKey?: boolean
  atMost: Span
  /** An event that came this long before the step was reached counts, too. */
  lookBack?: Span
  /** Where it goes on if the event does not come; null: the end. Default: the step below. */
  otherwise?: string | null
}

/** Gathers what happens to the person, and sends one mail about it. */
export interface DigestStep extends StepOf<'digest'> {
  /** What is gathered, from the begin of the run on; of the run's key, where `reEntry` has one. */
  event: string
  filter?: RuleCondition[]
  /** As in a wait. */
  for?: Span
  at?: string
  weekdays?: number[]
  templateId: string
  /** Beside `digest.items`, `digest.count` and `digest.more`. */
  variables: Record<string, string | number | boolean>
  /** How many of them the mail shows. */
  items: number
  /** Which those are, and in which order. */
  order: DigestOrder
}

export const digestOrders = ['newest', 'oldest'] as const
export type DigestOrder = (typeof digestOrders)[number]

/** What a run has gathered of one event, for its digest. */
export interface GatheredEvents {
  event: string
  count: number
  /** Ids, oldest first; of many only the first and the last. */
  ids: string[]
  /** The current mail is about them; of what came later, there is another. */
  mailed: boolean
}

export interface BranchStep extends StepOf<'branch'> {
  /** The first whose condition is met is taken; `next` if none is. */
  branches: { if: BranchCondition; next: string | null }[]
}

export interface UpdateStep extends StepOf<'update'> {
  /** As the variables of a mail; null clears. */
  properties: Record<string, string | number | boolean | null>
}

export interface ListStep extends StepOf<'subscribe' | 'unsubscribe'> {
  list: string
}

/** Publishes `sequence.stepReached` to the webhooks of the workspace. */
export type WebhookStep = StepOf<'webhook'>

export type Step = SendStep | WaitStep | EventStep | DigestStep | BranchStep | UpdateStep | ListStep | WebhookStep

/** What a version says. Checked by src/features/sequences/definition.ts before it is stored. */
export interface Definition {
  /** Null: people come only by enrol. */
  start: Trigger | null
  reEntry: ReEntry
  exits: Trigger[]
  goals: Trigger[]
  purpose: MailPurpose
  /** Marketing mail needs an active subscription to it; null: only that the contact is subscribed. */
  mailingListId: string | null
  /** How long a mail may be put off, by a cap or a limit of frequency, before its step is skipped. */
  postponeAtMost: Span
  steps: Step[]
}

export const sequenceStates = ['draft', 'active', 'paused', 'stopped'] as const
export type SequenceState = (typeof sequenceStates)[number]

export const sequences = sqliteTable(
  'sequences',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    name: text('name').notNull(),
    state: text('state').$type<SequenceState>().notNull(),
    /** What the next version will say. */
    draft: json<Definition>('draft').notNull(),
    /** 1, 2, 3 …: with each change of the draft. */
    revision: integer('revision').notNull(),
    /** The version that people begin; null: none was published. */
    version: integer('version'),
    /** People of earlier versions are being moved: which step leads to which, and up to which run that was done. */
    moves: json<{ steps: Record<string, string | null>; cursor: string }>('moves'),
    /** Days since 1970: up to this one, people were begun whose date it is (`start.date`). */
    datesUpTo: integer('dates_up_to'),
    /** Why it is paused: `manual`, `restored`, or what was wrong. */
    pauseReason: text('pause_reason'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('sequences_list').on(table.workspaceId, table.id)],
)

/** What was published. Rows never change. */
export const sequenceVersions = sqliteTable(
  'sequence_versions',
  {
    sequenceId: text('sequence_id').notNull(),
    version: integer('version').notNull(),
    definition: json<Definition>('definition').notNull(),
    contentHash: text('content_hash').notNull(),
    publishedAt: at('published_at').notNull(),
    /** The user or API key. */
    publishedBy: text('published_by').notNull(),
  },
  (table) => [primaryKey({ columns: [table.sequenceId, table.version] })],
)

/** What published sequences wait for, by the name of the signal: only that is noted when it happens. */
export const sequenceTriggers = sqliteTable(
  'sequence_triggers',
  { workspaceId: workspaceId(), signal: text('signal').notNull(), sequenceId: text('sequence_id').notNull() },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.signal, table.sequenceId] }),
    index('sequence_triggers_sequence').on(table.sequenceId),
  ],
)

/** What happened to a contact and was not yet looked at; in the transaction in which it happened. */
export const sequenceSignals = sqliteTable(
  'sequence_signals',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    contactId: text('contact_id').notNull(),
    /** `event:signed_up`, `list.joined:lst_…`, `list.left:lst_…`, `property:plan`. */
    signal: text('signal').notNull(),
    eventId: text('event_id'),
    about: text('about'),
    /** It was set aside: why it could not be taken. What comes for this contact meanwhile waits behind it. */
    failure: text('failure'),
    /** When one that was set aside is tried again. */
    againAt: at('again_at'),
    createdAt: createdAt(),
  },
  (table) => [
    index('sequence_signals_contact').on(table.contactId, table.id),
    index('sequence_signals_workspace').on(table.workspaceId),
    index('sequence_signals_list').on(table.workspaceId, table.id).where(sql`failure IS NULL`),
    index('sequence_signals_aside').on(table.contactId).where(sql`failure IS NOT NULL`),
    index('sequence_signals_again').on(table.workspaceId, table.againAt).where(sql`failure IS NOT NULL`),
  ],
)

/** States of people who are still in a sequence. Whether one is due says `due_at`. */
export const openRunStates = ['waiting', 'sending', 'uncertain', 'failed'] as const
export const runStates = [...openRunStates, 'completed', 'exited'] as const
export type RunState = (typeof runStates)[number]
/** Written out, because SQLite compares the condition of an index with that of a query. */
export const isOpenRun = sql.raw(`state IN (${openRunStates.map((state) => `'${state}'`).join(', ')})`)

/** One person's way through a sequence. */
export const sequenceRuns = sqliteTable(
  'sequence_runs',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    sequenceId: text('sequence_id').notNull(),
    version: integer('version').notNull(),
    contactId: text('contact_id').notNull(),
    key: text('key').notNull(),
    state: text('state').$type<RunState>().notNull(),
    /** Where the person is; of a run that is over, the last. */
    stepId: text('step_id').notNull(),
    /** How many steps were entered: the number of the last line of its path. */
    entered: integer('entered').notNull(),
    enteredAt: at('entered_at').notNull(),
    /** When it goes on; null while a mail is on its way, and when it is over. */
    dueAt: at('due_at'),
    /** The event that a step waits for came. */
    arrivedEventId: text('arrived_event_id'),
    /** What its digests have gathered and not sent; null: nothing. */
    gathered: json<GatheredEvents[]>('gathered'),
    /** Since when its mail is put off. */
    postponedSince: at('postponed_since'),
    /** Of its current mail. */
    messageId: text('message_id'),
    /** Which variant of the test of its step that is; null: the step has no test. */
    variant: json<SentVariant>('variant'),
    /** Why it is where it is, or why it ended: a code, like `goal` or `unsubscribed`. */
    reason: text('reason'),
    /** The event that began it. */
    eventId: text('event_id'),
    startedAt: at('started_at').notNull(),
    endedAt: at('ended_at'),
  },
  (table) => [
    index('sequence_runs_due').on(table.sequenceId, table.dueAt).where(sql`state = 'waiting'`),
    index('sequence_runs_open').on(table.contactId).where(isOpenRun),
    index('sequence_runs_list').on(table.sequenceId, table.state, table.id),
    index('sequence_runs_step').on(table.sequenceId, table.stepId, table.state, table.id),
    index('sequence_runs_contact').on(table.contactId, table.sequenceId, table.key),
    uniqueIndex('sequence_runs_once').on(table.sequenceId, table.contactId, table.key).where(isOpenRun),
  ],
)

/** What a step did for a person. Append only; the last line of an open run has no outcome yet. */
export const sequencePath = sqliteTable(
  'sequence_path',
  {
    runId: text('run_id').notNull(),
    /** 1, 2, 3 … within the run. */
    number: integer('number').notNull(),
    stepId: text('step_id').notNull(),
    at: at('at').notNull(),
    /** `sent`, `waited`, `skipped`, `branch 2` …: what it did, as a code. */
    outcome: text('outcome').notNull(),
    detail: text('detail'),
    messageId: text('message_id'),
    /** Null: its mail tests none. */
    variant: json<TestedVariant>('variant'),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.number] }),
    index('sequence_path_message').on(table.messageId).where(sql`message_id IS NOT NULL`),
  ],
)

/** How many people went through each step, and how many are there. */
export const sequenceStepCounts = sqliteTable(
  'sequence_step_counts',
  {
    sequenceId: text('sequence_id').notNull(),
    version: integer('version').notNull(),
    stepId: text('step_id').notNull(),
    entered: integer('entered').notNull(),
    here: integer('here').notNull(),
    /** Mails that a server took. */
    sent: integer('sent').notNull(),
    /** Mails that were not sent: no consent, put off for too long. */
    skipped: integer('skipped').notNull(),
    /** Mails that people, and no programs, opened, or opened a link of. */
    opened: integer('opened').notNull().default(0),
    clicked: integer('clicked').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.sequenceId, table.version, table.stepId] })],
)

/** How many runs are in each state. */
export const sequencePeople = sqliteTable(
  'sequence_people',
  {
    sequenceId: text('sequence_id').notNull(),
    state: text('state').$type<RunState>().notNull(),
    people: integer('people').notNull(),
  },
  (table) => [primaryKey({ columns: [table.sequenceId, table.state] })],
)

/** Everybody of a segment is put into a sequence, page by page. */
export const sequenceEnrolments = sqliteTable(
  'sequence_enrolments',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    sequenceId: text('sequence_id').notNull(),
    segmentId: text('segment_id').notNull(),
    /** Contacts up to this one were looked at. */
    cursor: text('cursor').notNull(),
    started: integer('started').notNull(),
    skipped: integer('skipped').notNull(),
    doneAt: at('done_at'),
    createdAt: createdAt(),
  },
  (table) => [
    index('sequence_enrolments_open').on(table.sequenceId, table.id).where(sql`done_at IS NULL`),
    index('sequence_enrolments_list').on(table.sequenceId, table.id),
  ],
)
