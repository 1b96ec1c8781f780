// The short form of the event storm (R2); the long one is `bun test/crash/kill-events.ts`.

import { expect, test } from 'bun:test'
import { remoteDatabase } from '../support/database.ts'
import { eventStorm } from './kill-events.ts'

test.skipIf(remoteDatabase)(
  'R2: kill -9 of a server that is told events: what was acknowledged is there once, with all its effects',
  async () => {
    const result = await eventStorm({ events: 200, kills: 2, clients: 4 })
    expect(result).toMatchObject({ kills: 2, changed: 0, faults: [], broken: [] })
    expect(result.acknowledged).toBeGreaterThanOrEqual(200)
  },
  120_000,
)
