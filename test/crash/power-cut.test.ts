// The short form of the storm of power cuts (R20); the long one is `bun run test:storm R20`.

import { expect, test } from 'bun:test'
import { remoteDatabase } from '../support/database.ts'
import { powerCutLibrary } from '../support/power-cut.ts'
import { powerStorm } from './power-cut.ts'

const canCut = powerCutLibrary() !== null
if (!canCut) process.stderr.write('NOT RUN: the power cuts of R20, which take Linux and a compiler of C (cc)\n')

test.skipIf(!canCut || remoteDatabase).each(['file', 'strong'] as const)(
  'R20: the power is cut (%s): no unsubscribe, suppression or erasure that was answered is lost',
  async (ground) => {
    const result = await powerStorm(ground, { cuts: 2, answers: 12 })
    expect(result).toMatchObject({ cuts: 2, lost: [], broken: [] })
    expect(result?.acknowledged).toBeGreaterThanOrEqual(24)
    expect(result?.sectors).toBeGreaterThan(0)
  },
  120_000,
)

test.skipIf(!canCut || remoteDatabase)(
  'R20: and a libSQL server as it comes does lose them, so these cuts cut',
  async () => {
    const result = await powerStorm('relaxed', { cuts: 1, answers: 12 })
    expect(result?.lost).not.toEqual([])
    expect(result?.broken).toEqual([])
  },
  120_000,
)
