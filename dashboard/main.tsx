// The dashboard: who is signed in, in which workspace, and the screen of the address.

import { render } from 'preact'
import { LocationProvider, Route, Router, useLocation } from 'preact-iso'
import { get, workIn } from './api.ts'
import { Frame } from './frame.tsx'
import { listenToKeys } from './keys.ts'
import { AskedLocation, listenToLeaving } from './parts/leaving.tsx'
import { Show, useLoaded } from './parts/load.tsx'
import { Nowhere } from './parts/nowhere.tsx'
import { PlaceContext, pathIn } from './place.ts'
import { screen } from './screen.tsx'
import './style/style.css'
import './style/editor.css'
import './style/forms.css'
import { inLanguage } from './words.ts'

const words = inLanguage({
  en: { none: 'You are not a member of any workspace.' },
  de: { none: 'Du gehörst zu keinem Arbeitsbereich.' },
})

const Home = screen(() => import('./screens/home/home.tsx'))
const ActivityList = screen(() => import('./screens/activity/list.tsx'))
const Mail = screen(() => import('./screens/activity/mail.tsx'))
const CapturedList = screen(() => import('./screens/captured/list.tsx'))
const Captured = screen(() => import('./screens/captured/mail.tsx'))
const ContactList = screen(() => import('./screens/contacts/list.tsx'))
const Person = screen(() => import('./screens/contacts/person.tsx'))
const NewContact = screen(() => import('./screens/contacts/new.tsx'))
const Import = screen(() => import('./screens/contacts/import.tsx'))
const Imports = screen(() => import('./screens/contacts/imports.tsx'))
const Imported = screen(() => import('./screens/contacts/imported.tsx'))
const TemplateList = screen(() => import('./screens/templates/list.tsx'))
const TemplateEditor = screen(() => import('./screens/templates/editor.tsx'))
const CampaignList = screen(() => import('./screens/campaigns/list.tsx'))
const CampaignDraft = screen(() => import('./screens/campaigns/draft.tsx'))
const Campaign = screen(() => import('./screens/campaigns/campaign.tsx'))
const CampaignContent = screen(() => import('./screens/campaigns/content.tsx'))
const Audience = screen(() => import('./screens/campaigns/audience.tsx'))
const Recipients = screen(() => import('./screens/campaigns/recipients.tsx'))
const ApprovalList = screen(() => import('./screens/approvals/list.tsx'))
const Approval = screen(() => import('./screens/approvals/approval.tsx'))
const MailboxList = screen(() => import('./screens/mailboxes/list.tsx'))
const NewMailbox = screen(() => import('./screens/mailboxes/new.tsx'))
const Mailbox = screen(() => import('./screens/mailboxes/mailbox.tsx'))
const ReceivedMessage = screen(() => import('./screens/mailboxes/message.tsx'))
const AgentList = screen(() => import('./screens/agents/list.tsx'))
const NewAgent = screen(() => import('./screens/agents/new.tsx'))
const Agent = screen(() => import('./screens/agents/agent.tsx'))
const Lists = screen(() => import('./screens/lists/lists.tsx'))
const MailingList = screen(() => import('./screens/lists/mailing-list.tsx'))
const Sources = screen(() => import('./screens/lists/sources.tsx'))
const Source = screen(() => import('./screens/lists/source.tsx'))
const Domains = screen(() => import('./screens/domains/domains.tsx'))
const Jobs = screen(() => import('./screens/jobs/jobs.tsx'))
const RuleList = screen(() => import('./screens/rules/list.tsx'))
const Rule = screen(() => import('./screens/rules/rule.tsx'))
const EventList = screen(() => import('./screens/events/list.tsx'))
const EventNames = screen(() => import('./screens/events/names.tsx'))
const Event = screen(() => import('./screens/events/event.tsx'))
const WebhookList = screen(() => import('./screens/webhooks/list.tsx'))
const NewEndpoint = screen(() => import('./screens/webhooks/new.tsx'))
const Catalogue = screen(() => import('./screens/webhooks/catalogue.tsx'))
const Endpoint = screen(() => import('./screens/webhooks/endpoint.tsx'))
const Delivery = screen(() => import('./screens/webhooks/delivery.tsx'))
const Brand = screen(() => import('./screens/settings/brand.tsx'))
const People = screen(() => import('./screens/settings/people.tsx'))
const Payments = screen(() => import('./screens/payments/payments.tsx'))
const SignIn = screen(() => import('./screens/settings/sign-in.tsx'))
const Audit = screen(() => import('./screens/settings/audit.tsx'))
const Installation = screen(() => import('./screens/settings/installation.tsx'))
const Keys = screen(() => import('./screens/settings/keys.tsx'))
const Suppressions = screen(() => import('./screens/suppressions/suppressions.tsx'))

function Dashboard() {
  const session = useLoaded('session', (signal) => get('/v1/auth/session', {}, signal))
  const { reload } = session
  return <Show of={session}>{({ user, workspaces }) => <Places {...{ user, workspaces, reload }} />}</Show>
}

/** Screens on which something is made or changed. Who may only look has none of them, whatever their address was. */
const changing = /\/(new|change|content|import)$/

type Session = Awaited<ReturnType<typeof get<'/v1/auth/session'>>>

