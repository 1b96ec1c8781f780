// The short form of the webhook storm.

import { expect, test } from 'bun:test'
import { remoteDatabase } from '../support/database.ts'
import { killWebhookStorm } from './kill-webhooks.ts'

test.skipIf(remoteDatabase)(
  'kill -9 of a server that delivers webhooks: every committed event arrives, under the same id every time',
  async () => {
    const result = await killWebhookStorm({ mails: 80, kills: 2 })
    expect(result).toMatchObject({ kills: 2, lost: [], strange: [], broken: [] })
    expect(result.events).toBeGreaterThanOrEqual(160)
  },
  120_000,
)
