// Wire shapes of events and event rules, and the limits that a schema cannot say.

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { filterOperators, mailPurposes } from '../../../db/tables/events.ts'
import { customFields } from '../../core/http/unknown-fields.ts'
import { issue, nullableText, oneOf, time } from '../../core/http/wire.ts'
import { invalidField } from '../../kit/error.ts'
import type { Rule } from './matching.ts'

/** Spaces stand between words only. */
const eventNamePattern = '^[A-Za-z0-9_.:-](?:[A-Za-z0-9_.: -]{0,98}[A-Za-z0-9_.:-])?$'
const maxProperties = 100
const maxPropertyName = 100
const maxPropertyText = 10_000
export const maxPropertiesBytes = 64 * 1024

const eventName = (description: string) =>
  t.String({
    pattern: eventNamePattern,
    error: 'must be 1 to 100 of letters, digits, _ . : -, and spaces between them',
    description,
  })
const openObject = (description: string) => t.Object({}, { additionalProperties: t.Unknown(), description })

export const eventBody = t.Object(
  {
    eventName: eventName('What happened: 1 to 100 of letters, digits, `_`, `.`, `:`, `-`, and spaces between them.'),
    email: t.Optional(t.String({ maxLength: 320, description: 'The address of the contact; give this or `userId`.' })),
    userId: t.Optional(t.String({ maxLength: 255, description: 'Your id for the contact.' })),
    eventProperties: t.Optional(
      openObject('Values for the conditions of rules and for mails. Any JSON; at most 100 names, 64 KB.'),
    ),
    contactProperties: t.Optional(
      openObject('Fields and custom properties of the contact; they may also be at the top level.'),
    ),
    mailingLists: t.Optional(openObject('List id: true or false.')),
    occurredAt: t.Optional(t.String({ maxLength: 40, description: 'ISO 8601 with its offset. Default: now.' })),
    eventId: t.Optional(
      t.String({
        pattern: '^[A-Za-z0-9_:-]{1,100}$',
        description: 'Your own id for the event: a second event with the same id is a repeat.',
      }),
    ),
  },
  {
    ...customFields,
    additionalProperties: t.Unknown(),
    needed: [['email', 'userId']],
    description: 'Further members are custom properties of the contact.',
  },
)
export type EventBody = typeof eventBody.static

/** Members of the body that say nothing of the contact. */
export const eventFields = ['eventName', 'eventProperties', 'contactProperties', 'occurredAt', 'eventId'] as const

export const eventAnswer = t.Object({
  success: t.Literal(true),
  eventId: t.String({ description: 'Your own id for the event, or a generated one.' }),
  jobs: t.Array(t.Object({ jobId: t.String(), templateId: t.String(), runAt: time }), {
    description: 'The template jobs that the rules scheduled.',
  }),
  warnings: t.Optional(t.Array(issue)),
})
export type EventAnswer = typeof eventAnswer.static

/** Throws 422 naming the first property that is too large, or all of them. */
export function checkProperties(properties: Record<string, unknown>): void {
  const entries = Object.entries(properties)
  if (entries.length === 0) return
  if (entries.length > maxProperties)
    throw invalidField('eventProperties', `may have at most ${maxProperties} properties`, 'too_many')
  for (const [name, value] of entries) {
    const path = `eventProperties.${name.slice(0, maxPropertyName)}`
    if (name.length > maxPropertyName)
      throw invalidField(path, `a name may have at most ${maxPropertyName} characters`, 'too_long')
    if (typeof value === 'string' && value.length > maxPropertyText)
      throw invalidField(path, `may have at most ${maxPropertyText} characters`, 'too_long')
  }
  if (Buffer.byteLength(JSON.stringify(properties)) > maxPropertiesBytes)
    throw invalidField('eventProperties', `may have at most ${maxPropertiesBytes} bytes of JSON`, 'too_long')
}

const constant = t.Union([t.String({ maxLength: maxPropertyText }), t.Number(), t.Boolean()])

