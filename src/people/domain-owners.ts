// Domain ownership, and the one rule for using an address: a workspace may send from a domain or receive at it if the operator named the
// domain (MAIL_FROM, INBOUND_DOMAIN) or the domain is the workspace's. A domain has at most one owner in an installation, and each name is
// proved separately: example.com proves nothing about mail.example.com.

import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import type { ReadDb } from '../../db/handle.ts'
import { prepared } from '../../db/prepared.ts'
import { type DomainProof, domainOwners } from '../../db/tables/domains.ts'
import { mailboxes } from '../../db/tables/mailboxes.ts'
import type { App, Reader, Tx } from '../core/app.ts'
import type { Config } from '../core/config.ts'
import { sha256Hex } from '../kit/digest.ts'
import { addressDomain, parseAddress } from '../kit/email-address.ts'
import { AppError, type Issue } from '../kit/error.ts'
import { realIdOf } from '../kit/id.ts'
import { findFirstWorkspace } from './workspaces.ts'

export type DomainOwner = typeof domainOwners.$inferSelect

const byDomain = prepared((db: ReadDb) =>
  db
    .select()
    .from(domainOwners)
    .where(eq(domainOwners.domain, sql.placeholder('domain')))
    .prepare(),
)

/** `domain` in lower-case ASCII, as parseAddress() returns it. */
export async function findOwner(reader: Reader, domain: string): Promise<DomainOwner | null> {
  return (await byDomain(reader.db).get({ domain })) ?? null
}

/** How each of these domains was proved to be the workspace's; others are missing. */
export async function loadProofs(
  reader: Reader,
  workspaceId: string,
  domains: string[],
): Promise<Map<string, DomainProof>> {
  if (domains.length === 0) return new Map()
  const mine = and(eq(domainOwners.workspaceId, workspaceId), inArray(domainOwners.domain, domains))
  const rows = await reader.db.select().from(domainOwners).where(mine)
  return new Map(rows.map(({ domain, proof }) => [domain, proof]))
}

/** Every workspace may use it; an address at it belongs to the first workspace that created a mailbox for it. */
export function isNamedByOperator({ mailFrom, inboundDomain }: Config, domain: string): boolean {
  return domain === mailFrom.domain || domain === inboundDomain
}

/** The sender of everybody without one of their own. */
export function isSenderOfAll({ mailFrom }: Config, address: string): boolean {
  return address.toLowerCase() === mailFrom.address.toLowerCase()
}

/**
 * Names that speak for whoever runs a domain (RFC 2142, 4 and 5; not `news`, of which newsletters are), those at which a certificate authority asks for its consent
 * (CA/Browser Forum, Baseline Requirements, 3.2.2.4.4), and those of a machine.
 */
const rolesOfDomain = new Set([
  ...['abuse', 'noc', 'security'],
  ...['postmaster', 'hostmaster', 'usenet', 'webmaster', 'www', 'uucp', 'ftp'],
  ...['admin', 'administrator', 'root', 'mailer-daemon'],
])

/** The address of such a name without what stands after a `+`, in lower case; null for any other. */
export function roleAddress(address: string): string | null {
  const [name = '', domain] = address.toLowerCase().split('@')
  const [role = ''] = name.split('+', 1)
  return rolesOfDomain.has(role) ? `${role}@${domain}` : null
}

/** An address at a domain of the operator that speaks for all who use it: the first workspace has it, or whom the command line gives it. */
export function isOfInstallation(config: Config, address: string): boolean {
  return isNamedByOperator(config, addressDomain(address)) && roleAddress(address) !== null
}

/** `address` as parseAddress() returns it. A test workspace may use what its workspace may. */
async function mayUse(app: App, workspaceId: string, address: string): Promise<boolean> {
  const { config } = app
  if (isSenderOfAll(config, address)) return true
  const realId = realIdOf(workspaceId)
  return await app.share(`may use ${realId} ${address}`, async () => {
    const domain = addressDomain(address)
    if (isOfInstallation(config, address)) return await speaksForInstallation(app, realId, address)
    if (isNamedByOperator(config, domain)) return !(await isMailboxOfAnother(app, realId, address))
    return (await findOwner(app, domain))?.workspaceId === realId
  })
}

