import { expect, test } from 'bun:test'
import { createBatch } from '../../src/kit/batch.ts'
import { coalesce } from '../../src/kit/coalesce.ts'

const turn = () => new Promise(setImmediate)

test('what comes while a round is under way is one group of the next, and each gets its own result', async () => {
  const groups: number[][] = []
  const double = coalesce<number, number>(async (take) => {
    await turn()
    groups.push(take())
    await turn()
    return take().map((n) => 2 * n)
  })
  const first = [1, 2].map(double)
  await turn()
  const later = [3, 4, 5].map(double)
  expect(await Promise.all([...first, ...later])).toEqual([2, 4, 6, 8, 10])
  expect(groups).toEqual([
    [1, 2],
    [3, 4, 5],
  ])
})

test('a group is no larger than it may be', async () => {
  const sizes: number[] = []
  const work = coalesce<number, number>(
    async (take) => {
      sizes.push(take().length)
      return take()
    },
    { most: () => 2 },
  )
  await Promise.all([1, 2, 3, 4, 5].map(work))
  expect(Math.max(...sizes)).toBeLessThanOrEqual(2)
})

test('where rounds may be beside each other, a second one begins when enough wait, and no third', async () => {
  const groups: number[][] = []
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const work = coalesce<number, number>(
    async (take) => {
      groups.push(take())
      if (groups.length === 2) begun.resolve()
      await ended.promise
      return take()
    },
    { beside: 3 },
  )
  const all = [1, 2, 3, 4].map(work)
  await begun.promise
  expect(groups).toEqual([[1], [2, 3, 4]])
  all.push(...[5, 6, 7, 8].map(work))
  await turn()
  expect(groups).toHaveLength(2)
  ended.resolve()
  expect(await Promise.all(all)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(groups.slice(2)).toEqual([[5, 6, 7, 8]])
})

test('one that fails takes nobody with it', async () => {
  const work = coalesce<number, number>(async (take) => {
    await turn()
    if (take().includes(2)) throw new Error('two')
    return take()
  })
  const settled = await Promise.allSettled([1, 2, 3].map(work))
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await work(4)).toBe(4)
})

test('look-ups of one turn are one look-up, and each finds its own', async () => {
  const loads: string[][] = []
  const find = createBatch(async (keys) => {
    loads.push(keys)
    return new Map(keys.filter((key) => key !== 'c').map((key) => [key, key.toUpperCase()]))
  })
  expect(await Promise.all(['a', 'b', 'a', 'c'].map(find))).toEqual(['A', 'B', 'A', undefined])
  expect(await find('d')).toBe('D')
  expect(loads).toEqual([['a', 'b', 'c'], ['d']])
})
