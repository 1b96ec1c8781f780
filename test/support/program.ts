// The program as tests start it, often: the binary that a whole run has built (BINARY), else one file that is made from the checkout once
// per process, which takes less than a binary and starts in half the time of the sources.

import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { freshDirectory } from './place.ts'

const root = join(import.meta.dir, '../..')

let made: Promise<string> | null = null

/** The command that its arguments follow. A whole run says by SHORT_LIVED how an engine is set that will live for a second. */
export async function program(): Promise<string[]> {
  const { BINARY, SHORT_LIVED } = process.env
  const set = SHORT_LIVED ? ['/usr/bin/env', ...SHORT_LIVED.split(' ')] : []
  if (BINARY) return [...set, BINARY]
  made ??= build()
  return [...set, process.execPath, await made]
}

async function build(): Promise<string> {
  const outdir = freshDirectory()
  // As tools/build.ts does it, without the runtime.
  const entrypoints = [
    'src/main.ts',
    'src/mail/mail-work.ts',
    'src/mail/attachment-work.ts',
    'src/operator/archive/archive-work.ts',
    'src/operator/side-work.ts',
    'src/kit/sync-work.ts',
  ].map((path) => join(root, path))
  const { success, logs } = await Bun.build({ entrypoints, outdir, target: 'bun', naming: { entry: '[name].[ext]' } })
  if (!success) throw new Error(logs.join('\n'))
  // A thread is found by the name of its source.
  for (const name of ['mail-work', 'attachment-work', 'archive-work', 'side-work', 'sync-work'])
    renameSync(join(outdir, `${name}.js`), join(outdir, `${name}.ts`))
  return join(outdir, 'main.js')
}
