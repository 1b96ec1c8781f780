// The short form of the campaign storm (R1); the long one is `bun run test:storm`.

import { expect, test } from 'bun:test'
import { campaignStorm, lineOf } from './crash/kill-campaign.ts'
import { remoteDatabase } from './support/database.ts'

test.skipIf(remoteDatabase)(
  'R1: kill -9 of a server that sends a campaign: nobody gets it twice, who did not get it is listed as uncertain, and can be sent to again',
  async () => {
    const result = await campaignStorm({ people: 400, kills: 3 })
    process.stdout.write(`${lineOf(result)}\n`)
    expect(result).toMatchObject({ kills: 3, lost: [], twice: [], unexplained: [], broken: [] })
    expect(result).toMatchObject({ missing: [], repeated: [] })
    expect(result.sent + result.uncertain).toBe(result.recipients)
    expect(result.recipients).toBe(result.campaigns * 400)
  },
  120_000,
)
