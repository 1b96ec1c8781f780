// The payment provider as we meet it: signs an event and calls us back.

import type { Json, Reply, TestApp } from './app.ts'

export const secret = 'whsec_of_the_payment_provider'

/** `t=…,v1=…`, as of the test's clock unless said otherwise. */
export function signature(t: TestApp, body: string, { at, key = secret }: { at?: number; key?: string } = {}): string {
  const seconds = at ?? Math.floor(t.clock.now().getTime() / 1_000)
  const hex = new Bun.CryptoHasher('sha256', key).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${hex}`
}

/** Stores the secret, switches the integration on, and returns the path of the callback. */
export async function connect(t: TestApp, headers: Record<string, string> = {}, more: object = {}): Promise<string> {
  const change = { enabled: true, signing_secret: secret, ...more }
  const settings = await t.patch('/v1/settings/integrations/payments', change, 200, { as: 'session', headers })
  return new URL(settings.webhook_url).pathname
}

/** Delivers an event, rightly signed. */
export function deliver(t: TestApp, path: string, event: object, key = secret): Promise<Reply> {
  const body = JSON.stringify(event)
  const headers = { 'payments-signature': signature(t, body, { key }) }
  return t.request('POST', path, body, { as: 'nobody', headers })
}

let made = 0

/** An event of the provider around `object`. */
export function providerEvent(type: string, object: Json, more: object = {}): Json {
  return {
    id: `evt_provider_${++made}`,
    object: 'event',
    api_version: '2025-09-30.clover',
    created: 1_768_478_300,
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
    ...more,
  }
}
