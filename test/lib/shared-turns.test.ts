// Jobs of one claim that are not urgent begin together, eight in a turn.

import { expect, test } from 'bun:test'
import { SharedTurns } from '../../src/core/outbox/shared-turns.ts'

test('jobs of a workspace begin eight in a turn of the event loop, and those of another in a turn of theirs', async () => {
  let turns = 0
  let isOver = false
  const counting = (async () => {
    for (; !isOver; turns++) await new Promise((resolve) => setImmediate(resolve))
  })()
  const begun = new Map<string, number[]>([
    ['a', []],
    ['b', []],
  ])
  const shared = new SharedTurns()
  const jobs = [...begun.keys()].flatMap((workspaceId) => Array.from({ length: 20 }, () => workspaceId))
  await Promise.all(jobs.map((workspaceId) => shared.next(workspaceId).then(() => begun.get(workspaceId)?.push(turns))))
  isOver = true
  await counting
  const inTurns = [...begun.values()].map((seen) =>
    [...Map.groupBy(seen, (turn) => turn).values()].map((jobs) => jobs.length),
  )
  expect(inTurns).toEqual([
    [8, 8, 4],
    [8, 8, 4],
  ])
  expect(new Set([...begun.values()].flat()).size).toBe(6)
})
