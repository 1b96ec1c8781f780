// The lease: who serves what an archive is of, in the store of the archive. A chain of files, each put under the next number, which only one
// can get; whoever gets it holds the lease, or keeps it. No two clocks are compared: the holder counts from before it put the file, a follower
// from when it first saw it. A folder needs a file system with hard links, because they are what makes a name be had by one only.

import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../core/config.ts'
import { systemClock } from '../../kit/clock.ts'
import { AppError } from '../../kit/error.ts'
import { makePrivateFolder, privateFile } from '../../kit/private-file.ts'
import { systemRandom } from '../../kit/random.ts'
import { FolderStore } from '../../kit/store/folder.ts'
import { S3Store } from '../../kit/store/s3.ts'
import { readWhole, type Store } from '../../kit/store/store.ts'

interface LeaseRecord {
  /** Grows with each change of the holder. */
  term: number
  owner: string
  lengthMs: number
  /** `released`: its holder has ended, and all that it committed is in the archive. */
  state: 'held' | 'released'
  /** No two files are the same, or of two that put one at once both would have it. */
  nonce: string
}

export interface Lease extends LeaseRecord {
  /** Of its file; grows with each renewal. */
  number: number
}

const prefix = 'lease-'
const digits = 12
const ownerName = 'lease-owner'
/** Files that stay behind the newest one. */
const keptFiles = 4
/** The holder ends before a follower can think that it has. */
const heldShare = 0.8
const renewShare = 1 / 3
const attemptShare = 1 / 5
/** After a failure it is tried again so often. */
const triesPerLease = 15

/** The store of the lease: an attempt that takes longer than a fifth of it is given up. */
export function leaseStore({ archive, s3, dataDir }: Config, lengthMs: number): Store {
  const { to } = archive
  if (to === undefined) throw new AppError('conflict', 'the lease of a standby is in the archive: set ARCHIVE_URL')
  const patience = { silentMs: lengthMs * attemptShare, pausesMs: [] }
  return to.startsWith('s3://') ? new S3Store(to, s3, dataDir, patience) : new FolderStore(to)
}

/** The name of this installation among those that may hold the lease; a copy of DATA_DIR has another, for its file is another. */
function leaseOwner({ dataDir }: Config): string {
  const path = join(dataDir, ownerName)
  if (!existsSync(path)) {
    makePrivateFolder(dataDir)
    writeFileSync(path, nonce(), { mode: privateFile })
  }
  return `${readFileSync(path, 'utf8').trim()}-${statSync(path).ino}`
}

/** Whether this DATA_DIR ever held a lease. */
export function hasLeaseOwner({ dataDir }: Config): boolean {
  return existsSync(join(dataDir, ownerName))
}

function nonce(): string {
  return Buffer.from(systemRandom.bytes(16)).toString('hex')
}

/** The newest; null when nobody ever held it. */
async function readLease(store: Store): Promise<Lease | null> {
  const name = (await store.list(prefix)).at(-1)
  if (name === undefined) return null
  const record = JSON.parse((await readWhole(store, name)).toString()) as LeaseRecord
  return { ...record, number: Number(name.slice(prefix.length)) }
}

/** The same again when it is not known how it ended. False when somebody else has that number, or a higher one. */
async function putLease(store: Store, folder: string, { number, ...record }: Lease): Promise<boolean> {
  const name = leaseName(number)
  const path = join(folder, `${name}.${record.nonce}`)
  writeFileSync(path, JSON.stringify(record), { mode: privateFile })
  try {
    if ((await store.put(name, path)) === 'taken') return false
  } finally {
    rmSync(path, { force: true })
  }
  // Who was late by many renewals gets a number that was had, and deleted, long ago.
  const names = await store.list(prefix)
  if (names.at(-1) !== name) return false
  for (const old of names.slice(0, -keptFiles)) await store.delete(old)
  return true
}

function leaseName(number: number): string {
  return `${prefix}${String(number).padStart(digits, '0')}`
}

/**
 * Takes the lease for a server that starts: where nobody has it, or it was this one's. Throws `conflict` when another has taken over: what
 * this one has is older, and it must not serve it.
 */
export async function takeLease(config: Config, lengthMs: number): Promise<LeaseKeeper> {
  const store = leaseStore(config, lengthMs)
  const owner = leaseOwner(config)
  const beganAt = moment()
  const newest = await readLease(store)
  if (newest !== null && newest.owner !== owner) throw fenced(newest)
  const { number, term } = newest ?? { number: 0, term: 1 }
  const lease: Lease = { number: number + 1, term, owner, lengthMs, state: 'held', nonce: nonce() }
  if (!(await putLease(store, config.dataDir, lease)))
    throw new AppError('conflict', 'another server took the lease at the same moment')
  return new LeaseKeeper(store, config.dataDir, lease, beganAt)
}

