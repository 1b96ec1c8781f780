// The single binary: everything the server needs, in dist/paquebot (or the path given).

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeDashboard } from '../dashboard/build.ts'

const root = join(import.meta.dir, '..')
const outfile = process.argv[2] ?? join(root, 'dist/paquebot')

const dashboard = await writeDashboard(mkdtempSync(join(tmpdir(), 'paquebot-dashboard-')))
const { success, logs } = await Bun.build({
  // What a Worker runs is an entry of its own; the first one is the program.
  entrypoints: [join(root, 'src/main.ts'), join(root, 'src/mail/mail-work.ts'), ...dashboard.paths],
  // Beside each other, so that one finds the other by its name alone, wherever it lies in the checkout.
  naming: { entry: '[name].[ext]', asset: '[name].[ext]' },
  loader: { '.br': 'file' },
  compile: { outfile, autoloadDotenv: false, autoloadBunfig: false },
  // Parsed already, so that it starts in a quarter of the time.
  format: 'esm',
  bytecode: true,
  // Names stay, so that a stack trace can be read.
  minify: { whitespace: true, syntax: true },
})
dashboard.remove()
for (const log of logs) process.stderr.write(`${log}\n`)
if (!success) process.exit(1)
process.stdout.write(`built ${outfile}\n`)
