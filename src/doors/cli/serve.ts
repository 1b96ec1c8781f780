// paquebot serve: HTTP and the dispatcher until a signal. The first signal stops gracefully, a second one at once.

import { setTimeout as pause } from 'node:timers/promises'
import { readAcknowledged } from '../../../db/commit-count.ts'
import type { CopyMark } from '../../../db/copy-mark.ts'
import { isUnavailable } from '../../../db/faults.ts'
import { lockProcess, type ProcessLock } from '../../../db/lock.ts'
import { type App, createApp, write } from '../../core/app.ts'
import type { Config } from '../../core/config.ts'
import { commitsPath, databasePath, enterInstallation, type Opening } from '../../core/installation.ts'
import { Dispatcher } from '../../core/outbox/dispatcher.ts'
import { restoreHolds } from '../../core/outbox/sending-faults.ts'
import { storeReplies } from '../../core/receivers.ts'
import { followRelays } from '../../core/relays.ts'
import { servingLease } from '../../core/serving-lease.ts'
import { listenForMail } from '../../features/mailboxes/listen.ts'
import { second } from '../../kit/duration.ts'
import { AppError } from '../../kit/error.ts'
import { measures, watchLoop } from '../../kit/measures.ts'
import { version } from '../../kit/version.ts'
import type { SmtpListener } from '../../mail/smtp-listener.ts'
import { type Archive, startArchive } from '../../operator/archive/archive.ts'
import { askArchive } from '../../operator/archive/witness.ts'
import { watchAttention } from '../../operator/attention/alarms.ts'
import { rememberFirstSeen } from '../../operator/attention/attention.ts'
import { clearAbandonedCopy } from '../../operator/backup/abandoned.ts'
import { jobKinds, listSchedules } from '../../operator/jobs.ts'
import { configAt, enterTarget, followMoves } from '../../operator/live-move/follow.ts'
import { MoveWatch } from '../../operator/live-move/watch.ts'
import { checkQuarantine, describeHeld, recordPlace, watchQuarantine } from '../../operator/quarantine/quarantine.ts'
import { startSideThread } from '../../operator/side-thread.ts'
import { hasLeaseOwner, type LeaseKeeper, takeLease } from '../../operator/standby/lease.ts'
import type { TakenOver } from '../../operator/standby/standby.ts'
import { readState, removeState } from '../../operator/standby/state.ts'
import { noteTakeOver } from '../../operator/standby/take-over.ts'
import { writeCounts } from '../../people/access/audit/leave-line.ts'
import { landing } from '../../people/access/same-site.ts'
import { createLoginLink } from '../../people/access/sessions.ts'
import { findFirstOwner } from '../../people/access/users.ts'
import { secondFactorState } from '../../people/sign-in/second-factor.ts'
import { prepareSetUp } from '../../people/sign-in/set-up.ts'
import { type Listening, startServer } from '../listen.ts'
import { listenForSubmissions, type SubmissionListener } from '../smtp/listen.ts'
import { defineCommand, type Output } from './command.ts'

const failed = 1
const countsEveryMs = 10_000
/** How long a server that the database has moved to is asked for. */
const reachWithinMs = 60 * second
/** How long the former one answers what it was asked before. */
const answeringMs = 5 * second

export const serve = defineCommand({
  name: 'serve',
  says: 'Runs the server: serves the API and sends mail, until it is stopped.',
  flags: {
    'new-database': { type: 'boolean', says: 'start with an empty database if the previous one is gone' },
    'new-secret': { type: 'boolean', says: 'start with a new secret.key if the previous one is gone' },
    'go-on': { type: 'boolean', says: 'continue with a database that was copied; the copy must never be served' },
  },
  run: async ({ 'new-database': newDatabase, 'new-secret': newSecret, 'go-on': goOn }, config) => {
    const opening = { mayMake: true, newDatabase, newSecret, goOn }
    const settings = config()
    if (readState(settings) !== null)
      throw new AppError(
        'conflict',
        `${settings.dataDir} is of a standby; it serves once it has taken over: paquebot standby`,
      )
    return await serveUntilEnd(settings, opening, null)
  },
})

