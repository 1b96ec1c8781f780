// Whether the pages of a copy fit together, by SQLite's quick_check, in a process of its own: of a large copy it takes minutes, in which this
// one renews its lease. Nobody writes to the copy meanwhile, or what is found says nothing.

import { constants, Database as SQLite, SQLiteError } from 'bun:sqlite'
import { pathToFileURL } from 'node:url'
import type { Config } from '../../core/config.ts'
import { Damaged } from '../archive/segment.ts'
import { runBeside } from '../backup/child.ts'

const faultsNamed = 3
const unreadable = ['SQLITE_CORRUPT', 'SQLITE_NOTADB']
const damagedWords = 'the copy is damaged'

/** Null when it is whole; else why that is not known: it was ended before, or could not be checked. Throws Damaged. */
export async function checkCopy(config: Config, path: string, signal?: AbortSignal): Promise<string | null> {
  const said = await runBeside(config, ['standby', 'check', path], { ...(signal && { signal }) })
  if (said?.includes(damagedWords)) throw new Damaged(said.slice(said.indexOf(damagedWords)))
  return signal?.aborted && said !== null ? 'it would take too long' : said
}

/** What checkCopy() runs in its process. Throws Damaged. */
export function checkPages(path: string): void {
  // As it is: without a log, and no file is made beside it.
  const url = `${pathToFileURL(path)}?immutable=1`
  using file = new SQLite(url, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI)
  const faults = faultsOf(file).filter((line) => line !== 'ok')
  if (faults.length > 0) throw new Damaged(`${damagedWords}: ${faults.join('; ')}`)
}

/** Of what cannot be read at all SQLite throws. */
function faultsOf(file: SQLite): string[] {
  try {
    const found = file.query<{ quick_check: string }, []>(`PRAGMA quick_check(${faultsNamed})`).all()
    return found.map((row) => row.quick_check)
  } catch (error) {
    if (error instanceof SQLiteError && unreadable.some((code) => error.code?.startsWith(code))) return [error.message]
    throw error
  }
}