function Places({ user, workspaces, reload }: Pick<Session, 'user' | 'workspaces'> & { reload: () => void }) {
  const { path, route } = useLocation()
  const slug = path.split('/')[2] ?? ''
  const workspace = workspaces.find((one) => one.slug === slug)
  const [first] = workspaces
  if (!first) return <p>{words.none}</p>
  if (slug === '') {
    route(pathIn(first.slug, '/'), true)
    return null
  }
  if (!workspace)
    return (
      <main>
        <Nowhere />
      </main>
    )
  workIn(workspace.id)
  const base = pathIn(':slug', '')
  return (
    <PlaceContext.Provider value={{ member: user, workspace, workspaces, reload }}>
      <Frame>
        {workspace.role === 'viewer' && changing.test(path) ? (
          <Nowhere />
        ) : (
          <Router key={workspace.id} onRouteChange={() => document.querySelector<HTMLElement>('#content')?.focus()}>
            <Route path={`${base}/`} component={Home} />
            <Route path={`${base}/activity`} component={ActivityList} />
            <Route path={`${base}/activity/:messageId`} component={Mail} />
            <Route path={`${base}/captured`} component={CapturedList} />
            <Route path={`${base}/captured/:capturedId`} component={Captured} />
            <Route path={`${base}/contacts`} component={ContactList} />
            <Route path={`${base}/contacts/new`} component={NewContact} />
            <Route path={`${base}/contacts/import`} component={Import} />
            <Route path={`${base}/contacts/imports`} component={Imports} />
            <Route path={`${base}/contacts/imports/:importId`} component={Imported} />
            <Route path={`${base}/contacts/:contactId`} component={Person} />
            <Route path={`${base}/templates`} component={TemplateList} />
            <Route path={`${base}/templates/:templateId`} component={TemplateEditor} />
            <Route path={`${base}/campaigns`} component={CampaignList} />
            <Route path={`${base}/campaigns/new`} component={CampaignDraft} />
            <Route path={`${base}/campaigns/:campaignId`} component={Campaign} />
            <Route path={`${base}/campaigns/:campaignId/change`} component={CampaignDraft} />
            <Route path={`${base}/campaigns/:campaignId/content`} component={CampaignContent} />
            <Route path={`${base}/campaigns/:campaignId/audience`} component={Audience} />
            <Route path={`${base}/campaigns/:campaignId/recipients`} component={Recipients} />
            <Route path={`${base}/approvals`} component={ApprovalList} />
            <Route path={`${base}/approvals/:approvalId`} component={Approval} />
            <Route path={`${base}/mailboxes`} component={MailboxList} />
            <Route path={`${base}/mailboxes/new`} component={NewMailbox} />
            <Route path={`${base}/mailboxes/:mailboxId`} component={Mailbox} />
            <Route path={`${base}/mailboxes/:mailboxId/messages/:messageId`} component={ReceivedMessage} />
            <Route path={`${base}/agents`} component={AgentList} />
            <Route path={`${base}/agents/new`} component={NewAgent} />
            <Route path={`${base}/agents/:agentId`} component={Agent} />
            <Route path={`${base}/suppressions`} component={Suppressions} />
            <Route path={`${base}/lists`} component={Lists} />
            <Route path={`${base}/lists/new`} component={MailingList} />
            <Route path={`${base}/lists/sources`} component={Sources} />
            <Route path={`${base}/lists/sources/new`} component={Source} />
            <Route path={`${base}/lists/sources/:sourceId`} component={Source} />
            <Route path={`${base}/lists/:listId`} component={MailingList} />
            <Route path={`${base}/domains`} component={Domains} />
            <Route path={`${base}/jobs`} component={Jobs} />
            <Route path={`${base}/rules`} component={RuleList} />
            <Route path={`${base}/rules/new`} component={Rule} />
            <Route path={`${base}/rules/:ruleId`} component={Rule} />
            <Route path={`${base}/events`} component={EventList} />
            <Route path={`${base}/events/names`} component={EventNames} />
            <Route path={`${base}/events/:eventId`} component={Event} />
            <Route path={`${base}/webhooks`} component={WebhookList} />
            <Route path={`${base}/webhooks/new`} component={NewEndpoint} />
            <Route path={`${base}/webhooks/events`} component={Catalogue} />
            <Route path={`${base}/webhooks/:endpointId`} component={Endpoint} />
            <Route path={`${base}/webhooks/:endpointId/deliveries/:deliveryId`} component={Delivery} />
            <Route path={`${base}/payments`} component={Payments} />
            <Route path={`${base}/settings`} component={Brand} />
            <Route path={`${base}/settings/people`} component={People} />
            <Route path={`${base}/settings/sign-in`} component={SignIn} />
            <Route path={`${base}/settings/keys`} component={Keys} />
            <Route path={`${base}/settings/audit`} component={Audit} />
            <Route path={`${base}/settings/installation`} component={Installation} />
            <Route default component={Nowhere} />
          </Router>
        )}
      </Frame>
    </PlaceContext.Provider>
  )
}

listenToKeys()
listenToLeaving()
const root = document.querySelector('#dashboard')
if (root) {
  root.replaceChildren()
  render(
    <LocationProvider scope="/dashboard">
      <AskedLocation>
        <Dashboard />
      </AskedLocation>
    </LocationProvider>,
    root,
  )
}
