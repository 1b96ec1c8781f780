// Every event that a webhook may carry: its name, when it happens, the shape of its data and an example. Names and shapes are public and
// only grow (docs/webhooks.md is generated from this list).

import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { nullableText } from '../../core/http/wire.ts'

const time = Type.String({ format: 'date-time' })

const contactIdentity = Type.Object({
  id: nullableText,
  email: Type.String(),
  userId: nullableText,
})
/** The contact as `GET /v1/contacts/find` shows it. */
const contact = Type.Object({}, { additionalProperties: true })
const mailingList = Type.Object({ id: Type.String(), name: Type.String() })
const email = Type.Object({
  /** The messageId returned by the send. */
  id: Type.String(),
  /** The Message-ID header. */
  emailMessageId: Type.String(),
  subject: Type.String(),
})
const sourceType = Type.Union([
  Type.Literal('transactional'),
  Type.Literal('campaign'),
  Type.Literal('rule'),
  Type.Literal('sequence'),
])

const contactData = Type.Object({ contactIdentity, contact: Type.Optional(contact) })
const listData = Type.Object({ contactIdentity, mailingList, mailingLists: Type.Optional(Type.Array(mailingList)) })
const segmentData = Type.Object({
  contactIdentity,
  segment: Type.Object({ id: Type.String(), name: Type.String() }),
})
const subscriptionData = Type.Object({
  contactIdentity,
  subscriptionId: Type.String(),
  sourceId: Type.Optional(Type.String()),
  mailingLists: Type.Array(mailingList),
})
const heldData = Type.Object({
  by: Type.Union([Type.Literal('network'), Type.Literal('source')]),
  network: Type.Optional(Type.String()),
  sourceId: Type.Optional(Type.String()),
  until: time,
})
const emailData = Type.Object({
  contactIdentity,
  email,
  sourceType,
  transactionalId: Type.Optional(Type.String()),
  campaignId: Type.Optional(Type.String()),
  ruleId: Type.Optional(Type.String()),
  sequenceId: Type.Optional(Type.String()),
  mailingLists: Type.Optional(Type.Array(mailingList)),
  code: Type.Optional(Type.String()),
  detail: Type.Optional(Type.String()),
  url: Type.Optional(Type.String()),
})
const suppressionData = Type.Object({ contactIdentity, reason: Type.String(), messageId: Type.Optional(Type.String()) })
const campaignData = Type.Object({
  campaignId: Type.String(),
  name: Type.String(),
  scheduledAt: Type.Optional(time),
  recipients: Type.Optional(Type.Integer()),
  winner: Type.Optional(Type.String()),
  sentence: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
})
/** A mailbox's mail is private: a webhook only announces it, and a token of the mailbox is needed to read it. */
const mailboxEmailData = Type.Object({
  mailbox: Type.Object({ id: Type.String(), address: Type.String() }),
  message: Type.Object({ id: Type.String() }),
})
const domainData = Type.Object({
  domain: Type.Object({ id: Type.String(), name: Type.String() }),
  reason: Type.Optional(Type.String()),
})
const spoofedData = Type.Object({
  domain: domainData.properties.domain,
  day: Type.String({ format: 'date' }),
  messages: Type.Integer(),
  sources: Type.Array(Type.String()),
  reporters: Type.Array(Type.String()),
})
const requirementData = Type.Object({
  domain: domainData.properties.domain,
  requirement: Type.String(),
  receivers: Type.Array(Type.String()),
  evidence: Type.String(),
})
const eventData = Type.Object({
  contactIdentity,
  event: Type.Object({
    id: Type.String(),
    name: Type.String(),
    properties: Type.Object({}, { additionalProperties: true }),
  }),
})
const stepData = Type.Object({
  contactIdentity,
  sequence: Type.Object({ id: Type.String(), version: Type.Integer(), stepId: Type.String(), runId: Type.String() }),
  event: Type.Union([eventData.properties.event, Type.Null()]),
})
const stepTestData = Type.Object({
  sequence: Type.Object({
    id: Type.String(),
    name: Type.String(),
    version: Type.Integer(),
    stepId: Type.String(),
  }),
  winner: Type.String(),
  sentence: Type.String(),
})
const workspaceSchema = Type.Object({ id: Type.String(), slug: Type.String(), name: Type.String() })
const limitData = Type.Object({
  workspace: workspaceSchema,
  limit: Type.String(),
  most: Type.Integer(),
  until: Type.Union([time, Type.Null()]),
})
const suspendedData = Type.Object({ workspace: workspaceSchema, reason: Type.String() })
const resumedData = Type.Object({ workspace: workspaceSchema })
const trustData = Type.Object({ from: Type.String(), to: Type.String() })
const endpointData = Type.Object({ endpointId: Type.String(), url: Type.String(), reason: Type.String() })
const testData = Type.Object({ message: Type.String() })

