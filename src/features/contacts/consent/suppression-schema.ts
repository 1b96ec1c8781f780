// Wire shapes of suppression.

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { nullableText, time } from '../../../core/http/wire.ts'
import type { Suppression } from './suppression.ts'

const maxBulk = 10_000

export const suppressionReason = t.Union(
  [t.Literal('hardBounce'), t.Literal('complaint'), t.Literal('manual'), t.Literal('unsubscribe')],
  { description: 'Why the address is suppressed. Default in a request: `manual`.' },
)
const address = (description: string) => Type.String({ maxLength: 320, description })

const quotaView = t.Object(
  { limit: Type.Integer(), remaining: Type.Integer() },
  { description: 'Removals of complaints in 30 days.' },
)

export const statusQuery = t.Object({ email: t.Optional(address('The address to look up.')) })
export const statusView = t.Object({
  email: t.String(),
  isSuppressed: t.Boolean(),
  reason: Type.Union([suppressionReason, Type.Null()]),
  suppressedAt: Type.Union([time, Type.Null()]),
  removalQuota: quotaView,
})

export const removeQuery = t.Object({
  email: t.Optional(address('May be given in a JSON body instead.')),
  userId: t.Optional(t.String({ maxLength: 255, description: 'The userId of a contact, instead of its address.' })),
})
export const removeBody = t.Optional(
  t.Object(
    {
      email: Type.Optional(address('The address to take off the list.')),
      userId: Type.Optional(
        Type.String({ maxLength: 255, description: 'The userId of a contact, instead of its address.' }),
      ),
    },
    { additionalProperties: t.Unknown() },
  ),
)
export const removedView = t.Object({ success: t.Literal(true), message: t.String(), removalQuota: quotaView })

export const addBody = t.Object(
  {
    email: address('The address to suppress.'),
    reason: t.Optional(suppressionReason),
    detail: Type.Optional(Type.String({ maxLength: 500, description: 'Why, for people.' })),
  },
  { additionalProperties: t.Unknown() },
)
export const addManyBody = t.Object(
  {
    emails: t.Array(Type.String({ maxLength: 320 }), {
      minItems: 1,
      maxItems: maxBulk,
      description: 'Addresses; case is ignored.',
    }),
    reason: t.Optional(suppressionReason),
    detail: Type.Optional(Type.String({ maxLength: 500, description: 'Why, for people.' })),
  },
  { additionalProperties: t.Unknown() },
)
export const addedManyView = t.Object({
  success: t.Literal(true),
  added: Type.Integer({ description: 'Addresses that were not on the list before.' }),
  unchanged: Type.Integer({ description: 'Addresses that were already on the list, or repeated in the request.' }),
})

export const suppressionView = t.Object({
  email: Type.Union([Type.String(), Type.Null()], { description: 'Null when the person was erased.' }),
  emailHash: t.String({ description: 'SHA-256 of the address in lower case, hex.' }),
  reason: suppressionReason,
  messageId: nullableText,
  detail: nullableText,
  createdAt: time,
})

export function toSuppressionView(row: Suppression): typeof suppressionView.static {
  const { workspaceId: _, createdAt, ...rest } = row
  return { ...rest, createdAt: createdAt.toISOString() }
}
