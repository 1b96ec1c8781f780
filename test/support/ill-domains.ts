// Domains of a workspace in every state that attention knows, as if the DNS, receivers and reports had said so.

import { domainChecks } from '../../db/tables/campaigns.ts'
import { domainOwners, linkDomains } from '../../db/tables/domains.ts'
import { sendingDomains } from '../../db/tables/messages.ts'
import { domainFindings } from '../../db/tables/reports.ts'
import { write } from '../../src/core/app.ts'
import { hour } from '../../src/kit/duration.ts'
import type { TestApp } from './app.ts'

/** Its id and that of the one beside it are of no use to anybody. */
function domainRow(t: TestApp, id: string) {
  const keys = { selector: 's', rsaKeySealed: '', rsaPublicKey: 'r', ed25519KeySealed: '', ed25519PublicKey: 'e' }
  const at = t.clock.now()
  return { id, workspaceId: t.workspace.id, domain: `${id}.example`, ...keys, createdAt: at, updatedAt: at }
}

export async function illDomains(t: TestApp): Promise<void> {
  const [workspaceId, at] = [t.workspace.id, t.clock.now()]
  const right = { workspaceId, dkim: 'ok', spf: 'ok', dmarc: 'ok', ownership: 'ok', checkedAt: at } as const
  const checks = [
    { domainId: 'well', ...right, dkimGoodAt: at, dmarcGoodAt: at },
    { domainId: 'unverified', ...right, dkim: 'missing', detail: 'no DKIM' },
    { domainId: 'broken', ...right, dkim: 'wrong', dkimGoodAt: new Date(at.getTime() - 2 * hour) },
    { domainId: 'taken', ...right, ownership: 'wrong' },
    { domainId: 'without-dmarc', ...right, dmarc: 'missing', dkimGoodAt: at },
    // Name servers that do not answer change nothing.
    { domainId: 'silent', ...right, dkim: 'unknown', dkimGoodAt: at },
  ] as const
  const owner = { workspaceId, proof: 'kept', createdAt: at, updatedAt: at } as const
  await write(t.app, async (tx) => {
    const names = ['unchecked', ...checks.map(({ domainId }) => domainId)]
    await tx.db.insert(sendingDomains).values(names.map((id) => domainRow(t, id)))
    for (const check of checks) await tx.db.insert(domainChecks).values(check)
    await tx.db.insert(domainOwners).values({ domain: 'kept.example', ...owner })
    await tx.db.insert(linkDomains).values({ workspaceId, domain: 'links.example', isCurrent: true, createdAt: at })
    const seen = { workspaceId: t.workspace.id, domainId: 'well', since: at, lastAt: at }
    await tx.db.insert(domainFindings).values([
      { ...seen, kind: 'spoofed', receiver: '', requirement: '', evidence: '12 messages' },
      { ...seen, kind: 'refusal', receiver: 'google', requirement: 'ptr', evidence: '550 5.7.25 no PTR' },
      { ...seen, kind: 'refusal', receiver: 'yahoo', requirement: 'ptr', evidence: 'old', lastAt: new Date(0) },
    ])
  })
}
