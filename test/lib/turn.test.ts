// Who goes first on the one thread: what somebody waits for, then one slice of long work in a turn, workspace after workspace.

import { expect, test } from 'bun:test'
import { AsyncLocalStorage } from 'node:async_hooks'
import { beginUrgent, hasCompany, inTurn, nextTurn, noteUrgent, StepSize } from '../../src/kit/turn.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('however many long works there are, one slice runs in a turn of the event loop', async () => {
  let turns = 0
  let isOver = false
  const counting = (async () => {
    for (; !isOver; turns++) await turn()
  })()
  const seen: number[] = []
  const work = async () => {
    for (let slice = 0; slice < 5; slice++) {
      await nextTurn('ws')
      seen.push(turns)
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  isOver = true
  await counting
  expect(seen).toHaveLength(40)
  expect(new Set(seen).size).toBe(40)
})

const busyFor = (ms: number) => {
  for (const until = performance.now() + ms; performance.now() < until; );
}

test('workspaces take turns: one long work of a workspace goes on beside eight of another', async () => {
  const order: string[] = []
  const work = async (workspaceId: string, slices: number) => {
    for (let slice = 0; slice < slices; slice++) {
      await nextTurn(workspaceId)
      busyFor(5)
      order.push(workspaceId)
    }
  }
  await Promise.all([...Array.from({ length: 8 }, () => work('many', 4)), work('one', 4)])
  expect(order.slice(0, 8).filter((name) => name === 'one').length).toBeGreaterThanOrEqual(3)
})

test('a turn is a time: short slices get as much of the thread as long ones of another workspace', async () => {
  const done = { long: 0, short: 0 }
  const work = async (name: keyof typeof done, sliceMs: number) => {
    for (; done.long < 20; done[name]++) {
      await nextTurn(name)
      busyFor(sliceMs)
    }
  }
  await Promise.all([work('long', 5), work('short', 0.2)])
  // One slice in each turn would be as many as of the long ones.
  expect(done.short).toBeGreaterThan(5 * done.long)
})

test('no slice begins while somebody waits for an answer', async () => {
  const began = performance.now()
  const ended = beginUrgent()
  let waitedMs = Number.POSITIVE_INFINITY
  const slice = inTurn('ws', () => {
    waitedMs = performance.now() - began
  })
  await turn()
  await turn()
  // On a machine so busy that this took its whole patience it may have begun.
  expect(waitedMs).toBeGreaterThan(9)
  ended()
  await slice
})

test('beside another workspace long work leaves the thread free for as long as it has used it', async () => {
  const gapAfter = async (busyMs: number) => {
    await nextTurn('ws')
    noteUrgent('other')
    const began = performance.now()
    while (performance.now() - began < busyMs);
    const ended = performance.now()
    await nextTurn('ws')
    return performance.now() - ended
  }
  expect(await gapAfter(12)).toBeGreaterThanOrEqual(11)
  expect(await gapAfter(30)).toBeGreaterThanOrEqual(29)
})

test('whose work it is need not be known: it rests when two workspaces were active', () => {
  noteUrgent('one')
  noteUrgent('other')
  expect([hasCompany(''), hasCompany('one'), hasCompany('other'), hasCompany('third')]).toEqual([
    true,
    true,
    true,
    true,
  ])
})

test('and yet long work goes on, whatever is urgent', async () => {
  let isOver = false
  const busy = (async () => {
    while (!isOver) {
      const ended = beginUrgent()
      await turn()
      ended()
    }
  })()
  const also = beginUrgent()
  for (let slice = 0; slice < 3; slice++) await nextTurn('ws')
  also()
  isOver = true
  await busy
})

test('a slice is part of what asked for it, whoever was first', async () => {
  const whose = new AsyncLocalStorage<string>()
  const names = ['one', 'two', 'three']
  const seen = names.map((name) => whose.run(name, () => inTurn(name, () => whose.getStore())))
  expect(await Promise.all(seen)).toEqual(names)
})

test('a slice that fails is told to whoever asked for it, and the next one runs', async () => {
  const failing = inTurn('ws', () => {
    throw new Error('no')
  })
  const next = inTurn('ws', () => 'yes')
  expect(await failing.catch(({ message }: Error) => message)).toBe('no')
  expect(await next).toBe('yes')
})

test('a step has as many items as may be, and beside another workspace as many as there is time for', () => {
  const sizes = new StepSize('ws', { least: 10, most: 250 })
  const take = (items: number, ms: number) => {
    for (let step = 0; step < 40; step++) sizes.took(items, ms)
  }
  noteUrgent('other')
  expect(sizes.next()).toBe(10)
  take(100, 10)
  expect(Math.abs(sizes.next() - 40)).toBeLessThanOrEqual(1)
  noteUrgent('ws')
  expect(Math.abs(sizes.next() - 40)).toBeLessThanOrEqual(1)
  take(200, 0.1)
  expect(sizes.next()).toBe(250)
  take(10, 100)
  expect(sizes.next()).toBe(10)
})

test('a step is as long as what it costs beside its items', () => {
  const sizes = new StepSize('ws', { least: 10, most: 250 })
  noteUrgent('other')
  for (let step = 0; step < 40; step++) sizes.took(100, 10, 8)
  expect(Math.abs(sizes.next() - 80)).toBeLessThanOrEqual(1)
})

test('a step that happened to be quick makes no long one', () => {
  const sizes = new StepSize('ws', { least: 10, most: 250 })
  noteUrgent('other')
  const grown: number[] = []
  for (let items = 10; items < 250; grown.push(items)) {
    sizes.took(items, 0.001)
    items = sizes.next()
  }
  expect(grown).toEqual([15, 23, 35, 53, 80, 120, 180, 250])
})

test('a step that spares its own workspace, too, is as short while that is active', () => {
  const sizes = new StepSize('alone', { least: 10, most: 250, sparesOwn: true })
  for (let step = 0; step < 40; step++) sizes.took(100, 10)
  noteUrgent('alone')
  expect(Math.abs(sizes.next() - 40)).toBeLessThanOrEqual(1)
})
