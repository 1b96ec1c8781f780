// Workspaces as those see them whose the installation is.

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { type Limits, limitNames } from '../../../db/tables/workspaces.ts'
import { pageOf, pageQuery } from '../../core/http/pagination.ts'
import { refusing } from '../../core/http/unknown-fields.ts'
import { nullableText, nullableTime, oneOf, time } from '../../core/http/wire.ts'
import { apiKeyBody } from '../../people/access/schema.ts'
import { trustLevels, type Workspace } from '../../people/workspaces.ts'

const most = (minimum: number, description: string) =>
  t.Union([Type.Integer({ minimum, maximum: 1_000_000_000 }), t.Null()], { description })

const limits = {
  mailsPerDay: most(0, 'Mails of every kind that are accepted in a day (UTC). Null: as many as there are.'),
  mailsPerMonth: most(0, 'The same in a month (UTC).'),
  mailsPerSecond: most(1, 'How fast they are accepted, with a second ahead. Null: as fast as they come.'),
  contacts: most(0, 'How many contacts there may be.'),
}

const limitsBody = t.Object(
  {
    mailsPerDay: t.Optional(limits.mailsPerDay),
    mailsPerMonth: t.Optional(limits.mailsPerMonth),
    mailsPerSecond: t.Optional(limits.mailsPerSecond),
    contacts: t.Optional(limits.contacts),
  },
  { description: 'What its plan allows. Members that are left out stay as they are; null: no limit.' },
)
const name = t.String({ maxLength: 200 })
const trustLevel = oneOf(trustLevels, 'How many campaign mails it may send in 24 h, from M0 to M4.')

export const createBody = refusing(
  t.Object({
    slug: t.String({ maxLength: 64, description: 'Its name in URLs and commands: a-z, 0-9, `_` and `-`.' }),
    name: t.Optional(name),
    trustLevel: t.Optional(trustLevel),
    limits: t.Optional(limitsBody),
  }),
)
export const changeBody = refusing(
  t.Object({ name: t.Optional(name), trustLevel: t.Optional(trustLevel), limits: t.Optional(limitsBody) }),
)
export const suspendBody = refusing(
  t.Object({
    reason: t.String({
      minLength: 1,
      maxLength: 500,
      description: 'In plain words: its people, and programs that are refused, read it.',
    }),
  }),
)
export const eraseBody = refusing(
  t.Object({
    confirm: t.String({ maxLength: 64, description: 'The slug of the workspace, so that it is no other one.' }),
  }),
)
export const erasedView = t.Object({
  id: t.String(),
  slug: t.String({ description: 'It is free again.' }),
})
export const keyBody = refusing(t.Pick(apiKeyBody, ['name', 'scopes']))

export const listQuery = t.Object({
  search: t.Optional(t.String({ maxLength: 64, description: 'Only those whose slug contains this.' })),
  ...pageQuery,
})

export const tenantView = t.Object({
  id: t.String(),
  slug: t.String(),
  name: t.String(),
  trustLevel,
  limits: t.Union([t.Object(limits), t.Null()], {
    description: 'Null: none were ever given, and its mails are not counted.',
  }),
  suspendedAt: nullableTime,
  suspendedReason: nullableText,
  createdAt: time,
  updatedAt: time,
})
export const tenantPage = pageOf(tenantView)

export const usageQuery = t.Object({
  from: t.Optional(t.String({ maxLength: 40, description: 'A day: `2027-01-15`. Default: 30 days ago.' })),
  to: t.Optional(t.String({ maxLength: 40, description: 'Up to this moment. Default: now.' })),
})

const counted = (description: string) => t.Union([Type.Integer(), t.Null()], { description })

const figures = {
  accepted: counted(
    'Mails of every kind that were accepted: what limits count. Null: it has no limits, so none are counted.',
  ),
  events: counted('Events of contacts that were recorded. Null as above, and so are the next four.'),
  contactsMade: counted('New contacts, also those that were removed since.'),
  mediaBytes: counted('Bytes of the pictures that were uploaded, also of those that were removed since.'),
  receivedBytes: counted('Bytes of the mails that its mailboxes received, as they came.'),
  sentBytes: counted('Bytes of the mails that a mail server took, of every kind, as they were handed over.'),
  sent: Type.Integer({ description: 'Mails that a mail server took.' }),
  delivered: Type.Integer({ description: 'Those that the receiving side confirmed; few receivers do.' }),
  bounced: Type.Integer(),
  complained: Type.Integer(),
  campaigns: Type.Integer({ description: 'Of those sent, mails of campaigns.' }),
}

export const usageView = t.Object({
  workspaceId: t.String(),
  contacts: Type.Integer({ description: 'How many it has now.' }),
  totals: t.Object(figures, { description: 'Of all days.' }),
  data: t.Array(t.Object({ day: t.String({ format: 'date' }), ...figures, limitsMet: t.Array(oneOf(limitNames)) }), {
    description: 'Every day (UTC) in that time, oldest first.',
  }),
})

export function toTenantView(row: Workspace) {
  const { id, slug, name, trustLevel, suspendedAt, suspendedReason, createdAt, updatedAt } = row
  return {
    id,
    slug,
    name,
    trustLevel,
    limits: row.limits && toLimitsView(row.limits),
    suspendedAt: suspendedAt?.toISOString() ?? null,
    suspendedReason,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

function toLimitsView({ mailsPerDay, mailsPerMonth, mailsPerSecond, contacts }: Limits) {
  return { mailsPerDay, mailsPerMonth, mailsPerSecond, contacts }
}
