// The link domain of a workspace: the host at which the links, pages and pictures of its mails answer. It is asked for in the settings, and
// used once the DNS proves it (check.ts). A domain that was proved goes on answering after another one took its place, for mails that were
// sent with it.

import { and, asc, eq, isNotNull, ne, sql } from 'drizzle-orm'
import type { ReadDb } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { linkDomains } from '../../../db/tables/domains.ts'
import { workspaces } from '../../../db/tables/workspaces.ts'
import type { App, Reader, Tx } from '../../core/app.ts'
import type { Config } from '../../core/config.ts'
import { parseAddress } from '../../kit/email-address.ts'
import { AppError, invalidField } from '../../kit/error.ts'
import { parseIp } from '../../kit/ip-address.ts'
import { isNamedByOperator } from '../domain-owners.ts'

export type LinkDomain = typeof linkDomains.$inferSelect

/** After so many bad checks in a row new mails have the links of BASE_URL, and another workspace may take the domain. */
export const mostMisses = 3
/** How many former domains of a workspace go on answering: the newest. */
const mostFormer = 5

/** True while its owner could not lose it to another workspace. */
export function stands({ provenAt, misses }: Pick<LinkDomain, 'provenAt' | 'misses'>): boolean {
  return provenAt !== null && misses < mostMisses
}

/** That of its settings; null where it has none. */
export async function findLinkDomain(reader: Reader, workspaceId: string): Promise<LinkDomain | null> {
  const { workspaceId: owner, isCurrent } = linkDomains
  const [row] = await reader.db
    .select()
    .from(linkDomains)
    .where(and(eq(owner, workspaceId), eq(isCurrent, true)))
  return row ?? null
}

const holderByDomain = prepared((db: ReadDb) =>
  db
    .select()
    .from(linkDomains)
    .where(and(eq(linkDomains.domain, sql.placeholder('domain')), isNotNull(linkDomains.provenAt)))
    .prepare(),
)

/** The row of the workspace that has the domain. */
export async function findHolder(reader: Reader, domain: string): Promise<LinkDomain | null> {
  return (await holderByDomain(reader.db).get({ domain })) ?? null
}

/** The domain as it is kept. Throws `validation_failed` for what is no host name, or not one that a workspace can have. */
export async function readLinkDomain(config: Config, text: string): Promise<string> {
  const given = text.trim()
  const parsed = parseAddress(`postmaster@${given}`)
  const labels = given.split('.')
  if (!parsed.ok || labels.length < 2 || parseIp(given) !== null || /^\d+$/.test(labels.at(-1) ?? ''))
    throw refuse(`${JSON.stringify(given)} is no host name, e.g. links.example.com`)
  const { domain } = parsed
  if (domain === new URL(config.baseUrl).hostname || isNamedByOperator(config, domain))
    throw refuse(`${domain} is a name of this installation`)
  const { getDomain } = await import('tldts')
  if (getDomain(domain, { allowPrivateDomains: true }) === null)
    throw refuse(`${domain} is a public suffix: names below it belong to many`)
  return domain
}

function refuse(message: string): AppError {
  return invalidField('linkDomain', `${message}.`)
}

/**
 * `domain` as readLinkDomain() returns it; null: none. The mails that are made from now on have the links of BASE_URL until the domain is
 * proved. Throws `conflict` for one that another workspace has.
 */
export async function setLinkDomain(tx: Tx, workspaceId: string, domain: string | null): Promise<void> {
  const current = await findLinkDomain(tx, workspaceId)
  if ((current?.domain ?? null) === domain) return
  if (domain !== null) await refuseOfAnother(tx, workspaceId, domain)
  await retire(tx, workspaceId, domain)
  if (domain === null) return
  const row = { workspaceId, domain, isCurrent: true, createdAt: tx.now }
  const key = [linkDomains.workspaceId, linkDomains.domain]
  await tx.db
    .insert(linkDomains)
    .values(row)
    .onConflictDoUpdate({ target: key, set: { isCurrent: true } })
  const [kept] = await tx.db.select().from(linkDomains).where(isRow(row))
  // One that it had before needs no new proof.
  if (kept && stands(kept)) await useHost(tx, workspaceId, domain)
}

async function refuseOfAnother(tx: Tx, workspaceId: string, domain: string): Promise<void> {
  const holder = await findHolder(tx, domain)
  if (holder === null || holder.workspaceId === workspaceId || !stands(holder)) return
  throw new AppError('conflict', `${domain} is the link domain of another workspace, which has proved it.`)
}

/** The current one makes room for `next`: it goes on answering if it was proved. */
async function retire(tx: Tx, workspaceId: string, next: string | null): Promise<void> {
  const mine = eq(linkDomains.workspaceId, workspaceId)
  await useHost(tx, workspaceId, null)
  await tx.db
    .update(linkDomains)
    .set({ isCurrent: false })
    .where(and(mine, eq(linkDomains.isCurrent, true)))
  await tx.db.delete(linkDomains).where(and(mine, sql`proven_at IS NULL`))
  const former = await tx.db.select().from(linkDomains).where(mine).orderBy(asc(linkDomains.provenAt))
  const others = former.filter(({ domain }) => domain !== next)
  for (const oldest of others.slice(0, Math.max(0, others.length - mostFormer)))
    await tx.db.delete(linkDomains).where(isRow(oldest))
}

export function isRow({ workspaceId, domain }: Pick<LinkDomain, 'workspaceId' | 'domain'>) {
  return and(eq(linkDomains.workspaceId, workspaceId), eq(linkDomains.domain, domain))
}

/** Null: the mails of the workspace have the links of BASE_URL. */
export async function useHost(tx: Tx, workspaceId: string, host: string | null): Promise<void> {
  const differs = host === null ? isNotNull(workspaces.linkHost) : sql`${workspaces.linkHost} IS NOT ${host}`
  await tx.db
    .update(workspaces)
    .set({ linkHost: host, updatedAt: tx.now })
    .where(and(eq(workspaces.id, workspaceId), differs))
}

/** Those that others ask for too: whoever proves a name takes it from all of them. */
export async function forgetRivals(tx: Tx, { workspaceId, domain }: LinkDomain): Promise<void> {
  const rivals = and(eq(linkDomains.domain, domain), ne(linkDomains.workspaceId, workspaceId))
  const rows = await tx.db
    .update(linkDomains)
    .set({ provenAt: null })
    .where(and(rivals, isNotNull(linkDomains.provenAt)))
    .returning({ workspaceId: linkDomains.workspaceId, isCurrent: linkDomains.isCurrent })
  for (const { workspaceId: former, isCurrent } of rows) if (isCurrent) await useHost(tx, former, null)
  await tx.db.delete(linkDomains).where(and(rivals, eq(linkDomains.isCurrent, false)))
}

/**
 * The workspace whose pages answer at a host; null: it is no link domain. `host` in lower case, without port and final dot. Concurrent
 * requests share one look-up (App.share).
 */
export async function workspaceAt(app: App, host: string): Promise<string | null> {
  // An address and a name of one label are never one, and machines reach each other by them.
  if (!host.includes('.') || parseIp(host) !== null) return null
  return await app.share(`link host ${host}`, async () => (await findHolder(app, host))?.workspaceId ?? null)
}
