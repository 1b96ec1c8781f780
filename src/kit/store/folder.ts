// Files in a folder. A file appears whole and flushed to the disk, or not at all, and never replaces another one.

import { createReadStream, existsSync, linkSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../error.ts'
import { makePrivateFolder } from '../private-file.ts'
import { writeSteadily } from '../steady-file.ts'
import { isSame } from './same.ts'
import type { Part, Store } from './store.ts'

/** How file systems say that they have no second names for a file. */
const linkless = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']

export class FolderStore implements Store {
  readonly where: string

  constructor(folder: string) {
    this.where = folder
  }

  get workFolder(): string {
    return this.where
  }

  pathOf(name: string): string {
    const path = join(this.where, name)
    if (!existsSync(path)) throw missing(path)
    return path
  }

  async list(prefix: string): Promise<string[]> {
    if (!existsSync(this.where)) return []
    const found = readdirSync(this.where, { withFileTypes: true })
    return found
      .filter((entry) => entry.isFile() && entry.name.startsWith(prefix))
      .map(({ name }) => name)
      .sort()
  }

  async put(name: string, path: string): Promise<'stored' | 'taken'> {
    const target = join(this.where, name)
    makePrivateFolder(this.where)
    await syncBytes(path)
    const isNew = linked(path, target) ?? (await this.#copied(path, target))
    if (!isNew && !(await isSame(this.get(name), path))) return 'taken'
    await sync(this.where)
    return 'stored'
  }

  async *get(name: string, part?: Part): AsyncIterable<Uint8Array> {
    const path = this.pathOf(name)
    try {
      yield* createReadStream(path, part && { start: part.from, end: part.to })
    } catch (error) {
      // Deleted since.
      throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? missing(path) : error
    }
  }

  async delete(name: string): Promise<void> {
    rmSync(join(this.where, name), { force: true })
  }

  async #copied(path: string, target: string): Promise<boolean> {
    const near = `${target}.part`
    await writeSteadily(near, createReadStream(path))
    try {
      const isNew = linked(near, target)
      if (isNew !== null) return isNew
      if (existsSync(target)) return false
      renameSync(near, target)
      return true
    } finally {
      rmSync(near, { force: true })
    }
  }
}

function missing(path: string): AppError {
  return new AppError('not_found', `there is no file ${path}`)
}

/** False where something has that name; null where the file cannot have two, for it is on another disk, or on one that knows none. */
function linked(path: string, target: string): boolean | null {
  try {
    linkSync(path, target)
    return true
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (code === 'EXDEV' || linkless.includes(code)) return null
    throw error
  }
}

/** What a file system must write for its name is written with the folder. */
export async function syncBytes(path: string): Promise<void> {
  await using file = await open(path)
  await file.datasync()
}

async function sync(path: string): Promise<void> {
  await using file = await open(path)
  await file.sync()
}
