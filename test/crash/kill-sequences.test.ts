// The short form of the storm of sequences (R1); the long one is `bun run test:storm`.

import { expect, test } from 'bun:test'
import { remoteDatabase } from '../support/database.ts'
import { lineOf, sequenceStorm } from './kill-sequences.ts'

test.skipIf(remoteDatabase)(
  'R1: kill -9 of a server with people in a sequence: nobody is mailed twice or after leaving, nobody is forgotten',
  async () => {
    const result = await sequenceStorm({ people: 300, kills: 3, clients: 8, waits: false })
    process.stdout.write(`${lineOf(result)}\n`)
    expect(result).toMatchObject({ kills: 3, twice: [], lost: [], forgotten: [], afterExit: [], broken: [] })
    expect(result.completed + result.exited).toBe(300)
  },
  120_000,
)
