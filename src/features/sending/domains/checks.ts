// Checks in the DNS whether a sending domain is set up. The result is kept for an hour, and the last good one for a day while name servers
// do not answer. A good result makes the workspace the owner of the domain.

import { and, eq, inArray } from 'drizzle-orm'
import { type DnsVerdict, domainChecks } from '../../../../db/tables/campaigns.ts'
import { sendingDomains } from '../../../../db/tables/messages.ts'
import { type App, type Reader, type Tx, write } from '../../../core/app.ts'
import { defineJob } from '../../../core/outbox/job.ts'
import { relayHosts } from '../../../core/relays.ts'
import { day, hour, minute } from '../../../kit/duration.ts'
import { AppError } from '../../../kit/error.ts'
import { checkBimi } from '../../../mail/bimi.ts'
import { checkDkim, checkDomainAuth, checkRecord } from '../../../mail/dns-auth.ts'
import { spfMechanisms } from '../../../mail/spf-record.ts'
import { claimByDns, type DomainOwner, findOwner, ownershipRecord } from '../../../people/domain-owners.ts'
import { publish } from '../../webhooks/publish.ts'
import { dkimRecords, findDomain, type SendingDomain } from './keys.ts'

export type DomainCheck = typeof domainChecks.$inferSelect

const freshMs = hour
const lastGoodMs = day

export interface Standing {
  /** The key is published, or was within the last day. */
  dkim: boolean
  dmarc: boolean
  check: DomainCheck
}

/** Throws `not_found`, also for another workspace's. */
export async function getDomain(reader: Reader, workspaceId: string, id: string): Promise<SendingDomain> {
  const mine = and(eq(sendingDomains.workspaceId, workspaceId), eq(sendingDomains.id, id))
  const [row] = await reader.db.select().from(sendingDomains).where(mine)
  if (!row) throw new AppError('not_found', 'there is no such sending domain')
  return row
}

export async function loadChecks(reader: Reader, domainIds: string[]): Promise<Map<string, DomainCheck>> {
  if (domainIds.length === 0) return new Map()
  const rows = await reader.db.select().from(domainChecks).where(inArray(domainChecks.domainId, domainIds))
  return new Map(rows.map((row) => [row.domainId, row]))
}

/** The record of DMARC as it was last seen; of one at a parent domain its policy. */
export function publishedDmarc(check: DomainCheck | undefined): string | null {
  const policy = check?.dmarcPolicy ?? null
  return check?.dmarcRecord ?? (policy === null ? null : `v=DMARC1; p=${policy}`)
}

/**
 * The state of the domain; the DNS is queried when the last result is older than `maxAgeMs`. Where somebody waits for a mail, and not for
 * this, its logo is as it was.
 */
export async function checkStanding(app: App, domain: SendingDomain, maxAgeMs = freshMs): Promise<Standing> {
  const kept = (await loadChecks(app, [domain.id])).get(domain.id)
  const now = app.clock.now()
  const isFresh = kept !== undefined && now.getTime() - kept.checkedAt.getTime() < maxAgeMs
  const check = isFresh ? kept : await askDns(app, domain, { kept, withLogo: maxAgeMs === 0 })
  return { check, dkim: isGood(check.dkim, check.dkimGoodAt, now), dmarc: isGood(check.dmarc, check.dmarcGoodAt, now) }
}

/** A result counts; without one, the last good result of the past day. */
function isGood(verdict: DnsVerdict, goodAt: Date | null, now: Date): boolean {
  if (verdict !== 'unknown') return verdict === 'ok'
  return goodAt !== null && now.getTime() - goodAt.getTime() < lastGoodMs
}

interface DnsLook {
  kept: DomainCheck | undefined
  withLogo: boolean
}

