// Wire shapes of sending, with the other names by which a field may be sent.

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { issue } from '../../core/http/wire.ts'

export const maxTags = 20
export const maxTagChars = 100
/** Of one send, in `to`, `cc` and `bcc` together. */
export const maxRecipients = 50

/** For records. (Of an object with additionalProperties, and of names that no pattern fits, the cleaning of a body drops what is wrong.) */
const anyName = t.String({ pattern: '^[\\s\\S]*$' })

const recipient = t.String({ maxLength: 530, description: 'An address, or `Name <address>`.' })

/** Beyond the specification, by which a send has one recipient: marked so in the document. */
const beyond = { 'x-extension': true }

const recipients = (least: number, options: { description: string; examples?: unknown[] }) =>
  t.Union([recipient, t.Array(recipient, { minItems: least, maxItems: maxRecipients })], { ...beyond, ...options })

export const sendBody = t.Object(
  {
    email: t.Optional(
      t.String({ maxLength: 320, description: 'The one recipient. Alias: `to`, which may name several.' }),
    ),
    to: t.Optional(
      recipients(1, {
        description:
          'The same as `email`; as an extension also `Name <address>`, or a list. Each recipient gets an envelope, a `messageId` and an outcome of their own, and sees everybody in `to` and `cc`. At most 50 in `to`, `cc` and `bcc` together; an address that is listed twice is mailed once.',
        examples: ['ada@example.net', ['Ada Lovelace <ada@example.net>', 'grace@example.net']],
      }),
    ),
    cc: t.Optional(
      recipients(0, { description: 'An extension: further recipients, one or a list, visible to all as Cc.' }),
    ),
    bcc: t.Optional(
      recipients(0, { description: 'An extension: further recipients, one or a list, hidden from everybody else.' }),
    ),
    userId: t.Optional(
      t.String({ minLength: 1, maxLength: 255, description: 'Instead of `email`: the userId of a contact.' }),
    ),
    templateId: t.Optional(
      t.String({ maxLength: 300, description: 'Slug of the template. Alias: `transactionalId`.' }),
    ),
    transactionalId: t.Optional(t.String({ maxLength: 300, description: 'The same as `templateId`.' })),
    dataVariables: t.Optional(
      t.Object(
        {},
        {
          additionalProperties: t.Unknown(),
          description:
            'Values of the variables of the template, by name: strings, numbers, booleans, or lists of objects.',
        },
      ),
    ),
    addToContact: t.Optional(
      t.Boolean({
        description: 'Create or link the recipient as a contact, without changing consent. Alias: `addToAudience`.',
      }),
    ),
    addToAudience: t.Optional(t.Boolean({ description: 'The same as `addToContact`.' })),
    attachments: t.Optional(
      t.Array(
        t.Object(
          {
            filename: t.Optional(
              t.String({
                maxLength: 500,
                description: 'May contain characters of any script; at most 255 bytes. Alias: `name`.',
              }),
            ),
            name: t.Optional(t.String({ maxLength: 500, description: 'The same as `filename`.' })),
            contentType: t.Optional(
              t.String({
                maxLength: 300,
                description: 'Case is ignored; parameters are allowed. Alias: `content_type`.',
              }),
            ),
            content_type: t.Optional(t.String({ description: 'The same as `contentType`.' })),
            data: t.Optional(t.String({ description: 'Base64. Alias: `content`.' })),
            content: t.Optional(t.String({ description: 'The same as `data`.' })),
            contentId: t.Optional(
              t.String({
                maxLength: 200,
                description:
                  'Shows it in the HTML instead of attaching it: `logo` for `cid:logo`. Alias: `content_id`.',
              }),
            ),
            content_id: t.Optional(t.String({ maxLength: 200, description: 'The same as `contentId`.' })),
          },
          {
            needed: [
              ['filename', 'name'],
              ['contentType', 'content_type'],
              ['data', 'content'],
            ],
          },
        ),
        {
          description:
            'At most 3, those with a `contentId` among them, unless an owner allows more (`maxAttachments`); 10 MB each and 20 MB in all, decoded.',
        },
      ),
    ),
    locale: t.Optional(
      t.String({
        maxLength: 35,
        description: 'BCP 47, e.g. `pt-BR`. Default: the locale of the contact, else of the brand.',
      }),
    ),
    fromName: t.Optional(t.String({ maxLength: 200, description: 'Instead of the name of the template.' })),
    replyTo: t.Optional(t.String({ maxLength: 320, description: 'One address, instead of the one in the template.' })),
    headers: t.Optional(
      t.Record(anyName, t.String(), {
        description:
          'At most 20, of at most 900 characters each: your own `X-…` headers, and a few others. Headers that control mail servers or a mail provider are refused.',
      }),
    ),
    tags: t.Optional(
      t.Array(t.String({ minLength: 1, maxLength: maxTagChars }), {
        maxItems: maxTags,
        description: 'Your own, shown in Email Activity; never sent.',
      }),
    ),
    metadata: t.Optional(
      t.Record(anyName, t.String({ maxLength: 500 }), { description: 'Stored with the message, never sent.' }),
    ),
    scheduledAt: t.Optional(
      t.String({
        description:
          'ISO 8601 with its offset, e.g. `2027-01-15T12:00:00Z`; at most 365 days ahead. One that has passed means now.',
      }),
    ),
  },
  {
    additionalProperties: t.Unknown(),
    needed: [
      ['email', 'to', 'userId'],
      ['templateId', 'transactionalId'],
    ],
  },
)
export type SendBody = typeof sendBody.static

