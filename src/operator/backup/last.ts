// The last checked backup, as stored in the database; and the job that takes one.

import { findInstallationValue, putInstallationValue } from '../../../db/installation-value.ts'
import { type App, type Reader, write } from '../../core/app.ts'
import { defineJob } from '../../core/outbox/job.ts'
import { hour, minute } from '../../kit/duration.ts'
import type { BackupFile } from './backup.ts'
import { runBeside } from './child.ts'

const name = 'backup'

export interface LastBackup {
  /** A file, or its address in a store. */
  path: string
  bytes: number
  /** When the database was as it is in the backup, which was checked right then. */
  takenAt: Date
}

export async function noteBackup(app: App, { path, bytes, takenAt }: BackupFile): Promise<void> {
  const value = JSON.stringify({ path, bytes, takenAt })
  await write(app, (tx) => putInstallationValue(tx, name, value))
}

/** Null before the first. */
export async function lastBackup(reader: Reader): Promise<LastBackup | null> {
  const value = await findInstallationValue(reader, name)
  if (value === null) return null
  const { path, bytes, takenAt } = JSON.parse(value)
  return { path, bytes, takenAt: new Date(takenAt) }
}

/** Runs `paquebot backup` beside the server. */
export const takeScheduledBackup = defineJob<Record<string, never>>({
  kind: 'backup',
  lane: 'maintenance',
  timeoutMs: 6 * hour,
  attemptsMax: 3,
  retryDelaysMs: [10 * minute, hour],
  async run(app, _job, { signal }) {
    const detail = await runBeside(app.config, ['backup', '--json'], { signal })
    return detail === null ? { outcome: 'done' } : { outcome: 'retry', code: 'backup_failed', detail }
  },
})
