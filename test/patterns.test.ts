// Text that is looked at again and again, by a pattern or a function, which a caller can make last for minutes: there is none.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { analyse } from 'scslre'
import ts from 'typescript-5'
import { loopMs, maxBlockMs, Slowness } from './support/loop-monitor.ts'
import { parsed } from './support/text-finder.ts'
import { type TextFunction, textFunctions } from './support/text-functions.ts'

const root = join(import.meta.dir, '..')

interface Pattern {
  place: string
  text: string
}

function* patternsIn(path: string, source: string): Generator<Pattern> {
  const file = parsed(path, source)
  const nodes: ts.Node[] = [file]
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (ts.isRegularExpressionLiteral(node)) {
      const { line } = file.getLineAndCharacterOfPosition(node.pos)
      yield { place: `${path}:${line + 1}`, text: node.text }
    }
    ts.forEachChild(node, (child) => void nodes.push(child))
  }
}

/** What more than linear time is spent on. */
function faultsOf({ place, text }: Pattern): string[] {
  const [, source = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(text) ?? []
  const { reports } = analyse({ source, flags }, { reportTypes: { Move: true } })
  return reports.map(({ character }) => `${place}: ${text} on a long run of ${character.literal.source}`)
}

/** Files without one need not be parsed. */
const mayHold = /[=(,:?[!&|{};\s]\/[^/*\s]/

async function everyPattern(): Promise<Pattern[]> {
  const found: Pattern[] = []
  for (const folder of ['src', 'db', 'dashboard', 'clients/typescript/src']) {
    for await (const path of new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scan(root)) {
      const source = path.includes('/generated/') ? '' : await Bun.file(join(root, path)).text()
      if (mayHold.test(source)) found.push(...patternsIn(path, source))
    }
  }
  return found
}

test('a pattern that tries a text in every way is found', () => {
  for (const text of ['/x\\s*=\\s*["\']?\\s*cid:/g', '/^\\s*(.*)$/', '/\\s+$/', '/(a+)+$/'])
    expect(faultsOf({ place: 'a.ts:1', text })).not.toEqual([])
  for (const text of ['/x\\s{0,9}=\\s{0,9}cid:/g', '/^(.*)$/', '/^\\s+/'])
    expect(faultsOf({ place: 'a.ts:1', text })).toEqual([])
})

test('none of ours does', async () => {
  const patterns = await everyPattern()
  expect(patterns.length).toBeGreaterThan(400)
  expect(patterns.flatMap(faultsOf)).toEqual([])
})

/** What takes less at one of these shares of its limit takes less than a block at its limit, even if it is quadratic. */
const shares = [1 / 16, 1 / 4]
const tries = 12

/** By a clock that stands while this thread waits: the machine is shared. */
async function msOf(run: TextFunction['run'], text: string): Promise<number> {
  const from = loopMs()
  await run(text)
  return loopMs() - from
}

async function isCheap(run: TextFunction['run'], text: string, share: number): Promise<boolean> {
  const from = performance.now()
  await run(text)
  return performance.now() - from <= maxBlockMs * share ** 2
}

/**
 * Twice the text takes at most 2.5 times as long, from a quarter of the limit to the limit; null if so. The least of several runs counts,
 * because whatever else happens in this process only adds to it.
 */
async function quadratic({ run, limit, isBeside }: TextFunction, unit: string, rounds = tries) {
  const sized = (share: number) => unit.repeat(Math.ceil((limit * share) / unit.length))
  for (const share of shares) if (await isCheap(run, sized(share), share)) return null
  const [quarter, half, whole] = [sized(0.25), sized(0.5), sized(1)]
  const least = { quarter: Number.POSITIVE_INFINITY, half: Number.POSITIVE_INFINITY, whole: Number.POSITIVE_INFINITY }
  const slowness = new Slowness()
  for (let round = 0; round < rounds; round++) {
    const measured = async (text: string) => {
      // What earlier work left behind is not this one's. Only now, for it takes longer than most of what is measured.
      if (round > 0) Bun.gc(true)
      return await msOf(run, text)
    }
    least.quarter = Math.min(least.quarter, await measured(quarter))
    if (least.quarter <= maxBlockMs / 16) return null
    least.half = Math.min(least.half, await measured(half))
    least.whole = Math.min(least.whole, await measured(whole))
    const isLinear = least.half <= 2.5 * least.quarter || least.whole <= 2.5 * least.half
    if (isLinear && (isBeside || least.whole <= maxBlockMs * slowness.factor)) return null
    slowness.look()
    if (isLinear && (isBeside || least.whole <= maxBlockMs * slowness.factor)) return null
  }
  const figures = [least.quarter, least.half, least.whole].map((ms) => ms.toFixed(1)).join(', ')
  return `${figures} ms for ${quarter.length}, ${half.length}, ${whole.length} characters of ${JSON.stringify(unit)}`
}

test('a function that looks for an end again and again is found', async () => {
  const run = (text: string) => [...text.matchAll(/<x-[^>]*>/g)].length
  const one = { name: 'a', limit: 40_000, isBeside: false, units: [], run }
  expect(await quadratic(one, '<x-', 2)).toContain('characters of "<x-"')
})

test('every function that takes text of callers is called here, and reads it in linear time', async () => {
  const { functions, unknown } = await textFunctions()
  expect(unknown, 'say in test/support/text-functions.ts how they are called').toEqual([])
  expect(functions.length).toBeGreaterThan(230)
  const faults: string[] = []
  for (const one of functions) {
    for (const unit of one.units) {
      const fault = await quadratic(one, unit)
      if (fault !== null) faults.push(`${one.name}: ${fault}`)
    }
  }
  expect(faults).toEqual([])
}, 300_000)