export const sendAnswer = t.Object({
  success: t.Boolean(),
  messageId: t.String({
    description: 'The public Activity id of the message; with several recipients, of the first that will be mailed.',
  }),
  messages: t.Optional(
    t.Array(
      t.Object({
        email: t.String(),
        messageId: t.String(),
        status: t.Union([t.Literal('queued'), t.Literal('suppressed')]),
        reason: t.Optional(t.String({ description: 'Why it is suppressed, e.g. `hard_bounce`.' })),
      }),
      {
        ...beyond,
        description:
          'An extension, only with several recipients: the result of each, in the order of `to`, `cc` and `bcc`.',
      },
    ),
  ),
  warnings: t.Optional(t.Array(issue)),
})
export type SendAnswer = typeof sendAnswer.static

const maxBatch = 500

/** Checked one by one, so that a wrong one is refused alone. */
const batchItem = t.Any({ component: 'SendBody', allOf: [sendBody] })
const batchList = t.Array(batchItem, {
  minItems: 1,
  maxItems: maxBatch,
  description: 'At most 500, each as in a single send.',
  examples: [[{ email: 'ada@example.net', templateId: 'welcome', dataVariables: { name: 'Ada' } }]],
})
export const batchBody = t.Union([t.Object({ messages: batchList }), batchList], {
  description: 'An object with `messages`, or the bare list.',
})
export type BatchBody = typeof batchBody.static

const batchResult = t.Object({
  success: t.Boolean({ description: 'Whether this one was accepted.' }),
  messageId: t.Optional(t.String({ description: 'The same as for a single send; also set if a refusal was logged.' })),
  messages: sendAnswer.properties.messages,
  warnings: t.Optional(t.Array(issue)),
  code: t.Optional(t.String({ description: 'The error code, as for a single send.' })),
  message: t.Optional(t.String({ description: 'The reason, for people.' })),
  errors: t.Optional(
    t.Array(issue, { description: 'What is wrong, with its place in the request: `messages[3].email`.' }),
  ),
})
export type BatchResult = typeof batchResult.static

export const batchAnswer = t.Object({
  success: t.Literal(true),
  accepted: Type.Integer({ description: 'How many were accepted.' }),
  results: t.Array(batchResult, { description: 'One result for each message, in the order of the request.' }),
})
export type BatchAnswer = typeof batchAnswer.static
