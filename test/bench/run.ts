// Every benchmark, one after the other: `bun run bench`, or some of them: `bun run bench send deliver`. Each prints its lines with
// the ratio to its floor or peer, measured in the same run; docs/performance.md says how to read them.

import { join } from 'node:path'

const all = [
  'process',
  'send',
  'events',
  'deliver',
  'campaign',
  'queue',
  'claim',
  'smtp',
  'rendering',
  'contacts',
  'webhooks',
  'server',
  'neighbours',
] as const

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !all.some((one) => one === name))
if (unknown.length > 0) {
  process.stderr.write(`no benchmark ${unknown.join(', ')}; there are ${all.join(', ')}\n`)
  process.exit(2)
}
let failed = 0
for (const name of all.filter((one) => wanted.length === 0 || wanted.includes(one))) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, `${name}.ts`)], {
    stdout: 'inherit',
    stderr: 'inherit',
  })
  if ((await child.exited) !== 0) failed++
}
process.exit(failed === 0 ? 0 : 1)
