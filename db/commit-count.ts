// Counts the commits of a file in the file itself (user_version), and beside it how many were acknowledged by whoever serves it. After a
// kill the file must have come as far: its log may be gone, or brought in by somebody else, and only the count can tell which.

import type { Database as SQLite } from 'bun:sqlite'
import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs'
import { privateFile } from '../src/kit/private-file.ts'

/** In the file it is a number of 32 bits that starts over: which of two is ahead is still known. */
const isAhead = (one: number, other: number) => ((one - other) | 0) > 0
const digits = 11

/** Null when nobody wrote one. */
export function readAcknowledged(path: string): number | null {
  try {
    return Number(readFileSync(path, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

export class CommitCount {
  readonly #connection: SQLite
  readonly #stored: () => number
  /** Of the file when it was opened. */
  readonly #atOpen: number
  #count = 0
  #beside: number | null = null

  constructor(connection: SQLite) {
    const stored = connection.query<{ user_version: number }, []>('PRAGMA user_version')
    this.#connection = connection
    this.#stored = () => stored.get()?.user_version ?? 0
    this.#atOpen = this.#stored()
  }

  /** Whether commits that were acknowledged were not in the file when it was opened. */
  lacks(acknowledged: number | null): boolean {
    return acknowledged !== null && isAhead(acknowledged, this.#atOpen)
  }

  /** From now on what is acknowledged is counted in the file at `path`. */
  countBeside(path: string): void {
    this.#beside = openSync(path, constants.O_CREAT | constants.O_RDWR, privateFile)
  }

  /** Within a transaction that changed something. */
  count(): void {
    this.#count = (this.#stored() + 1) | 0
    this.#connection.run(`PRAGMA user_version = ${this.#count}`)
  }

  /** Of the last commit. */
  get counted(): number {
    return this.#count
  }

  /** When a power cut does not undo the commits up to `count`. It is not synced: a kill leaves it, and after a power cut less is expected. */
  acknowledge(count: number): void {
    if (this.#beside !== null) writeSync(this.#beside, String(count).padEnd(digits), 0)
  }

  close(): void {
    if (this.#beside !== null) closeSync(this.#beside)
    this.#beside = null
  }
}
