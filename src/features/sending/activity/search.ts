// Finds messages by a search, newest first. An index says in which blocks of messages to look (search-index.ts), or, for a key or an
// eventful status, which messages; each request looks at a limited number of them, so that it takes as long at a thousand messages as at
// ten million. A page may therefore have fewer results than there was room for, and still a next one.

import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import { eventfulStatuses, isEventful, type MessageStatus, messages } from '../../../../db/tables/messages.ts'
import type { Reader } from '../../../core/app.ts'
import { firstId } from '../../../kit/id.ts'
import { type Message, withEvents } from './activity.ts'
import { blockSize, indexedFields, missingBlocks, toTerm } from './search-index.ts'
import { type Condition, lowered, type Search } from './search-language.ts'

/** One request looks at no more. */
const maxBlocks = 64
/** The same for messages that an index names one by one, which often lie in the same blocks. */
const maxNamed = 2_000
/** Messages get their ids a moment before their rowids, and several processes may have several clocks. */
const disorder = 1_024

export interface SearchPage {
  records: Awaited<ReturnType<typeof withEvents>>
  /** Found by this request, on this page or behind it. */
  found: number
  /** The rowid from which the next page goes down; null at the end. */
  next: number | null
}

/** `from`: `next` of the page before. */
export async function searchActivity(
  reader: Reader,
  workspaceId: string,
  search: Search,
  { from, limit }: { from: number | null; limit: number },
): Promise<SearchPage> {
  const range = await findRange(reader, search, from)
  const { blocks, isAll } = await candidates(reader, workspaceId, search, range)
  const found = await lookInto(reader, workspaceId, search, range, blocks)
  const shown = found.slice(0, limit)
  const lowest = blocks.at(-1) ?? 0
  const behind = found.length > limit ? (shown.at(-1) ?? 0) - 1 : lowest * blockSize - 1
  return {
    records: await loadRecords(reader, shown),
    found: found.length,
    next: (found.length > limit || !isAll) && behind >= range.oldest ? behind : null,
  }
}

/** Rowids, both included. */
interface Range {
  newest: number
  oldest: number
}

async function findRange(reader: Reader, { after, before }: Search, from: number | null): Promise<Range> {
  const [row] = await reader.db.all<{ newest: number | null }>(sql`SELECT max(rowid) AS newest FROM messages`)
  const newest = Math.min(from ?? Number.POSITIVE_INFINITY, row?.newest ?? 0)
  const until = before ? (await rowsBefore(reader, before)).newest + disorder : newest
  const since = after ? (await rowsBefore(reader, after)).oldest - disorder : 0
  return { newest: Math.min(newest, until), oldest: Math.max(since, 0) }
}

/** Some of the last ones that were made before `at`. */
async function rowsBefore(reader: Reader, at: Date): Promise<Range> {
  const [row] = await reader.db.all<{ newest: number | null; oldest: number | null }>(
    sql`SELECT max(number) AS newest, min(number) AS oldest FROM (
      SELECT rowid AS number FROM messages WHERE id < ${firstId('msg', at)} ORDER BY id DESC LIMIT ${blockSize})`,
  )
  return { newest: row?.newest ?? 0, oldest: row?.oldest ?? 0 }
}

/** Blocks in which there may be something, the newest first, and whether these are all. */
async function candidates(reader: Reader, workspaceId: string, search: Search, range: Range) {
  const named = toIndexedConditions(workspaceId, search)
  if (named) return await blocksNaming(reader, named, range)
  const [newest, oldest] = [toBlock(range.newest), toBlock(range.oldest)]
  const { first: unindexed } = await missingBlocks(reader)
  const fresh = Math.min(Math.max(0, newest - Math.max(unindexed, oldest) + 1), maxBlocks)
  const blocks = Array.from({ length: fresh }, (_, index) => newest - index)
  const room = maxBlocks - fresh
  if (room === 0) return { blocks, isAll: false }
  const under = Math.min(newest, unindexed - 1)
  const rows = await reader.db.all<{ block: number }>(
    indexed(workspaceId, search, { newest: under, oldest, limit: room }),
  )
  return { blocks: [...blocks, ...rows.map(({ block }) => block)], isAll: rows.length < room }
}

const toBlock = (rowid: number) => Math.floor(rowid / blockSize)

/** What an index of the table itself answers: one condition for each value. */
function toIndexedConditions(workspaceId: string, { conditions }: Search): SQL[] | null {
  const ofWorkspace = sql`workspace_id = ${workspaceId}`
  const wanted = (field: Condition['field']) => conditions.find((one) => one.field === field && !one.not)?.values
  const keys = wanted('key')
  if (keys) return keys.map((key) => sql`${ofWorkspace} AND idempotency_key = ${key}`)
  const statuses = wanted('status')
  const isIndexed = statuses?.every((status) => eventfulStatuses.some((one) => one === status))
  return statuses && isIndexed ? statuses.map((one) => sql`${ofWorkspace} AND status = ${one} AND ${isEventful}`) : null
}

async function blocksNaming(reader: Reader, named: SQL[], { newest, oldest }: Range) {
  const limit = Math.floor(maxNamed / named.length)
  const within = sql`rowid <= ${newest} AND rowid >= ${oldest}`
  const sources = named.map(
    (one) =>
      sql`SELECT * FROM (SELECT rowid AS number FROM messages WHERE ${one} AND ${within} ORDER BY rowid DESC LIMIT ${limit})`,
  )
  const rows = await reader.db.all<{ number: number }>(
    sql`${sql.join(sources, sql` UNION ALL `)} ORDER BY number DESC LIMIT ${limit}`,
  )
  const blocks = [...new Set(rows.map(({ number }) => toBlock(number)))]
  return { blocks: blocks.slice(0, maxBlocks), isAll: rows.length < limit && blocks.length <= maxBlocks }
}

