// Lists and searches captured mail, newest first. The subject of a mail is that of its message; a mail without a message, such as a notice
// to the owners, is searched by its header. A search looks through a limited number of mails and returns where it continues.

import { and, count, desc, eq, gt, inArray, lt, max, type SQL, sql } from 'drizzle-orm'
import { capturedMails, capturedSources, messages } from '../../../../db/tables/messages.ts'
import type { App } from '../../../core/app.ts'
import { toRawMail } from '../../../mail/raw-mail.ts'

export interface CapturedLine {
  id: number
  workspaceId: string
  /** Null for a mail of the installation itself. */
  messageId: string | null
  from: string
  to: string
  subject: string
}

export interface DatedLine extends CapturedLine {
  createdAt: Date
}

/** All must hold; case is ignored. */
export interface CapturedFilter {
  /** The whole address. */
  to?: string | undefined
  /** A part of it. */
  subject?: string | undefined
  /** Each is a part of an address or of the subject. */
  words: string[]
  /** Captured after this one, or not before this time. */
  after: number | Date | null
}

export const everyCaptured: CapturedFilter = { words: [], after: null }

/** One request looks through so many mails. */
const mostLooked = 2_000
const atOnce = 200
/** How much of a mail is read for a list, enough for its header. */
const headBytes = 64 * 1024
/** A request never counts further than this. */
const maxCounted = 10_000

const { id, workspaceId, envelopeTo, messageIdHeader, raw, sourceId, createdAt } = capturedMails
/** The Message-ID of a message begins with its id. */
const messageIdIn = sql`substr(${messageIdHeader}, 1, instr(${messageIdHeader}, '@') - 1)`

export interface CapturedPage {
  lines: DatedLine[]
  /** Where the next page begins: before this id. */
  next: number | null
}

/** At most `limit` that are wanted, before the id `before`. */
export async function searchCaptured(
  app: App,
  workspace: string,
  filter: CapturedFilter,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<CapturedPage> {
  const lines: DatedLine[] = []
  const portion = isWide(filter) ? limit + 1 : atOnce
  let from = before
  for (let looked = 0; looked < mostLooked; looked += portion) {
    const earlier = from === undefined ? undefined : lt(id, from)
    const later = typeof filter.after === 'number' ? gt(id, filter.after) : undefined
    const rows = await linesWhere(app, and(eq(workspaceId, workspace), earlier, later), portion)
    for (const line of await dated(app, rows.filter(createMatch(filter)))) {
      if (filter.after instanceof Date && line.createdAt < filter.after) return { lines, next: null }
      if (lines.length === limit) return { lines, next: lines.at(-1)?.id ?? null }
      lines.push(line)
    }
    if (rows.length < portion) return { lines, next: null }
    from = rows.at(-1)?.id
  }
  return { lines, next: from ?? null }
}

/** The first of all workspaces after an id, oldest first. */
export async function capturedAfter(app: App, after: number): Promise<DatedLine[]> {
  const next = app.db.select({ id }).from(capturedMails).where(gt(id, after)).orderBy(id).limit(atOnce)
  return (await dated(app, await linesWhere(app, inArray(id, next), atOnce))).reverse()
}

export async function lastCaptured(app: App): Promise<number> {
  const [row] = await app.db.select({ last: max(id) }).from(capturedMails)
  return row?.last ?? 0
}

/** At most 10,000. */
export async function countCaptured(app: App, workspace: string): Promise<number> {
  const some = app.db.select({ id }).from(capturedMails).where(eq(workspaceId, workspace)).limit(maxCounted)
  const [row] = await app.db.select({ total: count() }).from(some.as('some'))
  return row?.total ?? 0
}

export function isWide({ to, subject, words }: CapturedFilter): boolean {
  return to === undefined && subject === undefined && words.length === 0
}

/** Whether a line is wanted, whenever it was captured. */
export function createMatch(filter: CapturedFilter): (line: CapturedLine) => boolean {
  const address = filter.to?.toLowerCase()
  const title = filter.subject?.toLowerCase() ?? ''
  const words = filter.words.map((word) => word.toLowerCase())
  return ({ from, to, subject }) => {
    const [receiver, said] = [to.toLowerCase(), subject.toLowerCase()]
    if ((address !== undefined && receiver !== address) || !said.includes(title)) return false
    return words.every((word) => `${from.toLowerCase()} ${receiver} ${said}`.includes(word))
  }
}

/** Newest first. Columns stored after the mail itself, like its time, are read of few rows only. */
async function linesWhere(app: App, where: SQL | undefined, limit: number): Promise<CapturedLine[]> {
  const { subject, fromName, fromEmail } = messages
  const columns = { id, workspaceId, to: envelopeTo, messageId: messages.id, subject, fromName, fromEmail }
  const rows = await app.db
    .select(columns)
    .from(capturedMails)
    .leftJoin(messages, eq(messages.id, messageIdIn))
    .where(where)
    .orderBy(desc(id))
    .limit(limit)
  const heads = await loadHeads(
    app,
    rows.flatMap((row) => (row.messageId === null ? row.id : [])),
  )
  return rows.map(({ fromName, fromEmail, subject, ...row }) => {
    const { from = '', subject: said = '' } = heads.get(row.id) ?? {}
    return { ...row, from: fromEmail === null ? from : mailbox(fromName, fromEmail), subject: subject ?? said }
  })
}

function mailbox(name: string | null, address: string): string {
  return name ? `${name} <${address}>` : address
}

async function loadHeads(app: App, ids: number[]): Promise<Map<number, { from: string; subject: string }>> {
  const firstPiece = sql`SELECT data FROM ${capturedSources} WHERE source_id = ${sourceId} AND number = 0`
  const head = sql<Uint8Array>`substr(iif(${sourceId} IS NULL, ${raw}, (${firstPiece})), 1, ${headBytes})`
  const heads = new Map<number, { from: string; subject: string }>()
  for (const one of ids) {
    const [row] = await app.db.select({ head }).from(capturedMails).where(eq(id, one))
    if (!row) continue
    const { from, subject } = await app.mailReader.head(await toRawMail([new Uint8Array(row.head)]))
    heads.set(one, { from: mailbox(from.name, from.address), subject })
  }
  return heads
}

async function dated(app: App, lines: CapturedLine[]): Promise<DatedLine[]> {
  if (lines.length === 0) return []
  const ids = lines.map((line) => line.id)
  const rows = await app.db.select({ id, createdAt }).from(capturedMails).where(inArray(id, ids))
  const times = new Map(rows.map((row) => [row.id, row.createdAt]))
  return lines.flatMap((line) => {
    const at = times.get(line.id)
    return at ? [{ ...line, createdAt: at }] : []
  })
}
