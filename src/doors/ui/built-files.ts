// The files that browsers load. The single binary contains them; a checkout builds them on request, and again after a change.

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { embeddedFiles } from 'bun'
import { type BuiltFile, builtName } from '../../../dashboard/built.ts'

export interface BuiltFiles {
  names: string[]
  /** Undefined for a name that is not among them. */
  read(name: string): { brotli: Uint8Array<ArrayBuffer>; plain(): Uint8Array<ArrayBuffer> } | undefined
}

interface Source {
  /** What the names of these begin with. */
  names: RegExp
  /** What they are made from, in a checkout. */
  folders: string[]
  build(): Promise<BuiltFile[]>
}

/** Per process and not per app: the files belong to the program. */
export function createBuiltFiles(source: Source): () => Promise<BuiltFiles> {
  let made: { of: number; files: Promise<BuiltFiles> } | undefined
  return () => {
    const of = embedded(source).length > 0 ? 0 : newestIn(source.folders)
    if (made?.of !== of) made = { of, files: load(source) }
    return made.files
  }
}

/** Those of the single binary; none in a checkout. */
function embedded({ names }: Source): { name: string; file: Blob }[] {
  return embeddedFiles.flatMap((file) => {
    const name = 'name' in file && typeof file.name === 'string' ? builtName(file.name) : undefined
    return name !== undefined && names.test(name) ? [{ name, file }] : []
  })
}

async function load(source: Source): Promise<BuiltFiles> {
  const files = new Map<string, Uint8Array<ArrayBuffer>>()
  for (const { name, file } of embedded(source)) files.set(name, new Uint8Array(await file.arrayBuffer()))
  if (files.size === 0) for (const { name, brotli } of await source.build()) files.set(name, brotli)
  return {
    names: [...files.keys()],
    read(name) {
      const brotli = files.get(name)
      return brotli && { brotli, plain: () => new Uint8Array(brotliDecompressSync(brotli)) }
    },
  }
}

/** The one whose name fits. */
export function namedIn({ names }: BuiltFiles, pattern: RegExp): string {
  const name = names.find((one) => pattern.test(one))
  if (name === undefined) throw new Error(`there is no ${pattern}`)
  return name
}

/** When something in these folders changed last. */
function newestIn(folders: string[]): number {
  const paths = folders.flatMap((folder) => {
    const whole = join(import.meta.dir, '../../..', folder)
    return readdirSync(whole, { recursive: true, encoding: 'utf8' }).map((path) => join(whole, path))
  })
  return Math.max(...paths.map((path) => statSync(path).mtimeMs))
}
