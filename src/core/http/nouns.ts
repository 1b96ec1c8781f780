// What the API is about: the first part of a path, with the name under which the clients, the command line and the reference know it. A
// path that is not here makes no document, so that nothing is filed under another's name.

import { ownValue } from '../../kit/own-value.ts'

/** Groups of the reference page, in its order. */
export const tags = [
  { name: 'Transactional', description: 'Templates, and sending one of them to one recipient.' },
  { name: 'Contacts', description: 'Contacts, their properties, import and export.' },
  { name: 'Suppression', description: 'Who must not be mailed.' },
  { name: 'Subscriptions', description: 'Mailing lists, subscription sources, opt-in and confirmation.' },
  { name: 'Events', description: 'What happened on your side, and rules that send mail for it.' },
  { name: 'Sequences', description: 'Several mails to a person, one after the other, from an event on.' },
  { name: 'Campaigns', description: 'One mail to everybody on a list.' },
  { name: 'Activity', description: 'What became of each message, and the jobs behind it.' },
  { name: 'Webhooks', description: 'Signed deliveries to your URLs.' },
  { name: 'Payments', description: 'What the payment provider reports.' },
  { name: 'Mailboxes', description: 'Receiving mail, and tokens for agents that answer it.' },
  { name: 'Approvals', description: 'What waits for a person: campaigns, and replies of agents.' },
  { name: 'Domains', description: 'Domains that mail is sent from.' },
  { name: 'People', description: 'Signing in, passkeys, roles, invitations and sessions; who changed what.' },
  { name: 'Workspace', description: 'Settings and API keys.' },
  { name: 'Extensions', description: 'Routes beyond the specification; session or API key.' },
] as const

type Tag = (typeof tags)[number]['name']

/** [group of the reference, name in a client, name on the command line, words of its operation ids that a verb need not repeat] */
type Noun = readonly [tag: Tag, client: string, command: string, words: string]