const tenant = { id: 'ws_019a3f0c6d4e7b20a5c81f2e9d7b6a11', slug: 'acme', name: 'Acme' }
const someone = {
  id: 'con_019a3f0c6d4e7b20a5c81f2e9d7b6a54',
  email: 'ada@example.com',
  userId: 'user-42',
}
const newsletter = { id: 'lst_019a3f0c6d4e7b20a5c81f2e9d7b6a01', name: 'Newsletter' }
const membership = {
  contactIdentity: someone,
  segment: { id: 'seg_019a3f0c6d4e7b20a5c81f2e9d7b6a11', name: 'Busy' },
}
const receipt = {
  contactIdentity: someone,
  email: {
    id: 'msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55',
    emailMessageId: 'msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55@example.com',
    subject: 'Your receipt',
  },
  sourceType: 'transactional' as const,
  transactionalId: 'receipt',
}
const issue = {
  contactIdentity: someone,
  email: { ...receipt.email, subject: 'News in May' },
  sourceType: 'campaign' as const,
  campaignId: 'cmp_019a3f0c6d4e7b20a5c81f2e9d7b6a02',
  mailingLists: [newsletter],
}
const campaign = { campaignId: issue.campaignId, name: 'News in May' }
const subscription = {
  contactIdentity: someone,
  subscriptionId: 'sub_019a3f0c6d4e7b20a5c81f2e9d7b6a03',
  sourceId: 'src_019a3f0c6d4e7b20a5c81f2e9d7b6a04',
  mailingLists: [newsletter],
}
const mailboxEmail = {
  mailbox: { id: 'mbx_019a3f0c6d4e7b20a5c81f2e9d7b6a05', address: 'help@example.com' },
  message: { id: 'rcv_019a3f0c6d4e7b20a5c81f2e9d7b6a06' },
}
const domain = { domain: { id: 'dom_019a3f0c6d4e7b20a5c81f2e9d7b6a07', name: 'mail.example.com' } }

function type<S extends TSchema>(says: string, schema: S, example: Static<S>) {
  return { says, schema, example }
}