/** Who has a mailbox of it, or of the same without its `+`; without one, the first workspace. */
async function speaksForInstallation(reader: Reader, workspaceId: string, address: string): Promise<boolean> {
  const names = [address.toLowerCase(), roleAddress(address) ?? '']
  const there = and(inArray(mailboxes.addressKey, names), isNull(mailboxes.deletedAt))
  const rows = await reader.db.select({ workspaceId: mailboxes.workspaceId }).from(mailboxes).where(there)
  if (rows.length > 0) return rows.some((row) => row.workspaceId === workspaceId)
  return (await findFirstWorkspace(reader))?.id === workspaceId
}

async function isMailboxOfAnother(reader: Reader, workspaceId: string, address: string): Promise<boolean> {
  const there = and(eq(mailboxes.addressKey, address.toLowerCase()), isNull(mailboxes.deletedAt))
  const [other] = await reader.db
    .select({ id: mailboxes.id })
    .from(mailboxes)
    .where(and(there, ne(mailboxes.workspaceId, workspaceId)))
  return other !== undefined
}

/** In capture mode no mail is sent, so a refusal is only a warning. */
export function isCapturing({ config, mailer }: Pick<App, 'config' | 'mailer'>): boolean {
  return config.smtpUrl === undefined && !mailer.isRelayed
}

/** Throws `domain_not_verified` with the record to publish, naming `path`; in capture mode that is a warning. */
export async function checkAddress(
  app: App,
  workspaceId: string,
  { address, path }: { address: string; path: string },
): Promise<Issue[]> {
  if (await mayUse(app, workspaceId, address)) return []
  const refusal = notYours(app.config, workspaceId, { address, path })
  if (!isCapturing(app)) throw refusal
  return asWarnings(refusal, 'It is refused once mail is sent (SMTP_URL, or a relay).')
}

/** What checkAddress() would say about a sender that is only stored; it is checked again when something is sent. */
export async function warnOfAddress(
  app: App,
  workspaceId: string,
  { address, path }: { address: string | null | undefined; path: string },
): Promise<Issue[]> {
  const parsed = address ? parseAddress(address) : null
  if (!parsed?.ok || (await mayUse(app, workspaceId, parsed.address))) return []
  const refusal = notYours(app.config, workspaceId, { address: parsed.address, path })
  return asWarnings(
    refusal,
    isCapturing(app) ? 'It is refused once mail is sent (SMTP_URL, or a relay).' : 'Until then each send is refused.',
  )
}

function asWarnings({ details }: AppError, consequence: string): Issue[] {
  return (details.errors ?? []).map((issue) => ({ ...issue, message: `${issue.message} ${consequence}` }))
}

function notYours(config: Config, workspaceId: string, { address, path }: { address: string; path: string }): AppError {
  const domain = addressDomain(address)
  const code = 'domain_not_verified'
  if (isNamedByOperator(config, domain)) {
    const message = isOfInstallation(config, address)
      ? `${address} speaks for all workspaces here: only the first one may use it, or the one with that mailbox.`
      : `${address} is a mailbox of another workspace.`
    return new AppError(code, message, { errors: [{ path, message, code }] })
  }
  const record = ownershipRecord(workspaceId, domain)
  const message = `${domain} is not known to be this workspace's: publish ${record.name} TXT "${record.value}" (or the DKIM key), and have it verified as a sending domain.`
  return new AppError(code, message, { errors: [{ path, message, code }], extra: { domain, dnsRecords: [record] } })
}

export interface DnsRecord {
  type: 'TXT'
  name: string
  value: string
}

