// Idempotency-Key: the reply is stored in the transaction of the effect, so neither exists without the other. A repeat gets the stored
// reply. A request that was refused (4xx) or failed wrote nothing, so its key is free again.

import { lte, sql } from 'drizzle-orm'
import { isUniqueViolation } from '../../../db/faults.ts'
import type { Db, ReadDb } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { toRows } from '../../../db/rows.ts'
import { idempotencyKeys } from '../../../db/tables/workspaces.ts'
import { withDeadline } from '../../kit/deadline.ts'
import { day, second } from '../../kit/duration.ts'
import { AppError, type ErrorCode, type ErrorDetails, invalidField } from '../../kit/error.ts'
import { withFiles } from '../../kit/lifted-files.ts'
import { createPace } from '../../kit/turn.ts'
import { type App, type Reader, type Tx, write } from '../app.ts'

const retentionMs = 7 * day
/** How long a repeat waits for the first request to finish. */
const patienceMs = second
const keyPattern = /^[\x20-\x7e]{1,256}$/
const deletedAtOnce = 200
const sliceBytes = 1024 * 1024

export interface KeyedRequest {
  workspaceId: string
  /** The route, e.g. `POST /v1/events/send`; the same key on another route is another key. */
  route: string
  /** From readIdempotencyKey(); null = the caller gave none, and the unit simply runs. */
  key: string | null
  /** The parsed body: bodies are equal when their members are, in any order. */
  body: unknown
}

export interface Answer<T> {
  status: number
  response: T
}

/** A refusal that has an effect (it wrote a row, e.g. the log of a suppressed send): it is stored, and thrown after the commit. */
export interface KeptRefusal {
  refusal: AppError
}

type Unit<T> = (tx: Tx) => Promise<Answer<T> | KeptRefusal>

/** Everything that needs no transaction: validates the request and returns what is left to write. Skipped for a repeat. */
export type Prepare<T> = () => Promise<Unit<T>>

/** The stored reply. */
type StoredReply<T> = { answer: T } | { refusal: { code: ErrorCode; message: string; details: ErrorDetails } }

/** The outcome of a request, returned now and to its repeats. */
export interface Outcome<T> {
  status: number
  kept: StoredReply<T>
  replayed: boolean
}

/** The key under which an outcome is stored. */
export interface RequestKey {
  workspaceId: string
  route: string
  key: string
  requestHash: string
}

/** Writes what was prepared and, if there is a key, its outcome (keepOutcomes). */
export type Commit<P, T> = (prepared: P, key: RequestKey | null) => Promise<Outcome<T>>

/** Reads the header of a request. Throws 422 unless it has 1 to 256 printable ASCII characters; null when there is none. */
export function readIdempotencyKey(request: Request): string | null {
  const key = request.headers.get('idempotency-key')
  if (key === null || keyPattern.test(key)) return key
  throw invalidField('Idempotency-Key', 'An Idempotency-Key has 1 to 256 printable ASCII characters.')
}

/**
 * Runs what `prepare` returns once for all equal requests with one key, and gives each the same answer. Throws what either throws;
 * `idempotency_key_mismatch` for another body; `idempotency_key_in_use` when the first is still running after a second. The unit runs
 * inside write(): it may run twice, so it must have no effect besides its queries.
 */
export async function idempotent<T>(
  app: App,
  request: KeyedRequest,
  prepare: Prepare<T>,
): Promise<Answer<T> & { replayed: boolean }> {
  return await idempotentBy<Unit<T>, T>(app, request, prepare, (unit, key) =>
    write(app, async (tx) => {
      const outcome = toOutcome(await unit(tx))
      await keepOutcomes(tx, [{ key, outcome }])
      return outcome
    }),
  )
}

/** The same for a route that writes in its own way. */
export async function idempotentBy<P, T>(
  app: App,
  request: KeyedRequest,
  prepare: () => Promise<P>,
  commit: Commit<P, T>,
): Promise<Answer<T> & { replayed: boolean }> {
  const { key } = request
  const outcome =
    key === null ? await commit(await prepare(), null) : await runKeyed(app, { ...request, key }, prepare, commit)
  if ('answer' in outcome.kept) {
    return { status: outcome.status, response: outcome.kept.answer, replayed: outcome.replayed }
  }
  const { code, message, details } = outcome.kept.refusal
  throw new AppError(code, message, outcome.replayed ? { ...details, headers: replayedHeaders } : details)
}

const replayedHeaders = { 'idempotency-replayed': 'true' }

/** Sets the status and `Idempotency-Replayed` of a reply on the response, and returns its body. */
export function reply<T>(
  set: { status?: number | string; headers: Record<string, string | number> },
  { status, response, replayed }: Answer<T> & { replayed: boolean },
): T {
  set.status = status
  if (replayed) Object.assign(set.headers, replayedHeaders)
  return response
}

/** Deletes some expired keys (for the maintenance job). Returns how many. */
export async function deleteExpiredKeys(tx: Tx): Promise<number> {
  const expired = tx.db
    .select({ workspaceId: idempotencyKeys.workspaceId, route: idempotencyKeys.route, key: idempotencyKeys.key })
    .from(idempotencyKeys)
    .where(lte(idempotencyKeys.expiresAt, tx.now))
    .limit(deletedAtOnce)
  const deleted = await tx.db
    .delete(idempotencyKeys)
    .where(sql`(workspace_id, route, key) IN ${expired}`)
    .returning({ key: idempotencyKeys.key })
  return deleted.length
}

type Keyed = KeyedRequest & { key: string }

