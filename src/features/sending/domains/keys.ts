// Sending domains: the keys that sign a workspace's mail, stored sealed, and the records to publish. A row gives no right to the domain;
// ownership is checked in owners.ts.

import { and, asc, eq, sql } from 'drizzle-orm'
import { isUniqueViolation } from '../../../../db/faults.ts'
import type { ReadDb } from '../../../../db/handle.ts'
import { prepared } from '../../../../db/prepared.ts'
import { domainChecks } from '../../../../db/tables/campaigns.ts'
import { sendingDomains } from '../../../../db/tables/messages.ts'
import { domainFindings } from '../../../../db/tables/reports.ts'
import { type App, type Reader, type Tx, write } from '../../../core/app.ts'
import type { Keyed } from '../../../core/keyed-address.ts'
import { parseAddress } from '../../../kit/email-address.ts'
import { AppError, invalidField } from '../../../kit/error.ts'
import { newId } from '../../../kit/id.ts'
import { type DkimKey, dkimRecord, generateDkimKeys, importDkimKey } from '../../../mail/dkim.ts'
import { type DnsRecord, ownershipRecord, release } from '../../../people/domain-owners.ts'
import { proposedDmarc, reportAddress, reportRecords } from './report-address.ts'

export type SendingDomain = typeof sendingDomains.$inferSelect

const findByName = prepared((db: ReadDb) =>
  db
    .select()
    .from(sendingDomains)
    .where(
      and(
        eq(sendingDomains.workspaceId, sql.placeholder('workspaceId')),
        eq(sendingDomains.domain, sql.placeholder('domain')),
      ),
    )
    .prepare(),
)

export async function findDomain(reader: Reader, workspaceId: string, domain: string): Promise<SendingDomain | null> {
  return (await findByName(reader.db).get({ workspaceId, domain })) ?? null
}

/** Oldest first. */
export async function listDomains(reader: Reader, workspaceId: string): Promise<SendingDomain[]> {
  const mine = eq(sendingDomains.workspaceId, workspaceId)
  return await reader.db.select().from(sendingDomains).where(mine).orderBy(asc(sendingDomains.id))
}

/** Adds a domain with fresh keys. Throws `validation_failed`, or `conflict` when the workspace has it already. */
export async function createDomain(app: App, workspaceId: string, name: string): Promise<SendingDomain> {
  const parsed = parseAddress(`postmaster@${name}`)
  if (!parsed.ok || !parsed.domain.includes('.')) {
    throw invalidField('domain', 'must be a domain name like mail.example.com', 'invalid_domain')
  }
  const { domain } = parsed
  const keys = await generateDkimKeys()
  const sealed = (privateKey: string, kind: 'rsa' | 'ed25519') =>
    app.sealer.seal(privateKey, sealContext(workspaceId, domain, kind))
  const rsaKeySealed = await sealed(keys.rsa.privateKey, 'rsa')
  const ed25519KeySealed = await sealed(keys.ed25519.privateKey, 'ed25519')
  try {
    return await write(app, async (tx) => {
      const row: SendingDomain = {
        id: newId(tx, 'dom', tx.now),
        workspaceId,
        domain,
        selector: `pq${tx.now.toISOString().slice(0, 7).replace('-', '')}`,
        rsaKeySealed,
        rsaPublicKey: keys.rsa.publicKey,
        ed25519KeySealed,
        ed25519PublicKey: keys.ed25519.publicKey,
        createdAt: tx.now,
        updatedAt: tx.now,
      }
      await tx.db.insert(sendingDomains).values(row)
      return row
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('conflict', `This workspace already has the domain ${domain}.`)
    throw error
  }
}

/**
 * Removes the domain and its keys. Waiting mail from it is not sent, because ownership is checked again at the hand-over; if the operator
 * assigned or named the domain, mail is sent unsigned.
 */
export async function deleteDomain(tx: Tx, { id, workspaceId, domain }: SendingDomain): Promise<void> {
  await tx.db.delete(sendingDomains).where(eq(sendingDomains.id, id))
  await tx.db.delete(domainChecks).where(eq(domainChecks.domainId, id))
  await tx.db.delete(domainFindings).where(eq(domainFindings.domainId, id))
  await release(tx, { workspaceId, domain })
}

/** The keys that receivers check the signatures with. */
export function dkimRecords({ domain, selector, rsaPublicKey, ed25519PublicKey }: SendingDomain): DnsRecord[] {
  return [
    {
      type: 'TXT',
      name: `${rsaSelector(selector)}._domainkey.${domain}`,
      value: dkimRecord('rsa-sha256', rsaPublicKey),
    },
    {
      type: 'TXT',
      name: `${ed25519Selector(selector)}._domainkey.${domain}`,
      value: dkimRecord('ed25519-sha256', ed25519PublicKey),
    },
  ]
}

/** The records to publish: ownership, keys, SPF, DMARC, and what lets reports come here. `dmarc`: as it is published. */
export function dnsRecords(app: Keyed, row: SendingDomain, { spf, dmarc }: { spf: string; dmarc: string | null }) {
  const address = reportAddress(app, row.id)
  const records: DnsRecord[] = [
    ownershipRecord(row.workspaceId, row.domain),
    ...dkimRecords(row),
    { type: 'TXT', name: row.domain, value: spf },
    { type: 'TXT', name: `_dmarc.${row.domain}`, value: proposedDmarc(dmarc, address) },
  ]
  return [...records, ...reportRecords(app, row.domain, address)]
}

/** The selectors of our keys. */
export function selectorsOf({ selector }: SendingDomain): string[] {
  return [rsaSelector(selector), ed25519Selector(selector)]
}

/** Imported keys by domain row, because unsealing and importing costs more than signing. */
const imported = () => new Map<string, Promise<DkimKey[]>>()

/** The keys that sign mail from `domain`, or null when the workspace has no such domain. */
export async function findDkimKeys(app: App, workspaceId: string, domain: string): Promise<DkimKey[] | null> {
  const row = await app.share(`sending domain ${workspaceId} ${domain}`, () => findDomain(app, workspaceId, domain))
  if (!row) return null
  const cache = app.own(imported)
  const name = `${row.id} ${row.updatedAt.getTime()}`
  const keys = cache.get(name) ?? importKeys(app, row)
  cache.set(name, keys)
  return keys
}

async function importKeys(app: App, row: SendingDomain): Promise<DkimKey[]> {
  const { workspaceId, domain, selector } = row
  const open = (sealed: string, kind: 'rsa' | 'ed25519') =>
    app.sealer.open(sealed, sealContext(workspaceId, domain, kind))
  const [rsa, ed25519] = [await open(row.rsaKeySealed, 'rsa'), await open(row.ed25519KeySealed, 'ed25519')]
  return [
    importDkimKey(rsa, { algorithm: 'rsa-sha256', domain, selector: rsaSelector(selector) }),
    importDkimKey(ed25519, { algorithm: 'ed25519-sha256', domain, selector: ed25519Selector(selector) }),
  ]
}

/** The context for which its private key of `kind` is sealed. */
export function sealContext(workspaceId: string, domain: string, kind: 'rsa' | 'ed25519'): string {
  return `dkim ${workspaceId} ${domain} ${kind}`
}

const rsaSelector = (selector: string) => `${selector}r`
const ed25519Selector = (selector: string) => `${selector}e`
