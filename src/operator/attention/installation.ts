// Attention items of the whole installation: settings, the machine, the mail server, the dispatcher. Nothing here makes an outside request;
// checks that need one belong to `paquebot doctor` and to jobs.

import { statSync } from 'node:fs'
import { Cron } from 'croner'
import { max, sql } from 'drizzle-orm'
import { processes } from '../../../db/tables/outbox.ts'
import type { App, Reader } from '../../core/app.ts'
import { databasePath, freeBytes } from '../../core/installation.ts'
import { serverOff } from '../../core/outbox/rescue.ts'
import { listSendingFaults } from '../../core/outbox/sending-faults.ts'
import { aliveSince, listRunning } from '../../core/processes.ts'
import { findUnknownMails } from '../../features/sending/activity/unknown-mails.ts'
import { day, hour, minute, second } from '../../kit/duration.ts'
import { sizeOf } from '../../kit/size.ts'
import { toFaultCause } from '../../mail/fault-cause.ts'
import { isAboutRelay } from '../../mail/refusal.ts'
import { type Fault, parseScope } from '../../mail/sending-hold.ts'
import { isLoopback } from '../../mail/smtp-url.ts'
import { isCapturing } from '../../people/domain-owners.ts'
import { archiveState } from '../archive/archive.ts'
import { lastBackup } from '../backup/last.ts'
import { hasRoom, isTicking } from '../health/health.ts'
import type { Vitals } from '../health/vitals.ts'
import { describeHeld, heldState } from '../quarantine/quarantine.ts'
import { loadRelays, ofRelay, type Relays } from './relay-faults.ts'
import type { Code, Finding } from './rules.ts'

const littleBytes = 500_000_000
const largeWalBytes = 1_000_000_000
/** How far clocks may differ, or be corrected. */
const toleratedMs = 5 * second

/** `vitals`: of the server that runs in this process. */
export async function aboutInstallation(
  app: App,
  vitals: Pick<Vitals, 'lastTickAt'> = { lastTickAt: () => null },
): Promise<Finding[]> {
  const faults = await listSendingFaults(app, app.clock.now(), 'none')
  return [
    ...(await quarantined(app)),
    ...(await behind(app)),
    ...(await stopped(app, vitals)),
    ...(await aboutCheckpoints(app)),
    ...(await aboutSyncs(app)),
    ...(await clockSetBack(app)),
    ...ofRoom({ freeBytes: freeBytes(app.config), hasRoom: hasRoom(app), walBytes: walBytes(app) }),
    ...(await aboutBackups(app)),
    ...aboutArchive(app),
    ...ofSettings(app),
    ...ofFaults(faults, { workspaceId: null, relays: await loadRelays(app), all: faults }),
  ]
}

/** An item without a time of its own dates from when it was first seen (attention.ts). */
function toFinding(code: Code, about: Partial<Finding> = {}): Finding {
  return { code, since: null, workspaceId: null, ...about }
}

async function quarantined(reader: Reader): Promise<Finding[]> {
  const held = await heldState(reader)
  return held === null ? [] : [toFinding('sending_held', { since: held.since, detail: describeHeld(held) })]
}

async function behind(app: App): Promise<Finding[]> {
  const unknown = await findUnknownMails(app, app.clock.now())
  if (unknown === null) return []
  return [toFinding('database_behind', { since: unknown.since, detail: `mails that are not in it: ${unknown.count}` })]
}

/** The dispatcher of this process if it has one, otherwise those of other processes. One that never ran is not missed. */
async function stopped(app: App, vitals: Pick<Vitals, 'lastTickAt'>): Promise<Finding[]> {
  const since = vitals.lastTickAt()
  if (since !== null) return isTicking(app, vitals) ? [] : [toFinding('dispatcher_stopped', { since })]
  const off = await serverOff(app)
  return off?.since ? [toFinding('server_off', { since: off.since })] : []
}

/** sqld may lose the turn of a writer that a checkpoint overtakes (docs/decisions/0031-turns-of-sqld.md). Other servers do not say. */
async function aboutCheckpoints(app: App): Promise<Finding[]> {
  if (app.database.kind === 'local' || (await listRunning(app.db, aliveSince(app))).length < 2) return []
  const asked = app.db.all<{ wal_autocheckpoint: number }>(sql`PRAGMA wal_autocheckpoint`)
  const rows = await Promise.resolve(asked).catch(() => [])
  return (rows[0]?.wal_autocheckpoint ?? 0) > 0 ? [toFinding('checkpoints_overtake')] : []
}

/** What `PRAGMA synchronous` answers where each commit is on the disk before it is answered: FULL. */
const syncsEachCommit = 2

/** On a server whose commits are not synced a power cut takes the last ones (docs/scaling.md). One that does not say is not accused. */
async function aboutSyncs(app: App): Promise<Finding[]> {
  if (app.database.kind === 'local') return []
  const asked = app.db.all<{ synchronous: number }>(sql`PRAGMA synchronous`)
  const rows = await Promise.resolve(asked).catch(() => [])
  return (rows[0]?.synchronous ?? syncsEachCommit) < syncsEachCommit ? [toFinding('commits_not_synced')] : []
}

async function clockSetBack(app: App): Promise<Finding[]> {
  const latest = await app.db
    .select({ at: max(processes.heartbeatAt) })
    .from(processes)
    .get()
  const aheadMs = (latest?.at?.getTime() ?? 0) - app.clock.now().getTime()
  return aheadMs <= toleratedMs ? [] : [toFinding('clock_set_back', { detail: `by ${Math.round(aheadMs / second)} s` })]
}

