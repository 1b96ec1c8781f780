// Temporary folders for unsealed copies. Each is deleted with the work that needs it; the folders of a killed process are deleted by the
// next one that creates such a folder.

import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { lockProcess } from '../../../db/lock.ts'
import { systemClock } from '../../kit/clock.ts'
import { day } from '../../kit/duration.ts'
import { makePrivateFolder, privateFolder } from '../../kit/private-file.ts'
import { systemRandom } from '../../kit/random.ts'

const prefix = '.paquebot-'
const lockSuffix = '.lock'
/** Of one without a lock nobody can tell whether it is used. */
const abandonedMs = day

/** Runs `work` with a folder of its own in `beside`, which is made if it is missing. */
export async function inTemporary<T>(beside: string, work: (folder: string) => Promise<T>): Promise<T> {
  makePrivateFolder(beside)
  deleteAbandoned(beside)
  const folder = join(beside, `${prefix}${Buffer.from(systemRandom.bytes(8)).toString('hex')}`)
  // Locked before it is there: one that is there and not locked is used by nobody.
  const lock = lockProcess(folder)
  mkdirSync(folder, { mode: privateFolder })
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true })
    lock?.release()
    rmSync(folder + lockSuffix)
  }
}

/** Deletes the folders in `beside` whose processes ended before their work did. */
export function deleteAbandoned(beside: string): void {
  const folders = readdirSync(beside).filter((name) => name.startsWith(prefix) && !name.endsWith(lockSuffix))
  for (const folder of folders.map((name) => join(beside, name))) {
    const lock = existsSync(folder + lockSuffix) ? lockProcess(folder) : null
    if (lock === null && (existsSync(folder + lockSuffix) || !isOld(folder))) continue
    rmSync(folder, { recursive: true, force: true })
    lock?.release()
    rmSync(folder + lockSuffix, { force: true })
  }
}

function isOld(folder: string): boolean {
  const found = statSync(folder, { throwIfNoEntry: false })
  return found !== undefined && systemClock.now().getTime() - found.mtimeMs > abandonedMs
}
