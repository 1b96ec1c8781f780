// Backups that are made by themselves: where to, when, and what seals them.

import { CronPattern } from 'croner'
import { ConfigError, type Reader } from '../../kit/environment.ts'
import type { S3Config } from '../../kit/store/store.ts'
import { minSecretLength } from './kinds.ts'
import { readStorePlace } from './s3.ts'

export const backupSettings = ['BACKUP_TO', 'BACKUP_SCHEDULE', 'BACKUP_KEEP', 'BACKUP_PASSPHRASE', 'BACKUP_RECIPIENT']

export interface BackupConfig {
  /** A folder as an absolute path, or `s3://bucket/prefix`. Undefined = no backup by itself. */
  to: string | undefined
  /** A croner pattern, in UTC. */
  schedule: string
  /** How many are kept. */
  keep: number
  /** What seals a backup: a passphrase, or the public key of those who may open it (age). */
  seal: { passphrase: string } | { recipient: string } | undefined
}

/** Each night at a quiet hour. */
const defaultBackupSchedule = '23 2 * * *'
const mostBackups = 10_000

export function readBackup(read: Reader, s3: S3Config, directory: string): BackupConfig {
  const [to, passphrase, recipient] = ['BACKUP_TO', 'BACKUP_PASSPHRASE', 'BACKUP_RECIPIENT'].map(read.text)
  const schedule = read.text('BACKUP_SCHEDULE') ?? defaultBackupSchedule
  if (!isSchedule(schedule))
    throw new ConfigError(`BACKUP_SCHEDULE must be like "23 2 * * *" (in UTC), not ${JSON.stringify(schedule)}`)
  if (passphrase !== undefined && recipient !== undefined)
    throw new ConfigError(
      'BACKUP_PASSPHRASE and BACKUP_RECIPIENT cannot be combined: only one of them encrypts a backup',
    )
  if (passphrase !== undefined && passphrase.length < minSecretLength)
    throw new ConfigError(`BACKUP_PASSPHRASE must have at least ${minSecretLength} characters`)
  if (recipient !== undefined && !/^age1[a-z0-9]{20,}$/.test(recipient))
    throw new ConfigError(`BACKUP_RECIPIENT must be a public key of age, like age1…, not ${JSON.stringify(recipient)}`)
  const seal = passphrase !== undefined ? { passphrase } : recipient !== undefined ? { recipient } : undefined
  if (to !== undefined && seal === undefined)
    throw new ConfigError(
      'BACKUP_PASSPHRASE or BACKUP_RECIPIENT must be set too: a backup holds addresses, mail and keys',
    )
  const keep = read.whole('BACKUP_KEEP', 7, 1, mostBackups)
  return { to: to === undefined ? undefined : readStorePlace('BACKUP_TO', to, s3, directory), schedule, keep, seal }
}

function isSchedule(pattern: string): boolean {
  try {
    return new CronPattern(pattern) instanceof CronPattern
  } catch {
    return false
  }
}
