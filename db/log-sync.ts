// Forces the write-ahead log of a file to the disk. While that takes long (a slow disk, or one that others write to) it is done on another
// thread, and this one goes on; while it is quick it costs less than another thread would. One sync covers every commit before it began. It
// is never tried again after it failed: the kernel may have dropped the pages.

import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'
import { promisify } from 'node:util'

const syncFile = promisify(fdatasync)
/** A sync that took longer is slow: as long as the longest slice of work that others wait for. Beside others it is also the wait for this thread. */
const slowMs = 8
/** After a slow one so many in a row must be quick until one is waited for. */
const quickAgain = 20

/** As SQLite names it, so that it means the same above. */
class SyncFailed extends Error {
  readonly code = 'SQLITE_IOERR_FSYNC'
}

export class LogSync {
  readonly #path: string
  #file: number | null = null
  #running: Promise<void> | null = null
  #following: Promise<void> | null = null
  #acknowledge = () => {}
  #quick = 0

  /** `path`: of the log. */
  constructor(path: string) {
    this.#path = path
  }

  /** Resolves when all that was committed so far is on the disk; null when it is. Rejects when nobody can know that any more. */
  get pending(): Promise<void> | null {
    return this.#following ?? this.#running
  }

  /** After a commit. `acknowledge` is called when it is on the disk, unless that of a later one is. */
  want(acknowledge: () => void): void {
    this.#acknowledge = acknowledge
    if (this.#running === null && this.#quick >= quickAgain) this.#syncHere()
    else if (this.#running === null) this.#running = this.#sync()
    else this.#following ??= this.#running.then(() => this.#sync())
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file)
    this.#file = null
  }

  #syncHere(): void {
    const began = performance.now()
    try {
      fdatasyncSync(this.#opened())
    } catch (cause) {
      throw failed(cause)
    }
    this.#took(began)
    this.#acknowledge()
  }

  async #sync(): Promise<void> {
    const acknowledge = this.#acknowledge
    if (this.#following !== null) this.#running = this.#following
    this.#following = null
    const began = performance.now()
    try {
      await syncFile(this.#opened())
    } catch (cause) {
      throw failed(cause)
    }
    this.#took(began)
    acknowledge()
    if (this.#following === null) this.#running = null
  }

  #opened(): number {
    this.#file ??= openSync(this.#path, 'r')
    return this.#file
  }

  #took(began: number): void {
    this.#quick = performance.now() - began > slowMs ? 0 : this.#quick + 1
  }
}

function failed(cause: unknown): Error {
  return new SyncFailed('the log could not be synced', { cause })
}
