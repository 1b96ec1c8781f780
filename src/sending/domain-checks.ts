// Whether a sending domain is set up: asked of the DNS, kept for an hour, and the last good answer for a day while the name servers
// do not answer (docs/choices.md, row 73).

import { and, eq, inArray } from 'drizzle-orm'
import { type DnsVerdict, domainChecks } from '../../db/tables/campaigns.ts'
import { sendingDomains } from '../../db/tables/messages.ts'
import { type App, type Reader, type Tx, write } from '../app.ts'
import { day, hour, minute } from '../lib/duration.ts'
import { AppError } from '../lib/error.ts'
import { checkDomainAuth } from '../mail/dns-auth.ts'
import { defineJob } from '../outbox/job.ts'
import { publish } from '../webhooks/publish.ts'
import { dkimRecordsOf, type SendingDomain } from './domains.ts'

export type DomainCheck = typeof domainChecks.$inferSelect

const freshMs = hour
const lastGoodMs = day

export interface Standing {
  /** The key is published, or was a day ago at most. */
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

export async function checksOf(reader: Reader, domainIds: string[]): Promise<Map<string, DomainCheck>> {
  if (domainIds.length === 0) return new Map()
  const rows = await reader.db.select().from(domainChecks).where(inArray(domainChecks.domainId, domainIds))
  return new Map(rows.map((row) => [row.domainId, row]))
}

/** How the domain stands now; the DNS is asked when the last answer is older than `maxAgeMs`. */
export async function standingOf(app: App, domain: SendingDomain, maxAgeMs = freshMs): Promise<Standing> {
  const kept = (await checksOf(app, [domain.id])).get(domain.id)
  const now = app.clock.now()
  const isFresh = kept !== undefined && now.getTime() - kept.checkedAt.getTime() < maxAgeMs
  const check = isFresh ? kept : await askDns(app, domain, kept)
  return { check, dkim: isGood(check.dkim, check.dkimGoodAt, now), dmarc: isGood(check.dmarc, check.dmarcGoodAt, now) }
}

/** An answer counts; without one, the last good answer of a day. */
function isGood(verdict: DnsVerdict, goodAt: Date | null, now: Date): boolean {
  if (verdict !== 'unknown') return verdict === 'ok'
  return goodAt !== null && now.getTime() - goodAt.getTime() < lastGoodMs
}

async function askDns(app: App, domain: SendingDomain, kept: DomainCheck | undefined): Promise<DomainCheck> {
  const found = await checkDomainAuth(app.dns, domain.domain, dkimRecordsOf(domain))
  return await write(app, async (tx) => {
    const check: DomainCheck = {
      domainId: domain.id,
      workspaceId: domain.workspaceId,
      ...found,
      ownership: 'missing',
      checkedAt: tx.now,
      dkimGoodAt: found.dkim === 'ok' ? tx.now : (kept?.dkimGoodAt ?? null),
      dmarcGoodAt: found.dmarc === 'ok' ? tx.now : (kept?.dmarcGoodAt ?? null),
    }
    await tx.db.insert(domainChecks).values(check).onConflictDoUpdate({ target: domainChecks.domainId, set: check })
    await publishDomain(tx, domain, kept === undefined ? 'unchecked' : faultOf(kept), faultOf(check))
    return check
  })
}

/** `dkim_missing`, `dmarc_wrong` …; null when all is right. A name server that does not answer changes nothing. */
function faultOf(check: DomainCheck): string | null {
  const { dkim, dmarc, dkimGoodAt, dmarcGoodAt } = check
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

/** Asks about every domain once a day, so that the dashboard tells of a record that went. */
export const checkDomains = defineJob<Record<string, never>>({
  kind: 'check-domains',
  lane: 'maintenance',
  timeoutMs: 30 * minute,
  attemptsMax: 2,
  retryDelaysMs: [10 * minute],
  async run(app, _job, { signal }) {
    for (const domain of await app.db.select().from(sendingDomains)) {
      if (signal.aborted) return { outcome: 'defer', code: 'stopped', detail: 'the process ended', delayMs: 0 }
      await standingOf(app, domain)
    }
    return { outcome: 'done' }
  },
})
