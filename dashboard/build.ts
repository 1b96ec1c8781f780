// The dashboard as the files that a browser loads: one script and one style sheet, one script for the frame of previews, and those of the
// screens; named by what is in them and compressed once.

import { basename, join } from 'node:path'
import { type BuiltFile, built } from './built.ts'

/** Throws where the sources cannot be built. */
export async function buildDashboard(): Promise<BuiltFile[]> {
  const outputs = await Promise.all([
    bundle({
      entrypoints: [join(import.meta.dir, 'main.tsx')],
      splitting: true,
      naming: { entry: 'dashboard-[hash].[ext]', chunk: 'screen-[hash].[ext]', asset: 'asset-[hash].[ext]' },
    }),
    // No module: a document without an origin may not load one.
    bundle({ entrypoints: [join(import.meta.dir, 'preview-frame.ts')], format: 'iife', naming: 'frame-[hash].[ext]' }),
  ])
  return await Promise.all(
    outputs.flat().map(async (output) => built(basename(output.path), new Uint8Array(await output.arrayBuffer()))),
  )
}

async function bundle(options: Bun.BuildConfig): Promise<Bun.BuildArtifact[]> {
  const production = { 'process.env.NODE_ENV': '"production"' }
  return (await Bun.build({ target: 'browser', minify: true, define: production, ...options })).outputs
}
