// Wire shapes of sequences, and their notation in the OpenAPI document: readDefinition is what checks it, and lists where it is wrong.

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { filterOperators, mailPurposes } from '../../../db/tables/events.ts'
import { digestOrders, runStates, sequenceStates } from '../../../db/tables/sequences.ts'
import { refusing } from '../../core/http/unknown-fields.ts'
import { issue, nullableText, nullableTime, oneOf, time, waitsFor } from '../../core/http/wire.ts'
import { maxBranches, maxItems, maxSteps, maxTriggers } from './definition.ts'
import { stepTestNotation, stepTestView } from './test-schema.ts'

const definition = Type.Unknown({
  component: 'SequenceDefinition',
  description: 'What begins it, what ends it, and its steps.',
})
const name = t.String({ minLength: 1, maxLength: 200 })
const revision = Type.Integer({
  minimum: 1,
  description: 'The revision that the change is based on; 409 if there is a newer one.',
})

export const createBody = refusing(t.Object({ name, definition }))
export const updateBody = refusing(
  t.Object({ name: t.Optional(name), definition: t.Optional(definition), revision: t.Optional(revision) }),
)
const steps = t.Record(t.String({ maxLength: 50 }), t.Union([t.String({ maxLength: 50 }), t.Null()]), {
  description:
    'By the id of a step of earlier versions: the step of the draft that its people move to, or null to take them out. A step that is not named leads to the one with its id; without one, its people stay in their version.',
})

export const movesBody = refusing(t.Object({ steps: t.Optional(steps) }))
export const movesAnswer = t.Object({
  contentHash: t.String({ description: 'Of the draft together with these moves, for publishing it.' }),
  moves: t.Array(
    t.Object({
      version: Type.Integer(),
      stepId: t.String(),
      people: Type.Integer({ description: 'How many are there now.' }),
      to: t.Union([t.String(), t.Null()], { description: 'Where they would be; null: out.' }),
      moves: t.Boolean({ description: 'False: they stay in their version.' }),
      nextMail: t.Union([t.String(), t.Null()], { description: 'The step of the next mail that they would get.' }),
    }),
    { description: 'Everybody who is in an earlier version, by step. Whoever’s mail is on its way stays.' },
  ),
})

export const publishBody = refusing(
  t.Object({
    steps: t.Optional(steps),
    contentHash: t.String({
      maxLength: 100,
      description: 'Of the draft as it was looked at, with `steps` that of `planSequenceMoves`.',
    }),
  }),
)

export const enrolBody = refusing(
  t.Object({
    emails: t.Optional(
      t.Array(t.String({ maxLength: 320 }), {
        minItems: 1,
        maxItems: 1_000,
        description: 'Contacts by their address; these or `segmentId`.',
      }),
    ),
    segmentId: t.Optional(t.String({ maxLength: 100, description: 'Everybody who is in it, in the background.' })),
    dryRun: t.Optional(t.Boolean({ description: 'Says who would begin; nobody does. Default: false.' })),
  }),
)

const stepCounts = t.Object({
  version: Type.Integer(),
  stepId: t.String(),
  entered: Type.Integer({ description: 'How often somebody came to it.' }),
  here: Type.Integer({ description: 'How many are there now.' }),
  sent: Type.Integer({ description: 'Mails that a server took.' }),
  skipped: Type.Integer({
    description: 'Mails that were not sent: no consent, put off for too long, or held out by a test.',
  }),
  opened: Type.Integer({ description: 'Mails that people opened, if the workspace counts that.' }),
  clicked: Type.Integer({ description: 'Mails of which people opened a link.' }),
})

const people = t.Object({
  waiting: Type.Integer(),
  sending: Type.Integer(),
  uncertain: Type.Integer({ description: 'Nobody knows whether their mail arrived.' }),
  failed: Type.Integer({ description: 'Their step cannot be done: retry or skip it.' }),
  completed: Type.Integer(),
  exited: Type.Integer(),
})

export const sequenceListItem = t.Object({
  id: t.String(),
  name: t.String(),
  state: oneOf(sequenceStates),
  version: t.Union([Type.Integer(), t.Null()], {
    description: 'The version that people begin; null: none was published.',
  }),
  pauseReason: t.Union([t.String(), t.Null()], {
    description: 'Why it is paused: `manual`, `restored`, a limit of reputation, or what is wrong with its mails.',
  }),
  waitsFor,
  people,
  createdAt: time,
  updatedAt: time,
})

export const sequenceView = t.Object({
  ...sequenceListItem.properties,
  definition,
  revision: Type.Integer({ description: 'Of the draft: 1, 2, 3 …' }),
  contentHash: t.String({ description: 'Identifies the draft, for publishing it.' }),
  isPublished: t.Boolean({ description: 'Whether the newest version says what the draft says.' }),
  issues: t.Array(issue, { description: 'What keeps the draft from being published.' }),
  steps: t.Array(stepCounts, { description: 'People at each step of each version.' }),
  tests: t.Array(stepTestView, { description: 'The tests of the version that people begin.' }),
})

