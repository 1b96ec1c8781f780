// Attention items of one workspace. Each check reads an index and reports at most twenty things.

import { and, asc, desc, eq, inArray, isNull, lt, ne, or, sql, sum } from 'drizzle-orm'
import { campaigns, domainChecks, providerHooks, trustChanges } from '../../../db/tables/campaigns.ts'
import { contactImports } from '../../../db/tables/contacts.ts'
import { mailboxes } from '../../../db/tables/mailboxes.ts'
import { sendingDomains } from '../../../db/tables/messages.ts'
import { paymentEvents, paymentIntegrations } from '../../../db/tables/payments.ts'
import { sequencePeople, sequences } from '../../../db/tables/sequences.ts'
import { webhookEndpoints } from '../../../db/tables/webhooks.ts'
import type { App } from '../../core/app.ts'
import { listSendingFaults } from '../../core/outbox/sending-faults.ts'
import type { Campaign } from '../../features/campaigns/campaign.ts'
import { listFailing } from '../../features/campaigns/recurring/recurring.ts'
import { highRates } from '../../features/campaigns/reputation/reputation.ts'
import { listHeld } from '../../features/lists/confirmation-limits.ts'
import { summarizeWaiting } from '../../features/review/approvals/approvals.ts'
import { type DomainCheck, describeFault } from '../../features/sending/domains/checks.ts'
import type { SendingDomain } from '../../features/sending/domains/keys.ts'
import { listBroken } from '../../features/sending/feedback/refusals.ts'
import { listSpoofed } from '../../features/sending/reports/spoofed.ts'
import { countDue, listLateEndpoints, maxCounted } from '../../features/webhooks/late.ts'
import { day, hour, minute } from '../../kit/duration.ts'
import { realIdOf } from '../../kit/id.ts'
import { type Fault, parseScope } from '../../mail/sending-hold.ts'
import { listUnknown } from '../../people/access/grants.ts'
import { findOwner, listUnprovenDomains } from '../../people/domain-owners.ts'
import { linkStatus } from '../../people/links/check.ts'
import { findLinkDomain } from '../../people/links/link-domains.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { ofFaults } from './installation.ts'
import { loadRelays } from './relay-faults.ts'
import type { Code, Finding } from './rules.ts'

/** Of one kind. */
const most = 20
const failingAfterMs = hour
/** Of one recurring campaign in a row. */
const failedFeeds = 3
/** Somebody's program waits for it. */
const lateAfterMs = 2 * minute
const stuckAfterMs = hour
/** How long a failed import is reported. */
const failedImportMs = 7 * day
/** How many of the latest imports are checked for failed ones. */
const lastImports = 50

type WorkspaceFinding = Omit<Finding, 'workspaceId'>
type WorkspaceCheck = (app: App, workspace: Workspace) => Promise<WorkspaceFinding[]>

export async function aboutWorkspace(app: App, workspace: Workspace): Promise<Finding[]> {
  const found: Finding[] = []
  for (const look of checks)
    for (const one of await look(app, workspace)) found.push({ ...one, workspaceId: workspace.id })
  return found
}

const suspension: WorkspaceCheck = async (_, { suspendedAt: since, suspendedReason }) => {
  const detail = suspendedReason ?? ''
  return since === null ? [] : [{ code: 'workspace_suspended', since, detail }]
}

/** Those of its own mail, and of relays that carry no other. */
const faults: WorkspaceCheck = async (app, { id }) => {
  const all = await listSendingFaults(app, app.clock.now(), id)
  const relays = await loadRelays(app)
  const isOwn = ({ scope }: Fault) => {
    const { workspaceId, relayId } = parseScope(scope)
    return workspaceId === id || relays?.active.find((relay) => relay.id === relayId)?.workspaceId === id
  }
  return ofFaults(all.filter(isOwn), { workspaceId: id, relays, all }).slice(0, most)
}

/** As this process sees it: each has connections of its own. */
const slowReceivers: WorkspaceCheck = async (app, { id }) =>
  app.mailer
    .slowReceivers()
    .filter(({ workspaceId }) => workspaceId === id)
    .slice(0, most)
    .map(({ domain, forMs }) => {
      const since = new Date(app.clock.now().getTime() - forMs)
      return { code: 'receiver_slow', since, thing: { id: domain, name: domain } }
    })

