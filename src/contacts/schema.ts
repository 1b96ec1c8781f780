// Wire shapes of contacts. Everything at the top level that is not named here is a custom property;
// what a field may hold is checked once, in fields.ts, for these routes as for imports and events.

import { type TSchema, Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { subscriptionStates } from '../../db/tables/lists.ts'
import type { consentOf } from '../consent/ledger.ts'
import { customFields } from '../http/unknown-fields.ts'
import { issue, time } from '../http/wire.ts'
import { given } from '../lib/given.ts'
import type { Listed } from './list.ts'

const nullable = (schema: TSchema, description?: string) => Type.Union([schema, Type.Null()], given({ description }))
const text = (description: string) => Type.Optional(Type.Unknown({ type: ['string', 'null'], description }))
const nullableText = nullable(Type.String())

/** Documented here, checked in fields.ts: the faults of a request are listed together. */
const contactFields = {
  email: Type.Optional(Type.Unknown({ type: 'string', description: 'One plain address.' })),
  userId: text('Your id of this person, unique in the workspace; at most 255 characters.'),
  firstName: text('At most 200 characters.'),
  lastName: text('At most 200 characters.'),
  source: text('Where the contact comes from; at most 200 characters.'),
  subscribed: Type.Optional(
    Type.Unknown({
      type: 'boolean',
      description: 'Consent to marketing mail. Default for a new contact: true. It changes only when it is given.',
    }),
  ),
  userGroup: text('At most 200 characters.'),
  locale: text('BCP 47, e.g. pt-BR.'),
  timezone: text('IANA name, e.g. Europe/Paris.'),
  mailingLists: Type.Optional(
    Type.Unknown({
      type: 'object',
      additionalProperties: { type: 'boolean' },
      description: 'List id: true or false. On a list with double opt-in, true waits for the confirmation.',
    }),
  ),
}
const alsoProperties = {
  ...customFields,
  additionalProperties: t.Unknown(),
  description:
    'Other names are custom properties: `planName` or `plan_name`; string, number or boolean; null clears. Their first value decides their type.',
}

export const createBody = t.Object(contactFields, { ...alsoProperties, needed: [['email']] })
export const updateBody = t.Object(contactFields, { ...alsoProperties, needed: [['email', 'userId']] })
export const deleteBody = t.Object(
  {
    email: Type.Optional(Type.String({ maxLength: 320, description: 'The address of the contact.' })),
    userId: Type.Optional(
      Type.String({ maxLength: 255, description: 'Your id of the contact, instead of its address.' }),
    ),
  },
  { additionalProperties: t.Unknown(), needed: [['email', 'userId']] },
)
export const findQuery = t.Object({
  email: t.Optional(t.String({ maxLength: 320, description: 'The whole address; case does not count.' })),
  userId: t.Optional(
    t.String({ maxLength: 255, description: 'Your id of the contact. With both, the contact that has both.' }),
  ),
})

export const savedView = t.Object({ success: t.Literal(true), id: t.String(), warnings: t.Optional(t.Array(issue)) })
export const deletedView = t.Object({ success: t.Literal(true), message: t.String() })

export const contactView = t.Object(
  {
    id: t.String(),
    email: t.String(),
    userId: nullable(Type.String(), 'Your id of this person.'),
    firstName: nullableText,
    lastName: nullableText,
    source: nullable(Type.String(), 'Where the contact comes from.'),
    subscribed: t.Boolean({ description: 'Consent to marketing mail.' }),
    userGroup: nullableText,
    locale: nullableText,
    timezone: nullableText,
    mailingLists: t.Object(
      {},
      { additionalProperties: t.Unknown(), description: 'List id: true, of active subscriptions.' },
    ),
    optInStatus: nullable(
      Type.Union([Type.Literal('pending'), Type.Literal('accepted'), Type.Literal('rejected')]),
      'Of the last confirmation that was asked for; null: none was.',
    ),
    createdAt: time,
    updatedAt: time,
  },
  { additionalProperties: t.Unknown(), description: 'Custom properties stand beside these.' },
)

export const contactFilter = {
  email: t.Optional(t.String({ maxLength: 320, description: 'The beginning of the address.' })),
  property: t.Optional(t.String({ maxLength: 50, description: 'A custom property, with `value`.' })),
  value: t.Optional(t.String({ maxLength: 2_000, description: 'The value of `property`.' })),
  listId: t.Optional(t.String({ maxLength: 100, description: 'Who is on this list; with `state`, in that state.' })),
  state: t.Optional(
    t.Union(
      ['subscribed' as const, ...subscriptionStates].map((one) => t.Literal(one)),
      { description: 'Without a list: `subscribed`, `unsubscribed`, `pending` or `rejected`.' },
    ),
  ),
}

export const consentView = t.Object({
  id: t.String(),
  action: t.String({ description: 'What happened: `granted`, `confirmed`, `withdrawn` …' }),
  mailingListId: nullable(Type.String(), 'Null: mail of this workspace as such.'),
  method: t.String({ description: 'How it came: `opt_in`, `one_click`, `api`, `import` …' }),
  route: nullable(Type.String(), 'Of the request it came with.'),
  actorId: nullable(Type.String(), 'The API key or user whose request it was.'),
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

export function toConsentView(record: Awaited<ReturnType<typeof consentOf>>[number]): typeof consentView.static {
  const { workspaceId: _, contactId: __, emailHash: ___, givenAt, createdAt, ...rest } = record
  return { ...rest, givenAt: givenAt.toISOString(), createdAt: createdAt.toISOString() }
}
