// An installation moves to a libSQL server and back while a campaign is sent and callers write, and once more with its command killed; the
// long form, killed at each step, is `bun run test:storm R22`.

import { expect, test } from 'bun:test'
import { type Kill, lineOf, moveStorm } from './crash/move-live.ts'
import { remoteDatabase } from './support/database.ts'

/** What is said of it: docs/operating.md. */
const pauseMs = 2_000
/** A server waits so long for a command that is gone, and then goes on. */
const silentMs = 5_000

/** There and back undisturbed, and once with the command killed at the step after which nobody can write. */
const rounds: Kill[] = ['never', 'never', 'fenced']

test.skipIf(remoteDatabase)(
  'R22: an installation moves to a server and back under load: nothing is lost or sent twice, nobody waits long, and servers whose move lost its command go on',
  async () => {
    const result = await moveStorm({ rounds: rounds.length, killOf: (round) => rounds[round] ?? 'never' })
    process.stdout.write(`${lineOf(result)}\n`)
    expect(result.bad).toEqual([])
    expect(result.rounds).toBe(rounds.length)
    expect(result.letters).toBeGreaterThan(0)
    expect(Math.max(...result.pauses)).toBeLessThanOrEqual(pauseMs)
    expect(Math.max(...result.killedPauses)).toBeLessThanOrEqual(silentMs + pauseMs)
  },
  300_000,
)
