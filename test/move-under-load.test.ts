// An installation moves to a libSQL server and back while a campaign is sent and callers write, once undisturbed and once with its command
// killed at each step; the long form is `bun run test:storm R22`.

import { expect, test } from 'bun:test'
import { type Kill, lineOf, moveStorm } from './crash/move-live.ts'
import { remoteDatabase } from './support/database.ts'

/** What is said of it: docs/operating.md. */
const pauseMs = 2_000
/** A server waits so long for a command that is gone, and then goes on. */
const silentMs = 5_000

const undisturbed: Kill[] = ['never', 'never']
const disturbed: Kill[] = ['copying', 'draining', 'fenced']

test.skipIf(remoteDatabase)(
  'R22: an installation moves to a server and back under load: nothing is lost or sent twice, and nobody waits long',
  async () => {
    const result = await moveStorm({ rounds: undisturbed.length, killOf: (round) => undisturbed[round] ?? 'never' })
    process.stdout.write(`${lineOf(result)}\n`)
    expect(result.bad).toEqual([])
    expect(result.rounds).toBe(undisturbed.length)
    expect(result.letters).toBeGreaterThan(0)
    expect(Math.max(...result.pauses)).toBeLessThanOrEqual(pauseMs)
  },
  180_000,
)

test.skipIf(remoteDatabase)(
  'R22: servers whose move lost its command go on by themselves, and the command is repeated',
  async () => {
    const result = await moveStorm({ rounds: disturbed.length, killOf: (round) => disturbed[round] ?? 'never' })
    process.stdout.write(`${lineOf(result)}\n`)
    expect(result.bad).toEqual([])
    expect(result.rounds).toBe(disturbed.length)
    expect(Math.max(...result.killedPauses)).toBeLessThanOrEqual(silentMs + pauseMs)
  },
  300_000,
)
