// paquebot serve: HTTP and the dispatcher until a signal. The first signal stops gracefully, a second one at once.

import { readAcknowledged } from '../../../db/commit-count.ts'
import { lockProcess } from '../../../db/lock.ts'
import { type App, createApp, write } from '../../core/app.ts'
import type { Config } from '../../core/config.ts'
import { commitsPath, databasePath, enterInstallation, type Opening } from '../../core/installation.ts'
import { Dispatcher } from '../../core/outbox/dispatcher.ts'
import { restoreHolds } from '../../core/outbox/sending-faults.ts'
import { storeReplies } from '../../core/receivers.ts'
import { followRelays } from '../../core/relays.ts'
import { servingLease } from '../../core/serving-lease.ts'
import { listenForMail } from '../../features/mailboxes/listen.ts'
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
  // Before the lock, because locking creates a file.
  enterInstallation(config, opening)
  const lock = lockDatabase(config)
  const lease = taken?.lease ?? (await enterLease(config))
  const ended = Promise.withResolvers<Ending>()
  listenForTheEnd(ended)
  // What is under way may neither be written nor mailed: to end at once is all that is left.
  lease?.onLost((why) => {
    say(`FENCED: the lease was lost: ${why}. Nothing is written or mailed from here any more`)
    process.exit(failed)
  })
  const commits = commitsPath(config)
  const acknowledged = commits === null ? null : readAcknowledged(commits)
  const app = await createApp(config, {
    opening,
    startSideThread,
    onFatal: (error) => ended.resolve({ reason: 'the disk failed', error }),
  })
  if (lease !== null) app.own(servingLease).holds = () => lease.holds()
  if (taken !== null) {
    const paused = await noteTakeOver(app, taken)
    removeState(config)
    if (paused > 0)
      say(`${paused} campaigns were paused: some of their last mails may have left; resume them when you know`)
  }
  await followRelays(app)
  const isFollowed = taken !== null
  const parts = await start(app, { alone: lock !== null, opening, ended, acknowledged, isFollowed }).catch(
    async (error) => {
      await app.close()
      throw error
    },
  )
  say(`listening on ${parts.listening.url}`)
  const { reason, error } = await ended.promise
  const isWhole = await stop(app, parts, reason, error)
  // After a failure another machine shall go on by itself.
  await lease?.release(isWhole && error === undefined)
  lock?.release()
  const ok = error === undefined
  return { json: { stopped: reason, ok }, lines: [], ok }
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
}

/** Null for a libSQL server, which several processes may share. */
function lockDatabase(config: Config) {
  const path = databasePath(config)
  if (path === null) return null
  const lock = lockProcess(path)
  if (!lock) throw new AppError('conflict', `another paquebot serves ${path}; stop it first`)
  return lock
}

async function start(app: App, { alone, opening, ended, acknowledged, isFollowed }: Start): Promise<ServerParts> {
  const isBehind = !isFollowed && (await askArchive(app))
  const held = await checkQuarantine(app, opening, { isBehind, acknowledged })
  const setUpPath = await prepareSetUp(app)
  const dispatcher = new Dispatcher(app, { kinds: jobKinds, schedules: listSchedules(app.config), alone, version })
  const vitals = { lastTickAt: () => dispatcher.lastTickAt(), inFlight: () => dispatcher.inFlight() }
  const { port, host, inboundSmtpPort } = app.config
  const inbound = inboundSmtpPort === undefined ? null : await listenForMail(app, { port: inboundSmtpPort, host })
  const submissions = await listenForSubmissions(app, host)
  const listening = startServer(app, { port, host, vitals })
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
async function stop(
  app: App,
  { dispatcher, listening, inbound, submissions, unwatch, counting, stopAlarms, archive }: ServerParts,
  reason: string,
  error: unknown,
): Promise<boolean> {
  if (error !== undefined) app.log.error('stopping after a fatal error', { reason, error })
  else app.log.info('stopping', { reason })
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