export const runView = t.Object({
  id: t.String(),
  contactId: t.String(),
  email: nullableText,
  version: Type.Integer(),
  key: t.String({ description: 'What tells several runs of one person apart.' }),
  state: oneOf(runStates),
  stepId: t.String({ description: 'Where the person is, or was last.' }),
  reason: t.Union([t.String(), t.Null()], {
    description: 'Why it waits, failed or ended: a code, or a sentence of a refusal.',
  }),
  enteredAt: time,
  dueAt: nullableTime,
  messageId: nullableText,
  eventId: nullableText,
  startedAt: time,
  endedAt: nullableTime,
  gathered: Type.Integer({ description: 'Events that wait for a digest.' }),
})

export const runWithPath = t.Object({
  ...runView.properties,
  why: t.String({
    description:
      'Where the person is and why, in a sentence in English. `state`, `reason` and `dueAt` say the same for programs.',
  }),
  path: t.Array(
    t.Object({
      number: Type.Integer(),
      stepId: t.String(),
      at: time,
      outcome: t.String(),
      detail: nullableText,
      messageId: nullableText,
    }),
    { description: 'The steps that are over, in their order.' },
  ),
})

export const enrolmentView = t.Object({
  id: t.String(),
  segmentId: t.String(),
  started: Type.Integer(),
  skipped: Type.Integer({ description: 'Who may not begin, or begin again.' }),
  doneAt: nullableTime,
  createdAt: time,
})

export const enrolAnswer = t.Object({
  dryRun: t.Boolean(),
  started: Type.Integer(),
  refused: t.Array(t.Object({ email: t.String(), reason: t.String() }), {
    description: 'Who does not begin, and why.',
  }),
  enrolment: t.Union([enrolmentView, t.Null()], { description: 'Of a segment: it goes on in the background.' }),
  estimate: t.Union(
    [
      t.Object({
        looked: Type.Integer({ description: 'How many contacts of the segment were looked at: at most 10,000.' }),
        isWhole: t.Boolean({ description: 'Whether those are all.' }),
        started: Type.Integer({ description: 'Who of them would begin.' }),
        notStarted: t.Array(t.Object({ reason: t.String(), contacts: Type.Integer() })),
      }),
      t.Null(),
    ],
    { description: 'Of a segment, with `dryRun`.' },
  ),
})

const span = t.Object({
  amount: Type.Integer({ minimum: 1 }),
  unit: oneOf(['m', 'h', 'd'] as const, 'Minutes, hours, days of 24 hours.'),
})
const anyProperties = t.Object({}, { additionalProperties: t.Unknown() })

export const rehearseBody = refusing(
  t.Object({
    emails: t.Array(t.String({ maxLength: 320 }), { minItems: 1, maxItems: 20, description: 'For whom: contacts.' }),
    properties: t.Optional({ ...anyProperties, description: 'Of the event that begins it.' }),
    events: t.Optional(
      t.Array(t.Object({ event: t.String({ maxLength: 100 }), after: span, properties: t.Optional(anyProperties) }), {
        maxItems: 50,
        description: 'What happens meanwhile, each so long after the begin.',
      }),
    ),
  }),
)

export const rehearseAnswer = t.Object({
  data: t.Array(
    t.Object({
      email: t.String(),
      state: oneOf(runStates),
      stepId: t.String(),
      reason: nullableText,
      dueAt: nullableTime,
      path: t.Array(
        t.Object({ number: Type.Integer(), stepId: t.String(), at: time, outcome: t.String(), detail: nullableText }),
        { description: 'What each step would do, and when.' },
      ),
    }),
  ),
})

export const runQuery = {
  state: t.Optional(oneOf(runStates)),
  stepId: t.Optional(t.String({ maxLength: 50 })),
  email: t.Optional(t.String({ maxLength: 320 })),
}

type Schema = Record<string, unknown>
const text = { type: 'string' }
const whole = (minimum: number, maximum: number) => ({ type: 'integer', minimum, maximum })
const object = (required: string[], properties: Schema, description?: string) => ({
  type: 'object',
  required,
  additionalProperties: false,
  properties,
  ...(description === undefined ? {} : { description }),
})
const list = (items: Schema, maxItems: number, minItems = 0) => ({ type: 'array', minItems, maxItems, items })
const way = { type: ['string', 'null'], description: 'The id of a step; null: the end. Default: the step below.' }
const spanSchema = object(
  ['amount', 'unit'],
  { amount: whole(1, 576_000), unit: { ...text, enum: ['m', 'h', 'd'] } },
  'At most 400 days.',
)
const constant = { type: ['string', 'number', 'boolean'] }
const condition = object(['property', 'operator'], {
  property: text,
  operator: { ...text, enum: [...filterOperators] },
  value: constant,
})
const conditions = list(condition, 20)
const trigger = {
  oneOf: [
    object(
      ['event'],
      { event: text, filter: conditions, sameKey: { type: 'boolean', default: false } },
      'An event of the contact, of the API or a payment; with `sameKey` only one whose `reEntry.key` is that of the run.',
    ),
    object(
      ['list'],
      { list: text, change: { ...text, enum: ['joined', 'left'], default: 'joined' } },
      'The contact joins a mailing list, or leaves it.',
    ),
    object(
      ['segment'],
      { segment: text, change: { ...text, enum: ['joined', 'left'], default: 'joined' } },
      'The contact joins a segment, or leaves it; those who are in it when it is made begin nothing.',
    ),
    object(
      ['property'],
      { property: text, equals: constant },
      'A custom property of the contact changes; to this value, if one is given.',
    ),
    object(
      ['mail'],
      { mail: { ...text, enum: ['clicked', 'bounced'] }, campaignId: text },
      'Somebody, and no program, opened a link of a campaign’s mail (of that campaign, if one is named); or a mail came back for good.',
    ),
    object(
      ['date'],
      { date: text, days: whole(-400, 400), yearly: { type: 'boolean', default: false } },
      'A date property of the contact: that day where the person is, `days` after it, once or each year. Only a start.',
    ),
  ],
}
const step = (type: string, required: string[], properties: Schema, description: string) =>
  object(
    ['id', 'type', ...required],
    { id: text, type: { ...text, enum: [type] }, next: way, ...properties },
    description,
  )

