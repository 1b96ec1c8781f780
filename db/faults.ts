// What a database error means: our caller's conflict, a database that cannot serve now, or a bug. Both drivers end here.

import { AppError } from '../src/lib/error.ts'

/** SQLite's result codes for "not now": the work was rolled back and may be tried again. */
const unavailable = [
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_CANTOPEN',
  'SQLITE_READONLY',
]
/** Code of a libSQL server that does not answer in time. */
export const unresponsive = 'UNRESPONSIVE'
const remoteUnavailable = [
  unresponsive,
  'SERVER_ERROR',
  'HRANA_WEBSOCKET_ERROR',
  'HRANA_CLOSED_ERROR',
  'TRANSACTION_CLOSED',
  'ECONNREFUSED',
  'ConnectionRefused',
]

const retryAfterSeconds = 1

/** The database's own error in a chain of causes, with SQLite's (extended) result code, e.g. `SQLITE_CONSTRAINT_UNIQUE`. */
function databaseError(error: unknown): { code: string; message: string } | null {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    const { message } = cause
    if ('extendedCode' in cause && typeof cause.extendedCode === 'string') return { code: cause.extendedCode, message }
    if ('code' in cause && typeof cause.code === 'string' && cause.code !== '') return { code: cause.code, message }
  }
  return null
}

/** SQLite's (extended) result code of an error of either driver, or null. */
export function sqliteCode(error: unknown): string | null {
  return databaseError(error)?.code ?? null
}

/** True when the server keeps silent: who waits behind this would only wait as long. */
export function isUnresponsive(error: unknown): boolean {
  return sqliteCode(error) === unresponsive
}

/** True when a unique index or primary key refused a row. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, message } = databaseError(error) ?? { code: '', message: '' }
  if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') return true
  // Over HTTP a libSQL server sends the plain code, and says which constraint only in words.
  return code === 'SQLITE_CONSTRAINT' && message.includes('UNIQUE constraint failed')
}

/** True when the database, not the query, is at fault: locked, full, unreadable, or out of reach. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'database_unavailable'
  const code = sqliteCode(error)
  return code !== null && (unavailable.some((prefix) => code.startsWith(prefix)) || remoteUnavailable.includes(code))
}

/** True when a value is larger than this database takes: 1 GB in a file, about 4 MB on a libSQL server. */
export function isTooBig(error: unknown): boolean {
  const { code, message } = databaseError(error) ?? { code: '', message: '' }
  return code === 'SQLITE_TOOBIG' || message.includes('string or blob too big')
}

/** True after a failed write to the disk: its cache can no longer be trusted, so the process must end (fsync is not retried). */
export function isFatal(error: unknown): boolean {
  return sqliteCode(error)?.startsWith('SQLITE_IOERR') ?? false
}

export function databaseUnavailable(cause: unknown): AppError {
  if (cause instanceof AppError && cause.code === 'database_unavailable') return cause
  const error = new AppError(
    'database_unavailable',
    'The database cannot serve this request now; nothing was changed.',
    {
      retryAfterSeconds,
    },
  )
  error.cause = cause
  return error
}
