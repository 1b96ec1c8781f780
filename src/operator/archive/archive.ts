// Keeps an archive of every commit (ARCHIVE_URL) while the server runs. A thread reads the log (archive-work.ts); this side pins the log,
// has the database copied by another process, and begins a new generation whenever something might have been missed. Nothing that goes
// wrong here stops the server, or mail.

import { join } from 'node:path'
import type { LogKeeper, LogReader } from '../../../db/log-keeper.ts'
import type { App } from '../../core/app.ts'
import { withDeadline } from '../../kit/deadline.ts'
import { day, hour, second } from '../../kit/duration.ts'
import { failureText } from '../../kit/error.ts'
import { openStore } from '../../kit/store/open.ts'
import { runBeside } from '../backup/child.ts'
import type { FromArchive, ToArchive } from './archive-messages.ts'
import { deleteOld } from './retention.ts'
import { addMark, keepMark, servedEpoch } from './witness.ts'

/** How long a write waits for a log that is far too long to be read, before it goes first. */
const readMs = second / 2
const againMs = 5 * second
const baseEveryMs = day
const pinTries = 20
const lookEveryMs = 10 * second

/** What is known of the archive. One per app. */
export class ArchiveState {
  isOn = false
  startedAt = new Date(0)
  generation: number | null = null
  /** What was committed before is in the store, with a base that it is applied to. Null before the first. */
  coveredAt: Date | null = null
  spoolBytes = 0
  /** Times that something may have been missed, and so another generation was begun. */
  gaps = 0
  lastGap: { at: Date; why: string } | null = null
  /** The store's last error, if a file was not stored. */
  fault: string | null = null
  /** Another server writes to this archive: this one has stopped. */
  isForeign = false
}

export function archiveState(): ArchiveState {
  return new ArchiveState()
}

/** Null when it is off. */
export function startArchive(app: App): Archive | null {
  const { log } = app.database
  if (app.config.archive.to === undefined || log === null) return null
  return new Archive(app, log, app.config.archive.to)
}

export class Archive implements LogReader {
  readonly #app: App
  readonly #log: LogKeeper
  readonly #place: string
  readonly #state: ArchiveState
  readonly #spool: string
  readonly #readings = new Map<number, (frames: number | null) => void>()
  readonly #timer: ReturnType<typeof setInterval>
  #thread: Worker | null = null
  #key = ''
  /** Of the generation that is about to begin. */
  #mark: string | null = null
  #lastReading = 0
  /** Of the last base that is in the store. */
  #basedAt: number | null = null
  #wantsBase = false
  #isStopped = false
  #again: ReturnType<typeof setTimeout> | undefined
  #copying = new AbortController()
  /** The name of the copy that is under way. */
  #named = Promise.withResolvers<string>()
  readonly #ended = Promise.withResolvers<void>()

