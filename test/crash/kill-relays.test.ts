// The short form of the storm of relays (R19); the long one is `bun run test:storm`.

import { expect, test } from 'bun:test'
import { remoteDatabase } from '../support/database.ts'
import { everyStep, lineOf, relayStorm } from './kill-relays.ts'

test.skipIf(remoteDatabase)(
  'R19: kill -9 of relays and of the server at every step of SMTP: nothing is lost, and nothing comes twice or through another relay unless it is listed',
  async () => {
    const result = await relayStorm({ kills: 32, people: 200, between: 8 })
    process.stdout.write(`${lineOf(result)}\n`)
    expect(result).toMatchObject({ lost: [], twice: [], unexplained: [], elsewhere: [], broken: [] })
    expect(everyStep.filter((step) => !result.deaths.includes(step))).toEqual([])
  },
  120_000,
)