/** `taken`: the lease that a standby has taken; it serves what it followed. */
export async function serveUntilEnd(config: Config, opening: Opening, taken: TakenOver | null): Promise<Output> {
  const followed = await followMoves(config, { goOn: opening.goOn ?? false, say })
  // Before the lock, because locking creates a file.
  enterInstallation(followed, opening)
  const lock = lockDatabase(followed)
  const lease = taken?.lease ?? (await enterLease(followed))
  const ended = Promise.withResolvers<Ending>()
  listenForTheEnd(ended)
  // What is under way may neither be written nor mailed: to end at once is all that is left.
  lease?.onLost((why) => {
    say(`FENCED: the lease was lost: ${why}. Nothing is written or mailed from here any more`)
    process.exit(failed)
  })
  let server = await begin(followed, { opening, ended, lock, lease, taken })
  const retiring: Promise<unknown>[] = []
  let ending = await Promise.race([ended.promise, server.moved])
  while ('movedTo' in ending) {
    const next = await goOnAt(ending.movedTo, server, ended)
    if (next === null) {
      ending = { reason: `the database has moved to ${ending.movedTo.other}, which another process serves` }
      say(`${ending.reason}: this one ends`)
      server.parts.listening.door.open()
      break
    }
    retiring.push(retire(server))
    server = next
    ending = await Promise.race([ended.promise, server.moved])
  }
  const { reason, error } = ending
  const isWhole = await stop(server, reason, error)
  await Promise.all(retiring)
  // After a failure another machine shall go on by itself.
  await lease?.release(isWhole && error === undefined)
  server.lock?.release()
  const ok = error === undefined
  return { json: { stopped: reason, ok }, lines: [], ok }
}

interface Beginning {
  opening: Opening
  ended: PromiseWithResolvers<Ending>
  lock: ProcessLock | null
  lease?: LeaseKeeper | null
  taken?: TakenOver | null
  /** The server whose port it goes on with. */
  after?: Serving
}

/** A server of one database. Of a process there is one at a time, but for the end of one whose database has moved. */
interface Serving {
  app: App
  parts: ServerParts
  lock: ProcessLock | null
  /** Resolves when the database has moved while it was served. */
  moved: Promise<{ movedTo: CopyMark }>
  watch: MoveWatch
}

async function begin(config: Config, { opening, ended, lock, lease, taken, after }: Beginning): Promise<Serving> {
  const commits = commitsPath(config)
  const acknowledged = commits === null ? null : readAcknowledged(commits)
  const app = await createApp(config, {
    opening,
    startSideThread,
    onFatal: (error) => ended.resolve({ reason: 'the disk failed', error }),
  })
  if (lease) app.own(servingLease).holds = () => lease.holds()
  if (taken) {
    const paused = await noteTakeOver(app, taken)
    removeState(config)
    if (paused > 0)
      say(`${paused} campaigns were paused: some of their last mails may have left; resume them when you know`)
  }
  await followRelays(app)
  const isFollowed = Boolean(taken)
  const alone = lock !== null
  const parts = await start(app, { alone, opening, ended, acknowledged, isFollowed, after }).catch(async (error) => {
    await app.close()
    throw error
  })
  const { dispatcher, listening } = parts
  const moved = Promise.withResolvers<{ movedTo: CopyMark }>()
  const watch = new MoveWatch(app, {
    bootId: dispatcher.bootId,
    async drain() {
      await dispatcher.pause(config.shutdownGraceMs)
      await storeCounts(app)
    },
    hold: () => listening.door.hold(),
    goOn() {
      dispatcher.resume()
      listening.door.open()
    },
    moved: (movedTo) => moved.resolve({ movedTo }),
  })
  say(`listening on ${listening.url}`)
  return { app, parts, lock, moved: moved.promise, watch }
}

