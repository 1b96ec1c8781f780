// Wire shapes of mailboxes and their tokens, and how a row becomes one.

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { refusing } from '../../core/http/unknown-fields.ts'
import { nullableTime, time } from '../../core/http/wire.ts'
import { firstReadAt } from '../../people/access/schema.ts'
import { allowedOf, maxAllowed } from './allowed-recipients.ts'
import type { Mailbox } from './mailboxes.ts'
import { repliesPerToken } from './reply-limits.ts'
import type { MailboxToken } from './tokens.ts'

const status = t.Union([t.Literal('active'), t.Literal('disabled')], {
  description: 'A disabled one receives nothing, and its tokens do not work.',
})
const scope = t.Union([t.Literal('read'), t.Literal('reply')])
const name = (description: string) => t.Optional(t.String({ maxLength: 100, description }))

const holdReplies = t.Boolean({
  description: 'Mail by agents waits for approval by a person (`/v1/approvals`). Only a signed-in member can set this.',
})
const few = { maxItems: maxAllowed }
const recipients = t.Object({
  addresses: t.Array(t.String({ maxLength: 320 }), few),
  domains: t.Array(t.String({ maxLength: 253, description: 'Each address at it, such as `example.com`.' }), few),
  mailingListIds: t.Array(t.String({ maxLength: 100, description: 'Its active subscribers.' }), few),
  correspondents: t.Boolean({
    description: 'Everybody who sent one of the last 5,000 mails of the mailbox and passed DMARC.',
  }),
})

export const mailboxBody = refusing(
  t.Object({
    address: t.String({ maxLength: 320, description: 'The address, or its part before the @ of INBOUND_DOMAIN.' }),
    name: name('The sender name of its replies.'),
    holdReplies: t.Optional(holdReplies),
  }),
)
export const mailboxChangeBody = refusing(
  t.Object({
    name: name('The sender name of its replies.'),
    status: t.Optional(status),
    holdReplies: t.Optional(holdReplies),
    writesTo: t.Optional(
      t.Partial(recipients, {
        description:
          'To whom agents may write of their own accord; whoever is in one of the lists. All of it is set anew: what is missing is empty. Only a signed-in member can set this.',
      }),
    ),
  }),
)
export const mailboxView = t.Object({
  id: t.String(),
  address: t.String(),
  name: t.String(),
  status,
  holdReplies: t.Boolean({ description: 'Mail by agents waits for approval by a person.' }),
  writesTo: t.Object(recipients.properties, { description: 'To whom agents may write of their own accord.' }),
  createdAt: time,
})
export const newMailboxView = t.Composite([
  mailboxView,
  t.Object({ warnings: t.Array(t.Object({ path: t.String(), message: t.String(), code: t.String() })) }),
])
export const mailboxList = t.Object({ data: t.Array(mailboxView) })
export const inboundView = t.Object({
  inboundUrl: t.String({ description: 'The URL that a mail provider posts received mail to. It is shown only once.' }),
})

const airlock = t.Boolean({
  description:
    'What its agent sends waits for a person once the agent has read what people outside the workspace wrote. Default: false.',
})

export const tokenBody = refusing(
  t.Object({
    name: name('What it is for.'),
    scopes: t.Optional(t.Array(scope, { minItems: 1, maxItems: 2, description: 'Default: both.' })),
    expiresAt: t.Optional(t.String({ maxLength: 40, description: 'ISO 8601. Default: it works until it is revoked.' })),
    airlock: t.Optional(airlock),
  }),
)
const tokenView = t.Object({
  id: t.String(),
  name: t.String(),
  prefix: t.String({ description: 'The first characters of the token, to tell tokens apart.' }),
  scopes: t.Array(scope),
  airlock,
  firstReadAt,
  createdAt: time,
  expiresAt: nullableTime,
  lastUsedAt: t.Union([time, t.Null()], { description: 'Its last use, to the minute.' }),
  replies: t.Object(
    { lastHour: Type.Integer(), limit: Type.Integer({ description: 'The most replies it may send in any hour.' }) },
    { description: 'Replies written with it, including those that wait for approval or were refused.' },
  ),
})
export const newTokenView = t.Composite([
  tokenView,
  t.Object({ token: t.String({ description: 'The token itself, shown only once.' }) }),
])
export const tokenList = t.Object({ data: t.Array(tokenView) })

export function toMailboxView(mailbox: Mailbox): typeof mailboxView.static {
  const { id, address, name, status, holdReplies, createdAt } = mailbox
  return { id, address, name, status, holdReplies, writesTo: allowedOf(mailbox), createdAt: createdAt.toISOString() }
}

/** `lastHour`: the replies written with it. */
export function toTokenView(row: MailboxToken, lastHour: number): typeof tokenView.static {
  const { id, name, prefix, scopes, airlock, createdAt, expiresAt, lastUsedAt } = row
  return {
    id,
    name,
    prefix,
    scopes,
    airlock,
    firstReadAt: row.firstReadAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    replies: { lastHour, limit: repliesPerToken },
  }
}
