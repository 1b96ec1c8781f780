// What a database error means: the caller's conflict, a database that is unavailable, or a bug. Errors of both drivers are mapped here.

import { AppError } from '../src/kit/error.ts'

/** SQLite's result codes for "not now": the work was rolled back and can be retried. */
const unavailable = [
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_CANTOPEN',
  'SQLITE_READONLY',
]
/** Codes for a libSQL server that did not answer in time, whose answer was lost, or that refuses connections. */
export const unresponsive = 'UNRESPONSIVE'
export const unreachable = 'UNREACHABLE'
export const refused = 'REFUSED'
/** The last four come from the server itself: it ended a transaction that took too long. */
const remoteUnavailable = [
  unresponsive,
  unreachable,
  refused,
  'TRANSACTION_CLOSED',
  'TRANSACTION_TIMEOUT',
  'TRANSACTION_BUSY',
  'STREAM_EXPIRED',
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

/** True when the server does not answer at all: the next request would wait just as long. */
export function isUnresponsive(error: unknown): boolean {
  const code = sqliteCode(error)
  return code === unresponsive || code === 'outcome_unknown'
}

/** True when somebody else holds the lock; nothing was written. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error) ?? ''
  return code.startsWith('SQLITE_BUSY') || code === 'TRANSACTION_BUSY'
}

/** True when a request may have been carried out although no answer arrived. */
export function isLost(error: unknown): boolean {
  const code = sqliteCode(error)
  return code === unresponsive || code === unreachable
}

/** True when a unique index or primary key refused a row. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, message } = databaseError(error) ?? { code: '', message: '' }
  if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') return true
  // Over HTTP a libSQL server sends only the plain code; which constraint failed is in the message.
  return code === 'SQLITE_CONSTRAINT' && message.includes('UNIQUE constraint failed')
}

/** True when the database, not the query, is at fault: locked, full, unreadable, or out of reach. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof AppError) return isOurs(error)
  const code = sqliteCode(error)
  if (isMoved(error)) return true
  return code !== null && (unavailable.some((prefix) => code.startsWith(prefix)) || remoteUnavailable.includes(code))
}

/** True when a value is too large for this database: 1 GB in a file, about 4 MB on a libSQL server. */
export function isTooBig(error: unknown): boolean {
  const { code, message } = databaseError(error) ?? { code: '', message: '' }
  return code === 'SQLITE_TOOBIG' || message.includes('string or blob too big')
}

/** True when what a query found is more than a libSQL server sends at once (10 MB). */
export function isAnswerTooLarge(error: unknown): boolean {
  return sqliteCode(error) === 'RESPONSE_TOO_LARGE'
}

/** What the database itself refuses every write with once it was moved (copy-fence.ts). */
export const movedMessage = 'this installation was moved to another database'

/** True when the database was moved elsewhere: nothing was written, and nothing will be here. */
export function isMoved(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++)
    if (cause.message.includes(movedMessage)) return true
  return false
}

/** True after a failed write to the disk. SQLite's cache can no longer be trusted, so the process must end (fsync is not retried). */
export function isFatal(error: unknown): boolean {
  return sqliteCode(error)?.startsWith('SQLITE_IOERR') ?? false
}

function isOurs({ code }: AppError): boolean {
  return code === 'database_unavailable' || code === 'outcome_unknown'
}

/** The answer to a commit was lost, and the server cannot say whether it was committed. */
export function outcomeUnknown(cause: unknown): AppError {
  const message = 'The database stopped answering while it wrote: nobody can say yet whether this was carried out.'
  const error = new AppError('outcome_unknown', message, { retryAfterSeconds })
  error.cause = cause
  return error
}

export function databaseUnavailable(cause: unknown): AppError {
  if (cause instanceof AppError && isOurs(cause)) return cause
  const isFull = sqliteCode(cause)?.startsWith('SQLITE_FULL') ?? false
  const message = isMoved(cause)
    ? 'The installation was moved to another database, from which it goes on: nothing was changed here.'
    : isFull
      ? 'The disk of the server is full: nothing was changed, and reading goes on. Whoever runs the server must make room.'
      : 'The database cannot serve this request now; nothing was changed.'
  const error = new AppError('database_unavailable', message, { retryAfterSeconds })
  error.cause = cause
  return error
}