interface ScanRange {
  newest: number
  oldest: number
  limit: number
}

/** Blocks that hold one of the values of each condition, by the condition that is met least often first. */
function indexed(workspaceId: string, { conditions }: Search, { newest, oldest, limit }: ScanRange): SQL {
  const groups = indexedFields.flatMap((field) =>
    conditions
      .filter((one) => one.field === field && !one.not)
      .map(({ values }) => values.map((value) => toTerm(workspaceId, field, value))),
  )
  for (const { values } of conditions.filter(({ field }) => field === 'person'))
    groups.unshift(values.flatMap((value) => [toTerm(workspaceId, 'to', value), toTerm(workspaceId, 'contact', value)]))
  const [first = [toTerm(workspaceId, 'workspace', '')], ...others] = groups
  const also = others.map(
    (terms) => sql` AND EXISTS (SELECT 1 FROM activity_terms o WHERE o.term IN ${listed(terms)} AND o.block = t.block)`,
  )
  const within = sql`t.block <= ${newest} AND t.block >= ${oldest}`
  const sources = first.map(
    (
      term,
    ) => sql`SELECT * FROM (SELECT t.block AS block FROM activity_terms t WHERE t.term = ${term} AND ${within}${sql.join(also)}
      ORDER BY t.block DESC LIMIT ${limit})`,
  )
  return sql`SELECT DISTINCT block FROM (${sql.join(sources, sql` UNION ALL `)}) ORDER BY block DESC LIMIT ${limit}`
}

function listed(values: (string | number)[]): SQL {
  return sql`(${sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  )})`
}

/** The rowids of what is found in these blocks, the newest first. A `+` keeps SQLite from going through the whole range for each block. */
async function lookInto(reader: Reader, workspaceId: string, search: Search, range: Range, blocks: number[]) {
  if (blocks.length === 0) return []
  const rows = await reader.db.all<{ number: number }>(
    sql`SELECT messages.rowid AS number FROM json_each(${JSON.stringify(blocks)}) b
      CROSS JOIN messages NOT INDEXED ON messages.rowid >= b.value * ${blockSize} AND messages.rowid < (b.value + 1) * ${blockSize}
      WHERE +messages.rowid <= ${range.newest} AND +messages.rowid >= ${range.oldest} AND ${matching(workspaceId, search)}`,
  )
  return rows.map(({ number }) => number).sort((one, other) => other - one)
}

async function loadRecords(reader: Reader, rowids: number[]) {
  const rows = await reader.db
    .select()
    .from(messages)
    .where(sql`rowid IN (SELECT value FROM json_each(${JSON.stringify(rowids)}))`)
    .orderBy(sql`rowid DESC`)
  return await withEvents(reader, rows)
}

function matching(workspaceId: string, { conditions, after, before }: Search): SQL | undefined {
  return and(
    eq(messages.workspaceId, workspaceId),
    after && sql`${messages.createdAt} >= ${after.getTime()}`,
    before && sql`${messages.createdAt} < ${before.getTime()}`,
    ...conditions.map((one) => (one.not ? sql`(${conditionSql(one)}) IS NOT TRUE` : conditionSql(one))),
  )
}

const address = sql`lower(${messages.email})`

function conditionSql({ field, values }: Condition): SQL | undefined {
  switch (field) {
    case 'to':
      return inArray(address, values)
    case 'domain':
      return inArray(sql`substr(${address}, instr(${messages.email}, '@') + 1)`, values)
    case 'template':
      return inArray(messages.templateId, values)
    case 'campaign':
      return inArray(messages.campaignId, values)
    case 'contact':
      return inArray(messages.contactId, values)
    case 'key':
      return inArray(messages.idempotencyKey, values)
    case 'status':
      return inArray(messages.status, values as MessageStatus[])
    case 'tag':
      return sql`EXISTS (SELECT 1 FROM json_each(${messages.tags}) WHERE value IN ${listed(values)})`
    case 'person':
      return or(inArray(address, values), inArray(messages.contactId, values))
    case 'words':
      return and(
        ...values.map((word) => sql`instr(lower(${messages.email} || ' ' || ${messages.subject}), ${word}) > 0`),
      )
  }
}

/** What a message must have to be found, as searchActivity() finds it: of one that is at hand. */
export function isFound(message: Searched, { conditions, after, before }: Search): boolean {
  const at = message.createdAt
  if ((after && at < after) || (before && at >= before)) return false
  return conditions.every((one) => holds(message, one) !== one.not)
}

export type Searched = Pick<
  Message,
  'email' | 'templateId' | 'campaignId' | 'contactId' | 'idempotencyKey' | 'status' | 'tags' | 'subject' | 'createdAt'
>

function holds(message: Searched, { field, values }: Condition): boolean {
  const isOne = (value: string | null) => value !== null && values.includes(value)
  const to = lowered(message.email)
  switch (field) {
    case 'to':
      return isOne(to)
    case 'domain':
      return isOne(to.slice(to.indexOf('@') + 1))
    case 'template':
      return isOne(message.templateId)
    case 'campaign':
      return isOne(message.campaignId)
    case 'contact':
      return isOne(message.contactId)
    case 'key':
      return isOne(message.idempotencyKey)
    case 'status':
      return isOne(message.status)
    case 'tag':
      return message.tags?.some(isOne) ?? false
    case 'person':
      return isOne(to) || isOne(message.contactId)
    case 'words':
      return values.every((word) => `${to} ${lowered(message.subject)}`.includes(word))
  }
}