export interface Room {
  /** Null where it is not known. */
  freeBytes: number | null
  hasRoom: boolean
  walBytes: number
}

export function ofRoom({ freeBytes, hasRoom, walBytes }: Room): Finding[] {
  const left = { detail: `${sizeOf(freeBytes ?? 0)} are free` }
  const isLow = freeBytes !== null && freeBytes < littleBytes
  return [
    ...(hasRoom ? (isLow ? [toFinding('disk_low', left)] : []) : [toFinding('disk_full', left)]),
    ...(walBytes < largeWalBytes ? [] : [toFinding('wal_large', { detail: `it has ${sizeOf(walBytes)}` })]),
  ]
}

function walBytes({ config }: App): number {
  const path = databasePath(config)
  return path === null ? 0 : (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0)
}

/** A backup that somebody takes by other means counts for as long. */
const freshMs = 8 * day
/** What a backup may take. */
const patienceMs = 6 * hour

async function aboutBackups(app: App): Promise<Finding[]> {
  const { to, schedule } = app.config.backup
  if (to === undefined && isCapturing(app)) return []
  const last = await lastBackup(app)
  const detail = last === null ? 'there was none yet' : `the last is of ${last.takenAt.toISOString()}`
  const now = app.clock.now().getTime()
  if (to === undefined)
    return last !== null && now - last.takenAt.getTime() < freshMs ? [] : [toFinding('backup_none', { detail })]
  if (last === null) return [toFinding('backup_late', { detail })]
  const planned = new Cron(schedule, { timezone: 'UTC', paused: true }).nextRun(last.takenAt)
  const since = planned === null ? null : new Date(planned.getTime() + patienceMs)
  return since === null || since.getTime() > now ? [] : [toFinding('backup_late', { since, detail })]
}

/** What a base of a large database may take, or a store that is away for a moment. */
const archiveLagMs = 5 * minute

function aboutArchive(app: App): Finding[] {
  const { isOn, isForeign, coveredAt, startedAt, fault, lastGap } = app.own(archiveState)
  if (!isOn) return []
  if (isForeign)
    return [toFinding('archive_second_writer', lastGap === null ? {} : { detail: lastGap.why, since: lastGap.at })]
  const now = app.clock.now().getTime()
  const since = coveredAt ?? startedAt
  const isLate = now - since.getTime() > archiveLagMs
  return [
    ...(isLate ? [toFinding('archive_late', { since, detail: fault ?? lastGap?.why ?? 'there is no base yet' })] : []),
    ...(lastGap !== null && now - lastGap.at.getTime() < day
      ? [toFinding('archive_gap', { since: lastGap.at, detail: lastGap.why })]
      : []),
  ]
}

function ofSettings(app: App): Finding[] {
  if (isCapturing(app)) return [toFinding('capture_mode')]
  const { baseUrl, inboundDomain, inboundSmtpPort } = app.config
  const isLocal = isLoopback(new URL(baseUrl).hostname.replace(/^\[|\]$/g, ''))
  const unset =
    inboundDomain === undefined ? 'INBOUND_DOMAIN' : inboundSmtpPort === undefined ? 'INBOUND_SMTP_PORT' : null
  return [
    ...(isLocal ? [toFinding('links_local', { detail: `BASE_URL is ${baseUrl}` })] : []),
    ...(unset === null ? [] : [toFinding('bounces_unseen', { detail: `${unset} is unset` })]),
  ]
}

interface AroundFaults {
  workspaceId: string | null
  relays: Relays | null
  /** Of all relays that may carry the same mail. */
  all: Fault[]
}

/** A cause at a mail server is one item, however many receiving domains showed it; any other cause is one item per domain. */
export function ofFaults(faults: Fault[], { workspaceId, relays, all }: AroundFaults): Finding[] {
  const found = faults.map((fault) => {
    const finding = ofFault(fault, workspaceId)
    return relays === null ? finding : ofRelay(finding, fault, { relays, all })
  })
  const byDomain = Map.groupBy(
    found.filter(({ cause }) => cause === undefined),
    ({ thing }) => thing?.id,
  )
  const byCause = Map.groupBy(
    found.filter(({ cause }) => cause !== undefined),
    ({ cause, relayId }) => `${cause} ${relayId}`,
  )
  return [...[...byDomain.values()].flatMap((same) => same.slice(0, 1)), ...[...byCause.values()].flatMap(asOne)]
}

/** More than one domain is no longer a matter of each. */
function asOne(alike: Finding[]): Finding[] {
  const general = alike.find(({ thing }) => thing === undefined)
  if (general !== undefined || alike.length < 2) return general ? [general] : alike
  return alike.slice(0, 1).map(({ thing: _, ...first }) => first)
}

/**
 * What the mail server has against all mail, that of one workspace, or its mail to one receiving domain. What it has against us is never
 * told as the receiver's.
 */
export function ofFault(fault: Fault, workspaceId: string | null): Finding {
  const { scope, about, since, reply: detail, heldUntil } = fault
  const { domain } = parseScope(scope)
  const found = { since, workspaceId, detail, ...(domain !== null && { thing: { id: domain, name: domain } }) }
  if (domain !== null && !isAboutRelay(about)) return { ...found, code: 'receiver_refuses' }
  const cause = toFaultCause(fault)
  if (domain === null && heldUntil !== null) return { ...found, code: 'mail_held', cause }
  return { ...found, code: cause === 'sender' ? 'mail_refused' : 'mail_server_fails', cause }
}
