// The screens of the dashboard: where each is, the file that holds it, and how the menu and the keys lead to it.

import type { IconNode } from 'lucide'
import {
  Activity,
  Ban,
  Blocks,
  Bot,
  CreditCard,
  Filter,
  Gauge,
  House,
  Images,
  Inbox,
  LayoutTemplate,
  ListChecks,
  MailSearch,
  Megaphone,
  Route,
  Settings,
  ShieldCheck,
  Signpost,
  Stamp,
  Users,
  Webhook,
  Workflow,
  Zap,
} from 'lucide'
import { screen } from './screen.tsx'
import { inLanguage } from './words.ts'

const words = inLanguage(catalogue.frame.screens)

/** The groups of the menu, in its order. What is in none stands above them. */
export const groups = inLanguage(catalogue.frame.groups)

interface InMenu {
  name: string
  keys: string
  icon: IconNode
  group?: keyof typeof groups
}

export interface Screen {
  path: string
  show: ReturnType<typeof screen>
  menu?: InMenu
  /** It creates or changes something, so viewers cannot open it. */
  changes?: true
  /** It is about the installation, so others cannot open it. */
  ofOperators?: true
}

/** The first whose path fits is shown; those of the menu are in its order. */
export const screens: Screen[] = [
  {
    path: '/',
    show: screen(() => import('./screens/home/home.tsx')),
    menu: { name: words.home, keys: 'g h', icon: House },
  },
  {
    path: '/activity',
    show: screen(() => import('./screens/activity/list.tsx')),
    menu: { name: words.activity, keys: 'g a', icon: Activity, group: 'watch' },
  },
  { path: '/activity/:messageId', show: screen(() => import('./screens/activity/mail.tsx')) },
  {
    path: '/captured',
    show: screen(() => import('./screens/captured/list.tsx')),
    menu: { name: words.captured, keys: 'g x', icon: MailSearch, group: 'watch' },
  },
  { path: '/captured/:capturedId', show: screen(() => import('./screens/captured/mail.tsx')) },
  {
    path: '/templates',
    show: screen(() => import('./screens/templates/list.tsx')),
    menu: { name: words.templates, keys: 'g t', icon: LayoutTemplate, group: 'send' },
  },
  { path: '/templates/:templateId', show: screen(() => import('./screens/templates/editor.tsx')) },
  { path: '/starters', show: screen(() => import('./screens/starters/list.tsx')), changes: true },
  { path: '/templates/:templateId/revisions', show: screen(() => import('./screens/revisions/list.tsx')) },
  {
    path: '/templates/:templateId/revisions/:revisionId',
    show: screen(() => import('./screens/revisions/revision.tsx')),
  },
  {
    path: '/media',
    show: screen(() => import('./screens/media/list.tsx')),
    menu: { name: words.media, keys: 'g i', icon: Images, group: 'send' },
  },
  { path: '/media/:mediaId', show: screen(() => import('./screens/media/picture.tsx')) },
  {
    path: '/blocks',
    show: screen(() => import('./screens/blocks/list.tsx')),
    menu: { name: words.blocks, keys: 'g o', icon: Blocks, group: 'send' },
  },
  { path: '/blocks/:blockId', show: screen(() => import('./screens/blocks/block.tsx')) },
  { path: '/blocks/:blockId/revisions', show: screen(() => import('./screens/revisions/list.tsx')) },
  { path: '/blocks/:blockId/revisions/:revisionId', show: screen(() => import('./screens/revisions/revision.tsx')) },
  {
    path: '/campaigns',
    show: screen(() => import('./screens/campaigns/list.tsx')),
    menu: { name: words.campaigns, keys: 'g k', icon: Megaphone, group: 'send' },
  },
  { path: '/campaigns/new', show: screen(() => import('./screens/campaigns/draft.tsx')), changes: true },
  { path: '/campaigns/recurring', show: screen(() => import('./screens/recurring/list.tsx')) },
  { path: '/campaigns/recurring/new', show: screen(() => import('./screens/recurring/editor.tsx')), changes: true },
  {
    path: '/campaigns/recurring/:recurringCampaignId',
    show: screen(() => import('./screens/recurring/recurring.tsx')),
  },
  {
    path: '/campaigns/recurring/:recurringCampaignId/change',
    show: screen(() => import('./screens/recurring/editor.tsx')),
    changes: true,
  },
  { path: '/campaigns/:campaignId', show: screen(() => import('./screens/campaigns/campaign.tsx')) },
  { path: '/campaigns/:campaignId/change', show: screen(() => import('./screens/campaigns/draft.tsx')), changes: true },
  {
    path: '/campaigns/:campaignId/content',
    show: screen(() => import('./screens/campaigns/content.tsx')),
    changes: true,
  },
  { path: '/campaigns/:campaignId/revisions', show: screen(() => import('./screens/revisions/list.tsx')) },
  {
    path: '/campaigns/:campaignId/revisions/:revisionId',
    show: screen(() => import('./screens/revisions/revision.tsx')),
  },
  { path: '/campaigns/:campaignId/audience', show: screen(() => import('./screens/campaigns/audience.tsx')) },
  { path: '/campaigns/:campaignId/recipients', show: screen(() => import('./screens/campaigns/recipients.tsx')) },
  {
    path: '/sequences',
    show: screen(() => import('./screens/sequences/list.tsx')),
    menu: { name: words.sequences, keys: 'g q', icon: Workflow, group: 'send' },
  },
  { path: '/sequences/new', show: screen(() => import('./screens/sequences/new.tsx')), changes: true },
  { path: '/sequences/:sequenceId', show: screen(() => import('./screens/sequences/sequence.tsx')) },
  { path: '/sequences/:sequenceId/people', show: screen(() => import('./screens/sequences/people.tsx')) },
  { path: '/sequences/:sequenceId/people/:runId', show: screen(() => import('./screens/sequences/run.tsx')) },
  {
    path: '/approvals',
    show: screen(() => import('./screens/approvals/list.tsx')),
    menu: { name: words.approvals, keys: 'g v', icon: Stamp, group: 'answer' },
  },
  { path: '/approvals/read', show: screen(() => import('./screens/approvals/batch.tsx')) },
  { path: '/approvals/:approvalId', show: screen(() => import('./screens/approvals/approval.tsx')) },
  {
    path: '/mailboxes',
    show: screen(() => import('./screens/mailboxes/list.tsx')),
    menu: { name: words.mailboxes, keys: 'g m', icon: Inbox, group: 'answer' },
  },
  { path: '/mailboxes/new', show: screen(() => import('./screens/mailboxes/new.tsx')), changes: true },
  { path: '/mailboxes/:mailboxId', show: screen(() => import('./screens/mailboxes/mailbox.tsx')) },
  { path: '/mailboxes/:mailboxId/messages/:messageId', show: screen(() => import('./screens/mailboxes/message.tsx')) },
  {
    path: '/agents',
    show: screen(() => import('./screens/agents/list.tsx')),
    menu: { name: words.agents, keys: 'g b', icon: Bot, group: 'answer' },
  },
  { path: '/agents/new', show: screen(() => import('./screens/agents/new.tsx')), changes: true },
  { path: '/agents/:agentId', show: screen(() => import('./screens/agents/agent.tsx')) },
  {
    path: '/contacts',
    show: screen(() => import('./screens/contacts/list.tsx')),
    menu: { name: words.contacts, keys: 'g c', icon: Users, group: 'audience' },
  },
  { path: '/contacts/new', show: screen(() => import('./screens/contacts/new.tsx')), changes: true },
  { path: '/contacts/import', show: screen(() => import('./screens/contacts/import.tsx')), changes: true },
  { path: '/contacts/imports', show: screen(() => import('./screens/contacts/imports.tsx')) },
  { path: '/contacts/imports/:importId', show: screen(() => import('./screens/contacts/imported.tsx')) },
  { path: '/contacts/:contactId', show: screen(() => import('./screens/contacts/person.tsx')) },
  {
    path: '/lists',
    show: screen(() => import('./screens/lists/lists.tsx')),
    menu: { name: words.lists, keys: 'g l', icon: ListChecks, group: 'audience' },
  },
  { path: '/lists/new', show: screen(() => import('./screens/lists/mailing-list.tsx')), changes: true },
  { path: '/lists/sources', show: screen(() => import('./screens/lists/sources.tsx')) },
  { path: '/lists/sources/new', show: screen(() => import('./screens/lists/source.tsx')), changes: true },
  { path: '/lists/sources/:sourceId', show: screen(() => import('./screens/lists/source.tsx')) },
  { path: '/lists/:listId', show: screen(() => import('./screens/lists/mailing-list.tsx')) },
  {
    path: '/segments',
    show: screen(() => import('./screens/segments/list.tsx')),
    menu: { name: words.segments, keys: 'g f', icon: Filter, group: 'audience' },
  },
  { path: '/segments/new', show: screen(() => import('./screens/segments/segment.tsx')), changes: true },
  { path: '/segments/:segmentId', show: screen(() => import('./screens/segments/segment.tsx')) },
  {
    path: '/suppressions',
    show: screen(() => import('./screens/suppressions/suppressions.tsx')),
    menu: { name: words.suppressions, keys: 'g s', icon: Ban, group: 'audience' },
  },
  {
    path: '/rules',
    show: screen(() => import('./screens/rules/list.tsx')),
    menu: { name: words.rules, keys: 'g r', icon: Signpost, group: 'send' },
  },
  { path: '/rules/new', show: screen(() => import('./screens/rules/rule.tsx')), changes: true },
  { path: '/rules/:ruleId', show: screen(() => import('./screens/rules/rule.tsx')) },
  {
    path: '/events',
    show: screen(() => import('./screens/events/list.tsx')),
    menu: { name: words.events, keys: 'g n', icon: Zap, group: 'watch' },
  },
  { path: '/events/names', show: screen(() => import('./screens/events/names.tsx')) },
  { path: '/events/:eventId', show: screen(() => import('./screens/events/event.tsx')) },
  {
    path: '/webhooks',
    show: screen(() => import('./screens/webhooks/list.tsx')),
    menu: { name: words.webhooks, keys: 'g w', icon: Webhook, group: 'watch' },
  },
  { path: '/webhooks/new', show: screen(() => import('./screens/webhooks/new.tsx')), changes: true },
  { path: '/webhooks/events', show: screen(() => import('./screens/webhooks/catalogue.tsx')) },
  { path: '/webhooks/:endpointId', show: screen(() => import('./screens/webhooks/endpoint.tsx')) },
  {
    path: '/webhooks/:endpointId/deliveries/:deliveryId',
    show: screen(() => import('./screens/webhooks/delivery.tsx')),
  },
  {
    path: '/jobs',
    show: screen(() => import('./screens/jobs/jobs.tsx')),
    menu: { name: words.jobs, keys: 'g j', icon: Gauge, group: 'watch' },
  },
  {
    path: '/domains',
    show: screen(() => import('./screens/domains/domains.tsx')),
    menu: { name: words.domains, keys: 'g d', icon: ShieldCheck, group: 'setUp' },
  },
  { path: '/domains/:domainId', show: screen(() => import('./screens/domains/receivers.tsx')) },
  {
    path: '/relays',
    show: screen(() => import('./screens/relays/list.tsx')),
    menu: { name: words.relays, keys: 'g y', icon: Route, group: 'setUp' },
    ofOperators: true,
  },
  { path: '/relays/new', show: screen(() => import('./screens/relays/new.tsx')), ofOperators: true },
  { path: '/relays/routes', show: screen(() => import('./screens/relays/routes.tsx')), ofOperators: true },
  { path: '/relays/receivers', show: screen(() => import('./screens/relays/receivers.tsx')), ofOperators: true },
  { path: '/relays/rules', show: screen(() => import('./screens/relays/rules.tsx')), ofOperators: true },
  {
    path: '/relays/:relayId/receivers/:receiver',
    show: screen(() => import('./screens/relays/receiver.tsx')),
    ofOperators: true,
  },
  { path: '/relays/:relayId', show: screen(() => import('./screens/relays/relay.tsx')), ofOperators: true },
  {
    path: '/payments',
    show: screen(() => import('./screens/payments/payments.tsx')),
    menu: { name: words.payments, keys: 'g p', icon: CreditCard, group: 'setUp' },
  },
  {
    path: '/settings',
    show: screen(() => import('./screens/settings/brand.tsx')),
    menu: { name: words.settings, keys: 'g e', icon: Settings, group: 'setUp' },
  },
  { path: '/settings/people', show: screen(() => import('./screens/settings/people.tsx')) },
  { path: '/settings/sign-in', show: screen(() => import('./screens/settings/sign-in.tsx')) },
  { path: '/settings/keys', show: screen(() => import('./screens/settings/keys.tsx')) },
  { path: '/settings/providers', show: screen(() => import('./screens/settings/providers.tsx')) },
  { path: '/settings/audit', show: screen(() => import('./screens/settings/audit.tsx')) },
  { path: '/settings/installation', show: screen(() => import('./screens/settings/installation.tsx')) },
  { path: '/settings/workspaces', show: screen(() => import('./screens/tenants/list.tsx')), ofOperators: true },
  { path: '/settings/workspaces/new', show: screen(() => import('./screens/tenants/new.tsx')), ofOperators: true },
  {
    path: '/settings/workspaces/:workspaceId',
    show: screen(() => import('./screens/tenants/tenant.tsx')),
    ofOperators: true,
  },
]

/** A screen with a place in the menu. */
export interface Entry extends InMenu {
  path: string
}

/** The menu, in its order, of somebody in a workspace. */
export function entriesFor({ operator }: { operator: boolean }): Entry[] {
  return screens.flatMap(({ path, menu, ofOperators }) => (menu && (operator || !ofOperators) ? { path, ...menu } : []))
}
