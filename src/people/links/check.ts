// Whether a link domain is proved and leads here, asked of the DNS: on demand, every ten minutes, and when a proxy asks for a certificate.
// That it leads here proves nothing, because names of former customers may still lead here: a record has to name the workspace
// (docs/decisions/0071-link-domains.md).

import { asc } from 'drizzle-orm'
import { type LinkVerdict, linkDomains } from '../../../db/tables/domains.ts'
import { type App, write } from '../../core/app.ts'
import type { Config } from '../../core/config.ts'
import { defineJob } from '../../core/outbox/job.ts'
import { minute } from '../../kit/duration.ts'
import { parseIp, plainAddress } from '../../kit/ip-address.ts'
import type { DnsResolver } from '../../mail/dns.ts'
import { checkRecord } from '../../mail/dns-auth.ts'
import { ownershipRecord } from '../domain-owners.ts'
import { findHolder, forgetRivals, isRow, type LinkDomain, mostMisses, stands, useHost } from './link-domains.ts'

/** Checks that follow each other faster are one miss. */
const missEveryMs = minute
/** A former domain that is not right for a day is given up. */
const givenUpAfterMisses = 144
const checksAtOnce = 20

interface LinkFound {
  /** The record that names the workspace. */
  ownership: LinkVerdict
  /** Whether the name leads to where BASE_URL is. */
  target: LinkVerdict
}

/** The record to publish as proof, and where the name has to lead. */
export function linkRecords(
  { baseUrl }: Pick<Config, 'baseUrl'>,
  { workspaceId, domain }: Pick<LinkDomain, 'workspaceId' | 'domain'>,
) {
  const host = baseHost({ baseUrl })
  const type = parseIp(host) === null ? ('CNAME' as const) : host.includes(':') ? ('AAAA' as const) : ('A' as const)
  return [ownershipRecord(workspaceId, domain), { type, name: domain, value: host }]
}

function baseHost({ baseUrl }: Pick<Config, 'baseUrl'>): string {
  return new URL(baseUrl).hostname.replace(/^\[|\]$/g, '')
}

/** Asks the DNS now, and does what follows: the mails that are made from now on have the links of the domain, or those of BASE_URL. */
export async function checkLinkDomain(app: App, row: LinkDomain): Promise<LinkDomain> {
  const [ownership, target] = await Promise.all([
    checkRecord(app.dns, ownershipRecord(row.workspaceId, row.domain)),
    leadsHere(app.dns, row.domain, baseHost(app.config)),
  ])
  return (await settle(app, row, { ownership, target })) ?? row
}

/** It stands for the host of BASE_URL, or has no address but those of that. */
async function leadsHere(dns: DnsResolver, domain: string, host: string): Promise<LinkVerdict> {
  const alias = await dns.alias(domain)
  if (alias.outcome === 'found' && alias.records.includes(host)) return 'ok'
  const own = parseIp(host) === null ? await dns.addresses(host) : { outcome: 'found' as const, records: [host] }
  const found = await dns.addresses(domain)
  if (found.outcome === 'none') return 'missing'
  if (found.outcome === 'failed' || own.outcome !== 'found') return 'unknown'
  const here = new Set(own.records.map(plainAddress))
  return found.records.every((address) => here.has(plainAddress(address))) ? 'ok' : 'wrong'
}

/** Null when the row is gone meanwhile. */
async function settle(app: App, { workspaceId, domain }: LinkDomain, found: LinkFound): Promise<LinkDomain | null> {
  return await write(app, async (tx) => {
    const [row] = await tx.db.select().from(linkDomains).where(isRow({ workspaceId, domain }))
    if (!row) return null
    const isRight = found.ownership === 'ok' && found.target === 'ok'
    const holder = isRight ? await findHolder(tx, domain) : null
    const isHeld = holder !== null && holder.workspaceId !== workspaceId && stands(holder)
    if (isRight && !isHeld) await forgetRivals(tx, row)
    const after = isHeld
      ? missed(row, { ...found, ownership: 'wrong' }, tx.now)
      : isRight
        ? { ...row, ...found, checkedAt: tx.now, provenAt: row.provenAt ?? tx.now, misses: 0, missedSince: null }
        : missed(row, found, tx.now)
    if (!row.isCurrent && after.misses >= givenUpAfterMisses && !isUnknown(found)) {
      await tx.db.delete(linkDomains).where(isRow(row))
      return null
    }
    await tx.db.update(linkDomains).set(after).where(isRow(row))
    if (row.isCurrent && stands(after) !== stands(row)) await useHost(tx, workspaceId, stands(after) ? domain : null)
    return after
  })
}

function missed(row: LinkDomain, found: LinkFound, now: Date): LinkDomain {
  const isNext = row.checkedAt === null || row.misses === 0 || now.getTime() - row.checkedAt.getTime() >= missEveryMs
  const misses = row.misses + (isNext ? 1 : 0)
  return { ...row, ...found, checkedAt: now, misses, missedSince: row.missedSince ?? now }
}

function isUnknown({ ownership, target }: LinkFound): boolean {
  return ownership === 'unknown' || target === 'unknown'
}

/** `pending`: never proved. `failing`: it was, and is not right any more: mails have the links of BASE_URL again. */
export function linkStatus({ provenAt, misses }: LinkDomain): 'pending' | 'verified' | 'failing' {
  if (provenAt === null) return 'pending'
  return misses < mostMisses ? 'verified' : 'failing'
}

/** Checks every link domain, also those that workspaces had before. */
export const checkLinkDomains = defineJob<Record<string, never>>({
  kind: 'check-link-domains',
  lane: 'maintenance',
  timeoutMs: 9 * minute,
  attemptsMax: 1,
  retryDelaysMs: [],
  async run(app, _job, { signal }) {
    const { checkedAt, workspaceId, domain } = linkDomains
    const rows = await app.db.select().from(linkDomains).orderBy(asc(checkedAt), asc(workspaceId), asc(domain))
    for (let from = 0; from < rows.length && !signal.aborted; from += checksAtOnce)
      await Promise.all(rows.slice(from, from + checksAtOnce).map((row) => checkLinkDomain(app, row)))
    return { outcome: 'done' }
  },
})
