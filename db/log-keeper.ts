// Keeps the write-ahead log of a local database from starting over before somebody has read all of it. A read transaction pins the log, so
// no process can start it over; this one checkpoints it when it is long, under the lock for writes, and gives its reader what that has not
// read of it. Opening the log by itself is safe; opening the database file would drop SQLite's locks.

import type { Database as SQLite } from 'bun:sqlite'
import { closeSync, openSync, readSync } from 'node:fs'

/** Of the log (https://sqlite.org/fileformat2.html#walformat). */
export const logHeaderBytes = 32
/** Before each page. */
export const frameHeaderBytes = 24

/** How long a log is checkpointed, in pages; and by how many it must have grown before that is tried again. */
const longPages = 1_000
const usualCheckpoint = 1_000
/** A reader that is further behind reads on first, while others write: what is left is read with the lock. */
const nearPages = 200
/** But all wait when the log is as long as that, */
const farPages = 25_000
/** and when the reader does not come along at all, it is left behind. */
const mostPages = 250_000

export interface LogReader {
  /** Reads and keeps everything in the log. Returns the least number of its frames; null when that is not known in time. */
  read(): Promise<number | null>
  /** The log starts over with the next commit. `rest`: its frames from `from` on, of which some may have been read meanwhile. */
  turned(rest: Uint8Array<ArrayBuffer>, from: number): void
  /** The log is kept no longer. What was committed since the last frame that was read may be lost to its reader. */
  lost(why: string): void
}

interface Progress {
  log: number
  checkpointed: number
}

export class LogKeeper {
  /** Of the log. */
  readonly path: string
  readonly #writing: SQLite
  readonly #open: () => SQLite
  #opened: SQLite | null = null
  readonly #progress: () => Progress
  readonly #version: () => number
  #reader: LogReader | null = null
  #isPinned = false
  #isHeld = false
  #dueAt = longPages
  readonly #frameBytes: number
  #file: number | null = null
  /** The number of this log, counting the logs that were kept. */
  #logs = 0
  /** Frames of this log that its reader had when it was last asked. */
  #read = 0
  #isReading = false
  /** Changes when another connection commits: while the log is not pinned, such a commit may be lost to the reader. */
  #expected = 0

  /** `open`: makes a connection, which a log that nobody keeps does not need. */
  constructor(path: string, { writing, reading, open }: { writing: SQLite; reading: SQLite; open: () => SQLite }) {
    this.path = `${path}-wal`
    this.#writing = writing
    this.#open = open
    const progress = reading.query<Progress, []>('PRAGMA wal_checkpoint(NOOP)')
    this.#progress = () => progress.get() ?? { log: 0, checkpointed: 0 }
    const version = writing.query<{ data_version: number }, []>('PRAGMA data_version')
    this.#version = () => version.get()?.data_version ?? 0
    const size = writing.query<{ page_size: number }, []>('PRAGMA page_size').get()
    this.#frameBytes = frameHeaderBytes + (size?.page_size ?? 0)
  }

  /** The connection that pins. */
  get #pin(): SQLite {
    this.#opened ??= this.#open()
    return this.#opened
  }

  /** Called right after a commit. False when another process has emptied the log meanwhile: then after another one. */
  keep(reader: LogReader): boolean {
    this.release()
    this.#writing.run('PRAGMA wal_autocheckpoint = 0')
    this.#reader = reader
    this.#file = openSync(this.path, 'r')
    this.#isReading = false
    this.#begin()
    if (!this.#tryPin()) this.release()
    return this.#isPinned
  }

  /** While held the log does not start over, however long it becomes. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld
  }

  release(): void {
    this.#unpin()
    this.#reader = null
    if (this.#file !== null) closeSync(this.#file)
    this.#file = null
    this.#isHeld = false
    this.#writing.run(`PRAGMA wal_autocheckpoint = ${usualCheckpoint}`)
  }

  close(): void {
    this.release()
    this.#opened?.close()
  }

  /** Before a transaction. `lock` opens one for writes, `unlock` ends it. */
  async beforeBegin(lock: () => Promise<void>, unlock: () => void): Promise<void> {
    const reader = this.#reader
    if (reader === null || this.#isHeld || !this.#isPinned) return
    const { log } = this.#progress()
    if (log < this.#dueAt) return
    if (log - this.#read > nearPages) {
      if (log < farPages) return this.#readOn(reader)
      await this.#ask(reader)
      if (this.#reader !== reader) return
      if (log - this.#read > nearPages) return this.#postpone()
    }
    await lock()
    try {
      if (this.#reader === reader) this.#turn(reader)
    } finally {
      unlock()
    }
  }

  /** In a transaction, before its first change. */
  afterBegin(): void {
    if (this.#reader !== null && !this.#isPinned && this.#version() !== this.#expected)
      this.#lose('another process wrote to the database while its log started over')
  }

  afterCommit(): void {
    if (this.#reader !== null && !this.#isPinned) this.#tryPin()
  }

  /** Without waiting for it. */
  #readOn(reader: LogReader): void {
    if (this.#isReading) return
    this.#isReading = true
    void this.#ask(reader).finally(() => {
      this.#isReading = false
    })
  }

  async #ask(reader: LogReader): Promise<void> {
    const log = this.#logs
    const frames = await reader.read()
    if (frames !== null && this.#logs === log) this.#read = frames
  }

  #begin(): void {
    this.#logs++
    this.#read = 0
    this.#dueAt = longPages
  }

  /** Every write waits for this, so this waits for nothing. */
  #turn(reader: LogReader): void {
    const from = this.#read
    const rest = this.#framesFrom(from)
    if (rest === null) {
      this.#lose('the log has fewer frames than were read or counted')
      return
    }
    this.#unpin()
    // It does nothing while another process does the same.
    this.#pin.run('PRAGMA wal_checkpoint(PASSIVE)')
    const { log, checkpointed } = this.#progress()
    this.#dueAt = log + longPages
    // Somebody who reads an older state holds it up: then the log goes on.
    if (checkpointed < log && this.#tryPin()) return
    this.#begin()
    this.#expected = this.#version()
    reader.turned(rest, from)
  }

  /** Null when there are not as many as SQLite counts. */
  #framesFrom(from: number): Uint8Array<ArrayBuffer> | null {
    const { log } = this.#progress()
    if (this.#file === null || log < from) return null
    const bytes = new Uint8Array((log - from) * this.#frameBytes)
    const found = readSync(this.#file, bytes, 0, bytes.length, logHeaderBytes + from * this.#frameBytes)
    return found === bytes.length ? bytes : null
  }

  /** Until the log is longer still. */
  #postpone(): void {
    const { log } = this.#progress()
    this.#dueAt = log + longPages
    if (log > mostPages) this.#lose(`the log has ${log} frames, and its reader does not answer`)
  }

  /** A reader that finds the log empty, or wholly checkpointed, does not pin it. */
  #tryPin(): boolean {
    this.#unpin()
    this.#pin.run('BEGIN')
    this.#pin.query('SELECT 1 FROM sqlite_schema LIMIT 1').get()
    const { log, checkpointed } = this.#progress()
    this.#isPinned = log > checkpointed
    if (!this.#isPinned) this.#pin.run('ROLLBACK')
    return this.#isPinned
  }

  #unpin(): void {
    if (this.#isPinned) this.#pin.run('ROLLBACK')
    this.#isPinned = false
  }

  #lose(why: string): void {
    const reader = this.#reader
    this.release()
    reader?.lost(why)
  }
}
