// Every benchmark, one after the other: `bun run bench`, or some of them: `bun run bench send deliver`. Each prints its lines with
// the ratio to its floor or peer, measured in the same run; docs/performance.md says how to read them. With --keep the lines are kept in
// docs/performance.json, from which `bun run docs:figures` writes what pages say of them. One that is named alone is handed the options after
// its name: `bun run bench million --contacts 20000`. What it prints then is of another size, and is not kept.

import { join } from 'node:path'
import { linesOf } from '../../tools/process.ts'

const all = [
  'process',
  'binary',
  'send',
  'batch',
  'events',
  'deliver',
  'postfix',
  'submission',
  'campaign',
  'sequences',
  'rehearse',
  'queue',
  'claim',
  'archive',
  'restore',
  'smtp',
  'rendering',
  'preview',
  'contacts',
  'segments',
  'activity',
  'million',
  'webhooks',
  'server',
  'neighbours',
  'tenants',
  'receivers',
  'relays',
  'shaping',
  'reports',
  'replay',
] as const
/** Run only when it is named: it needs room on the disk, and an hour. */
const named = ['gigabytes'] as const
const known: readonly string[] = [...all, ...named]

const keeps = process.argv.includes('--keep')
const words = process.argv.slice(2).filter((word) => word !== '--keep')
const firstOption = words.findIndex((word) => word.startsWith('--'))
const wanted = firstOption === -1 ? words : words.slice(0, firstOption)
const options = words.slice(wanted.length)
if (options.length > 0 && (keeps || wanted.length !== 1)) {
  process.stderr.write('options are for one benchmark that is named before them, and without --keep\n')
  process.exit(2)
}
const unknown = wanted.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  process.stderr.write(`no benchmark ${unknown.join(', ')}; there are ${known.join(', ')}\n`)
  process.exit(2)
}
let failed = 0
for (const name of wanted.length === 0 ? all : known.filter((one) => wanted.includes(one))) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, `${name}.ts`), ...options], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const lines: string[] = []
  for await (const line of linesOf(child.stdout)) {
    lines.push(line)
    process.stdout.write(`${line}\n`)
  }
  if ((await child.exited) !== 0) failed++
  if (keeps) await keep(name, lines)
}

/** What other benchmarks printed before stays. */
async function keep(name: string, lines: string[]): Promise<void> {
  const file = Bun.file(join(import.meta.dir, '../../docs/performance.json'))
  const kept: Record<string, string[]> = (await file.exists()) ? await file.json() : {}
  await file.write(`${JSON.stringify({ ...kept, [name]: lines }, null, 2)}\n`)
}

process.exit(failed === 0 ? 0 : 1)