function fenced({ term, owner }: Lease): AppError {
  const way =
    'to make this one its standby, move DATA_DIR away and start `paquebot standby` with an empty one; to serve from here all the same, stop the other for good, and delete the files lease-* of the archive'
  return new AppError(
    'conflict',
    `another server (${owner}) took over with term ${term}, and has gone on since; ${way}`,
  )
}

interface Moment {
  monotonic: number
  wall: number
}

function moment(): Moment {
  return { monotonic: performance.now(), wall: systemClock.now().getTime() }
}

/** By the clock that runs faster: one of them may have stood still with the machine. */
function msSince({ monotonic, wall }: Moment): number {
  return Math.max(performance.now() - monotonic, systemClock.now().getTime() - wall)
}

export class LeaseKeeper {
  readonly #store: Store
  readonly #folder: string
  #lease: Lease
  #from: Moment
  /** What was put, and may be there: the lease is counted from when it was put first. */
  #pending: { lease: Lease; from: Moment } | null = null
  #isOver = false
  #renewing: Promise<void> | null = null
  #onLost: (why: string) => void = () => {}
  readonly #timers: ReturnType<typeof setInterval>[]

  /** `from`: before the file was put. */
  constructor(store: Store, folder: string, lease: Lease, from: Moment) {
    this.#store = store
    this.#folder = folder
    this.#lease = lease
    this.#from = from
    const { lengthMs } = lease
    this.#timers = [
      setInterval(() => void this.#renewIfDue(), lengthMs / triesPerLease),
      setInterval(() => this.#look(), lengthMs / 50),
    ]
  }

  get term(): number {
    return this.#lease.term
  }

  holds(): boolean {
    return !this.#isOver && msSince(this.#from) < this.#lease.lengthMs * heldShare
  }

  /** Called once, when it is lost: nothing may be done any more. */
  onLost(listener: (why: string) => void): void {
    this.#onLost = listener
    if (!this.holds()) listener('it ran out before it was used')
  }

  /** Gives it back. `isWhole`: all that was committed is in the archive, so that a standby loses nothing; else it runs out. */
  async release(isWhole: boolean): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    await this.#renewing
    if (!isWhole || this.#pending !== null || !this.holds()) return
    this.#isOver = true
    const number = this.#lease.number + 1
    await putLease(this.#store, this.#folder, { ...this.#lease, number, state: 'released', nonce: nonce() })
  }

  async #renewIfDue(): Promise<void> {
    if (this.#pending === null && msSince(this.#from) < this.#lease.lengthMs * renewShare) return
    this.#renewing ??= this.#renewOnce().finally(() => {
      this.#renewing = null
    })
    await this.#renewing
  }

  async #renewOnce(): Promise<void> {
    if (!this.holds()) return
    const next = { ...this.#lease, number: this.#lease.number + 1, nonce: nonce() }
    this.#pending ??= { lease: next, from: moment() }
    const { lease, from } = this.#pending
    // Until it has run out, it is tried again.
    const isMine = await putLease(this.#store, this.#folder, lease).catch(() => null)
    if (isMine === false) return this.#lose('another server has taken it')
    if (isMine === null) return
    this.#pending = null
    this.#lease = lease
    this.#from = from
  }

  #look(): void {
    if (!this.holds()) this.#lose('it could not be renewed in time')
  }

  #lose(why: string): void {
    if (this.#isOver) return
    this.#isOver = true
    for (const timer of this.#timers) clearInterval(timer)
    this.#onLost(why)
  }
}

/** Follows the lease of another, by this machine's monotonic clock alone. */
export class LeaseWatch {
  readonly #store: Store
  #seen: { lease: Lease; at: number } | null = null

  constructor(store: Store) {
    this.#store = store
  }

  /** `runOut`: it was not renewed for its whole length, while the store answered. Throws when the store cannot be asked. */
  async look(): Promise<{ lease: Lease; runOut: boolean } | null> {
    const lease = await readLease(this.#store)
    const now = performance.now()
    if (lease === null) return null
    if (this.#seen?.lease.number !== lease.number) this.#seen = { lease, at: now }
    return { lease, runOut: lease.state === 'held' && now - this.#seen.at > lease.lengthMs }
  }

  /** Takes it from its holder: null when that one, or another standby, was faster. */
  async seize(config: Config, lease: Lease, lengthMs: number): Promise<LeaseKeeper | null> {
    const from = moment()
    const owner = leaseOwner(config)
    const term = lease.owner === owner ? lease.term : lease.term + 1
    const next: Lease = { number: lease.number + 1, term, owner, lengthMs, state: 'held', nonce: nonce() }
    const isMine = await putLease(this.#store, config.dataDir, next)
    return isMine ? new LeaseKeeper(this.#store, config.dataDir, next, from) : null
  }
}
