// The short form of the storms; the long one is `bun run test:storm`.

import { expect, test } from 'bun:test'
import { remoteDatabase } from '../support/database.ts'
import { killStorm } from './kill-serve.ts'

test.skipIf(remoteDatabase)(
  'kill -9 of a server at work: nothing acknowledged is lost, and a mail comes twice only where the journal says so',
  async () => {
    const result = await killStorm({ mails: 80, kills: 2, clients: 4, signal: 'SIGKILL' })
    expect(result).toMatchObject({ kills: 2, lost: [], unexplained: [], broken: [] })
    expect(result.acknowledged).toBeGreaterThanOrEqual(80)
  },
  120_000,
)

test.skipIf(remoteDatabase)(
  'R2: kill -9 of a server that takes mail by SMTP: no 250 is lost, and no Message-ID is sent twice',
  async () => {
    const result = await killStorm({ mails: 60, kills: 2, clients: 6, signal: 'SIGKILL', smtp: true })
    expect(result).toMatchObject({ kills: 2, lost: [], unexplained: [], broken: [] })
    expect(result.acknowledged).toBeGreaterThanOrEqual(60)
  },
  120_000,
)

test.skipIf(remoteDatabase)(
  'R8: SIGTERM of a server at work: nothing is lost and nothing comes twice',
  async () => {
    const result = await killStorm({ mails: 80, kills: 2, clients: 4, signal: 'SIGTERM' })
    expect(result).toMatchObject({ kills: 2, lost: [], duplicates: 0, broken: [] })
  },
  120_000,
)

test.skipIf(remoteDatabase)(
  'SIGTERM of two processes on one libSQL server, in turn: nothing is lost and nothing comes twice',
  async () => {
    const result = await killStorm({ mails: 80, kills: 2, clients: 4, signal: 'SIGTERM', processes: 2 })
    expect(result).toMatchObject({ kills: 2, lost: [], duplicates: 0, broken: [] })
  },
  120_000,
)
