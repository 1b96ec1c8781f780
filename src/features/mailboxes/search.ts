// Searches the mail that a mailbox received, the newest first. One index leads the walk: that of the words, that of a label, or the list
// itself; the other conditions are looked at on the way. A request walks past a limited number of mails and returns where the next goes on.

import { and, eq, gte, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm'
import { receivedMessages } from '../../../db/tables/mailboxes.ts'
import type { App, Reader } from '../../core/app.ts'
import { hour } from '../../kit/duration.ts'
import { AppError, invalidField } from '../../kit/error.ts'
import { firstId } from '../../kit/id.ts'
import { parseTime } from '../../kit/time.ts'
import { nextTurn } from '../../kit/turn.ts'
import { toLabelKey } from './labels.ts'
import type { ReceivedMessage } from './receive.ts'
import { firstNumber } from './search-index.ts'
import { type SearchWords, toSearchExpression } from './search-text.ts'
import { withSnippets } from './snippets.ts'

export interface MailSearch extends SearchWords {
  label?: string | undefined
  unread?: boolean | undefined
  hasAttachments?: boolean | undefined
  /** ISO 8601 with an offset: received before it, and at it or after. */
  before?: string | undefined
  after?: string | undefined
}

export interface PageStart {
  limit: number
  /** `next` of the page before. */
  at: string | undefined
}

export interface MailPage {
  rows: ReceivedMessage[]
  /** Of each row: where a page goes on behind it. */
  places: string[]
  /** Where the next page goes on; null at the end. A page with one may be short, or empty: it was walked far. */
  next: string | null
}

/** One request walks past so many mails. */
const mostWalked = 50_000
const walkedAtOnce = 1_000

/** Throws 422, and 400 for a cursor of something else. */
export async function searchReceived(
  app: App,
  mailboxId: string,
  search: MailSearch,
  { limit, at }: PageStart,
): Promise<MailPage> {
  const { label, unread, hasAttachments } = search
  const { readAt, attachmentCount } = receivedMessages
  const times = timesOf(search)
  const conditions = [
    times.after && gte(receivedMessages.createdAt, times.after),
    times.before && lt(receivedMessages.createdAt, times.before),
    unread === undefined ? undefined : unread ? isNull(readAt) : sql`${readAt} IS NOT NULL`,
    hasAttachments === undefined ? undefined : hasAttachments ? sql`${attachmentCount} > 0` : eq(attachmentCount, 0),
    label === undefined ? undefined : hasLabel(mailboxId, toLabelKey(label)),
  ]
  const found = await walk(app, pathOf(mailboxId, search, times), { limit, at, wanted: and(...conditions) })
  return { ...found, rows: await withSnippets(app, found.rows) }
}

function hasLabel(mailboxId: string, key: string): SQL {
  const id = sql`${receivedMessages}.id`
  return sql`EXISTS (SELECT 1 FROM received_labels AS l WHERE l.mailbox_id = ${mailboxId} AND l.label_key = ${key} AND l.received_id = ${id})`
}

interface Times {
  before: Date | undefined
  after: Date | undefined
}

function timesOf({ before, after }: MailSearch): Times {
  return { before: timeOf('before', before), after: timeOf('after', after) }
}

function timeOf(path: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const time = parseTime(text)
  if (time) return time
  throw invalidField(path, 'must be an ISO 8601 time with an offset, like 2027-01-15T12:00:00Z', 'invalid_time')
}

/** Mails from the newest to the oldest: `steps` are some ids of them behind `at`, each with its place. */
export interface Path {
  /** What a place of this path looks like. */
  place: RegExp
  first: string
  steps: (at: string, limit: number) => SQL
}

function pathOf(mailboxId: string, search: MailSearch, times: Times): Path {
  const expression = toSearchExpression(mailboxId, search)
  if (expression !== null) return wordPath(mailboxId, expression, times)
  return search.label === undefined
    ? listPath(mailboxId, times)
    : labelPath(mailboxId, toLabelKey(search.label), idBounds(times))
}

/** Numbers are written out: to a libSQL server a parameter travels as a floating point number. */
function wordPath(mailboxId: string, expression: string, { before, after }: Times): Path {
  const least = sql.raw(String(after ? firstNumber(after) : 0))
  return {
    place: /^\d{1,16}$/,
    first: String(before ? firstNumber(before) : Number.MAX_SAFE_INTEGER),
    steps: (at, limit) => sql`SELECT t.received_id AS id, CAST(t.number AS TEXT) AS place
      FROM (SELECT rowid AS number FROM mail_search WHERE mail_search MATCH ${expression}
        AND rowid < ${sql.raw(at)} AND rowid >= ${least} ORDER BY rowid DESC LIMIT ${limit}) AS found
      CROSS JOIN received_texts AS t ON t.number = found.number AND t.mailbox_id = ${mailboxId} ORDER BY t.number DESC`,
  }
}

/** Behind every id. */
const last = '\x7f'
const anId = /^(\x7f|rcv_[0-9a-f]{12,32})$/

/** An id is made a moment before its mail is stored. */
function idBounds({ before, after }: Times) {
  return {
    first: before ? firstId('rcv', before) : last,
    least: after ? firstId('rcv', new Date(after.getTime() - hour)) : '',
  }
}

/** Every mail. */
export function listPath(mailboxId: string, times: Times = { before: undefined, after: undefined }): Path {
  const { first, least } = idBounds(times)
  return {
    place: anId,
    first,
    steps: (at, limit) => sql`SELECT id, id AS place FROM received_messages
      WHERE mailbox_id = ${mailboxId} AND id < ${at} AND id >= ${least} ORDER BY id DESC LIMIT ${limit}`,
  }
}

function labelPath(mailboxId: string, key: string, { first, least }: { first: string; least: string }): Path {
  return {
    place: anId,
    first,
    steps: (at, limit) => sql`SELECT received_id AS id, received_id AS place FROM received_labels
      WHERE mailbox_id = ${mailboxId} AND label_key = ${key} AND received_id < ${at} AND received_id >= ${least}
      ORDER BY received_id DESC LIMIT ${limit}`,
  }
}

export interface Walking extends PageStart {
  wanted: SQL | undefined
}

/** The first `limit` of the path that are `wanted`. Throws 400 for a place of another path. */
export async function walk(app: App, path: Path, { limit, at, wanted }: Walking): Promise<MailPage> {
  if (at !== undefined && !path.place.test(at))
    throw new AppError('invalid_cursor', 'cursor is not a nextCursor of this search')
  const found: { row: ReceivedMessage; place: string }[] = []
  let from = at ?? path.first
  // Where nothing else is asked, one more than a page is enough.
  const size = wanted === undefined ? limit + 1 : walkedAtOnce
  for (let walked = 0; walked < mostWalked && found.length <= limit; walked += size) {
    if (walked > 0) await nextTurn()
    const steps = await app.db.all<{ id: string; place: string }>(path.steps(from, size))
    found.push(...(await listWanted(app, steps, { wanted, limit: limit + 1 - found.length })))
    if (steps.length < size) return pageOf(found, limit, null)
    from = steps.at(-1)?.place ?? from
  }
  return pageOf(found, limit, from)
}

/** `end`: where the walk stopped. */
function pageOf(found: { row: ReceivedMessage; place: string }[], limit: number, end: string | null): MailPage {
  const shown = found.slice(0, limit)
  const next = found.length > limit ? (shown.at(-1)?.place ?? null) : end
  return { rows: shown.map(({ row }) => row), places: shown.map(({ place }) => place), next }
}

async function listWanted(
  { db }: Reader,
  steps: { id: string; place: string }[],
  { wanted, limit }: { wanted: SQL | undefined; limit: number },
): Promise<{ row: ReceivedMessage; place: string }[]> {
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(steps.map(({ id }) => id))}))`
  const conditions = and(sql`${receivedMessages.id} IN ${ids}`, wanted)
  // Of a thousand few are wanted, and their order is that of the steps.
  const kept = await db.select({ id: receivedMessages.id }).from(receivedMessages).where(conditions)
  const isKept = new Set(kept.map(({ id }) => id))
  const first = steps.filter(({ id }) => isKept.has(id)).slice(0, limit)
  if (first.length === 0) return []
  const rows = await db
    .select()
    .from(receivedMessages)
    .where(
      inArray(
        receivedMessages.id,
        first.map(({ id }) => id),
      ),
    )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return first.flatMap(({ id, place }) => {
    const row = byId.get(id)
    return row ? [{ row, place }] : []
  })
}
