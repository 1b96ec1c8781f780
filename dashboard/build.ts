// The dashboard as the files that a browser loads: one script and one style sheet, one script for the frame of previews, and those of the
// screens; named by what is in them and compressed once.

import { rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

export interface DashboardFile {
  /** `dashboard-1a2b3c4d.js` */
  name: string
  /** Compressed with Brotli. */
  brotli: Uint8Array<ArrayBuffer>
}

/** Throws where the sources cannot be built. */
export async function buildDashboard(): Promise<DashboardFile[]> {
  const built = await Promise.all([
    bundle({
      entrypoints: [join(import.meta.dir, 'main.tsx')],
      splitting: true,
      naming: { entry: 'dashboard-[hash].[ext]', chunk: 'screen-[hash].[ext]', asset: 'asset-[hash].[ext]' },
    }),
    // No module: a document without an origin may not load one.
    bundle({ entrypoints: [join(import.meta.dir, 'preview-frame.ts')], format: 'iife', naming: 'frame-[hash].[ext]' }),
  ])
  return await Promise.all(
    built.flat().map(async (output) => ({
      name: basename(output.path),
      brotli: compress(new Uint8Array(await output.arrayBuffer())),
    })),
  )
}

async function bundle(options: Bun.BuildConfig): Promise<Bun.BuildArtifact[]> {
  const production = { 'process.env.NODE_ENV': '"production"' }
  return (await Bun.build({ target: 'browser', minify: true, define: production, ...options })).outputs
}

/** For the single binary: each as a file `NAME.br`. Returns their paths, and how to remove them. */
export async function writeDashboard(directory: string): Promise<{ paths: string[]; remove: () => void }> {
  const files = await buildDashboard()
  const paths = files.map(({ name }) => join(directory, `${name}.br`))
  await Promise.all(files.map(({ brotli }, number) => Bun.write(paths[number] ?? '', brotli)))
  return { paths, remove: () => rmSync(directory, { recursive: true, force: true }) }
}

function compress(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }))
}
