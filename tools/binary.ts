// Builds the single binary: the program, what its Worker runs, the dashboard, and the documentation.

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildDashboard } from '../dashboard/build.ts'
import { writeBuilt } from '../dashboard/built.ts'
import { buildDocs } from '../docs/site/build.ts'
import { dashboardLanguages } from '../languages/generated/said-by-server.ts'

const root = join(import.meta.dir, '..')

/** Throws what Bun says is wrong. `target`: default is this machine. */
export async function buildBinary(outfile: string, target?: Bun.Build.CompileTarget): Promise<void> {
  const made = [...(await Promise.all(dashboardLanguages.map(buildDashboard))).flat(), ...(await buildDocs())]
  const files = await writeBuilt(mkdtempSync(join(tmpdir(), 'paquebot-files-')), made)
  try {
    await Bun.build({
      // What a Worker runs is an entry of its own; the first one is the program.
      entrypoints: [
        join(root, 'src/main.ts'),
        join(root, 'src/mail/mail-work.ts'),
        join(root, 'src/mail/attachment-work.ts'),
        join(root, 'src/operator/archive/archive-work.ts'),
        join(root, 'src/operator/side-work.ts'),
        join(root, 'src/kit/sync-work.ts'),
        ...files.paths,
      ],
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
    files.remove()
  }
}
