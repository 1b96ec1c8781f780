// The proofs of sequences: `bun run prove sequences` walks through the model, and holds traces of the real engine against it; with --mutants
// it shows that the proofs find what would be wrong. What they cover, and what not: docs/decisions/0045-proofs-of-sequences.md.

import { parseArgs } from 'node:util'
import { startSqld } from '../support/sqld.ts'
import { isFoundByTest, type Mutant, mutants, withMutant } from './mutants.ts'
import { moduleOf, plans } from './plans.ts'
import { type Bounds, simulate } from './quint.ts'
import { replay, type Verdict } from './replay.ts'
import { type Death, randomScenes, writtenScenes } from './scenes.ts'
import { type Play, play, type Trace, thisRoot } from './traces.ts'

const sides = ['before', 'after'] as const

/** Walks through the model of each plan; what it says, and whether all held. */
export async function walk(bounds: Bounds): Promise<{ ok: boolean; lines: string[] }> {
  const said = await Promise.all(
    Object.entries(plans).map(async ([name, plan]) => ({ name, ...(await simulate(moduleOf(plan), bounds)) })),
  )
  return { ok: said.every(({ ok }) => ok), lines: said.map(({ name, text }) => `${name}: ${text.trim()}`) }
}

/** The scenes that are written, with a process that dies at every `each`th commit of its work, before it and after it. */
export async function killedEverywhere({ each, ...of }: { each: number; root?: string }): Promise<Trace[]> {
  const traces: Trace[] = []
  for (const [name, plan] of Object.entries(plans)) {
    const scenes = writtenScenes(name, plan)
    const whole = await play({ ...of, plan, scenes })
    const points = whole.commits.flatMap((commits, scene) =>
      sides.flatMap((side) =>
        Array.from({ length: commits }, (_, n): [number, Death] => [scene, { nth: n + 1, side }]),
      ),
    )
    const plays = points
      .filter((_, n) => n % each === 0)
      .map((point): Play => ({ ...of, plan, scenes, deaths: new Map([point]) }))
    traces.push(whole, ...(await inTurn(plays)))
  }
  return traces
}

/** Scenes by seeds, with a process that dies in every second of them. */
export async function byChance({
  seeds,
  ...of
}: {
  seeds: number[]
  root?: string
  serverUrl?: string
}): Promise<Trace[]> {
  const plays = seeds.flatMap((seed) =>
    Object.values(plans).map((plan): Play => {
      const scenes = randomScenes(plan, seed)
      const deaths = scenes.flatMap((_, n): [number, Death][] =>
        (n + seed) % 2 === 0
          ? [[n, { nth: 1 + ((seed * 7 + n * 3) % 12), side: n % 3 === 0 ? 'before' : 'after' }]]
          : [],
      )
      return { ...of, plan, scenes, deaths: new Map(deaths) }
    }),
  )
  return await inTurn(plays, of.serverUrl ? 1 : 2)
}

async function inTurn(plays: Play[], atOnce = 2): Promise<Trace[]> {
  const traces: Trace[] = []
  const left = [...plays]
  const work = async () => {
    for (let one = left.shift(); one; one = left.shift()) traces.push(await play(one))
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return traces
}

/** What a mutant is tried by, the quick ones first. */
const attempts: ((root: string) => Promise<Trace[]>)[] = [
  (root) => killedEverywhere({ each: Number.POSITIVE_INFINITY, root }),
  (root) => byChance({ seeds: [1, 2, 3], root }),
  (root) => killedEverywhere({ each: 24, root }),
]

/** What the engine of a checkout does wrong in each of the attempts, until one finds something. */
async function firstFault(root: string): Promise<string | null> {
  for (const attempt of attempts) {
    const [fault] = await attempt(root).then(
      (traces) => replay(traces).faults,
      (error: Error) => [`the engine failed: ${error.message}`],
    )
    if (fault !== undefined) return fault
  }
  return null
}

/** What finds a mutant: a fault, or the name of a test; null: nothing does. */
export async function find(mutant: Mutant): Promise<string | null> {
  return await withMutant(mutant, async (root) => {
    const { test } = mutant
    if (test !== undefined) return (await isFoundByTest(root, test)) ? test : null
    return await firstFault(root)
  })
}

const print = (line: string) => process.stdout.write(`${line}\n`)

function report(what: string, traces: Trace[], { steps, commits, faults }: Verdict): boolean {
  const kills = traces.reduce((sum, one) => sum + one.kills, 0)
  print(
    `${what}: ${traces.length} traces, ${kills} kills, ${commits} commits, ${steps} different steps of people, ${faults.length} faults`,
  )
  for (const fault of faults.slice(0, 5)) print(`  ${fault.slice(0, 2_000)}`)
  return faults.length === 0
}

interface Extent {
  /** Walks through the model of each plan. */
  walks: number
  /** At every how manieth commit a process dies. */
  each: number
  seeds: number
}

async function prove({ walks, each, seeds }: Extent): Promise<boolean> {
  const { ok, lines } = await walk({ traces: walks, steps: 60, seed: 1 })
  for (const line of lines) print(line)
  const everywhere = await killedEverywhere({ each })
  const isKilledWell = report(
    `killed before and after ${each === 1 ? 'each commit' : `one in ${each} commits`}`,
    everywhere,
    replay(everywhere),
  )
  const chance = await byChance({ seeds: Array.from({ length: seeds }, (_, n) => n + 1) })
  const isChanceWell = report('by chance', chance, replay(chance))
  return [ok, isKilledWell, isChanceWell, await proveTwo()].every(Boolean)
}

/** Two processes on one libSQL server, of which one dies now and then. */
async function proveTwo(): Promise<boolean> {
  const server = await startSqld()
  try {
    const traces: Trace[] = []
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const url = await server.freshUrl()
      const [plan] = Object.values(plans).slice(seed % 2)
      if (!plan) continue
      const scenes = randomScenes(plan, seed)
      traces.push(
        await play({ plan, scenes, serverUrl: url, deaths: new Map([[2 + (seed % 4), { nth: seed, side: 'after' }]]) }),
      )
    }
    return report('two processes on a libSQL server', traces, replay(traces))
  } finally {
    server.stop()
  }
}

async function proveMutants(only: string | undefined): Promise<boolean> {
  // What finds something in the engine as it is finds nothing in a mutant.
  const fault = await firstFault(thisRoot)
  if (fault !== null) throw new Error(`the engine itself: ${fault}`)
  let missed = 0
  for (const mutant of mutants.filter(({ name }) => only === undefined || name.includes(only))) {
    const by = await find(mutant)
    if (by === null) missed++
    print(
      `${by === null ? 'NOT FOUND' : 'found    '} | ${mutant.file.padEnd(15)} | ${mutant.name} | ${(by ?? '').replaceAll('\n', ' ').slice(0, 90)}`,
    )
  }
  print(missed === 0 ? 'All mutants were found.' : `${missed} mutants were not found.`)
  return missed === 0
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      mutants: { type: 'boolean' },
      only: { type: 'string' },
      walks: { type: 'string' },
      each: { type: 'string' },
      seeds: { type: 'string' },
    },
  })
  if (positionals.join() !== 'sequences') throw new Error('what is proved: sequences')
  const { walks = 1_500, each = 1, seeds = 20 } = values
  const extent = { walks: Number(walks), each: Number(each), seeds: Number(seeds) }
  const ok = values.mutants ? await proveMutants(values.only) : await prove(extent)
  process.exit(ok ? 0 : 1)
}
