// The file in which a workspace travels: a tar of its tables, one JSON object a row, and its pictures, with a list of what must be in it;
// compressed with zstd and sealed with age, as a backup is (operator/backup/pack.ts).

import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { TarSource } from 'modern-tar/fs'
import { AppError } from '../../kit/error.ts'
import { privateFile } from '../../kit/private-file.ts'

const manifestName = 'workspace.json'
const kind = 'paquebot workspace'

interface TableOf {
  rows: number
  /** Of its rows, in whatever order. */
  digest: string
  /** Of the file. */
  sha256: string
}

export interface Manifest {
  kind: typeof kind
  version: 1
  /** The newest migration of the installation that made it. */
  schema: string
  madeAt: string
  id: string
  slug: string
  name: string
  /** BASE_URL of the installation that it comes from. */
  from: string
  /** BASE_URL of the one to which it moves; null: this is a copy to read, and cannot be imported. */
  movesTo: string | null
  /** Under which links in mails sent before are forwarded. */
  linkSecret: string | null
  /** Left out of a file that is not sealed. */
  withoutSecrets: boolean
  /** By table. */
  tables: Record<string, TableOf>
  /** SHA-256 by the id of the picture. */
  pictures: Record<string, string>
}

export const newManifest = (known: Omit<Manifest, 'kind' | 'version' | 'tables' | 'pictures'>): Manifest => {
  return { kind, version: 1, ...known, tables: {}, pictures: {} }
}

/** Of one table, written line by line. */
export class TableFile implements AsyncDisposable {
  readonly #file: FileHandle
  readonly #hash = new Bun.CryptoHasher('sha256')

  private constructor(file: FileHandle) {
    this.#file = file
  }

  static async make(folder: string, name: string): Promise<TableFile> {
    return new TableFile(await open(tablePath(folder, name), 'w', privateFile))
  }

  async write(lines: string[]): Promise<void> {
    if (lines.length === 0) return
    const text = `${lines.join('\n')}\n`
    this.#hash.update(text)
    await this.#file.appendFile(text)
  }

  /** SHA-256 of what was written. */
  digest(): string {
    return this.#hash.digest('hex')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close()
  }
}

export async function makeFolders(folder: string): Promise<void> {
  for (const name of ['tables', 'pictures']) await mkdir(join(folder, name))
}

const tablePath = (folder: string, name: string) => join(folder, 'tables', `${name}.ndjson`)
export const picturePath = (folder: string, id: string) => join(folder, 'pictures', id)

/** Everything in the folder, to be packed. */
export function toSources(folder: string, manifest: Manifest): TarSource[] {
  const files = ['tables', 'pictures'].flatMap((part) =>
    readdirSync(join(folder, part)).map((name) => `${part}/${name}`),
  )
  return [
    { type: 'content', target: manifestName, content: `${JSON.stringify(manifest, null, 1)}\n`, mode: privateFile },
    ...files.map((target) => ({ type: 'file' as const, source: join(folder, target), target, mode: privateFile })),
  ]
}

/** Of an unpacked file, whose parts are all there and as they were made. Throws AppError that says what is wrong. */
export async function readManifest(folder: string, known: string): Promise<Manifest> {
  const path = join(folder, manifestName)
  const manifest: Manifest | null = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null
  if (manifest?.kind !== kind || manifest.version !== 1)
    throw new AppError('conflict', `${known} is not an exported workspace`)
  for (const [name, { sha256 }] of Object.entries(manifest.tables))
    await mustBe(tablePath(folder, name), sha256, `the table ${name} of ${known}`)
  for (const [id, sha256] of Object.entries(manifest.pictures))
    await mustBe(picturePath(folder, id), sha256, `the picture ${id} of ${known}`)
  return manifest
}

async function mustBe(path: string, sha256: string, what: string): Promise<void> {
  const found = statSync(path, { throwIfNoEntry: false }) ? await hashFile(path) : null
  if (found !== sha256) throw new AppError('conflict', `${what} is ${found === null ? 'missing' : 'damaged'}`)
}

export async function hashFile(path: string): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece)
  return hash.digest('hex')
}

/** The lines of a table; they end with a line feed alone. */
export async function* readLines(folder: string, name: string): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of createReadStream(tablePath(folder, name))) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}
