// Wire shapes of contacts. Every top-level member that is not named here is a custom property. Values are checked in fields.ts, once for
// these routes, imports and events.

import { type TSchema, Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { subscriptionStates } from '../../../db/tables/lists.ts'
import { pageOf } from '../../core/http/pagination.ts'
import { customFields, refusing } from '../../core/http/unknown-fields.ts'
import { issue, oneOf, time } from '../../core/http/wire.ts'
import { oneLinePattern } from '../../kit/text.ts'
import { withoutUndefined } from '../../kit/without-undefined.ts'
import type { listConsent } from './consent/ledger.ts'
import { suppressionReason } from './consent/suppression-schema.ts'
import type { Listed } from './list.ts'

const nullable = (schema: TSchema, description?: string) =>
  Type.Union([schema, Type.Null()], withoutUndefined({ description }))
const text = (description: string) => Type.Optional(Type.Unknown({ type: ['string', 'null'], description }))
const nullableText = nullable(Type.String())

/** Documented here but checked in fields.ts, so that all errors of a request are listed together. */
const contactFields = {
  email: Type.Optional(Type.Unknown({ type: 'string', description: 'One plain address.' })),
  userId: text('Your id for this person, unique in the workspace; at most 255 characters.'),
  firstName: text('At most 200 characters.'),
  lastName: text('At most 200 characters.'),
  source: text('Where the contact comes from; at most 200 characters.'),
  subscribed: Type.Optional(
    Type.Unknown({
      type: 'boolean',
      description:
        'Consent to marketing mail. Default for a new contact: true. For an existing contact, it changes only if this is given.',
    }),
  ),
  userGroup: text('At most 200 characters.'),
  locale: text('BCP 47, e.g. pt-BR.'),
  timezone: text('IANA name, e.g. Europe/Paris.'),
  mailingLists: Type.Optional(
    Type.Unknown({
      type: 'object',
      additionalProperties: { type: 'boolean' },
      description:
        'List id: true or false. On a list with double opt-in, true makes the subscription pending until the person confirms; `POST /v1/contact-subscriptions/resend-confirmation` sends them the mail.',
    }),
  ),
}
const alsoProperties = {
  ...customFields,
  additionalProperties: t.Unknown(),
  description:
    'Other names are custom properties: `planName` or `plan_name`; string, number or boolean; null clears. The first value determines the type.',
}

export const createBody = t.Object(contactFields, { ...alsoProperties, needed: [['email']] })
export const updateBody = t.Object(contactFields, { ...alsoProperties, needed: [['email', 'userId']] })
export const changeBody = t.Object(contactFields, alsoProperties)

const maxStatementLength = 2_000
export const statementBody = refusing(
  t.Object(
    {
      subscribed: t.Optional(t.Boolean({ description: 'Consent to all marketing mail of the workspace.' })),
      mailingLists: t.Optional(
        t.Record(t.String(), t.Boolean(), {
          description: 'List id: true or false. On a list with double opt-in, true makes the subscription pending.',
        }),
      ),
      statement: t.String({
        minLength: 1,
        maxLength: maxStatementLength,
        pattern: oneLinePattern,
        description:
          'Where, when and how the person agreed or withdrew, in one line of text. It is recorded in the ledger with each change.',
      }),
    },
    { needed: [['subscribed', 'mailingLists']] },
  ),
)

export const deleteBody = t.Object(
  {
    email: Type.Optional(Type.String({ maxLength: 320, description: 'The address of the contact.' })),
    userId: Type.Optional(
      Type.String({ maxLength: 255, description: 'Your id for the contact, instead of its address.' }),
    ),
  },
  { additionalProperties: t.Unknown(), needed: [['email', 'userId']] },
)
export const findQuery = t.Object({
  email: t.Optional(t.String({ maxLength: 320, description: 'The whole address; case is ignored.' })),
  userId: t.Optional(
    t.String({
      maxLength: 255,
      description: 'Your id for the contact. If both are given, the contact must match both.',
    }),
  ),
})

export const savedView = t.Object({ success: t.Literal(true), id: t.String(), warnings: t.Optional(t.Array(issue)) })
export const deletedView = t.Object({ success: t.Literal(true), message: t.String() })

export const contactView = t.Object(
  {
    id: t.String(),
    email: t.String(),
    userId: nullable(Type.String(), 'Your id for this person.'),
    firstName: nullableText,
    lastName: nullableText,
    source: nullable(Type.String(), 'Where the contact comes from.'),
    subscribed: t.Boolean({ description: 'Consent to marketing mail.' }),
    userGroup: nullableText,
    locale: nullableText,
    timezone: nullableText,
    mailingLists: t.Object(
      {},
      { additionalProperties: t.Unknown(), description: 'List id: true, for each active subscription.' },
    ),
    optInStatus: nullable(
      Type.Union([Type.Literal('pending'), Type.Literal('accepted'), Type.Literal('rejected')]),
      'The state of the last confirmation request; null when there was none.',
    ),
    createdAt: time,
    updatedAt: time,
  },
  { additionalProperties: t.Unknown(), description: 'Custom properties are further members.' },
)

export const contactPage = t.Object({
  ...pageOf(contactView).properties,
  suppressed: t.Record(t.String(), suppressionReason, {
    description:
      'By contact id: the reason of the suppression, for each contact on this page whose address is suppressed.',
  }),
})

export const contactFilter = {
  q: t.Optional(
    t.String({
      maxLength: 320,
      description:
        'Up to 8 words, each a part of the address, of the first or last name, or of your id. `@example.net` finds a domain.',
    }),
  ),
  email: t.Optional(t.String({ maxLength: 320, description: 'The beginning of the address.' })),
  property: t.Optional(t.String({ maxLength: 50, description: 'A custom property, with `value`.' })),
  value: t.Optional(t.String({ maxLength: 2_000, description: 'The value of `property`.' })),
  listId: t.Optional(
    t.String({ maxLength: 100, description: 'Contacts on this list; with `state`, those in that state.' }),
  ),
  state: t.Optional(
    oneOf(
      ['subscribed', ...subscriptionStates] as const,
      'Without a list: `subscribed`, `unsubscribed`, `pending` or `rejected`.',
    ),
  ),
  suppressed: t.Optional(
    oneOf(
      ['true', 'false'] as const,
      'Whether the address is on the suppression list. The address of an erased person is stored as a hash only, and is not found.',
    ),
  ),
  segmentId: t.Optional(t.String({ maxLength: 100, description: 'Contacts in this segment.' })),
}

export const consentView = t.Object({
  id: t.String(),
  action: t.String({ description: 'What happened: `granted`, `confirmed`, `withdrawn` …' }),
  mailingListId: nullable(Type.String(), 'The mailing list. Null: all marketing mail of this workspace.'),
  method: t.String({ description: 'Where the change came from: `opt_in`, `one_click`, `api`, `import` …' }),
  route: nullable(Type.String(), 'The request that made the change.'),
  actorId: nullable(Type.String(), 'The API key or user that made the request.'),
  sourceId: nullableText,
  consentText: nullableText,
  consentTextVersion: nullable(Type.Integer()),
  ip: nullableText,
  userAgent: nullableText,
  url: nullableText,
  givenAt: t.String({
    format: 'date-time',
    description: 'When the person did it; `createdAt` is when it was recorded.',
  }),
  createdAt: time,
})

export const consentLedger = t.Object({ data: t.Array(consentView) })

export const propertyBody = t.Object({
  name: t.String({ maxLength: 50 }),
  type: t.Union([t.Literal('string'), t.Literal('number'), t.Literal('boolean'), t.Literal('date')]),
})

export function toContactView({ contact, mailingListIds }: Listed): typeof contactView.static {
  const { id, email, userId, firstName, lastName, source, subscribed, userGroup, locale, timezone } = contact
  return {
    id,
    email,
    userId,
    firstName,
    lastName,
    source,
    subscribed,
    userGroup,
    locale,
    timezone,
    mailingLists: Object.fromEntries(mailingListIds.map((listId) => [listId, true])),
    optInStatus: contact.optInStatus,
    createdAt: contact.createdAt.toISOString(),
    updatedAt: contact.updatedAt.toISOString(),
    ...contact.properties,
  }
}

export function toConsentView(record: Awaited<ReturnType<typeof listConsent>>[number]): typeof consentView.static {
  const { workspaceId: _, contactId: __, emailHash: ___, givenAt, createdAt, ...rest } = record
  return { ...rest, givenAt: givenAt.toISOString(), createdAt: createdAt.toISOString() }
}
