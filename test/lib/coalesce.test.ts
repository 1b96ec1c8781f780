import { expect, test } from 'bun:test'
import { createBatch } from '../../src/lib/batch.ts'
import { coalesce } from '../../src/lib/coalesce.ts'

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