const domains: WorkspaceCheck = async (app, { id }) => {
  const { domainId, dkim, dmarc, ownership } = domainChecks
  const rows = await app.db
    .select({ domain: sendingDomains, check: domainChecks })
    .from(sendingDomains)
    .leftJoin(domainChecks, eq(domainId, sendingDomains.id))
    .where(
      and(
        eq(sendingDomains.workspaceId, id),
        or(isNull(domainId), ne(dkim, 'ok'), ne(dmarc, 'ok'), eq(ownership, 'wrong')),
      ),
    )
    .orderBy(asc(sendingDomains.id))
    .limit(most)
  return (await Promise.all(rows.map(({ domain, check }) => ofDomain(app, domain, check)))).flat()
}

async function ofDomain(
  app: App,
  { id, domain, createdAt }: SendingDomain,
  check: DomainCheck | null,
): Promise<WorkspaceFinding[]> {
  const thing = { id, name: domain }
  if (check === null) return [{ code: 'domain_unverified', since: createdAt, thing }]
  const fault = describeFault(check)
  if (fault === null) return []
  const { dkimGoodAt, dmarcGoodAt } = check
  const detail = check.detail === null ? {} : { detail: check.detail }
  const told = (code: Code, since: Date | null | undefined) => [{ code, since: since ?? createdAt, thing, ...detail }]
  if (check.ownership === 'wrong') return told('domain_taken', (await findOwner(app, domain))?.createdAt)
  if (fault.startsWith('dmarc')) return told('dmarc_missing', dmarcGoodAt)
  return told(dkimGoodAt === null ? 'domain_unverified' : 'domain_broken', dkimGoodAt)
}

const linkDomain: WorkspaceCheck = async (app, { id }) => {
  const row = await findLinkDomain(app, id)
  const status = row && linkStatus(row)
  if (row === null || status === 'verified') return []
  const thing = { id: row.domain, name: row.domain }
  return status === 'failing'
    ? [{ code: 'link_domain_failing', since: row.missedSince, thing }]
    : [{ code: 'link_domain_pending', since: row.createdAt, thing }]
}

const unprovenDomains: WorkspaceCheck = async (app, { id }) => {
  const rows = await listUnprovenDomains(app, id, most)
  return rows.map(({ domain, createdAt }) => {
    return { code: 'domain_unproven', since: createdAt, thing: { id: domain, name: domain } }
  })
}

const spoofedDomains: WorkspaceCheck = async (app, { id }) =>
  (await listSpoofed(app, id, app.clock.now(), most)).map(({ domainId, name, since, evidence: detail }) => {
    return { code: 'domain_spoofed', since, thing: { id: domainId, name }, detail }
  })

const brokenRequirements: WorkspaceCheck = async (app, { id }) =>
  (await listBroken(app, id, app.clock.now(), most)).map(
    ({ domainId, name, since, receiver, requirement, evidence }) => {
      const detail = `${receiver}, ${requirement.replace('_', ' ')}: ${evidence}`
      return { code: 'requirement_broken', since, thing: { id: domainId, name }, detail }
    },
  )

const endpoints: WorkspaceCheck = async (app, { id: workspaceId }) => {
  const { status, failingSince, disabledReason } = webhookEndpoints
  const failing = and(eq(status, 'active'), lt(failingSince, new Date(app.clock.now().getTime() - failingAfterMs)))
  const rows = await app.db
    .select()
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.workspaceId, workspaceId), or(failing, ne(disabledReason, 'manual'))))
    .orderBy(asc(webhookEndpoints.id))
    .limit(most)
  return rows.map(({ id, url, status, disabledReason, failingSince, updatedAt }) => {
    const about = { since: failingSince ?? updatedAt, thing: { id, name: url } }
    if (status === 'active') return { code: 'endpoint_failing', ...about }
    return {
      code: 'endpoint_disabled',
      ...about,
      detail: disabledReason === 'gone' ? 'it answered 410' : 'it failed for five days',
    }
  })
}

/** Those that are due, and have not been tried for so long. */
const lateDeliveries: WorkspaceCheck = async (app, { id: workspaceId }) => {
  const now = app.clock.now()
  const found: WorkspaceFinding[] = []
  for (const { id, name, dueAt } of await listLateEndpoints(app, workspaceId, new Date(now.getTime() - lateAfterMs))) {
    const waiting = await countDue(app, { workspaceId, endpointId: id }, now)
    const detail = `${waiting === maxCounted ? `${maxCounted} or more` : waiting} wait`
    found.push({ code: 'endpoint_late', since: dueAt, thing: { id, name }, detail })
    if (found.length === most) break
  }
  return found
}

