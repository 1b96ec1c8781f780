// The dashboard as the files that a browser loads: one script and one style sheet, named by what is in them and compressed once.

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
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, 'main.tsx')],
    target: 'browser',
    minify: true,
    splitting: true,
    naming: { entry: 'dashboard-[hash].[ext]', chunk: 'screen-[hash].[ext]', asset: 'asset-[hash].[ext]' },
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return await Promise.all(
    outputs.map(async (output) => ({
      name: basename(output.path),
      brotli: compress(new Uint8Array(await output.arrayBuffer())),
    })),
  )
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
