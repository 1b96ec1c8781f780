// What a standby keeps beside its copy: how far it has come. While that file is there, the copy has a name of its own, so that no command
// takes it for a database that may be opened: the next segment is written over it.

import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../core/config.ts'
import { databasePath } from '../../core/installation.ts'
import { AppError } from '../../kit/error.ts'
import { makePrivateFolder, privateFile } from '../../kit/private-file.ts'
import type { Cursor } from '../archive/restore.ts'
import type { Base } from '../archive/segment.ts'

const fileName = 'standby.json'

export interface Followed {
  base: Base
  /** Of its generation, in hex. */
  key: string
  /** All before it is in the copy, and on the disk. */
  cursor: Cursor
  /** When all of its pages were found to fit together, in ms; absent in the copy of a version that did not say it. */
  checkedAt?: number
}

/** A take-over has begun: the copy is the database now. `isWhole`: the former server had brought all of its commits to the archive. */
export interface TakingOver {
  isWhole: boolean
}

interface StandbyState {
  followed: Followed
  takingOver?: TakingOver
}

/** Null when this DATA_DIR is no standby's. */
export function readState({ dataDir }: Config): StandbyState | null {
  const path = join(dataDir, fileName)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as StandbyState) : null
}

export function writeState({ dataDir }: Config, state: StandbyState): void {
  makePrivateFolder(dataDir)
  const path = join(dataDir, fileName)
  writeFileSync(`${path}.new`, JSON.stringify(state), { mode: privateFile })
  renameSync(`${path}.new`, path)
}

export function removeState({ dataDir }: Config): void {
  rmSync(join(dataDir, fileName), { force: true })
}

/** Where the copy is until it is served. Throws on a libSQL server. */
export function copyPath(config: Config): string {
  return `${ownDatabase(config)}.standby`
}

export function ownDatabase(config: Config): string {
  const path = databasePath(config)
  if (path === null) throw new AppError('conflict', 'a standby keeps its copy in a file: set DATABASE_URL to file:PATH')
  return path
}
