// Builds the single binary: the program, what its Worker runs, and the dashboard.

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeDashboard } from '../dashboard/build.ts'

const root = join(import.meta.dir, '..')

/** Throws what Bun says is wrong. `target`: default is this machine. */
export async function buildBinary(outfile: string, target?: Bun.Build.CompileTarget): Promise<void> {
  const dashboard = await writeDashboard(mkdtempSync(join(tmpdir(), 'paquebot-dashboard-')))
  try {
    await Bun.build({
      // What a Worker runs is an entry of its own; the first one is the program.
      entrypoints: [join(root, 'src/main.ts'), join(root, 'src/mail/mail-work.ts'), ...dashboard.paths],
      // Beside each other, so that one finds the other by its name alone, wherever it lies in the checkout.
      naming: { entry: '[name].[ext]', asset: '[name].[ext]' },
      loader: { '.br': 'file' },
      compile: { outfile, autoloadDotenv: false, autoloadBunfig: false, ...(target ? { target } : {}) },
      // Parsed already, so that it starts in a quarter of the time.
      format: 'esm',
      bytecode: true,
      // Names stay, so that a stack trace can be read.
      minify: { whitespace: true, syntax: true },
      throw: true,
    })
  } finally {
    dashboard.remove()
  }
}