const nouns: Record<string, Noun> = {
  transactional: ['Transactional', 'transactional', 'template', 'Template'],
  'template-starters': ['Transactional', 'templateStarters', 'template-starter', 'TemplateStarter'],
  media: ['Transactional', 'media', 'media', 'Media'],
  blocks: ['Transactional', 'blocks', 'block', 'Block'],
  contacts: ['Contacts', 'contacts', 'contact', 'Contact'],
  'contact-imports': ['Contacts', 'contacts', 'contact', ''],
  imports: ['Contacts', 'imports', 'import', ''],
  segments: ['Contacts', 'segments', 'segment', 'Segment'],
  suppressions: ['Suppression', 'suppressions', 'suppression', 'Suppression'],
  'contact-subscriptions': ['Subscriptions', 'subscriptions', 'subscription', ''],
  'subscription-sources': ['Subscriptions', 'sources', 'source', 'SubscriptionSource'],
  'mailing-lists': ['Subscriptions', 'lists', 'list', 'MailingList'],
  events: ['Events', 'events', 'event', 'Event'],
  'event-names': ['Events', 'events', 'event', 'Event'],
  'event-rules': ['Events', 'rules', 'rule', 'Rule'],
  sequences: ['Sequences', 'sequences', 'sequence', 'Sequence'],
  campaigns: ['Campaigns', 'campaigns', 'campaign', 'Campaign'],
  'recurring-campaigns': ['Campaigns', 'recurringCampaigns', 'recurring-campaign', 'RecurringCampaign'],
  'campaign-settings': ['Campaigns', 'campaigns', 'campaign', 'Campaign'],
  'provider-hooks': ['Campaigns', 'providerHooks', 'provider-hook', 'ProviderHook'],
  activity: ['Activity', 'activity', 'activity', 'Activity'],
  stats: ['Activity', 'stats', 'stats', 'Stats'],
  jobs: ['Activity', 'jobs', 'job', 'Job'],
  'held-mails': ['Activity', 'heldMails', 'held-mail', 'HeldMail'],
  messages: ['Activity', 'messages', 'message', 'Message'],
  'mcp-calls': ['Activity', 'mcpCalls', 'mcp-call', 'McpCall'],
  'event-feed': ['Webhooks', 'webhooks', 'webhook', ''],
  'webhook-endpoints': ['Webhooks', 'webhooks', 'webhook', 'WebhookEndpoint'],
  'webhook-event-types': ['Webhooks', 'webhooks', 'webhook', 'Webhook'],
  'payment-events': ['Payments', 'payments', 'payments', 'PaymentEvent'],
  integrations: ['Payments', 'payments', 'payments', 'Payment'],
  settings: ['Payments', 'payments', 'payments', 'Payment'],
  mailboxes: ['Mailboxes', 'mailboxes', 'mailbox', 'Mailbox(?:es)?'],
  'oauth-grants': ['Mailboxes', 'oauthGrants', 'oauth-grant', 'OAuthGrant'],
  inbound: ['Mailboxes', 'mailboxes', 'mailbox', ''],
  approvals: ['Approvals', 'approvals', 'approval', 'Approval'],
  'sending-domains': ['Domains', 'domains', 'domain', 'Domain'],
  'sending-faults': ['Domains', 'domains', 'domain', 'Sending'],
  relays: ['Domains', 'relays', 'relay', 'Relay'],
  'relay-routes': ['Domains', 'relays', 'relay', 'Relay'],
  receivers: ['Domains', 'receivers', 'receiver', 'Receiver'],
  'receiver-rules': ['Domains', 'receivers', 'receiver', 'Receiver'],
  auth: ['People', 'auth', 'auth', ''],
  members: ['People', 'members', 'member', 'Member'],
  invitations: ['People', 'invitations', 'invitation', 'Invitation'],
  audit: ['People', 'audit', 'audit', 'AuditLog'],
  workspace: ['Workspace', 'workspace', 'workspace', 'Workspace'],
  workspaces: ['Workspace', 'workspaces', 'workspace', 'Workspace'],
  'workspace-imports': ['Workspace', 'workspaces', 'workspace', 'Workspace'],
  'api-key': ['Workspace', 'apiKeys', 'key', ''],
  'api-keys': ['Workspace', 'apiKeys', 'key', 'ApiKey'],
  attention: ['Workspace', 'attention', 'attention', 'Attention'],
  installation: ['Workspace', 'installation', 'installation', 'Installation'],
  test: ['Workspace', 'test', 'test', ''],
}

/** Verbs that their operation id does not give. */
const verbs: Record<string, string> = {
  advanceTestClock: 'advanceClock',
  getTestClock: 'getClock',
  grantApprovals: 'approve',
  refuseApprovals: 'refuse',
  listEndpointAttempts: 'listAttempts',
  rotateSigningSecret: 'rotateSecret',
  sendTestWebhook: 'test',
  whyLane: 'why',
  whyMessage: 'why',
  importContacts: 'importCsv',
  exportContacts: 'exportCsv',
  testApiKey: 'test',
  removeSuppression: 'remove',
  getSuppressionStatus: 'status',
}

/** How an operation is called from outside. */
export interface CallNames {
  tag: Tag
  /** `segments.preview` */
  client: string
  /** `segment preview` */
  command: string
}

/** Throws for a path that no noun has. */
export function callNames(path: string, operationId: string): CallNames {
  const [, , first = '', second = ''] = path.split('/')
  const noun = ownValue(nouns, second.startsWith('suppression') ? 'suppressions' : first)
  if (noun === undefined) throw new Error(`${path} is under no noun of core/http/nouns.ts`)
  const [tag, client, command, words] = noun
  const verb = ownValue(verbs, operationId) ?? verbOf(operationId, words)
  return { tag, client: `${client}.${verb}`, command: `${command} ${kebab(verb)}` }
}

/** `userId` -> `user-id` */
export const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** `listContacts` -> `list`, `retryJobs` -> `retryMany`. */
function verbOf(operationId: string, words: string): string {
  if (words === '') return operationId
  const short = operationId.replace(new RegExp(`${words}(?=[A-Z]|$)`), '')
  if (short !== operationId) return short
  const plural = operationId.replace(new RegExp(`${words}(?:s|es)(?=[A-Z]|$)`), '')
  return plural === operationId || plural.startsWith('list') ? plural : `${plural}Many`
}
