// The short form of the storm over imports (R2); the long one is `bun test/crash/kill-imports.ts`.

import { expect, test } from 'bun:test'
import { remoteDatabase } from '../support/database.ts'
import { maxBlockMs } from '../support/loop-monitor.ts'
import { forms, importBlock, importStorm } from './kill-imports.ts'

test.skipIf(remoteDatabase).each([...forms])(
  'R2: kill -9 of a server in the middle of an import (%s): everybody is there once',
  async (form) => {
    const result = await importStorm(form, { rows: 5_000, kills: 2 })
    expect(result).toMatchObject({ kills: 2, told: { state: 'done', created: 5_000, bad: 0 }, faults: [], broken: [] })
  },
  120_000,
)

test.skipIf(remoteDatabase).each([...forms])(
  'an export of another service (%s) does not hold the loop',
  async (form) => {
    const { blockMs, created } = await importBlock(form, 5_000)
    expect(created).toBe(5_000)
    expect(blockMs).toBeLessThanOrEqual(maxBlockMs)
  },
)