async function askDns(app: App, domain: SendingDomain, { kept, withLogo }: DnsLook): Promise<DomainCheck> {
  const record = ownershipRecord(domain.workspaceId, domain.domain)
  const spf = spfMechanisms(await relayHosts(app, domain.workspaceId))
  const wanted = { ownershipRecord: record, dkimRecords: dkimRecords(domain), spf }
  const [found, logo] = await Promise.all([
    checkDomainAuth(app.dns, domain.domain, wanted),
    withLogo ? checkBimi({ ...app, now: app.clock.now() }, domain.domain) : null,
  ])
  const isPublished = found.dkim === 'ok' || found.ownership === 'ok'
  const rival = isPublished ? await findRival(app, domain) : null
  return await write(app, async (tx) => {
    const holder = isPublished ? await findHolder(tx, domain, rival) : null
    const check: DomainCheck = {
      domainId: domain.id,
      workspaceId: domain.workspaceId,
      ...found,
      ownership: holder !== null ? 'wrong' : isPublished ? 'ok' : found.ownership,
      detail: holder === null ? found.detail : [heldText(holder), found.detail].filter(Boolean).join('; '),
      bimi: logo === null ? (kept?.bimi ?? null) : logo.verdict,
      bimiDetail: logo === null ? (kept?.bimiDetail ?? null) : logo.detail,
      checkedAt: tx.now,
      dkimGoodAt: found.dkim === 'ok' ? tx.now : (kept?.dkimGoodAt ?? null),
      dmarcGoodAt: found.dmarc === 'ok' ? tx.now : (kept?.dmarcGoodAt ?? null),
    }
    await tx.db.insert(domainChecks).values(check).onConflictDoUpdate({ target: domainChecks.domainId, set: check })
    await publishDomain(tx, domain, kept === undefined ? 'unchecked' : describeFault(kept), describeFault(check))
    if (isPublished && holder === null && rival !== null) await tellFormerOwner(tx, rival.owner)
    return check
  })
}

/** Makes the workspace the owner. Returns the workspace that has the domain anyway, or null. */
async function findHolder(tx: Tx, domain: SendingDomain, rival: Rival | null): Promise<DomainOwner | null> {
  if (rival?.stands) return rival.owner
  const owner = await claimByDns(tx, domain, rival?.owner ?? null)
  return owner.workspaceId === domain.workspaceId ? null : owner
}

interface Rival {
  owner: DomainOwner
  /** The operator assigned the domain, or its record is still published; a name server that does not answer changes nothing. */
  stands: boolean
}

/** The workspace that has the domain, if it is another one. */
async function findRival(app: App, { workspaceId, domain }: SendingDomain): Promise<Rival | null> {
  const owner = await findOwner(app, domain)
  if (owner === null || owner.workspaceId === workspaceId) return null
  if (owner.proof === 'operator') return { owner, stands: true }
  const row = await findDomain(app, owner.workspaceId, domain)
  const [record, dkim] = await Promise.all([
    checkRecord(app.dns, ownershipRecord(owner.workspaceId, domain)),
    row === null ? null : checkDkim(app.dns, dkimRecords(row)),
  ])
  const stands = [record, dkim?.verdict].some((verdict) => verdict === 'ok' || verdict === 'unknown')
  return { owner, stands }
}

function heldText({ domain, proof }: DomainOwner): string {
  if (proof === 'operator') return `the operator of this installation has assigned ${domain} to another workspace`
  return `${domain} belongs to another workspace of this installation while the record of that one is published`
}

async function tellFormerOwner(tx: Tx, { workspaceId, domain }: DomainOwner): Promise<void> {
  const former = await findDomain(tx, workspaceId, domain)
  if (former === null) return
  const data = { domain: { id: former.id, name: domain }, reason: ownedByAnother }
  await publish(tx, workspaceId, 'domain.failed', data)
}

const ownedByAnother = 'owned_by_another_workspace'

/** `dkim_missing`, `dmarc_wrong` …; null when all is right. A name server that does not answer changes nothing. */
export function describeFault(check: DomainCheck): string | null {
  const { dkim, dmarc, dkimGoodAt, dmarcGoodAt } = check
  if (check.ownership === 'wrong') return ownedByAnother
  const of = (name: string, verdict: DnsVerdict, goodAt: Date | null) => {
    if (verdict === 'unknown') return goodAt === null ? `${name}_unknown` : null
    return verdict === 'ok' ? null : `${name}_${verdict}`
  }
  return of('dkim', dkim, dkimGoodAt) ?? of('dmarc', dmarc, dmarcGoodAt)
}

async function publishDomain(
  tx: Tx,
  { id, workspaceId, domain }: SendingDomain,
  before: string | null,
  now: string | null,
) {
  const data = { domain: { id, name: domain } }
  if (now === null && before !== null) await publish(tx, workspaceId, 'domain.verified', data)
  if (now !== null && before === null) await publish(tx, workspaceId, 'domain.failed', { ...data, reason: now })
}

/** Checks every domain once a day, so that the dashboard notices a record that disappeared. */
export const checkDomains = defineJob<Record<string, never>>({
  kind: 'check-domains',
  lane: 'maintenance',
  timeoutMs: 30 * minute,
  attemptsMax: 2,
  retryDelaysMs: [10 * minute],
  async run(app, _job, { signal }) {
    for (const domain of await app.db.select().from(sendingDomains)) {
      if (signal.aborted) return { outcome: 'defer', code: 'stopped', detail: 'the process ended', delayMs: 0 }
      await checkStanding(app, domain, 0)
    }
    return { outcome: 'done' }
  },
})
