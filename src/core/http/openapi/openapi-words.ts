// Texts of the OpenAPI document beyond the routes and their schemas: path parameters, and example values.

import { ownValue } from '../../../kit/own-value.ts'

/** Path parameters that their name does not say; each means the same in every path. */
const parameters: Record<string, string> = {
  approvalId: 'The id of the campaign, `cmp_…`, or of the reply, `msg_…`.',
  capturedId: 'The id of the captured mail, a number.',
  domainId: 'The id of the sending domain.',
  endpointId: 'The id of the webhook endpoint, `whe_…`.',
  integrationId: 'The last part of `webhook_url`, `int_…`.',
  keyId: 'The id of the API key, `key_…`, not the key itself.',
  listId: 'The id of the mailing list, `lst_…`.',
  locale: 'A language tag (BCP 47), e.g. `pt-BR`; case is ignored.',
  number: 'Which attachment: 1 is the first.',
  paymentEventId: 'The id of the event at the payment provider.',
  ruleId: 'The id of the event rule.',
  sourceId: 'The id of the subscription source, `src_…`.',
  templateId: 'The slug of the template.',
  token: 'The last part of the inbound URL of a mailbox.',
  tokenId: 'The id of the token, not the token itself.',
  userId: 'The id of the person, `usr_…`.',
}

/** `segmentId`: "The id of the segment." */
export function parameterText(name: string): string {
  return ownValue(parameters, name) ?? `The id of the ${name.replace(/Id$/, '')}.`
}

const examples: [RegExp, unknown][] = [
  [/^(email|to|replyTo|fromEmail|address)$/, 'ada@example.net'],
  [/^emails$/, ['ada@example.net']],
  [/^definition$/, { start: { event: 'signed_up' }, steps: [{ id: 'welcome', type: 'send', templateId: 'welcome' }] }],
  [/^userId$/, 'user-4711'],
  [/^(templateId|transactionalId|id|slug|confirmationTemplateId)$/, 'welcome'],
  [/^mailingListIds?$/, 'lst_01a1fcabeb8708d89cc1576fb35b95d0'],
  [/^sourceId|source$/, 'src_01a1fcabeb8708d89cc1576fb35b95d1'],
  [/^eventName$/, 'signup'],
  [/^locale|primaryLocale$/, 'en'],
  [/^timezone|timeZone$/, 'Europe/Paris'],
  [/^url$/, 'https://hooks.example.com/paquebot'],
  [/^redirectUrl|website|logoUrl$/, 'https://example.com'],
  [/^domain$/, 'mail.example.com'],
  [/^(scheduledAt|expiresAt|occurredAt|timestamp|from|until)$/, '2027-01-15T12:00:00Z'],
  [/^content$/, [{ type: 'text', text: 'Hello {{name}}' }]],
  [/^filter$/, { field: 'plan', op: 'eq', value: 'pro' }],
  [/^subject$/, 'Welcome, {{name}}'],
  [/^(firstName)$/, 'Ada'],
  [/^(currentPassword|newPassword|password)$/, 'correct horse battery staple'],
  [/^(filename)$/, 'terms.txt'],
  [/^contentType$/, 'text/plain'],
  [/^data$/, 'SGVsbG8='],
  [/^name$/, 'Welcome'],
  [/^contentHash$/, '0'.repeat(64)],
]

/** An example for a member with this name; undefined when its schema has to provide one. */
export function exampleOf(name: string): unknown {
  return examples.find(([pattern]) => pattern.test(name))?.[1]
}
