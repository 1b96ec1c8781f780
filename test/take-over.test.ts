// A standby takes over from a server under load, once in each way in which a server may end; the long form is `bun run test:storm R21`.

import { expect, test } from 'bun:test'
import { rpoMs, takeOverStorm, ways } from './crash/take-over.ts'

test('R21: takes over from a server that was killed, frozen, cut off or stopped, and mails nothing twice that had left before', async () => {
  const result = await takeOverStorm({ rounds: ways.length, isS3: true, leaseS: 3 })
  expect(result.bad).toEqual([])
  expect(result.rounds).toBe(ways.length)
  expect(result.letters).toBeGreaterThan(0)
  expect(Math.max(...result.rpo)).toBeLessThanOrEqual(rpoMs)
  expect(Math.max(...result.rto)).toBeLessThanOrEqual(30_000)
}, 120_000)
