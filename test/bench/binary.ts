// What the single binary costs beside the same from a checkout, in turns: from the start of the process to its first answer of /readyz, and
// its memory idle. Run: bun test/bench/binary.ts

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildBinary } from '../../tools/binary.ts'
import { median } from './figures.ts'
import { serving } from './serve.ts'

const starts = 7

const directory = mkdtempSync(join(tmpdir(), 'paquebot-bench-binary-'))
const binary = join(directory, 'paquebot')
await buildBinary(binary)
const programs = { checkout: {}, binary: { program: [binary] } }
const figures = () => ({ ready: [] as number[], idle: [] as number[], own: [] as number[] })
const found = { checkout: figures(), binary: figures() }
for (let start = 0; start < starts; start++)
  for (const name of ['checkout', 'binary'] as const) {
    await using product = await serving({}, () => {}, programs[name])
    found[name].ready.push(product.readyMs)
    found[name].idle.push(product.rssMiB())
    found[name].own.push(product.ownMiB())
  }
rmSync(directory, { recursive: true })
const ready = median(found.binary.ready)
process.stdout.write(
  `binary: ready in ${ready.toFixed(0)} ms (at most 150), ${(ready / median(found.checkout.ready)).toFixed(2)} of a checkout; ${median(found.binary.idle).toFixed(0)} MiB idle (at most 80), of which ${median(found.binary.own).toFixed(0)} MiB are not pages of its file\n`,
)
