// Work beside the thread that serves: what it answers, asks and fails with, and what becomes of work that never ends.

import { expect, test } from 'bun:test'
import { AppError } from '../../src/kit/error.ts'
import { SideThread, type SideThreadOptions, ThreadStuck } from '../../src/kit/side-thread.ts'
import type { TestWork } from '../support/side-thread-work.ts'

const stallMs = 300

function thread(options: Partial<SideThreadOptions> = {}) {
  const started: Worker[] = []
  const side = new SideThread<TestWork>({
    start: () => {
      const worker = new Worker(new URL('../support/side-thread-work.ts', import.meta.url).href)
      started.push(worker)
      return worker
    },
    answer: async (about) => {
      if (about === 'nothing') throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
      return `to ${about}`
    },
    stallMs,
    ...options,
  })
  return { side, started, [Symbol.dispose]: () => side.close() }
}

/** Not by `rejects`: it waits without reading what a Worker says. */
function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => null,
    (error) => error,
  )
}

test('work is done, may ask, and fails with its own words', async () => {
  using t = thread()
  expect(t.started).toHaveLength(0)
  expect(await t.side.run('double', { n: 21 }, 1)).toBe(42)
  expect(await t.side.run('ask', { about: 'a' }, 1)).toBe('answered to a')
  expect(await failureOf(t.side.run('ask', { about: 'nothing' }, 1))).toMatchObject({
    message: 'no such name',
    code: 'ENOTFOUND',
  })
  expect(await failureOf(t.side.run('fail', { message: 'it is broken' }, 1))).toMatchObject({ message: 'it is broken' })
  expect(t.started).toHaveLength(1)
})

test.each(['hold', 'askThenHold'] as const)(
  '%s is given up, and its neighbours are done on a new thread',
  async (name) => {
    using t = thread()
    const before = t.side.run('ask', { about: 'a' }, 1)
    const stuck = t.side.run(name, {}, 1)
    const after = [1, 2, 3].map((n) => t.side.run('double', { n }, 1))
    const failure = failureOf(stuck)
    expect(await before).toBe('answered to a')
    expect(await Promise.all(after)).toEqual([2, 4, 6])
    expect(await failure).toBeInstanceOf(ThreadStuck)
    expect(await t.side.run('double', { n: 4 }, 1)).toBe(8)
    expect(t.started).toHaveLength(2)
  },
)

test('many that never end end one after the other', async () => {
  using t = thread()
  const all = await Promise.allSettled([1, 2, 3].map(() => t.side.run('hold', {}, 1)))
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(await t.side.run('double', { n: 4 }, 1)).toBe(8)
})

test('what is too much is refused at once, and what ended makes room', async () => {
  using t = thread({ maxJobs: 2, maxBytes: 100 })
  const overloaded = (promise: Promise<unknown>) =>
    promise.then(
      () => null,
      (error) => error instanceof AppError && error.code,
    )
  const one = t.side.run('double', { n: 1 }, 60)
  expect(await overloaded(t.side.run('double', { n: 1 }, 41))).toBe('overloaded')
  const two = t.side.run('double', { n: 2 }, 40)
  expect(await overloaded(t.side.run('double', { n: 3 }, 0))).toBe('overloaded')
  expect(await Promise.all([one, two])).toEqual([2, 4])
  expect(await t.side.run('double', { n: 3 }, 100)).toBe(6)
})

test('what waits too long for an answer ends', async () => {
  using t = thread({ deadlineMs: 50, answer: () => new Promise(() => {}) })
  expect(await failureOf(t.side.run('ask', { about: 'a' }, 1))).toMatchObject({ code: 'overloaded' })
})

test('closing ends what runs', async () => {
  using t = thread()
  const running = t.side.run('hold', {}, 1).catch((error) => error)
  t.side.close()
  expect(await running).toMatchObject({ code: 'overloaded' })
  expect(await failureOf(t.side.run('double', { n: 1 }, 1))).toMatchObject({ code: 'overloaded' })
})
