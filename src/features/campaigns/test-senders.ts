// The senders of the variants of a test: addresses that the workspace may use, at the domain of the campaign's own.

import type { App } from '../../core/app.ts'
import { addressDomain } from '../../kit/email-address.ts'
import { type Issue, invalidField } from '../../kit/error.ts'
import { checkAddresses } from '../ab-tests/variants.ts'
import { testPlace } from './ab-test.ts'
import type { Campaign } from './campaign.ts'

/** Warnings, in capture mode. Throws `domain_not_verified` for an address that the workspace may not use. */
export async function checkVariantAddresses(
  app: App,
  { id: workspaceId }: { id: string },
  { test }: Pick<Campaign, 'test'>,
): Promise<Issue[]> {
  return test === null ? [] : await checkAddresses(app, workspaceId, test, testPlace)
}

/** Throws 422 for a variant that would leave from another domain: caps and the warm-up are counted by domain. */
export function mustShareDomain({ test }: Pick<Campaign, 'test'>, domain: string): void {
  for (const [index, { fromEmail }] of (test?.variants ?? []).entries())
    if (fromEmail !== undefined && addressDomain(fromEmail).toLowerCase() !== domain.toLowerCase())
      throw invalidField(`${testPlace.of(index)}.fromEmail`, `must be at ${domain}, like the sender of the campaign`)
}