export const eventTypes = {
  'contact.created': type('A contact was made', contactData, { contactIdentity: someone }),
  'contact.updated': type('A contact was changed', contactData, { contactIdentity: someone }),
  'contact.unsubscribed': type('A contact gets no more marketing mail', contactData, { contactIdentity: someone }),
  'contact.deleted': type('A contact was deleted', contactData, { contactIdentity: someone }),
  'contact.mailingList.subscribed': type('A contact joined a mailing list (after its confirmation)', listData, {
    contactIdentity: someone,
    mailingList: newsletter,
  }),
  'contact.mailingList.unsubscribed': type('A contact left a mailing list', listData, {
    contactIdentity: someone,
    mailingList: newsletter,
  }),
  'segment.joined': type('A contact came into a segment', segmentData, membership),
  'segment.left': type('A contact is in a segment no more', segmentData, membership),
  'subscription.pending': type('A confirmation was asked for', subscriptionData, subscription),
  'subscription.confirmed': type('A subscription was confirmed', subscriptionData, subscription),
  'subscription.held': type(
    'Confirmations are held: too many were asked for from one network, or through one source; sent once, when it begins',
    heldData,
    { by: 'network', network: '203.0.113.0/24', until: '2026-05-04T09:00:00.000Z' },
  ),
  'transactional.email.sent': type('The mail server took a transactional mail', emailData, receipt),
  'campaign.email.sent': type('The mail server took a mail of a campaign', emailData, issue),
  'rule.email.sent': type('The mail server took a mail of an event rule', emailData, {
    ...receipt,
    sourceType: 'rule',
    ruleId: 'rule_019a3f0c6d4e7b20a5c81f2e9d7b6a08',
  }),
  'sequence.email.sent': type('The mail server took a mail of a sequence', emailData, {
    ...receipt,
    sourceType: 'sequence',
    sequenceId: 'seq_019a3f0c6d4e7b20a5c81f2e9d7b6a0a',
  }),
  'email.queued': type('A mail was accepted for sending', emailData, receipt),
  'email.delayed': type('An attempt failed and another will follow', emailData, {
    ...receipt,
    code: '451 4.7.1',
    detail: 'Try again later',
  }),
  'email.delivered': type("The recipient's server reported delivery", emailData, receipt),
  'email.softBounced': type('The mail came back for a passing reason', emailData, { ...receipt, code: '4.2.2' }),
  'email.hardBounced': type('The address does not exist; it is suppressed now', emailData, {
    ...receipt,
    code: 'hard_bounce',
    detail: '550 5.1.1 No such user',
  }),
  'email.failed': type('The mail was refused, or its attempts are used up', emailData, {
    ...receipt,
    code: 'refused',
    detail: '552 5.3.4 Too large',
  }),
  'email.suppressed': type('The recipient must not be mailed; nothing was sent', emailData, {
    ...receipt,
    code: 'hardBounce',
  }),
  'email.uncertain': type('Handed over, and no reply was read', emailData, { ...receipt, code: 'no_final_reply' }),
  'email.opened': type('A picture of the mail was loaded for the first time', emailData, issue),
  'email.clicked': type('A link of the mail was opened for the first time', emailData, {
    ...issue,
    url: 'https://example.com/may',
  }),
  'email.unsubscribed': type('The unsubscribe link of a mail was used', emailData, issue),
  'email.resubscribed': type('An unsubscribe was undone', emailData, issue),
  'email.spamReported': type('The recipient reported the mail as spam', emailData, issue),
  'suppression.added': type('An address must not be mailed any more', suppressionData, {
    contactIdentity: someone,
    reason: 'hardBounce',
    messageId: receipt.email.id,
  }),
  'suppression.removed': type('An address may be mailed again', suppressionData, {
    contactIdentity: someone,
    reason: 'manual',
  }),
  'campaign.scheduled': type('A campaign got its time', campaignData, {
    ...campaign,
    scheduledAt: '2026-05-04T08:00:00.000Z',
  }),
  'campaign.started': type('A campaign began to send', campaignData, { ...campaign, recipients: 1200 }),
  'campaign.paused': type('A campaign was stopped for now', campaignData, { ...campaign, reason: 'missed_window' }),
  'campaign.winnerChosen': type('The winner of the test of a campaign was chosen, by clicks or by hand', campaignData, {
    ...campaign,
    winner: 'B',
    sentence: 'B is very likely better (97 %).',
  }),
  'campaign.completed': type('A campaign has no recipient left', campaignData, { ...campaign, recipients: 1200 }),
  'sequence.stepReached': type('A person came to a step of a sequence that tells the webhooks', stepData, {
    contactIdentity: someone,
    sequence: {
      id: 'seq_019a3f0c6d4e7b20a5c81f2e9d7b6a0a',
      version: 1,
      stepId: 'tell-crm',
      runId: 'run_019a3f0c6d4e7b20a5c81f2e9d7b6a0b',
    },
    event: { id: 'evt_019a3f0c6d4e7b20a5c81f2e9d7b6a0c', name: 'signed_up', properties: { plan: 'pro' } },
  }),
  'sequence.winnerChosen': type(
    'The winner of the test of a send step was chosen, by clicks or by hand',
    stepTestData,
    {
      sequence: { id: 'seq_019a3f0c6d4e7b20a5c81f2e9d7b6a0a', name: 'Welcome', version: 1, stepId: 'hello' },
      winner: 'B',
      sentence: 'B is very likely better (97 %).',
    },
  ),
  'mailbox.email.received': type('A mailbox received a mail', mailboxEmailData, mailboxEmail),
  'mailbox.email.replied': type('A mailbox answered a mail', mailboxEmailData, mailboxEmail),
  'domain.verified': type('The DNS records of a sending domain are right', domainData, domain),
  'domain.failed': type('The DNS records of a sending domain are no longer correct', domainData, {
    ...domain,
    reason: 'dkim_missing',
  }),
  'domain.spoofed': type(
    'Receivers report that somebody else sends as a sending domain; at most once a day for each',
    spoofedData,
    { ...domain, day: '2026-05-04', messages: 412, sources: ['203.0.113.7'], reporters: ['google.com'] },
  ),
  'requirement.broken': type(
    'A sending domain no longer meets a requirement of Gmail, Yahoo or Microsoft; once, when that begins',
    requirementData,
    {
      ...domain,
      requirement: 'authentication',
      receivers: ['google'],
      evidence: '550 5.7.26 This mail has been blocked because the sender is unauthenticated.',
    },
  ),
  'event.received': type('An event came in', eventData, {
    contactIdentity: someone,
    event: { id: 'evt_019a3f0c6d4e7b20a5c81f2e9d7b6a09', name: 'signedUp', properties: { plan: 'pro' } },
  }),
  'workspace.trustLevelChanged': type('The trust level of the workspace was moved', trustData, {
    from: 'M1',
    to: 'M2',
  }),
  'workspace.limitReached': type(
    'A limit of the plan of a workspace was met for the first time on a day; goes to it, and to the first workspace',
    limitData,
    { workspace: tenant, limit: 'mailsPerDay', most: 1_000, until: '2026-05-05T00:00:00.000Z' },
  ),
  'workspace.suspended': type('A workspace was suspended; goes to it, and to the first workspace', suspendedData, {
    workspace: tenant,
    reason: 'The invoice of April is not paid.',
  }),
  'workspace.resumed': type('A suspended workspace goes on; goes to it, and to the first workspace', resumedData, {
    workspace: tenant,
  }),
  'webhookEndpoint.disabled': type('Another endpoint was disabled: it failed for days, or it is gone', endpointData, {
    endpointId: 'whe_019a3f0c6d4e7b20a5c81f2e9d7b6a10',
    url: 'https://hooks.example.com/',
    reason: 'failing',
  }),
  'testing.testEvent': type('You asked for a test; goes to its endpoint whatever its filters', testData, {
    message: 'test',
  }),
}

export type EventType = keyof typeof eventTypes
export type EventData<T extends EventType> = Static<(typeof eventTypes)[T]['schema']>

export const eventTypeNames = Object.keys(eventTypes) as EventType[]

export const testEventType = 'testing.testEvent'

/** True when one of the filters (a name, `contact.*`, `*`) matches the type. */
export function matchesFilters(filters: string[], eventType: string): boolean {
  return filters.some(
    (filter) =>
      filter === '*' ||
      filter === eventType ||
      (filter.endsWith('.*') && eventType.startsWith(filter.slice(0, -'*'.length))),
  )
}

/** True when a filter can match anything. */
export function isKnownFilter(filter: string): boolean {
  return eventTypeNames.some((name) => matchesFilters([filter], name))
}
