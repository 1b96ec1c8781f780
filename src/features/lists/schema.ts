// Wire shapes of mailing lists, subscription sources and opt-in.

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { customFields } from '../../core/http/unknown-fields.ts'
import { time } from '../../core/http/wire.ts'
import { oneLinePattern } from '../../kit/text.ts'
import type { MailingList } from '../contacts/consent/named-lists.ts'
import { noGuards, type Source } from './sources.ts'

const optIn = t.Union([t.Literal('single'), t.Literal('double')], {
  description: '`double`: a contact joins only after confirming by mail.',
})
const nullableText = (maxLength: number, description?: string) =>
  t.Optional(t.Union([t.String({ maxLength, ...(description ? { description } : {}) }), t.Null()]))
/** Shown on pages and in mail, on one line. */
const name = t.String({
  minLength: 1,
  maxLength: 200,
  pattern: oneLinePattern,
  error: 'must be 1 to 200 characters in one line',
})
const id = t.String({ maxLength: 100 })

const listFields = {
  description: nullableText(1_000, 'Shown in the preference centre.'),
  isPublic: t.Optional(
    t.Boolean({
      description: 'Shown in the preference centre to everybody, not only to its subscribers. Default false.',
    }),
  ),
  hasPublicArchive: t.Optional(
    t.Boolean({
      description:
        'Anybody may read at `/archive/{id}`, and in its feed, the campaigns that were sent to all of it. Default false.',
    }),
  ),
  optIn: t.Optional(optIn),
}
export const createListBody = t.Object({ name, ...listFields }, { additionalProperties: t.Unknown() })
export const updateListBody = t.Object({ name: t.Optional(name), ...listFields }, { additionalProperties: t.Unknown() })

export const listView = t.Object({
  id: t.String(),
  name: t.String(),
  description: t.Union([t.String(), t.Null()]),
  isPublic: t.Boolean(),
  hasPublicArchive: t.Boolean(),
  status: t.Union([t.Literal('active'), t.Literal('archived')]),
  optIn,
  contactCount: Type.Integer({ description: 'Contacts with an active subscription.' }),
  createdAt: time,
})

export function toListView({ workspaceId: _, updatedAt: __, createdAt, ...list }: MailingList) {
  return { ...list, createdAt: createdAt.toISOString() }
}

/** A list in the form that Loops clients expect. */
export const loopsListView = t.Object({
  id: t.String(),
  name: t.String(),
  description: t.Union([t.String(), t.Null()]),
  isPublic: t.Boolean(),
})

const sourceType = t.Union([
  t.Literal('form'),
  t.Literal('api'),
  t.Literal('import'),
  t.Literal('checkout'),
  t.Literal('manual'),
  t.Literal('integration'),
])
const sourceOptIn = t.Union([optIn, t.Literal('list')], {
  description: '`list` (default): the setting of each mailing list.',
})

const sourceGuards = t.Object({
  honeypot: t.Optional(
    t.Union([t.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,39}$' }), t.Null()], {
      description:
        'The name of a hidden form field (honeypot), e.g. `website`. Whoever fills it in gets the same response as everybody else, but is not subscribed.',
    }),
  ),
  leastSeconds: t.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 60,
      description: 'The least time between loading the form and submitting it. Default 0.',
    }),
  ),
  proofOfWork: t.Optional(
    t.Boolean({
      description:
        'A proof of work (ALTCHA, about a second in the browser); the challenge comes from `/f/{sourceId}/challenge`.',
    }),
  ),
})

const sourceFields = {
  type: t.Optional(sourceType),
  mailingListIds: t.Optional(
    t.Array(id, {
      maxItems: 100,
      description: 'The lists that an opt-in through it joins; empty: those that the opt-in names.',
    }),
  ),
  optIn: t.Optional(sourceOptIn),
  consentText: t.Optional(
    t.String({
      maxLength: 10_000,
      description: 'What the person agrees to, word for word. A changed text is a new version.',
    }),
  ),
  confirmationTemplateId: nullableText(64, 'Slug of a template with {{confirm_url}}. Default: the built-in one.'),
  redirectUrl: nullableText(2_000, 'Where the confirm button leads. Default: the built-in page.'),
  formRedirectUrl: nullableText(
    2_000,
    'Where the form without a script (`/f/{sourceId}`) leads after it was submitted: an https URL. Default: the built-in page.',
  ),
  allowedOrigins: t.Optional(
    t.Array(t.String({ maxLength: 300 }), {
      maxItems: 20,
      description:
        'Origins whose pages may send opt-ins with the id of the source as the key, e.g. `https://example.com`.',
    }),
  ),
  guards: t.Optional(
    t.Union([sourceGuards, t.Null()], {
      description: 'Protection of visitors’ opt-ins against bots. Null: none. Whatever is not given is off.',
    }),
  ),
  active: t.Optional(t.Boolean({ description: 'False: it accepts no opt-ins. Default true.' })),
}
export const createSourceBody = t.Object({ name, ...sourceFields }, { additionalProperties: t.Unknown() })
export const updateSourceBody = t.Object(
  { id: t.Optional(id), name: t.Optional(name), ...sourceFields },
  { additionalProperties: t.Unknown() },
)
export const deleteSourceBody = t.Object({ id }, { additionalProperties: t.Unknown() })