/** Serves the database that `former` moved to, on its port. Null where another process serves it: a file has one. */
async function goOnAt(mark: CopyMark, former: Serving, ended: PromiseWithResolvers<Ending>): Promise<Serving | null> {
  say(`the database has moved to ${mark.other}`)
  hush(former)
  const config = configAt(former.app.config, mark.other)
  const until = performance.now() + reachWithinMs
  for (;;) {
    try {
      if (!(await enterTarget(config, mark.id))) return null
      const lock = tryLock(config)
      if (lock === 'taken') return null
      return await begin(config, { opening: { mayMake: true }, ended, lock, after: former }).catch((error) => {
        lock?.release()
        throw error
      })
    } catch (error) {
      if (!isUnavailable(error) || performance.now() > until) throw error
      former.parts.listening.door.hold()
      await pause(second)
    }
  }
}

/** Ends what a server does by itself. It still answers what it was asked before, without writing. */
function hush({
  watch,
  parts: { listening, unwatch, stopAlarms, counting, dispatcher, inbound, submissions },
}: Serving) {
  void watch.stop()
  unwatch()
  stopAlarms()
  clearInterval(counting)
  listening.endStreams()
  for (const one of [...submissions, ...(inbound ? [inbound] : [])]) void one.close()
  void dispatcher.stop(0)
}

/** Closes a server whose database has moved, when what it was asked before is answered. */
async function retire({ app, parts, lock }: Serving): Promise<void> {
  await pause(answeringMs)
  await parts.archive?.stop(app.config.shutdownGraceMs)
  await app.close().catch((error) => app.log.warn('the former database was not closed', { error }))
  lock?.release()
}

/** Null without a standby. Throws when another server has taken over. */
async function enterLease(config: Config): Promise<LeaseKeeper | null> {
  const { leaseMs } = config.archive
  if (leaseMs !== undefined) return await takeLease(config, leaseMs)
  if (hasLeaseOwner(config))
    throw new AppError(
      'conflict',
      'this server has a standby, which may have taken over: set STANDBY_LEASE_S and ARCHIVE_URL; to end that, stop the other for good, and delete lease-owner in DATA_DIR and the files lease-* of the archive',
    )
  return null
}

interface Ending {
  reason: string
  error?: unknown
}

interface ServerParts {
  dispatcher: Dispatcher
  listening: Listening
  inbound: SmtpListener | null
  submissions: SubmissionListener[]
  unwatch: () => void
  counting: ReturnType<typeof setInterval>
  stopAlarms: () => void
  archive: Archive | null
}

interface Start {
  opening: Opening
  /** Makes sure that no other process serves the database. */
  alone: boolean
  ended: PromiseWithResolvers<Ending>
  /** See Witnesses. */
  acknowledged: number | null
  /** Its archive was followed to its end: nothing in it is unknown here. */
  isFollowed: boolean
  after: Serving | undefined
}

/** Null for a libSQL server, which several processes may share. */
function lockDatabase(config: Config): ProcessLock | null {
  const lock = tryLock(config)
  if (lock === 'taken') throw new AppError('conflict', `another paquebot serves ${databasePath(config)}; stop it first`)
  return lock
}

function tryLock(config: Config): ProcessLock | 'taken' | null {
  const path = databasePath(config)
  return path === null ? null : (lockProcess(path) ?? 'taken')
}

