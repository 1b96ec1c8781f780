// The messages between the archive's thread and the main thread.

import type { S3Config } from '../../kit/store/store.ts'

export interface Beginning {
  logPath: string
  place: string
  s3: S3Config
  /** A folder of its own. */
  spool: string
  everyMs: number
  maxSpoolBytes: number
  /** What is older is merged. */
  exactMs: number
  /** By which the database knows this generation again. */
  mark: string
  epoch: number
}

/** Messages to the thread. */
export type ToArchive =
  | { kind: 'begin'; beginning: Beginning }
  | { kind: 'read'; id: number }
  /** The end of a log. `basing`: what is in the next one is applied to the next base. */
  | { kind: 'turned'; rest: Uint8Array<ArrayBuffer>; from: number; basing: boolean }
  /** How far the database is, for the witness of the archive. */
  | { kind: 'epoch'; epoch: number }
  /** The database was copied for that base, */
  | { kind: 'copied' }
  /** and the copy was packed and sealed. */
  | { kind: 'base'; path: string }
  | { kind: 'end' }

/** Messages from it. */
export type FromArchive =
  | { kind: 'begun'; generation: number; key: Uint8Array }
  | { kind: 'read'; id: number; frames: number }
  /** `coveredAt`: what was committed before is in the store. */
  | { kind: 'progress'; coveredAt: number; spoolBytes: number; fault: string | null }
  | { kind: 'based'; time: number }
  /** What the copy is called, which it says itself when it is sealed. */
  | { kind: 'named'; base: string }
  /** What is old is damaged, or the store did not take what replaces it. */
  | { kind: 'unmerged'; why: string }
  | { kind: 'ended' }
  | { kind: 'lost'; why: string; isForeign: boolean }
