// GET /metrics: what this process counted (kit/measures.ts), and what the database and the machine say at this moment.

import { statSync } from 'node:fs'
import { and, gt, isNotNull, sql } from 'drizzle-orm'
import { confirmationMails, holders } from '../../../db/tables/lists.ts'
import { webhookEndpoints } from '../../../db/tables/webhooks.ts'
import type { App } from '../../core/app.ts'
import { databasePath, freeBytes } from '../../core/installation.ts'
import { oldestDueOfAll, outboxDepth } from '../../core/outbox/depth.ts'
import { listGeneralFaults } from '../../core/outbox/sending-faults.ts'
import { second } from '../../kit/duration.ts'
import { gauge, measures, total } from '../../kit/measures.ts'
import { version } from '../../kit/version.ts'
import { archiveState } from '../archive/archive.ts'
import { lastBackup } from '../backup/last.ts'
import type { Vitals } from './vitals.ts'

export async function metricsText(app: App, vitals: Vitals): Promise<string> {
  const counters = [...Object.values(app.own(measures)), ...(app.tracer === null ? [] : [app.tracer.counted])]
  const counted = counters.flatMap((one) => one.lines())
  const lines = [
    ...gauge('paquebot_info', 'Version of this process.', [[{ version }, 1]]),
    ...(await ofOutbox(app, vitals)),
    ...(await ofDelivery(app)),
    ...ofDatabase(app),
    ...(await ofBackups(app)),
    ...ofArchive(app),
    ...counted,
    ...ofProcess(),
  ]
  return `${lines.join('\n')}\n`
}

async function ofOutbox(app: App, { inFlight, lastTickAt }: Vitals): Promise<string[]> {
  const depth = await outboxDepth(app)
  const now = app.clock.now().getTime()
  const late = (at: Date) => Math.max(0, now - at.getTime()) / second
  const tick = lastTickAt()
  return [
    ...gauge(
      'paquebot_outbox_jobs',
      'Jobs of the outbox by lane and state.',
      depth.map(({ lane, state, count }) => [{ lane, state }, count]),
    ),
    ...gauge(
      'paquebot_outbox_late_seconds',
      'For how long the oldest job of a lane has been due.',
      (await oldestDueOfAll(app)).map(({ lane, dueAt }) => [{ lane }, late(dueAt)]),
    ),
    ...gauge(
      'paquebot_jobs_in_flight',
      'Jobs that this process works on, by lane.',
      Object.entries(inFlight()).map(([lane, count]) => [{ lane }, count]),
    ),
    ...gauge(
      'paquebot_dispatcher_tick_age_seconds',
      'Since the dispatcher last polled the outbox.',
      tick === null ? [] : [[{}, late(tick)]],
    ),
  ]
}

async function ofDelivery(app: App): Promise<string[]> {
  const faults = await listGeneralFaults(app, app.clock.now())
  const refusing = (held: boolean) => faults.filter(({ heldUntil }) => (heldUntil !== null) === held).length
  const { status } = webhookEndpoints
  const endpoints = await app.db.select({ status, count: sql<number>`count(*)` }).from(webhookEndpoints).groupBy(status)
  const { sentAt } = confirmationMails
  const held = await app.db
    .select({ by: confirmationMails.heldBy, count: sql<number>`count(*)` })
    .from(confirmationMails)
    .where(and(gt(sentAt, app.clock.now()), isNotNull(confirmationMails.heldBy)))
    .groupBy(confirmationMails.heldBy)
  return [
    ...gauge(
      'paquebot_confirmations_held',
      'Confirmation mails that wait for a limit of an address, a network or a source.',
      holders.map((by) => [{ by }, held.find((one) => one.by === by)?.count ?? 0]),
    ),
    ...gauge('paquebot_sending_faults', 'A relay refuses a workspace, or all mail.', [
      [{ held: 'true' }, refusing(true)],
      [{ held: 'false' }, refusing(false)],
    ]),
    ...gauge(
      'paquebot_webhook_endpoints',
      'Webhook endpoints by status.',
      endpoints.map(({ status, count }) => [{ status }, count]),
    ),
  ]
}

function ofDatabase(app: App): string[] {
  const { groups, units, seconds } = app.database.writer.committed
  const path = databasePath(app.config)
  const sizes =
    path === null
      ? []
      : [
          { file: 'database', path },
          { file: 'log', path: `${path}-wal` },
        ]
  const free = freeBytes(app.config)
  return [
    ...total('paquebot_commits_total', 'Groups of writes, each one transaction.', groups),
    ...total('paquebot_commit_units_total', 'Writes in these groups.', units),
    ...total('paquebot_commit_seconds_total', 'What these groups took, with their way to the disk.', seconds),
    ...gauge(
      'paquebot_database_bytes',
      'Size of the files of the database.',
      sizes.map(({ file, path }) => [{ file }, statSync(path, { throwIfNoEntry: false })?.size ?? 0]),
    ),
    ...gauge('paquebot_disk_free_bytes', 'Room on the disk of the database.', free === null ? [] : [[{}, free]]),
  ]
}

async function ofBackups(app: App): Promise<string[]> {
  const last = await lastBackup(app)
  return gauge(
    'paquebot_backup_timestamp_seconds',
    'When the last backup that was restored and checked was taken.',
    last === null ? [] : [[{}, last.takenAt.getTime() / second]],
  )
}

function ofArchive(app: App): string[] {
  const { isOn, coveredAt, spoolBytes, generation, gaps } = app.own(archiveState)
  if (!isOn) return []
  const lag = coveredAt === null ? [] : [app.clock.now().getTime() - coveredAt.getTime()]
  return [
    ...gauge(
      'paquebot_archive_lag_seconds',
      'Everything committed before this time is in the archive, and can be restored.',
      lag.map((ms) => [{}, Math.max(0, ms) / second]),
    ),
    ...gauge('paquebot_archive_spool_bytes', 'What waits to be brought to the archive.', [[{}, spoolBytes]]),
    ...gauge('paquebot_archive_generation', 'That is being written.', [[{}, generation ?? 0]]),
    ...total(
      'paquebot_archive_gaps_total',
      'How often commits may have been missed, so that a new generation was started.',
      gaps,
    ),
  ]
}

function ofProcess(): string[] {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return [
    ...gauge('process_resident_memory_bytes', 'Resident memory.', [[{}, rss]]),
    ...gauge('process_heap_used_bytes', 'Heap in use.', [[{}, heapUsed]]),
    ...total('process_cpu_seconds_total', 'CPU time.', (user + system) / 1e6),
    ...gauge('process_uptime_seconds', 'Time since the start.', [[{}, process.uptime()]]),
  ]
}