const heldSignUps: WorkspaceCheck = async (app, { id }) =>
  (await listHeld(app, id, app.clock.now(), most)).map(({ heldBy, name, sourceId, count, since, until }) => {
    const where = heldBy === 'network' ? `from ${name}` : `through ${name}`
    const detail = `${count} ${where}; the last goes out at ${until.toISOString()}`
    return { code: 'sign_ups_held', since, detail, ...(sourceId === null ? {} : { thing: { id: sourceId, name } }) }
  })

const pausedCampaigns: WorkspaceCheck = async (app, { id: workspaceId }) => {
  const rows = await app.db
    .select()
    .from(campaigns)
    // As the index says it, and then which of the two.
    .where(
      and(eq(campaigns.workspaceId, workspaceId), sql`status IN ('sending', 'paused')`, eq(campaigns.status, 'paused')),
    )
    .orderBy(asc(campaigns.id))
    .limit(most)
  return rows.map(ofPaused)
}

export function ofPaused({ id, name, pauseReason, updatedAt: since }: Campaign): WorkspaceFinding {
  const thing = { id, name }
  if (pauseReason === null || pauseReason === 'manual') return { code: 'campaign_paused', since, thing }
  return { code: 'campaign_stopped', since, thing, detail: pauseReason }
}

/** A feed may fail now and then; whatever else prevents a campaign prevents the next one, too. */
const failingRecurring: WorkspaceCheck = async (app, { id: workspaceId }) =>
  (await listFailing(app, workspaceId, most)).flatMap(({ id, name, failures, failingSince: since, code, reason }) => {
    const isFeed = code === 'feed_failed'
    if (isFeed && failures < failedFeeds) return []
    return [{ code: isFeed ? 'feed_failing' : 'recurring_failing', since, thing: { id, name }, detail: reason ?? '' }]
  })

const pausedSequences: WorkspaceCheck = async (app, { id: workspaceId }) => {
  const mine = and(eq(sequences.workspaceId, workspaceId), eq(sequences.state, 'paused'))
  const rows = await app.db.select().from(sequences).where(mine).orderBy(asc(sequences.id)).limit(most)
  return rows.flatMap(({ id, name, pauseReason, updatedAt: since }) =>
    pauseReason === null || pauseReason === 'manual'
      ? []
      : [{ code: 'sequence_stopped' as const, since, thing: { id, name }, detail: pauseReason }],
  )
}

const stuckSequences: WorkspaceCheck = async (app, { id: workspaceId }) => {
  const stuck = inArray(sequencePeople.state, ['failed', 'uncertain'])
  const rows = await app.db
    .select({ id: sequences.id, name: sequences.name, since: sequences.updatedAt, people: sum(sequencePeople.people) })
    .from(sequences)
    .innerJoin(sequencePeople, eq(sequencePeople.sequenceId, sequences.id))
    .where(and(eq(sequences.workspaceId, workspaceId), ne(sequences.state, 'stopped'), stuck))
    .groupBy(sequences.id)
    .having(sql`sum(people) > 0`)
    .limit(most)
  return rows.map(({ id, name, since, people }) => {
    return { code: 'sequence_stuck', since, thing: { id, name }, detail: `${people} wait for a person to decide` }
  })
}

const asideSignals: WorkspaceCheck = async (app, { id }) =>
  ofAside(
    'signals_set_aside',
    await app.db.all<Aside>(
      sql`SELECT contact_id AS contactId, failure, created_at AS since FROM sequence_signals
        WHERE workspace_id = ${id} AND failure IS NOT NULL ORDER BY again_at LIMIT ${mostAside}`,
    ),
  )

const asideContacts: WorkspaceCheck = async (app, { id }) =>
  ofAside(
    'contacts_set_aside',
    await app.db.all<Aside>(
      sql`SELECT contact_id AS contactId, failure, at AS since FROM segment_marks
        WHERE workspace_id = ${id} AND failure IS NOT NULL ORDER BY again_at LIMIT ${mostAside}`,
    ),
  )

interface Aside {
  contactId: string
  failure: string
  since: number
}

const mostAside = 1_000

function ofAside(code: Code, rows: Aside[]): WorkspaceFinding[] {
  const [first] = rows
  if (!first) return []
  const people = new Set(rows.map(({ contactId }) => contactId)).size
  const howMany =
    rows.length === mostAside ? `${people} contacts or more` : `${people === 1 ? '1 contact' : `${people} contacts`}`
  const since = new Date(Math.min(...rows.map((row) => row.since)))
  return [{ code, since, detail: `${howMany}, as ${first.contactId}: ${first.failure}` }]
}

