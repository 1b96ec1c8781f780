// The archive of every commit: where to, and for how long.

import { second } from '../../kit/duration.ts'
import { ConfigError, type Reader } from '../../kit/environment.ts'
import type { S3Config } from '../../kit/store/store.ts'
import type { BackupConfig } from './backup.ts'
import { readStorePlace } from './s3.ts'

export const archiveSettings = [
  'ARCHIVE_URL',
  'ARCHIVE_DAYS',
  'ARCHIVE_EXACT_HOURS',
  'ARCHIVE_INTERVAL_MS',
  'ARCHIVE_SPOOL_MB',
  'STANDBY_LEASE_S',
]

export interface ArchiveConfig {
  /** A folder as an absolute path, or `s3://bucket/prefix`. Undefined = none. */
  to: string | undefined
  /** How far back can be restored. */
  days: number
  /** How long each commit can be restored; after that, states of each ten seconds. */
  exactHours: number
  /** How often what was committed is brought there. */
  intervalMs: number
  /** How much may wait while the store is unavailable. */
  spoolBytes: number
  /** How long the lease of a server with a standby lasts. Undefined = there is none, and no lease. */
  leaseMs: number | undefined
}

interface Around {
  s3: S3Config
  backup: BackupConfig
  databaseUrl: string
  directory: string
}

export function readArchive(read: Reader, { s3, backup, databaseUrl, directory }: Around): ArchiveConfig {
  const url = read.text('ARCHIVE_URL')
  if (url !== undefined && !databaseUrl.startsWith('file:'))
    throw new ConfigError(
      'ARCHIVE_URL is for a database in a file; with a libSQL server take backups more often (BACKUP_SCHEDULE), or start it with --enable-bottomless-replication',
    )
  if (url !== undefined && backup.seal === undefined)
    throw new ConfigError(
      'BACKUP_PASSPHRASE or BACKUP_RECIPIENT must be set for ARCHIVE_URL: the archive holds addresses, mail and keys',
    )
  return {
    to: url === undefined ? undefined : readStorePlace('ARCHIVE_URL', url, s3, directory),
    days: read.whole('ARCHIVE_DAYS', 7, 1, 3_650),
    exactHours: read.whole('ARCHIVE_EXACT_HOURS', 24, 0, 87_600),
    intervalMs: read.whole('ARCHIVE_INTERVAL_MS', 1_000, 50, 10_000),
    spoolBytes: read.whole('ARCHIVE_SPOOL_MB', 1_000, 1, 1_000_000) * 1_000_000,
    leaseMs: read.text('STANDBY_LEASE_S') === undefined ? undefined : readLeaseLength(read, url),
  }
}

function readLeaseLength(read: Reader, url: string | undefined): number {
  if (url === undefined) throw new ConfigError('STANDBY_LEASE_S needs ARCHIVE_URL: a standby follows the archive')
  return read.whole('STANDBY_LEASE_S', 15, 2, 600) * second
}
