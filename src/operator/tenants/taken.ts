// Whether another workspace here has what only one of an installation may have, and the file of a workspace brings: a domain that is sent
// from, an address that mail comes to. The file need not say that it owns them; what counts is who has them here.

import { and, eq, inArray, isNull, not } from 'drizzle-orm'
import { mailboxes } from '../../../db/tables/mailboxes.ts'
import type { App } from '../../core/app.ts'
import { addressDomain } from '../../kit/email-address.ts'
import { AppError } from '../../kit/error.ts'
import { testIdOf } from '../../kit/id.ts'
import { findOwner, isNamedByOperator, isOfInstallation, isSenderOfAll } from '../../people/domain-owners.ts'
import { findFirstWorkspace } from '../../people/workspaces.ts'
import { type Manifest, readLines } from './archive-file.ts'

/** Throws `conflict` with the name of what is taken. Nothing is written. */
export async function mustBeFree(app: App, { folder, manifest }: { folder: string; manifest: Manifest }) {
  const owned = await readValues(folder, 'domain_owners', 'domain')
  for (const domain of new Set([...owned, ...(await readValues(folder, 'sending_domains', 'domain'))])) {
    const owner = await findOwner(app, domain)
    if (owner !== null && owner.workspaceId !== manifest.id) throw isAnothers(`the domain ${domain}`)
  }
  for (const address of await readValues(folder, 'mailboxes', 'address_key'))
    await mustBeFreeAddress(app, manifest.id, address, owned)
}

/** As for a new mailbox: where the operator named the domain, who was first has the address; elsewhere the owner of the domain. */
async function mustBeFreeAddress(app: App, workspaceId: string, address: string, owned: Set<string>): Promise<void> {
  const isEveryones = isSenderOfAll(app.config, address) || isOfInstallation(app.config, address)
  if (isEveryones && (await findFirstWorkspace(app)) !== null) throw isAnothers(`the mailbox ${address}`)
  const domain = addressDomain(address)
  if (owned.has(domain) && !isNamedByOperator(app.config, domain)) return
  const others = not(inArray(mailboxes.workspaceId, [workspaceId, testIdOf(workspaceId)]))
  const there = and(eq(mailboxes.addressKey, address), isNull(mailboxes.deletedAt), others)
  const [found] = await app.db.select({ id: mailboxes.id }).from(mailboxes).where(there)
  if (found !== undefined) throw isAnothers(`the mailbox ${address}`)
}

const isAnothers = (what: string) => new AppError('conflict', `${what} is of another workspace here`)

/** Of rows that were not deleted. */
async function readValues(folder: string, name: string, column: string): Promise<Set<string>> {
  const values = new Set<string>()
  for await (const line of readLines(folder, name)) {
    const row = JSON.parse(line)
    if ((row.deleted_at ?? null) === null) values.add(String(row[column]))
  }
  return values
}
