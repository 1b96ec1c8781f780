// The program as one file, made from the checkout once per process: it starts in half the time of the sources, and tests start it often.

import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dir, '../..')

let made: Promise<string> | null = null

/** Where it is; `bun FILE` runs it. */
export function program(): Promise<string> {
  made ??= build()
  return made
}

async function build(): Promise<string> {
  const outdir = mkdtempSync(join(tmpdir(), 'paquebot-program-'))
  process.on('exit', () => rmSync(outdir, { recursive: true, force: true }))
  // As .ci/build.ts does it, without the runtime.
  const entrypoints = ['src/main.ts', 'src/mail/mail-work.ts'].map((path) => join(root, path))
  const { success, logs } = await Bun.build({ entrypoints, outdir, target: 'bun', naming: { entry: '[name].[ext]' } })
  if (!success) throw new Error(logs.join('\n'))
  // The thread is found by the name of its source.
  renameSync(join(outdir, 'mail-work.js'), join(outdir, 'mail-work.ts'))
  return join(outdir, 'main.js')
}
