// The short form of the event storm (R2); the long one is `bun test/crash/kill-events.ts`.

import { expect, test } from 'bun:test'
import { remoteDatabase } from '../support/database.ts'
import { eventStorm } from './kill-events.ts'

test.skipIf(remoteDatabase)(
  'R2: kill -9 of a server that is told events: what was acknowledged is there once, with all its effects',
  async () => {
    const result = await eventStorm({ events: 1_000, kills: 4, clients: 8 })
    expect(result).toMatchObject({ kills: 4, changed: 0, faults: [], broken: [] })
    expect(result.acknowledged).toBeGreaterThanOrEqual(1_000)
  },
  120_000,
)
