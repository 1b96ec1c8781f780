// The short form of the soak.

import { expect, test } from 'bun:test'
import { remoteDatabase } from '../support/database.ts'
import { soak } from './soak.ts'

test.skipIf(remoteDatabase)(
  'R16: a server at steady work loses nothing while it is backed up, and each backup can be restored',
  async () => {
    const result = await soak({ minutes: 0.1, rate: 50, backupEverySeconds: 2 })
    expect(result).toMatchObject({ acknowledged: 300, refused: 0, lost: 0, repeats: 0, broken: [] })
    expect(result.backups).toBeGreaterThan(0)
    expect(result.logMiB).toBeLessThan(64)
  },
  120_000,
)