  constructor(app: App, log: LogKeeper, place: string) {
    this.#app = app
    this.#log = log
    this.#place = place
    this.#state = app.own(archiveState)
    this.#state.isOn = true
    this.#state.startedAt = app.clock.now()
    this.#spool = join(app.config.dataDir, 'archive-spool')
    this.#timer = setInterval(
      () => void this.#look().catch((error) => app.log.warn('the archive was not told', { error })),
      lookEveryMs,
    )
    this.#start()
  }

  async read(): Promise<number | null> {
    const id = ++this.#lastReading
    const { promise, resolve } = Promise.withResolvers<number | null>()
    this.#readings.set(id, resolve)
    this.#say({ kind: 'read', id })
    return await withDeadline(promise, readMs, null).finally(() => this.#readings.delete(id))
  }

  turned(rest: Uint8Array<ArrayBuffer>, from: number): void {
    const basing = this.#wantsBase
    this.#wantsBase = false
    this.#thread?.postMessage({ kind: 'turned', rest, from, basing } satisfies ToArchive, [rest.buffer])
    if (basing) void this.#copy()
  }

  /** Has a new base begun with the next log, if the last one is a day old. */
  renewIfOld(): void {
    if (this.#basedAt !== null && this.#app.clock.now().getTime() - this.#basedAt > baseEveryMs) this.#wantsBase = true
  }

  lost(why: string): void {
    this.#lose(why)
  }

  /**
   * Brings what was committed to the store, for as long as `graceMs`. Returns whether all is there, with the base that it is applied to; what
   * is left is brought there by the next start.
   */
  async stop(graceMs: number): Promise<boolean> {
    this.#isStopped = true
    clearInterval(this.#timer)
    clearTimeout(this.#again)
    const isBased = this.#basedAt !== null
    let isWhole = false
    if (this.#state.generation !== null) {
      this.#say({ kind: 'end' })
      isWhole = await withDeadline(
        this.#ended.promise.then(() => true),
        graceMs,
        false,
      )
    }
    this.#abandon()
    return isWhole && isBased
  }

  /** The log is pinned first, and does not start over before a base is there. */
  async #begin(): Promise<void> {
    const { config, random } = this.#app
    this.#mark ??= Buffer.from(random.bytes(16)).toString('hex')
    for (let tries = 0; ; tries++) {
      // A log that has something new can be pinned.
      await addMark(this.#app, this.#mark)
      if (this.#isStopped) return
      if (this.#log.keep(this)) break
      if (tries === pinTries) throw new Error('the log could not be pinned')
    }
    this.#log.hold(true)
    const thread = new Worker(new URL('./archive-work.ts', import.meta.url).href, { name: 'archive' })
    this.#thread = thread
    thread.addEventListener('message', ({ data }: MessageEvent<FromArchive>) => {
      if (this.#thread === thread) this.#hear(data)
    })
    thread.addEventListener('error', ({ message }) => {
      if (this.#thread === thread) this.#lose(message)
    })
    const { intervalMs: everyMs, spoolBytes: maxSpoolBytes, exactHours } = config.archive
    const { path: logPath } = this.#log
    const [mark, epoch] = [this.#mark, await servedEpoch(this.#app)]
    if (this.#thread !== thread) return
    const to = { logPath, place: this.#place, s3: config.s3, spool: this.#spool }
    const beginning = { ...to, everyMs, maxSpoolBytes, exactMs: exactHours * hour, mark, epoch }
    this.#say({ kind: 'begin', beginning })
  }

  #say(message: ToArchive): void {
    this.#thread?.postMessage(message)
  }

  #hear(message: FromArchive): void {
    const state = this.#state
    if (message.kind === 'begun') this.#begun(message)
    else if (message.kind === 'read') this.#readings.get(message.id)?.(message.frames)
    else if (message.kind === 'progress') {
      if (this.#basedAt !== null && message.coveredAt > 0) state.coveredAt = new Date(message.coveredAt)
      state.spoolBytes = message.spoolBytes
      state.fault = message.fault
    } else if (message.kind === 'based') this.#based(message.time)
    else if (message.kind === 'named') this.#named.resolve(message.base)
    else if (message.kind === 'unmerged')
      this.#app.log.warn('old segments of the archive were not merged', { why: message.why })
    else if (message.kind === 'ended') this.#ended.resolve()
    else this.#lose(message.why, message.isForeign)
  }

  #begun({ generation, key }: Extract<FromArchive, { kind: 'begun' }>): void {
    this.#state.generation = generation
    this.#key = Buffer.from(key).toString('hex')
    this.#app.log.info('a generation of the archive began', { generation })
    if (this.#mark !== null) void keepMark(this.#app, this.#mark).catch((error) => this.#lose(failureText(error)))
    this.#mark = null
    void this.#copy()
  }

  async #look(): Promise<void> {
    this.renewIfOld()
    this.#say({ kind: 'epoch', epoch: await servedEpoch(this.#app) })
  }

  /** Has the database copied by another process: to open its file in this one would drop SQLite's locks. */
  async #copy(): Promise<void> {
    const thread = this.#thread
    this.#log.hold(true)
    const path = join(this.#spool, `base-${this.#state.generation}.part`)
    const { signal } = this.#copying
    let isCopied = false
    // What is packed and sealed then is the copy: the log goes its way again.
    const onProgress = () => {
      if (this.#thread !== thread || isCopied) return
      isCopied = true
      this.#log.hold(false)
      this.#say({ kind: 'copied' })
    }
    this.#named = Promise.withResolvers()
    const input = [this.#key, this.#named.promise]
    const beside = { signal, input, onProgress }
    const said = await runBeside(this.#app.config, ['archive', 'copy', '--to', path], beside)
    if (this.#thread !== thread) return
    if (said === null) return this.#say({ kind: 'base', path })
    this.#lose(`the database could not be copied: ${said}`)
  }

  #based(time: number): void {
    this.#basedAt = time
    const { config, clock, log } = this.#app
    const before = clock.now().getTime() - config.archive.days * day
    void deleteOld(openStore(this.#place, config.s3, this.#spool), before).catch((error) =>
      log.warn('old segments could not be deleted from the archive', { error }),
    )
  }

  /** Nothing any more after `stop`: the database may be closed by then. */
  #lose(why: string, isForeign = false): void {
    if (this.#isStopped) return
    const [app, state] = [this.#app, this.#state]
    const isGap = state.generation !== null
    this.#abandon()
    state.isForeign = isForeign
    if (isGap) state.gaps++
    if (isGap || isForeign) state.lastGap = { at: app.clock.now(), why }
    else state.fault = why
    if (isGap) app.log.error('the archive was interrupted', { why })
    else app.log.warn('the archive could not begin', { why })
    if (!isForeign) this.#again = setTimeout(() => this.#start(), againMs)
  }

  #start(): void {
    void this.#begin().catch((error) => this.#lose(failureText(error)))
  }

  #abandon(): void {
    this.#thread?.terminate()
    this.#thread = null
    this.#state.generation = null
    this.#basedAt = null
    this.#wantsBase = false
    this.#copying.abort()
    this.#copying = new AbortController()
    for (const resolve of this.#readings.values()) resolve(null)
    this.#readings.clear()
    this.#log.release()
  }
}