const rates: WorkspaceCheck = async (app, { id }) => {
  const high = await highRates(app, id, app.clock.now())
  return high === null ? [] : [{ code: 'rates_high', ...high }]
}

/** A level that an operator has set since is their decision. */
const droppedLevel: WorkspaceCheck = async (app, { id, trustLevel }) => {
  if (trustLevel !== 'M0') return []
  const mine = eq(trustChanges.workspaceId, id)
  const [last] = await app.db.select().from(trustChanges).where(mine).orderBy(desc(trustChanges.changedAt)).limit(1)
  if (!last?.reason.endsWith('_rate')) return []
  return [{ code: 'trust_dropped', since: last.changedAt, ...(last.detail === null ? {} : { detail: last.detail }) }]
}

const hooks: WorkspaceCheck = async (app, { id }) => {
  const rows = await app.db.select().from(providerHooks).where(eq(providerHooks.workspaceId, id))
  return rows.flatMap(({ provider, verifyWith, confirmUrl, createdAt: since }): WorkspaceFinding[] => {
    const thing = { id: provider, name: provider }
    if (confirmUrl !== null) return [{ code: 'hook_unconfirmed', since, thing }]
    // Postmark signs nothing: its address is the secret.
    return verifyWith === null && provider !== 'postmark' ? [{ code: 'hook_unsigned', since, thing }] : []
  })
}

/** One that never took an event is not missed. */
const payments: WorkspaceCheck = async (app, { id: workspaceId }) => {
  const used = sql`EXISTS (SELECT 1 FROM ${paymentEvents} WHERE ${eq(paymentEvents.workspaceId, workspaceId)})`
  const closed = and(
    eq(paymentIntegrations.workspaceId, workspaceId),
    isNull(paymentIntegrations.signingSecretSealed),
    used,
  )
  const rows = await app.db.select().from(paymentIntegrations).where(closed)
  return rows.map(({ id, updatedAt }) => ({ code: 'payments_closed', since: updatedAt, thing: { id, name: id } }))
}

const unreachableMailboxes: WorkspaceCheck = async (app, { id: workspaceId }) => {
  if (app.config.inboundSmtpPort !== undefined) return []
  const { status, deletedAt, inboundTokenHash } = mailboxes
  const deaf = and(eq(status, 'active'), isNull(deletedAt), isNull(inboundTokenHash))
  const rows = await app.db
    .select()
    .from(mailboxes)
    .where(and(eq(mailboxes.workspaceId, workspaceId), deaf))
    .orderBy(asc(mailboxes.id))
    .limit(most)
  return rows.map(({ id, address, createdAt }) => ({
    code: 'mailbox_unreachable',
    since: createdAt,
    thing: { id, name: address },
  }))
}

const waitingReplies: WorkspaceCheck = async (app, { id }) => {
  const { total, since } = await summarizeWaiting(app, id)
  return since === null ? [] : [{ code: 'replies_waiting', since, detail: String(total) }]
}

const imports: WorkspaceCheck = async (app, { id: workspaceId }) => {
  const rows = await app.db
    .select()
    .from(contactImports)
    .where(eq(contactImports.workspaceId, workspaceId))
    .orderBy(desc(contactImports.id))
    .limit(lastImports)
  const now = app.clock.now().getTime()
  return rows.flatMap(({ id, state, detail, updatedAt: since }): WorkspaceFinding[] => {
    const [ageMs, thing] = [now - since.getTime(), { id, name: id }]
    if (state === 'running' && ageMs > stuckAfterMs) return [{ code: 'import_stuck', since, thing }]
    if (state !== 'failed' || ageMs > failedImportMs) return []
    return [{ code: 'import_failed', since, thing, ...(detail === null ? {} : { detail }) }]
  })
}

const unknownMakers: WorkspaceCheck = async (app, { id: workspaceId }) => {
  const found = await listUnknown(app, realIdOf(workspaceId), app.clock.now(), most)
  return found.map(({ kind, id, name, createdAt: since }) => {
    return { code: 'maker_unknown', since, thing: { id, name }, detail: kind.replace('_', ' ') }
  })
}

const checks = [
  suspension,
  faults,
  slowReceivers,
  domains,
  linkDomain,
  unprovenDomains,
  spoofedDomains,
  brokenRequirements,
  endpoints,
  lateDeliveries,
  heldSignUps,
  pausedCampaigns,
  failingRecurring,
  pausedSequences,
  stuckSequences,
  asideSignals,
  asideContacts,
  rates,
  droppedLevel,
  hooks,
  payments,
  unreachableMailboxes,
  waitingReplies,
  imports,
  unknownMakers,
]
