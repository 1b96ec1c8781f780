// The short form of the simulation; `bun test/crash/simulate.ts --seeds 2000` is the long one. Each seed is a test of its own.

import { expect, test } from 'bun:test'
import { simulate } from './crash/simulate.ts'
import { remoteDatabase } from './support/database.ts'

const seeds = Array.from({ length: 25 }, (_, index) => index + 1)

test.skipIf(remoteDatabase).each(seeds)(
  'R4: chaos of seed %d: every mail ends, none is lost, and no repeat is unexplained',
  async (seed) => {
    expect((await simulate(seed)).problems).toEqual([])
  },
)