/** Requests with a key that are running, so that a repeat waits for the first instead of queueing a write behind it. */
const running = () => new Map<string, Promise<void>>()

async function runKeyed<P, T>(
  app: App,
  request: Keyed,
  prepare: () => Promise<P>,
  commit: Commit<P, T>,
): Promise<Outcome<T>> {
  const names = app.own(running)
  const { workspaceId, route, key } = request
  const name = JSON.stringify([workspaceId, route, key])
  const requestKey = { workspaceId, route, key, requestHash: await digestText(canonical(request.body)) }
  const first = names.get(name)
  if (
    first &&
    !(await withDeadline(
      first.then(() => true),
      patienceMs,
      false,
    ))
  )
    throw inUse()
  const work = runUnlessKept(app, requestKey, prepare, commit)
  const ended = work.then(ignore, ignore)
  names.set(name, ended)
  try {
    return await work
  } finally {
    if (names.get(name) === ended) names.delete(name)
  }
}

async function runUnlessKept<P, T>(
  app: App,
  key: RequestKey,
  prepare: () => Promise<P>,
  commit: Commit<P, T>,
): Promise<Outcome<T>> {
  const [replay] = await findOutcomes<T>(app, [key], app.clock.now())
  if (replay) return replay
  const prepared = await prepare()
  try {
    return await commit(prepared, key)
  } catch (error) {
    // Another process may have been faster; then its reply counts.
    const [kept] = isUniqueViolation(error) ? await findOutcomes<T>(app, [key], app.clock.now()) : []
    if (!kept) throw error
    return kept
  }
}

/** The stored form: an answer, or a refusal with an effect. */
export function toOutcome<T>(result: Answer<T> | KeptRefusal): Outcome<T> {
  if (!('refusal' in result)) return { status: result.status, kept: { answer: result.response }, replayed: false }
  const { code, message, details } = result.refusal
  return { status: 0, kept: { refusal: { code, message, details } }, replayed: false }
}

function outcomeIn<T>(
  row: typeof idempotencyKeys.$inferSelect | undefined,
  requestHash: string,
  now: Date,
): Outcome<T> | null {
  if (!row || row.expiresAt <= now) return null
  if (row.requestHash !== requestHash) {
    throw new AppError('idempotency_key_mismatch', 'This Idempotency-Key was already used with another body.')
  }
  return { status: row.status, kept: row.response as StoredReply<T>, replayed: true }
}

const { workspaceId, route, key, requestHash, status, response, createdAt, expiresAt } = idempotencyKeys
const requestRows = toRows({ workspaceId, route, key })
const keys = toRows({ workspaceId, route, key, requestHash, status, response }, { createdAt, expiresAt })

const byKeys = prepared((db: ReadDb) =>
  db
    .select()
    .from(idempotencyKeys)
    .where(sql`(workspace_id, route, key) IN ${requestRows.pick('workspaceId', 'route', 'key')}`)
    .prepare(),
)

const requestName = ({ workspaceId, route, key }: Omit<RequestKey, 'requestHash'>) =>
  JSON.stringify([workspaceId, route, key])

/** The stored outcomes of requests: of one without a key, and of a new one, null. Throws `idempotency_key_mismatch` when a key was used for another. */
export async function findOutcomes<T>(
  reader: Reader,
  list: (RequestKey | null)[],
  now: Date,
): Promise<(Outcome<T> | null)[]> {
  const given = list.filter((one) => one !== null)
  const rows = given.length === 0 ? [] : await byKeys(reader.db).all(requestRows.given(given))
  const byName = new Map(rows.map((row) => [requestName(row), row]))
  return list.map((one) => one && outcomeIn(byName.get(requestName(one)), one.requestHash, now))
}

const forgetExpired = prepared((db: Db) =>
  db
    .delete(idempotencyKeys)
    .where(
      sql`(workspace_id, route, key) IN ${keys.pick('workspaceId', 'route', 'key')} AND expires_at <= ${keys.shared.createdAt}`,
    )
    .prepare(),
)

const insertKeys = keys.adding(idempotencyKeys, { ...keys.each, ...keys.shared })

/**
 * Stores the outcomes of requests with a key, in the transaction of their effects. A key that another process stored meanwhile violates
 * uniqueness.
 */
export async function keepOutcomes<T>(tx: Tx, list: { key: RequestKey | null; outcome: Outcome<T> }[]): Promise<void> {
  const rows = list.flatMap(({ key, outcome: { status, kept } }) => (key ? [{ ...key, status, response: kept }] : []))
  if (rows.length === 0) return
  const times = { createdAt: tx.now, expiresAt: new Date(tx.now.getTime() + retentionMs) }
  await forgetExpired(tx.db).run(keys.given(rows, times))
  await insertKeys(tx.db, rows, times)
}

/** Hashes a large text slice by slice, with the files that it stands for. */
async function digestText(text: string): Promise<string> {
  const pace = createPace()
  const hash = new Bun.CryptoHasher('sha256')
  for (const part of withFiles(text)) {
    const bytes = Buffer.from(part)
    for (let at = 0; at < bytes.length; at += sliceBytes) {
      await pace()
      hash.update(bytes.subarray(at, at + sliceBytes))
    }
  }
  return hash.digest('hex')
}

/** JSON with the members of each object in order. (A replacer would make a large body ten times as slow.) */
function canonical(value: unknown): string {
  return JSON.stringify(inOrder(value)) ?? ''
}

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(inOrder)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member)]))
}

function ignore(): void {}

function inUse(): AppError {
  return new AppError('idempotency_key_in_use', 'The first request with this Idempotency-Key is still running.', {
    retryAfterSeconds: 1,
  })
}
