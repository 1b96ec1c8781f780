// A file that was made for a browser: compressed once, when it is made.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

export interface BuiltFile {
  /** With its folder: `dashboard/dashboard-1a2b3c4d.js` */
  name: string
  /** Compressed with Brotli. */
  brotli: Uint8Array<ArrayBuffer>
}

export function built(name: string, bytes: string | Uint8Array): BuiltFile {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
  return { name, brotli: new Uint8Array(brotliCompressSync(bytes, { params })) }
}

/** The names within the single binary know no folders. */
const folderMark = '~'
const ending = '.br'

/** For the single binary: each as a file of its own. Returns their paths, and how to remove them. */
export async function writeBuilt(
  directory: string,
  files: BuiltFile[],
): Promise<{ paths: string[]; remove: () => void }> {
  const paths = files.map(({ name }) => join(directory, name.replaceAll('/', folderMark) + ending))
  await Promise.all(files.map(({ brotli }, number) => Bun.write(paths[number] ?? '', brotli)))
  return { paths, remove: () => rmSync(directory, { recursive: true, force: true }) }
}

/** The name that it had, of a file within the binary; undefined for others. */
export function builtName(name: string): string | undefined {
  return name.endsWith(ending) ? name.slice(0, -ending.length).replaceAll(folderMark, '/') : undefined
}
