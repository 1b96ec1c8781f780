// The link domain of a workspace on the wire.

import { t } from 'elysia'
import type { Config } from '../../core/config.ts'
import { oneOf } from '../../core/http/wire.ts'
import { linkRecords, linkStatus } from './check.ts'
import type { LinkDomain } from './link-domains.ts'

const verdict = oneOf(['ok', 'missing', 'wrong', 'unknown'] as const)
const time = t.Union([t.String({ format: 'date-time' }), t.Null()])

export const linkDomainView = t.Object({
  domain: t.String(),
  status: oneOf(
    ['pending', 'verified', 'failing'] as const,
    '`pending`: not proved yet. `verified`: mails have their links there. `failing`: it was proved, three checks in a row found that it is not right, and new mails have the links of the installation again. Links in mails that were sent answer at both.',
  ),
  dnsRecords: t.Array(
    t.Object({ type: oneOf(['TXT', 'CNAME', 'A', 'AAAA'] as const), name: t.String(), value: t.String() }),
    { description: 'The records to publish: one names the workspace, the other leads here.' },
  ),
  ownership: t.Union([verdict, t.Null()], {
    description:
      'Whether the record that names the workspace was found. `wrong`: another workspace has proved the domain. null: not checked yet.',
  }),
  target: t.Union([verdict, t.Null()], {
    description: 'Whether the name leads to this installation: as a CNAME, or by the same addresses.',
  }),
  verifiedAt: time,
  checkedAt: time,
})

export function toLinkDomainView(config: Config, row: LinkDomain): typeof linkDomainView.static {
  const { domain, ownership, target, provenAt, checkedAt } = row
  return {
    domain,
    status: linkStatus(row),
    dnsRecords: linkRecords(config, row),
    ownership,
    target,
    verifiedAt: provenAt?.toISOString() ?? null,
    checkedAt: checkedAt?.toISOString() ?? null,
  }
}
