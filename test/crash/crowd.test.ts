// The short form of the crowd; the long one is `bun run test:storm R18`.

import { expect, test } from 'bun:test'
import { remoteDatabase } from '../support/database.ts'
import { Slowness } from '../support/loop-monitor.ts'
import { crowd, maxMs } from './crowd.ts'

const tries = 3

test.skipIf(remoteDatabase || process.platform !== 'linux')(
  'R18: a thousand idle connections of HTTP and two hundred of mail leave the server answering, and nothing open',
  async () => {
    const slowness = new Slowness()
    let least = Number.POSITIVE_INFINITY
    for (let run = 0; run < tries; run++) {
      const result = await crowd({ http: 1_000, smtp: 200 })
      expect(result).toMatchObject({ open: { http: 1_000 }, mailTaken: true })
      expect(result.open.smtp).toBeGreaterThan(100)
      expect(result.leftOpen).toBeLessThanOrEqual(0)
      least = Math.min(least, result.worst)
      if (least <= maxMs) break
      slowness.look()
    }
    expect(least).toBeLessThanOrEqual(maxMs * slowness.factor)
  },
  120_000,
)