/** The ownership record. It is not secret: only whoever controls the domain can publish it. */
export function ownershipRecord(workspaceId: string, domain: string): DnsRecord {
  const token = sha256Hex(`paquebot domain ${workspaceId} ${domain}`).slice(0, 32)
  return { type: 'TXT', name: `_paquebot.${domain}`, value: `paquebot-workspace=${token}` }
}

/** The workspace that gets mail for an address of `domain`, among those with a mailbox there, oldest first. */
export async function receiverAmong<T extends { workspaceId: string }>(
  app: App,
  domain: string,
  candidates: T[],
): Promise<T | null> {
  const [first] = candidates
  if (first === undefined) return null
  if (isNamedByOperator(app.config, domain)) return first
  const owner = await findOwner(app, domain)
  if (owner === null) return isCapturing(app) ? first : null
  return candidates.find(({ workspaceId }) => workspaceId === owner.workspaceId) ?? null
}

/**
 * Makes the workspace the owner according to the DNS. `before` is the owner whose records were found to be gone; a domain with another
 * owner, including one set meanwhile, is not changed. Returns the resulting owner.
 */
export async function claimByDns(
  tx: Tx,
  { workspaceId, domain }: { workspaceId: string; domain: string },
  before: DomainOwner | null,
): Promise<DomainOwner> {
  const current = await findOwner(tx, domain)
  const isMine = current?.workspaceId === workspaceId
  if (current !== null && !isMine && !isSame(current, before)) return current
  // The operator's assignment is not overridden by the DNS.
  return await setOwner(tx, { workspaceId, domain }, isMine && current.proof === 'operator' ? 'operator' : 'dns')
}

/** Every good DNS check renews `updatedAt`, so an owner who published again is not the one that was judged. */
function isSame(current: DomainOwner, before: DomainOwner | null): boolean {
  return (
    current.workspaceId === before?.workspaceId &&
    current.proof === before.proof &&
    current.updatedAt.getTime() === before.updatedAt.getTime()
  )
}

/** In use since before ownership existed, and not proved by anybody. At most `limit`. */
export async function listUnprovenDomains(
  app: Pick<App, 'db' | 'config'>,
  workspaceId: string,
  limit: number,
): Promise<DomainOwner[]> {
  const rows = await app.db
    .select()
    .from(domainOwners)
    .where(and(eq(domainOwners.proof, 'kept'), eq(domainOwners.workspaceId, workspaceId)))
    .orderBy(domainOwners.domain)
    .limit(limit)
  return rows.filter(({ domain }) => !isNamedByOperator(app.config, domain))
}

/** The operator's assignment: it takes the domain from whoever had it. */
export async function vouchFor(tx: Tx, owned: { workspaceId: string; domain: string }): Promise<DomainOwner> {
  return await setOwner(tx, owned, 'operator')
}

async function setOwner(
  tx: Tx,
  { workspaceId, domain }: { workspaceId: string; domain: string },
  proof: DomainProof,
): Promise<DomainOwner> {
  const change = { workspaceId, proof, updatedAt: tx.now }
  const row: DomainOwner = { domain, ...change, createdAt: tx.now }
  await tx.db.insert(domainOwners).values(row).onConflictDoUpdate({ target: domainOwners.domain, set: change })
  return row
}

/** False when nobody owned it. */
export async function withdraw(tx: Tx, domain: string): Promise<boolean> {
  const gone = await tx.db.delete(domainOwners).where(eq(domainOwners.domain, domain)).returning()
  return gone.length > 0
}

/** Forgets the workspace's proof for the domain; the operator's assignment stays. */
export async function release(tx: Tx, { workspaceId, domain }: { workspaceId: string; domain: string }): Promise<void> {
  const { workspaceId: owner, domain: name, proof } = domainOwners
  await tx.db.delete(domainOwners).where(and(eq(name, domain), eq(owner, workspaceId), ne(proof, 'operator')))
}
