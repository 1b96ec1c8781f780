// The short form of the storm over the archive; the long one is `bun run test:storm R17`.

import { expect, test } from 'bun:test'
import { remoteDatabase } from '../support/database.ts'
import { archiveStorm } from './kill-archive.ts'

test.skipIf(remoteDatabase).each([
  ['each commit', false],
  ['states of each ten seconds', true],
])(
  'R17: kill -9 of a server that keeps an archive of %s: what is restored to any point has all that was acknowledged before it',
  async (_, merges) => {
    const result = await archiveStorm({ rounds: 2, clients: 2, merges })
    expect(result.bad).toEqual([])
    expect(result.gaps).toBe(0)
    expect(result.restored).toBeGreaterThan(0)
  },
  180_000,
)