async function start(
  app: App,
  { alone, opening, ended, acknowledged, isFollowed, after }: Start,
): Promise<ServerParts> {
  const isBehind = !isFollowed && (await askArchive(app))
  const held = await checkQuarantine(app, opening, { isBehind, acknowledged })
  const setUpPath = await prepareSetUp(app)
  const dispatcher = new Dispatcher(app, { kinds: jobKinds, schedules: listSchedules(app.config), alone, version })
  const vitals = { lastTickAt: () => dispatcher.lastTickAt(), inFlight: () => dispatcher.inFlight() }
  const { port, host, inboundSmtpPort } = app.config
  const inbound = inboundSmtpPort === undefined ? null : await listenForMail(app, { port: inboundSmtpPort, host })
  const submissions = await listenForSubmissions(app, host)
  const listening = startServer(app, { port, host, vitals, after: after?.parts.listening })
  if (setUpPath !== null) say(`set up the dashboard: ${app.config.baseUrl}${setUpPath}`)
  else if (app.mailer.kind === 'capture') await sayWhereMailIs(app)
  if (inbound) say(`receiving mail on ${host}:${inbound.port}`)
  for (const { says } of submissions) say(says)
  await restoreHolds(app)
  await clearAbandonedCopy(app)
  await rememberFirstSeen(app)
  watchLoop(app.own(measures))
  const counting = setInterval(() => void storeCounts(app), countsEveryMs)
  const stopAlarms = watchAttention(app, vitals)
  const parts: ServerParts = {
    dispatcher,
    listening,
    inbound,
    submissions,
    unwatch: () => {},
    counting,
    stopAlarms,
    archive: null,
  }
  if (held === null) await dispatch(app, parts, ended)
  else {
    say(`HELD: ${describeHeld(held)}. Nothing is sent until you choose what may be: paquebot resume`)
    parts.unwatch = watchQuarantine(app, true, () => void dispatch(app, parts, ended))
  }
  return parts
}

async function dispatch(app: App, parts: ServerParts, ended: PromiseWithResolvers<Ending>): Promise<void> {
  // Not while it is held: a copy that is tried out would take the archive of what it was copied from.
  parts.archive = startArchive(app)
  await parts.dispatcher.start()
  parts.unwatch = watchQuarantine(app, false, () => ended.resolve({ reason: 'the database is held' }))
}

/** Captured mail is only shown to members, so the link signs its first owner in, once; not where they ask for a code, because logs are kept. */
async function sayWhereMailIs(app: App): Promise<void> {
  const owner = await findFirstOwner(app)
  if (owner === undefined) return
  if ((await secondFactorState(app, owner)).since !== null) {
    say(`the dashboard: ${app.config.baseUrl}${landing}`)
    return
  }
  const path = await write(app, (tx) => createLoginLink(tx, owner))
  say(`the dashboard (signs you in, once): ${app.config.baseUrl}${path}?to=${landing}`)
}

/** The first signal or fatal error stops gracefully, even during the start; a second signal ends the process at once. */
function listenForTheEnd(ended: PromiseWithResolvers<Ending>): void {
  const onSignal = (signal: string) => {
    ended.resolve({ reason: signal })
    for (const again of ['SIGTERM', 'SIGINT']) process.on(again, () => process.exit(failed))
  }
  process.once('SIGTERM', onSignal)
  process.once('SIGINT', onSignal)
  process.on('uncaughtException', (error) => ended.resolve({ reason: 'an uncaught error', error }))
  process.on('unhandledRejection', (error) => ended.resolve({ reason: 'an unhandled rejection', error }))
}

/** Returns whether the archive has all that was committed. */
async function stop({ app, parts, watch }: Serving, reason: string, error: unknown): Promise<boolean> {
  const { dispatcher, listening, inbound, submissions, unwatch, counting, stopAlarms, archive } = parts
  if (error !== undefined) app.log.error('stopping after a fatal error', { reason, error })
  else app.log.info('stopping', { reason })
  await watch.stop()
  unwatch()
  stopAlarms()
  const listeners = [...submissions, ...(inbound ? [inbound] : [])]
  await Promise.all([
    ...listeners.map((one) => one.close()),
    listening.stop(),
    dispatcher.stop(app.config.shutdownGraceMs),
  ])
  clearInterval(counting)
  await storeCounts(app)
  await recordPlace(app).catch(() => {})
  const isWhole = (await archive?.stop(app.config.shutdownGraceMs)) ?? false
  await app.close()
  return isWhole
}

async function storeCounts(app: App): Promise<void> {
  await writeCounts(app)
  await storeReplies(app)
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
