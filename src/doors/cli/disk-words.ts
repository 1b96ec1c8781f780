// What to do when the disk refused: the system's own words name neither the file nor the way out.

import { sqliteCode } from '../../../db/faults.ts'
import type { Config } from '../../core/config.ts'
import { databasePath, freeBytes } from '../../core/installation.ts'
import { sizeOf } from '../../kit/size.ts'

const full = ['ENOSPC', 'EDQUOT', 'SQLITE_FULL']
const closed = ['EACCES', 'EPERM', 'EROFS', 'SQLITE_READONLY', 'SQLITE_CANTOPEN']

/** Null when it was not the disk. */
export function diskRefusal(error: unknown, config: () => Config): string | null {
  const code = sqliteCode(error) ?? ''
  const isOne = (codes: string[]) => codes.some((one) => code.startsWith(one))
  if (!isOne([...full, ...closed])) return null
  const settings = config()
  const path = pathOf(error) ?? databasePath(settings) ?? settings.dataDir
  if (isOne(closed))
    return `${path} cannot be opened or written (${code}): the user that runs paquebot must own DATA_DIR and all that is in it, on a disk that may be written`
  const free = freeBytes(settings)
  const room = free === null ? '' : `, ${sizeOf(free)} are free`
  return `no space left on the disk: ${path} could not be written${room}. Stored data is unchanged: free at least 20 MB and start again`
}

function pathOf(error: unknown): string | null {
  return error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : null
}
