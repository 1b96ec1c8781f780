// The events of payments that are understood, and a second workspace that takes them.

import type { TestApp } from './app.ts'

export const settings = '/v1/settings/integrations/payments'
export const supported = [
  'charge.dispute.created',
  'charge.dispute.closed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.completed',
  'customer.created',
  'customer.updated',
  'customer.deleted',
  'customer.subscription.created',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'customer.subscription.trial_will_end',
  'customer.subscription.deleted',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.upcoming',
  'quote.finalized',
  'quote.accepted',
  'quote.canceled',
]

/** A second workspace with its own integration. */
export async function stranger(t: TestApp): Promise<{ path: string; apiKey: string; workspaceId: string }> {
  const { workspace, apiKey } = await t.stranger()
  const { as: options } = await t.person('owner', { email: 'eve@stranger.test', workspace })
  const { webhook_url } = await t.patch(
    settings,
    { enabled: true, signing_secret: 'whsec_of_the_stranger', create_contacts: false },
    200,
    options,
  )
  return { path: new URL(webhook_url).pathname, apiKey, workspaceId: workspace.id }
}
