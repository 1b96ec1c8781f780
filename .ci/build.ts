// The single binary: everything the server needs, in dist/paquebot (or the path given).

import { join } from 'node:path'

const root = join(import.meta.dir, '..')
const outfile = process.argv[2] ?? join(root, 'dist/paquebot')

const { success, logs } = await Bun.build({
  entrypoints: [join(root, 'src/main.ts')],
  compile: { outfile, autoloadDotenv: false, autoloadBunfig: false },
  // Names stay, so that a stack trace can be read.
  minify: { whitespace: true, syntax: true },
})
for (const log of logs) process.stderr.write(`${log}\n`)
if (!success) process.exit(1)
process.stdout.write(`built ${outfile}\n`)