export const condition = t.Object({
  property: t.String({
    minLength: 1,
    maxLength: maxPropertyName,
    description: 'A property of the event; dots access nested objects.',
  }),
  operator: oneOf(filterOperators),
  value: t.Optional(
    t.Union(constant.anyOf, { description: 'What it is compared with; not used by `exists` and `notExists`.' }),
  ),
})

const delay = t.Object({
  amount: Type.Integer({ minimum: 0 }),
  unit: t.Union([t.Literal('m'), t.Literal('h'), t.Literal('d')], {
    description: 'Minutes (`m`), hours (`h`) or days of 24 hours (`d`).',
  }),
})

export const action = t.Union([t.Literal('send_template'), t.Literal('subscribe'), t.Literal('update_contact')], {
  description:
    '`send_template` needs `templateId`, `subscribe` needs `mailingListId`, `update_contact` needs `contactProperties`.',
})
const nullable = (maxLength: number, description: string) =>
  t.Optional(t.Union([t.String({ maxLength }), t.Null()], { description }))

const optionalFields = {
  name: t.Optional(
    t.String({ minLength: 1, maxLength: 200, description: 'Display name. Default: the name of the event.' }),
  ),
  filter: t.Optional(t.Array(condition, { maxItems: 20, description: 'All must hold.' })),
  templateId: nullable(300, 'Slug of the template that `send_template` sends.'),
  purpose: t.Optional(
    oneOf(
      mailPurposes,
      'The kind of mail that `send_template` sends. `marketing` (default): only to subscribed contacts, with an unsubscribe link. `transactional`: also to contacts who are not subscribed, unless they are suppressed; only a signed-in owner can set this, and the template must not be marketing.',
    ),
  ),
  delay: t.Optional(
    t.Union([delay, t.Null()], { description: 'At most 365 days. Default: no delay; the worker sends it at once.' }),
  ),
  variables: t.Optional(
    openObject(
      'Values for the variables of the template, by name: a constant, or text with `{{event.x}}` and `{{contact.x}}`.',
    ),
  ),
  cancelOn: t.Optional(
    t.Array(eventName('The name of an event that cancels what this rule has scheduled for the contact.'), {
      maxItems: 20,
      description: 'Names of events that cancel what this rule has scheduled for the contact.',
    }),
  ),
  mailingListId: nullable(100, 'The list that `subscribe` puts the contact on.'),
  contactProperties: t.Optional(openObject('What `update_contact` sets: as `variables`; null clears.')),
  reEligible: t.Optional(t.Boolean({ description: 'Whether it may run again for the same contact. Default: false.' })),
  enabled: t.Optional(t.Boolean({ description: 'Default: true.' })),
}

export const createRuleBody = t.Object(
  { eventName: eventName('The name of the event that triggers it.'), action, ...optionalFields },
  { additionalProperties: t.Unknown() },
)
export const updateRuleBody = t.Object(
  {
    eventName: t.Optional(eventName('The name of the event that triggers it.')),
    action: t.Optional(action),
    ...optionalFields,
  },
  { additionalProperties: t.Unknown() },
)
export type RuleBody = typeof updateRuleBody.static

export const ruleView = t.Object({
  id: t.String(),
  name: t.String(),
  eventName: t.String(),
  filter: t.Array(condition),
  action,
  templateId: nullableText,
  purpose: oneOf(mailPurposes),
  delay,
  variables: openObject(''),
  cancelOn: t.Array(t.String()),
  mailingListId: nullableText,
  contactProperties: openObject(''),
  reEligible: t.Boolean(),
  enabled: t.Boolean(),
  createdAt: time,
  updatedAt: time,
})

export function toRuleView(rule: Rule): typeof ruleView.static {
  const { workspaceId: _, delayAmount, delayUnit, createdAt, updatedAt, ...shown } = rule
  return {
    ...shown,
    delay: { amount: delayAmount, unit: delayUnit },
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}
