// The last backup that was checked, as the database remembers it; and the job that takes one.

import { existsSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { putInstallationValue } from '../../db/installation-value.ts'
import { installation } from '../../db/tables/workspaces.ts'
import { type App, type Reader, write } from '../app.ts'
import type { Config } from '../config.ts'
import { hour, minute } from '../lib/duration.ts'
import { defineJob } from '../outbox/job.ts'
import type { Taken } from './backup.ts'

const name = 'backup'

export interface LastBackup {
  /** A file, or its address in a store. */
  path: string
  bytes: number
  /** When the database was as it is in the backup, which was checked right then. */
  takenAt: Date
}

export async function noteBackup(app: App, { path, bytes, takenAt }: Taken): Promise<void> {
  const value = JSON.stringify({ path, bytes, takenAt })
  await write(app, (tx) => putInstallationValue(tx, name, value))
}

/** Null before the first. */
export async function lastBackup({ db }: Reader): Promise<LastBackup | null> {
  const [row] = await db.select().from(installation).where(eq(installation.name, name))
  if (!row) return null
  const { path, bytes, takenAt } = JSON.parse(row.value)
  return { path, bytes, takenAt: new Date(takenAt) }
}

/** Runs `paquebot backup`: copying and compressing would hold the thread that serves everybody. */
export const takeScheduledBackup = defineJob<Record<string, never>>({
  kind: 'backup',
  lane: 'maintenance',
  timeoutMs: 6 * hour,
  attemptsMax: 3,
  retryDelaysMs: [10 * minute, hour],
  async run(app, _job, { signal }) {
    const child = Bun.spawn([...self(), 'backup', '--json'], {
      env: settingsOf(app.config),
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
      signal,
    })
    // Whoever serves goes first.
    setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
    const said = await new Response(child.stderr).text()
    if ((await child.exited) === 0) return { outcome: 'done' }
    return { outcome: 'retry', code: 'backup_failed', detail: said.trim().slice(-500) }
  },
})

/** The command line of this program: the binary, or bun with the checkout. */
function self(): string[] {
  const main = join(import.meta.dir, '../main.ts')
  return existsSync(main) ? [process.execPath, main] : [process.execPath]
}

/** What the command reads from its environment. */
function settingsOf({ dataDir, databaseUrl, secretKey, s3, backup }: Config): Record<string, string> {
  const { to, keep, seal } = backup
  const sealing = { BACKUP_PASSPHRASE: '', BACKUP_RECIPIENT: '' }
  if (seal && 'passphrase' in seal) sealing.BACKUP_PASSPHRASE = seal.passphrase
  else if (seal) sealing.BACKUP_RECIPIENT = seal.recipient
  return {
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    SECRET_KEY: secretKey ?? '',
    BACKUP_TO: to ?? '',
    BACKUP_KEEP: String(keep),
    ...sealing,
    S3_ENDPOINT: s3.endpoint,
    S3_REGION: s3.region,
    S3_ACCESS_KEY_ID: s3.access?.keyId ?? '',
    S3_SECRET_ACCESS_KEY: s3.access?.secret ?? '',
  }
}
