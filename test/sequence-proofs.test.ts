// The short form of `bun run prove sequences`: the model with small bounds, some traces of the real engine, and two mutants that are found.

import { describe, expect, test } from 'bun:test'
import { mutants, mutated } from './model/mutants.ts'
import { plans } from './model/plans.ts'
import { find, walk } from './model/prove.ts'
import { replay } from './model/replay.ts'
import { randomScenes, writtenScenes } from './model/scenes.ts'
import { play } from './model/traces.ts'
import { remoteDatabase } from './support/database.ts'

describe.skipIf(remoteDatabase)('the proofs of sequences', () => {
  test('what must hold does, wherever the model walks', async () => {
    const { ok, lines } = await walk({ traces: 20, steps: 40, seed: 1 })
    expect(ok, lines.join('\n')).toBe(true)
  }, 120_000)

  test('the real engine, killed and started again, does what the model allows', async () => {
    const [edited, carts] = [plans['edited'], plans['carts']]
    if (!edited || !carts) throw new Error('a plan is gone')
    const traces = [
      await play({ plan: carts, scenes: writtenScenes('carts', carts) }),
      await play({
        plan: edited,
        scenes: randomScenes(edited, 1).slice(0, 4),
        deaths: new Map([[1, { nth: 3, side: 'after' }]]),
      }),
    ]
    expect(traces.map(({ kills }) => kills)).toEqual([0, 1])
    expect(replay(traces).faults).toEqual([])
  }, 120_000)

  test.each(['an exit does not end a run', 'who stays at a step waits anew'])(
    'found: %s',
    async (name) => {
      const mutant = mutants.find((one) => one.name === name)
      expect(mutant && (await find(mutant))).toBeString()
    },
    120_000,
  )

  test('the text of every mutant is in the engine', () => {
    expect(mutants.length).toBeGreaterThanOrEqual(20)
    for (const one of mutants) expect(mutated(one)).toContain(one.replacement)
  })
})