const eventStep = step(
  'event',
  ['event', 'atMost'],
  {
    event: text,
    filter: conditions,
    sameKey: { type: 'boolean', default: false },
    atMost: spanSchema,
    lookBack: spanSchema,
    otherwise: way,
  },
  'Until an event comes (`next`), or does not in time (`otherwise`).',
)
const digestStep = step(
  'digest',
  ['event', 'templateId'],
  {
    event: text,
    filter: conditions,
    for: spanSchema,
    at: text,
    weekdays: list(whole(1, 7), 7, 1),
    templateId: text,
    variables: { type: 'object', additionalProperties: constant },
    items: { ...whole(1, maxItems), default: 20, description: 'How many events the mail shows.' },
    order: {
      ...text,
      enum: [...digestOrders],
      default: 'newest',
      description: 'Which those are, and in which order.',
    },
  },
  'Gathers events of the contact from the begin of the run on, until the time is over, as in a wait; then sends one mail: `digest.items` is a list of their properties, `digest.count` how many there are, `digest.more` how many of them it does not show. Without any it sends nothing. Events that come while the mail is sent are for another one.',
)

/** The notation by name. */
export function sequenceComponents(): Record<string, Schema> {
  const branchCondition = {
    oneOf: [
      object(['contact'], { contact: { $ref: '#/components/schemas/SegmentFilter' } }),
      object(['event'], { event: conditions }, 'Of the event that began the run.'),
      object(['clicked'], { clicked: text }, 'A person opened a link of the mail that this step sent them.'),
      object(['share'], { share: whole(1, 99) }, 'Of a hundred people.'),
    ],
  }
  const branch = object(['if', 'next'], { if: branchCondition, next: way })
  return {
    SequenceDefinition: object(
      ['steps'],
      {
        start: { oneOf: [...trigger.oneOf, { type: 'null' }], description: 'Null: people come only by enrol.' },
        reEntry: object([], {
          mode: { ...text, enum: ['never', 'afterExit', 'always'], default: 'never' },
          minDays: whole(0, 400),
          key: {
            type: ['string', 'null'],
            description: 'Text with `{{event.x}}`: several runs of one person, one for each order or cart.',
          },
        }),
        exits: list(trigger, maxTriggers),
        goals: list(trigger, maxTriggers),
        purpose: { ...text, enum: [...mailPurposes], default: 'marketing' },
        mailingListId: {
          type: ['string', 'null'],
          description: 'Marketing mail needs an active subscription to it. Null: that the contact is subscribed.',
        },
        postponeAtMost: {
          ...spanSchema,
          description:
            'How long a cap or a limit of frequency may put a mail off before it is skipped. Default: 3 days.',
        },
        steps: list({ $ref: '#/components/schemas/SequenceStep' }, maxSteps, 1),
      },
      'A sequence: everybody begins at the first step.',
    ),
    SequenceStep: {
      oneOf: [
        step(
          'send',
          ['templateId'],
          { templateId: text, variables: { type: 'object', additionalProperties: constant }, test: stepTestNotation },
          'Sends a template; with a `test`, one of its variants.',
        ),
        step(
          'wait',
          [],
          { for: spanSchema, at: text, weekdays: list(whole(1, 7), 7, 1), date: text, days: whole(-400, 400) },
          'For some time; until a time of day (`at`, `09:00`) in the zone of the contact, on certain weekdays (1 is Monday), where days of `for` are those of the calendar; until a date property, `days` after it.',
        ),
        eventStep,
        digestStep,
        step(
          'branch',
          ['branches'],
          { branches: list(branch, maxBranches, 1) },
          'The first branch whose condition is met; `next` if none is.',
        ),
        step('update', ['properties'], { properties: { type: 'object' } }, 'Sets contact properties; null clears.'),
        step('subscribe', ['list'], { list: text }, 'Puts the contact on a list.'),
        step('unsubscribe', ['list'], { list: text }, 'Takes the contact off a list.'),
        step('webhook', [], {}, 'Publishes `sequence.stepReached`.'),
      ],
    },
  }
}
