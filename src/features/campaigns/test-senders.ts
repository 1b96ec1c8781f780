// The senders of the variants of a test: addresses that the workspace may use, at the domain of the campaign's own.

import type { App } from '../../core/app.ts'
import { addressDomain } from '../../kit/email-address.ts'
import { type Issue, invalidField } from '../../kit/error.ts'
import { checkAddress } from '../../people/domain-owners.ts'
import type { Campaign } from './campaign.ts'

const pathOf = (index: number) => `test.variants.${index}.fromEmail`

/** Warnings, in capture mode. Throws `domain_not_verified` for an address that the workspace may not use. */
export async function checkVariantAddresses(
  app: App,
  { id: workspaceId }: { id: string },
  { test }: Pick<Campaign, 'test'>,
): Promise<Issue[]> {
  const warnings: Issue[] = []
  for (const [index, { fromEmail: address }] of (test?.variants ?? []).entries())
    if (address !== undefined)
      warnings.push(...(await checkAddress(app, workspaceId, { address, path: pathOf(index) })))
  return warnings
}

/** Throws 422 for a variant that would leave from another domain: caps and the warm-up are counted by domain. */
export function mustShareDomain({ test }: Pick<Campaign, 'test'>, domain: string): void {
  for (const [index, { fromEmail }] of (test?.variants ?? []).entries())
    if (fromEmail !== undefined && addressDomain(fromEmail).toLowerCase() !== domain.toLowerCase())
      throw invalidField(pathOf(index), `must be at ${domain}, like the sender of the campaign`)
}
