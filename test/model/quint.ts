// Runs Quint (https://quint.sh) on the model: its type checker, and its simulator, which needs no Java and runs by Bun. `quint verify`, which
// checks every state up to a bound, needs Java and Apalache, and is not used.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newIdGenerator, parse, type QuintEx } from '@informalsystems/quint'
import { newRng } from '@informalsystems/quint/dist/src/rng'
import { Evaluator } from '@informalsystems/quint/dist/src/runtime/impl/evaluator'
import { newTraceRecorder } from '@informalsystems/quint/dist/src/runtime/trace'

export const modelFile = join(import.meta.dir, 'sequence.qnt')
const cli = join(import.meta.dir, '../../node_modules/@informalsystems/quint/dist/src/cli.js')

/** A value as Quint writes it: arrays are lists, Map and Set what they are called. */
export function literal(value: unknown): string {
  if (value instanceof Set) return `Set(${[...value].map(literal).join(', ')})`
  if (value instanceof Map)
    return `Map(${[...value].map(([key, one]) => `${literal(key)} -> ${literal(one)}`).join(', ')})`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{ ${Object.entries(value)
    .map(([name, one]) => `${name}: ${literal(one)}`)
    .join(', ')} }`
}

export interface QuintAnswer {
  ok: boolean
  text: string
}

async function quint(args: string[]): Promise<QuintAnswer> {
  const child = Bun.spawn([process.execPath, cli, ...args], { stdout: 'pipe', stderr: 'pipe' })
  const [said, told] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { ok: (await child.exited) === 0, text: said + told }
}

async function inFile<T>(text: string, work: (file: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'paquebot-model-'))
  try {
    const file = join(directory, 'proof.qnt')
    writeFileSync(file, text)
    return await work(file)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** What holds in every state, by its name in the model. */
const invariants = [
  'nobodyTwice',
  'nobodyAfterTheEnd',
  'noEventLost',
  'everybodyEndsOrIsDue',
  'editsHold',
  'oneOpenRunPerKey',
  'whoIsOverStaysSo',
]
const witnesses = ['isOver', 'isMailed', 'isMoved']

export interface Bounds {
  traces: number
  steps: number
  seed: number
}

/**
 * Random walks through the model, after a check of its types; each state is held against the invariants. `text`: how far they came, the walk
 * that broke one, or what has no meaning.
 */
export async function simulate(module: string, { traces, steps, seed }: Bounds): Promise<QuintAnswer> {
  return await inFile(module, (file) =>
    quint([
      ...['run', file, '--main=sequence', '--backend=typescript', '--verbosity=1'],
      ...[`--max-samples=${traces}`, `--max-steps=${steps}`, `--seed=${seed}`],
      ...['--invariants', ...invariants, 'isAllowed', '--witnesses', ...witnesses],
    ]),
  )
}

/** What the model's `faults` says of each of these steps, given as its arguments. */
export function faultsOf(module: string, steps: unknown[][]): string[][] {
  const { modules, table, errors } = parse(
    newIdGenerator(),
    modelFile,
    { normalizedPath: modelFile, toSourceName: () => modelFile },
    module,
  )
  const rules = modules[0]?.declarations.find((one) => one.kind === 'def' && one.name === 'faults')
  if (errors.length > 0 || rules?.kind !== 'def')
    throw new Error(`the model cannot be read: ${JSON.stringify(errors.map(({ message }) => message))}`)
  const rng = newRng()
  const evaluator = new Evaluator(table, newTraceRecorder(0, rng), rng)
  const nextId = countFrom(10n ** 9n)
  return steps.map((values) => {
    const id = nextId()
    table.set(id, { ...rules, depth: 0 })
    const said = evaluator.evaluate({
      id,
      kind: 'app',
      opcode: 'faults',
      args: values.map((one) => toExpression(one, nextId)),
    })
    // A step that no version has, for example.
    if (said.isLeft()) return [`is nothing that the model speaks of (${said.value.message})`]
    const { value } = said
    return value.kind === 'app' ? value.args.map((one) => (one.kind === 'str' ? one.value : one.kind)) : [value.kind]
  })
}

function countFrom(first: bigint): () => bigint {
  let next = first
  return () => next++
}

/** The same value as `literal` writes, as Quint has read it. */
function toExpression(value: unknown, nextId: () => bigint): QuintEx {
  const id = nextId()
  const app = (opcode: string, args: QuintEx[]): QuintEx => ({ id, kind: 'app', opcode, args })
  const of = (one: unknown) => toExpression(one, nextId)
  if (value instanceof Set) return app('Set', [...value].map(of))
  if (value instanceof Map)
    return app(
      'Map',
      [...value].map((pair) => ({ id: nextId(), kind: 'app', opcode: 'Tup', args: pair.map(of) })),
    )
  if (Array.isArray(value)) return app('List', value.map(of))
  if (typeof value === 'string') return { id, kind: 'str', value }
  if (typeof value === 'boolean') return { id, kind: 'bool', value }
  if (typeof value === 'number') return { id, kind: 'int', value: BigInt(value) }
  return app(
    'Rec',
    Object.entries(value ?? {}).flatMap(([name, one]) => [of(name), of(one)]),
  )
}