export const sourceView = t.Object({
  id: t.String(),
  name: t.String(),
  type: sourceType,
  mailingListIds: t.Array(t.String()),
  optIn: sourceOptIn,
  consentText: t.String(),
  consentTextVersion: Type.Integer({ description: 'Goes up with each change of the text.' }),
  confirmationTemplateId: t.Union([t.String(), t.Null()]),
  redirectUrl: t.Union([t.String(), t.Null()]),
  formRedirectUrl: t.Union([t.String(), t.Null()]),
  allowedOrigins: t.Array(t.String()),
  guards: t.Object(
    { honeypot: t.Union([t.String(), t.Null()]), leastSeconds: Type.Integer(), proofOfWork: t.Boolean() },
    { description: 'Protection of visitors’ opt-ins against bots.' },
  ),
  active: t.Boolean(),
  createdAt: time,
  updatedAt: time,
})

export function toSourceView({ workspaceId: _, archivedAt: __, guards, createdAt, updatedAt, ...own }: Source) {
  return { ...own, guards: guards ?? noGuards, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
}

const consent = t.Object(
  {
    ip: t.Optional(t.String({ maxLength: 45 })),
    userAgent: t.Optional(t.String({ maxLength: 1_000 })),
    url: t.Optional(t.String({ maxLength: 2_000 })),
    timestamp: t.Optional(t.String({ maxLength: 40, description: 'ISO 8601; not in the future.' })),
  },
  { description: 'Where and when the person agreed, as you saw it. Recorded in the ledger of consent.' },
)

/** Members that belong to the request; everything else is a field of the contact. */
export const optInMembers = ['sourceId', 'source', 'mailingListIds', 'mailingLists', 'consent'] as const

export const optInBody = t.Object(
  {
    email: t.String({ maxLength: 320 }),
    userId: t.Optional(
      t.Union([t.String({ maxLength: 255 }), t.Null()], {
        description: 'Your id for this person; 409 when another contact has it.',
      }),
    ),
    sourceId: t.Optional(t.String({ maxLength: 100, description: 'The subscription source of the opt-in.' })),
    source: t.Optional(t.String({ maxLength: 100, description: 'Alias of `sourceId`.' })),
    mailingListIds: t.Optional(
      t.Array(id, { maxItems: 100, description: 'Some of the lists of the source. Default: all of them.' }),
    ),
    mailingLists: t.Optional(t.Record(t.String(), t.Boolean(), { description: 'Alias of `mailingListIds`.' })),
    consent: t.Optional(consent),
  },
  {
    ...customFields,
    additionalProperties: t.Unknown(),
    needed: [['sourceId', 'source']],
    description: 'Further members are fields and custom properties of the contact.',
  },
)

const optInStatus = t.Union([t.Literal('active'), t.Literal('pending')], {
  description: '`pending`: waits for the confirmation by mail.',
})
export const optInAnswer = t.Object({
  success: t.Literal(true),
  subscriptionId: t.String({ description: 'The first of `subscriptions`.' }),
  contactId: t.String(),
  status: optInStatus,
  subscriptions: t.Array(t.Object({ id: t.String(), mailingListId: t.String(), status: optInStatus })),
  confirmationSentAt: t.Optional(
    t.String({ format: 'date-time', description: 'When the confirmation mail was sent.' }),
  ),
  confirmationHeldUntil: t.Optional(
    t.String({
      format: 'date-time',
      description:
        'When it is sent instead, because there were too many requests for this address, from this network or through this source.',
    }),
  ),
  suppression: t.Optional(t.String({ description: 'Why this address gets no mail.' })),
  warnings: t.Optional(t.Array(t.Object({ path: t.String(), message: t.String(), code: t.String() }))),
})

/** The answer to a visitor with the public key of a source, whoever the address belongs to. */
const visitorAnswer = t.Object(
  { success: t.Literal(true) },
  { title: 'VisitorAnswer', description: 'If the credential is the id of a source: the same for everybody.' },
)
export const newOptInAnswer = t.Union([optInAnswer, visitorAnswer])

export const cancelHeldBody = t.Object({
  network: t.String({ maxLength: 50, description: 'A /24 of IPv4 or a /48 of IPv6, as `sign_ups_held` names it.' }),
})

export const resendBody = t.Object(
  {
    email: t.String({ maxLength: 320 }),
    sourceId: t.Optional(t.String({ maxLength: 100, description: 'Only opt-ins through this source.' })),
    mailingListId: t.Optional(t.String({ maxLength: 100, description: 'Only the confirmation of this list.' })),
  },
  { additionalProperties: t.Unknown() },
)

/** Keeps only what the schema names; the rest of a body does not belong to the request. */
export function onlyKnownMembers<T extends Record<string, unknown>>(
  body: T,
  schema: { properties: Record<string, unknown> },
): T {
  return Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(schema.properties, name))) as T
}
