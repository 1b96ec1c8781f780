// The files of the dashboard: within the single binary; in a checkout they are built when they are asked for, anew after a change.

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { embeddedFiles } from 'bun'

export interface DashboardFiles {
  /** The script and the style sheet that the page names. */
  script: string
  style: string
  /** The script of the frame that shows a preview. */
  frame: string
  /** Undefined for a name that is not among them. */
  read(name: string): { brotli: Uint8Array<ArrayBuffer>; plain(): Uint8Array<ArrayBuffer> } | undefined
}

const ending = '.br'
const sources = join(import.meta.dir, '../../dashboard')

/** Of one process. */
export function createDashboardFiles(): () => Promise<DashboardFiles> {
  let made: { of: number; files: Promise<DashboardFiles> } | undefined
  return () => {
    const of = embedded().length > 0 ? 0 : newestIn(sources)
    if (made?.of !== of) made = { of, files: load() }
    return made.files
  }
}

/** Those of the single binary; none in a checkout. */
function embedded(): { name: string; file: Blob }[] {
  return embeddedFiles.flatMap((file) =>
    'name' in file && typeof file.name === 'string' && file.name.endsWith(ending)
      ? [{ name: file.name.slice(0, -ending.length), file }]
      : [],
  )
}

async function load(): Promise<DashboardFiles> {
  const files = new Map<string, Uint8Array<ArrayBuffer>>()
  for (const { name, file } of embedded()) files.set(name, new Uint8Array(await file.arrayBuffer()))
  if (files.size === 0) {
    const { buildDashboard } = await import('../../dashboard/build.ts')
    for (const { name, brotli } of await buildDashboard()) files.set(name, brotli)
  }
  return filesOf(files)
}

function filesOf(files: Map<string, Uint8Array<ArrayBuffer>>): DashboardFiles {
  const named = (pattern: RegExp) => {
    const name = [...files.keys()].find((one) => pattern.test(one))
    if (name === undefined) throw new Error(`the dashboard has no ${pattern}`)
    return name
  }
  return {
    script: named(/^dashboard-\w+\.js$/),
    style: named(/^dashboard-\w+\.css$/),
    frame: named(/^frame-\w+\.js$/),
    read(name) {
      const brotli = files.get(name)
      return brotli && { brotli, plain: () => new Uint8Array(brotliDecompressSync(brotli)) }
    },
  }
}

/** When something in a folder changed last. */
function newestIn(folder: string): number {
  return Math.max(
    ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => statSync(join(folder, path)).mtimeMs),
  )
}
